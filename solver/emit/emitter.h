// SPDX-License-Identifier: Apache-2.0
// Emitters: what an analysis is written as. One table (emitters.def); a row names the function that writes, and the type
// of its options, each of which has its own defaults: all zero.
//
// To add one: a row, and a file of solver/emit with `void emit_<id>(const emission *e)`. Commands, methods and the
// library find it by family and form. A request names the emitter that it wants; nothing depends on the order of rows.
//
//   emit_analyze(&request, emit_as_guards_c(NULL), sink, to, &reply);
#ifndef SHAPE_EMIT_EMITTER_H
#define SHAPE_EMIT_EMITTER_H

#include "solver/analysis/analysis.h"
#include "solver/emit/likely.h"
#include "solver/transform/types.h"

typedef void emit_sink(void *to, const char *data, size_t length);

// --- options, by emitter

typedef char emit_no_options;

typedef struct text_options {
  bool colour;
  const char *const *profiles;  // ranges of dims that are to be checked (solver/profile/profile.h)
  uint32_t profile_count;
  shape_answer *answer;  // result, or NULL: whether every point of all profiles is legal
} text_options;

typedef struct json_options {
  const char *const *profiles;  // as of text
  uint32_t profile_count;
  shape_answer *answer;
  bool big_as_text;            // integers beyond 2^53 as strings
  const likely_point *points;  // values of dims that were seen at run time: they give likely values
  uint32_t point_count;
} json_options;

typedef struct violation_options {
  bool big_as_text;
  const likely_point *points;
  uint32_t point_count;
  bool *violated;  // result, by point
} violation_options;

typedef struct why_options {
  const char *that;      // a predicate
  bool colour;           // of text
  bool big_as_text;      // of JSON
  shape_answer *answer;  // result, or NULL: NO also where the program has errors
} why_options;

typedef struct at_options {
  uint32_t line, column;  // from 1
  bool colour, big_as_text;
} at_options;

// How dims that are no numbers are made: as the program has it, with set_dimension_size, or with real_dynamic_slice.
typedef enum program_dynamism {
  DYNAMISM_AS_IS,
  DYNAMISM_BOUNDED,
  DYNAMISM_UNBOUNDED
} program_dynamism;

typedef enum program_part { PROGRAM_TYPES = 1, PROGRAM_FORMS = 2, PROGRAM_FOLD = 4 } program_part;

// Of the emitters that write the program back. MLIR has all of these; any has `require_static`.
typedef struct program_options {
  const char *passes;  // MLIR: these instead of all, see passes.h; NULL: none are named
  unsigned
      parts;  // program_part of which it is made, without anything else; 0: all that is asked for
  bool require_static;         // dims that stay dynamic are errors
  const likely_point *points;  // as of json_options: forms that write symbols write likely values
  uint32_t point_count;
  bool cleanup;               // without shape computations that nothing needs any more
  bool generic;               // in MLIR's generic form
  bool names;                 // MLIR: with names of the free dims where arguments are declared
  program_dynamism dynamism;  // the request then has find_bounds as well: see program_finds_bounds
  dynamic_taker *dynamic;     // takes each value that stays dynamic; NULL: none is reported
  void *dynamic_to;
  const char *target;  // of vhlo, which needs it: "1.9.0"
  // ONNX, bytecode: takes parts of the input, in order with what the sink takes; NULL: the sink takes them.
  void (*copy)(void *to, size_t begin, size_t end);
} program_options;

static inline bool program_finds_bounds(const program_options *o) {
  return o->dynamism == DYNAMISM_BOUNDED;
}

// Of guards as code.
typedef struct guard_options {
  const char *
      profile;  // ranges of dims (solver/profile): guards that hold at all points are left out; NULL: none
  // guards-mlir: those alone that the operation at this location needs, in front of it. From 1; 0: all, at the entry.
  uint32_t line, column;
} guard_options;

