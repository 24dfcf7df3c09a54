// SPDX-License-Identifier: Apache-2.0
// A generalisation from its request to its answer; private to the folder.
#ifndef SHAPE_GENERALIZE_STATE_H
#define SHAPE_GENERALIZE_STATE_H

#include "solver/generalize/work.h"

// Where in the model something is, in the words of its author.
typedef struct model_location {
  const char *op;    // NULL: none
  const char *node;  // "" where it has none
  uint32_t line;
} model_location;

// A literal that is an expression now.
typedef struct rewritten_literal {
  model_location at;
  uint32_t operand, element;  // operand LITERAL_TYPE: an axis of the result's type
  int64_t was;
  const char *now;  // over dims of arguments: "2*arg0.1"
} rewritten_literal;

// A dim that was given its number back.
typedef struct fixed_dim {
  uint32_t argument, axis;
  model_location at;
  const char *message;
} fixed_dim;

// An assumption that ties dims as they are at the original dims, where an operation leaves several ways.
typedef struct tied_dims {
  const char *predicate;
  model_location at;
  const char *message;
} tied_dims;

// Bytes of the model that are those of the one that was read.
typedef struct model_piece {
  size_t at, begin, size;
} model_piece;

typedef struct model_bytes {
  shape_strbuf text;
  const char *base;
  bool
      made;  // `base` is no input, but was made of one: it has no pieces, and ends with its analysis
  model_piece *pieces;  // by `at`
  uint32_t piece_count, piece_capacity;
} model_bytes;

// Lines of the written text that are in front of what is in one of the text that was read.
typedef struct added_lines {
  uint32_t at, count;
} added_lines;

struct generalization {
  const generalize_request *request;
  analysis_reply *reply;
  shape_arena arena;  // of what outlives one analysis
  original from;
  bool **freed;         // by argument and axis
  bool writable;        // the format is written back
  bool keeps_literals;  // with them written anew, the program was another one at the original dims
  model_bytes model;
  added_lines *added;  // of text, in its order
  uint32_t added_count;
  rewritten_literal *rewritten;
  uint32_t rewritten_count;
  fixed_dim *fixed;
  uint32_t fixed_count, fixed_capacity;
  tied_dims *tied;
  uint32_t tied_count, tied_capacity;
  // Of what was written.
  analysis_request request_of_model;
  loosening
      loose_of_model;  // of a format that is not written back, or has its dims written at the end
  analysis model_analysis;
  analysis_reply model_reply;
  bool open;              // model_analysis is
  origin_values *origin;  // of its report; NULL: there is none
};

// Whether what is written is edits of spans of the text.
static inline bool generalize_has_spans(const shape_graph *graph) {
  return graph->format == GRAPH_MLIR || graph->format == GRAPH_FX;
}
// Writes the model with what is freed; false: the reply says why. (discover.c)
bool generalize_discover(generalization *g);
// Analyses it. False: the reply says why. *again: dims were fixed, and all has to begin anew. (conclude.c)
bool generalize_conclude(generalization *g, bool *again);
// What ties dims, as assumptions of an analysis.
void generalize_assumptions(generalization *g, analysis_request *request);
// Where an operation of the written model is in the one that was read; op NULL: nowhere. (locate.c)
model_location locate_op(const generalization *g, op_id op);
model_location locate_reason(const generalization *g, const report_because *why);
// The first operation without which the argument's dim, a number, could be free. (pin.c)
fixed_dim pin_of(generalization *g, uint32_t argument, uint32_t axis);

void generalize_json(generalization *g, shape_strbuf *out);
void generalize_text(generalization *g, shape_strbuf *out);

#endif
