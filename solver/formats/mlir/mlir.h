// SPDX-License-Identifier: Apache-2.0
// Reads MLIR text into a graph: generic form of any dialect, and the pretty forms of StableHLO and of the dialects
// that are beside it (func, chlo, shape, tensor, arith, disc_shape). Pretty and generic form give the same graph.
#ifndef SHAPE_FORMATS_MLIR_MLIR_H
#define SHAPE_FORMATS_MLIR_MLIR_H

#include "solver/graph/graph.h"

// The graph was made by graph_init with the text; it is filled. What is wrong with the text goes to graph->diags as
// errors, and the status is SHAPE_OK all the same: what could be read is in the graph. Leaves through arena_fail when
// memory runs out. O(length); no recursion deeper than MLIR_DEPTH.
shape_status mlir_read(shape_graph *graph);

// One type, and nothing after it. On failure *error says what is wrong (in the graph's arena) and *error_at where.
bool mlir_parse_type(shape_graph *g, const char *text, size_t length, type_id *out,
                     const char **error, size_t *error_at);
// Types separated by commas, such as the value of --arg-types. An empty text is no types. *out is in the arena.
bool mlir_parse_type_list(shape_graph *g, const char *text, size_t length, const type_id **out,
                          uint32_t *count, const char **error, size_t *error_at);
// An attribute, such as "#stablehlo.dot<...>" or "affine_map<(d0) -> (d0)>". What cannot be read is ATTR_OPAQUE with its text.
attr_id mlir_parse_attr(shape_graph *g, const char *text, size_t length);

// What most types and names of operations begin with, "tensor<" and as much of "stablehlo.": it distinguishes none of them.
enum { MLIR_COMMON_HEAD = 7 };

enum { MLIR_DEPTH = 200 };  // of regions, attributes and types in one another

#endif