typedef struct picture_options {
  // Only these, what speaks of them, and what that speaks of; none: everything.
  const char *const *symbols;
  uint32_t symbol_count;
  const char *layout;  // of svg and html: what Graphviz makes of the form "layout"
  size_t layout_length;
} picture_options;

// Of the forms of `cost`.
typedef struct cost_options {
  bool big_as_text;       // of JSON
  bool reuse;             // and which values can share a buffer
  const char *at;         // a point, "B=8,arg0.1=128"; NULL: none
  const char *profile;    // ranges, as of --profile; NULL: none
  double flops_per_byte;  // the balance of a machine; 0: not given
} cost_options;

// --- the table

typedef enum emit_family {
  EMIT_ANSWER,
  EMIT_EXPLAIN,
  EMIT_AT,
  EMIT_PROGRAM,
  EMIT_PICTURE,
  EMIT_COST,
  EMIT_VIEW
} emit_family;

enum {
  EMIT_MLIR = 1,             // only of programs that are MLIR text
  EMIT_ONNX = 2,             // only of ONNX models
  EMIT_SPANS = 4,            // needs to know where the text writes types
  EMIT_VALID = 8,            // of a program with errors these are written instead, as text
  EMIT_REFUSES_ERRORS = 16,  // of a program with errors nothing is written: INVALID
  EMIT_FAILS_AS_JSON = 32,   // where there is no answer, JSON says so
  EMIT_BYTES = 64,           // what it writes is no text
  EMIT_DYNAMISM = 128,       // reads program_options.dynamism
  EMIT_REGIONS = 256,        // needs branches as they are without their conditions (infer_whole)
  EMIT_CHANGES = 512,        // puts types and facts into the graph
  EMIT_TEXT_LATER = 1024     // gets the text of the program by graph_text, if at all
};

typedef struct emission {
  analysis *a;
  shape_report *report;
  const void *options;  // of the row's type; never NULL
  shape_strbuf *out;    // goes to the sink
  emit_sink *sink;      // for those that write in pieces of their own
  void *to;
} emission;

typedef struct emitter {
  emit_family family;
  const char *form;
  unsigned flags;
  void (*write)(const emission *e);  // under the protection of the program
} emitter;

// An emitter and what it is given; options: NULL: the defaults.
typedef struct emit_choice {
  const emitter *emitter;
  const void *options;
} emit_choice;

extern const emitter EMITTERS[];
enum {
#define X(id, family, form, options, flags, what) EMITTER_##id,
#include "solver/emit/emitters.def"
#undef X
  EMITTER_COUNT
};

#define X(id, family, form, options_type, flags, what)                                             \
  void emit_##id(const emission *e);                                                               \
  static inline emit_choice emit_as_##id(const options_type *options) {                            \
    return (emit_choice){&EMITTERS[EMITTER_##id], options};                                        \
  }
#include "solver/emit/emitters.def"
#undef X

// By the name of its form within a family; NULL: there is none.
const emitter *emitter_find(emit_family family, const char *form);

// --- running one

// Writes an analysis that was opened to the sink, in pieces. Where the status is INVALID nothing is written. Where the
// emitter needs spans that the analysis does not have, the program is read and analysed again.
void emit_analysis(analysis *a, emit_choice choice, emit_sink *sink, void *to);
// The whole: reads, analyses, writes, and even where memory runs out an answer says so.
void emit_analyze(const analysis_request *request, emit_choice choice, emit_sink *sink, void *to,
                  analysis_reply *reply);

// Ends what is written with the status of the reply, in the form of the emitter. It has memory of its own.
void emit_failure(const analysis_request *request, const emitter *kind, emit_sink *sink, void *to,
                  analysis_reply *reply);

// A requested parameter is invalid. Any emitter may refuse, before it writes.
#define emit_refuse(e, ...) analysis_refuse((e)->a, __VA_ARGS__)

#endif
