// SPDX-License-Identifier: Apache-2.0
// The contents of the boxes of a constraint graph; private to its writers. Units are points.
#ifndef SHAPE_EMIT_GRAPH_TEXT_H
#define SHAPE_EMIT_GRAPH_TEXT_H

#include "solver/emit/constraint_graph.h"

enum {
  CG_LAYERED_MAX = 160,  // nodes of a picture in layers; of edges it has at most twice as many
  CG_LABEL_MAX = 44      // characters of a line; longer ones lose their middle
};

// A character as pictures may hold it: bytes that are no UTF-8, and characters that no text may have, become U+FFFD.
typedef struct graph_char {
  const char *bytes;
  uint32_t byte_count;
  uint32_t length;  // of the text, 1 to 4
} graph_char;

typedef struct graph_box {
  report_text lines[2];
  uint32_t line_count, width, height;
} graph_box;

// Symbols, facts and values.
uint32_t graph_nodes(const constraint_graph *graph);
// Whether it is drawn in layers; springs lay out the others, and boxes are moved apart (graph_spread).
bool graph_is_layered(const constraint_graph *graph);
// at < text.length
graph_char graph_next_char(report_text text, uint32_t at);
void graph_symbol_box(const constraint_graph *graph, uint32_t index, graph_box *out);
void graph_fact_box(const cg_fact *fact, graph_box *out, shape_arena *arena);
void graph_value_box(const cg_value *value, graph_box *out, shape_arena *arena);
// "line 10: the number of elements stays the same", one line each; for definitions "a name for an expression".
void graph_reasons(const constraint_graph *graph, const cg_fact *fact, shape_strbuf *out);

#endif
