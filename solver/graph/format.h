// SPDX-License-Identifier: Apache-2.0
// What a format of programs is: a row of formats.def, and a reader in a folder of solver/formats. Layers between the two
// ask a row what the format can do; solver/formats/formats.h finds the row and the reader of some bytes.
#ifndef SHAPE_GRAPH_FORMAT_H
#define SHAPE_GRAPH_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/graph/loc.h"

struct shape_graph;      // graph.h
struct mlir_uses;        // solver/formats/mlir/uses.h
struct fx_uses;          // solver/formats/fx/uses.h
struct report_location;  // solver/report/report.h

typedef enum graph_format {
#define X(id, name, ending, flags) GRAPH_##id,
#include "solver/graph/formats.def"
#undef X
  GRAPH_FORMATS_END
} graph_format;

typedef enum format_flag {
  FORMAT_TEXT =
      1,  // locations are lines and columns; else offsets, and operations have paths for names
  FORMAT_PLAIN_TERMS = 2,  // dims are written without select, as tools of the format read them
  FORMAT_INTEGERS = 4      // integers are values with names, beside tensors
} format_flag;

typedef struct graph_format_row {
  const char *name, *ending;
  unsigned flags;
} graph_format_row;
extern const graph_format_row GRAPH_FORMATS[GRAPH_FORMATS_END];

static inline bool format_is_text(graph_format f) { return GRAPH_FORMATS[f].flags & FORMAT_TEXT; }

// --- readers

// Bytes of an unknown format. A reader recognises its format by them alone, and reads the first few kilobytes at
// most, of an archive its directory.
typedef struct format_bytes {
  const char *text;
  size_t length;
  size_t start;  // the first that is no white space, below `length`
  bool is_text;  // there are no control characters at the beginning
} format_bytes;

typedef enum format_match { FORMAT_NO, FORMAT_MAYBE, FORMAT_SURE } format_match;

// What is beside the bytes of a program.
struct format_beside {
  // ONNX: brings `length` bytes of the data of tensors that are in other files; NULL: their values are not known.
  bool (*external)(void *data, const char *name, uint64_t offset, size_t length, void *to);
  void *external_data;
  // FX: dims of parameters, as JSON (NULL: none) and as texts (solver/formats/fx/inputs.c).
  const char *inputs;
  const char *const *input_texts;
  uint32_t input_count;
  bool opaque_names;  // ONNX: no dim_param is an expression
};

// What a caller may give; a reader takes what it knows.
typedef struct format_options {
  bool validated;              // JSON: the text passed json_validate already
  bool text_later;             // the text is asked for by graph_text: it may be left out until then
  struct mlir_uses *uses;      // MLIR: filled, see mlir_read_uses; NULL: not wanted
  struct fx_uses *statements;  // FX: filled; NULL: not wanted
  struct format_beside beside;
} format_options;

typedef struct format_reader {
  format_match (*match)(const format_bytes *bytes);
  // Fills a graph that graph_init'ed with the bytes and has a budget. What is wrong with them becomes diagnostics. Leaves
  // through arena_fail when memory or the budget runs out.
  void (*read)(struct shape_graph *graph, const format_options *options);
  const char *no_session;  // why a session does not take programs of the format; NULL: it does
  // Where the source says that the operation at a span comes from, at most `room` locations; how many. NULL: it never does.
  uint32_t (*locations)(const struct shape_graph *graph, struct source_span span,
                        struct report_location *out, uint32_t room);
} format_reader;

#endif
