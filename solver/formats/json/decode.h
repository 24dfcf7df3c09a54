// SPDX-License-Identifier: Apache-2.0
// The JSON form of a program (PROTOCOL.md, "The graph") into a shape_graph.
//
// The text has passed json_validate of solver/formats/json; it is read where it lies, in one pass, without a tree of it: the cost is
// about that of inspecting every byte once. Spans of the graph are byte offsets into the text.
// What is wrong with the graph itself (a wrong type, a name that nothing defines, ...) becomes error diagnostics, whose
// messages begin with the JSON path: `functions[0].ops[3].operands[1]: ...`; decoding goes on after them.
#ifndef SHAPE_FORMATS_JSON_DECODE_H
#define SHAPE_FORMATS_JSON_DECODE_H

#include "solver/base/budget.h"
#include "solver/graph/graph.h"

enum { GRAPH_JSON_DEPTH = 200 };  // of objects and arrays in one another

// `graph` comes from graph_init(graph, arena, GRAPH_JSON, text, length) and is filled from that text.
void graph_json_decode(shape_graph *graph, shape_budget *budget);

// Parts of a program: an operation becomes the only one in the body of function 0, a type that of value 0, a symbol
// (a row of "symbols") symbol 0. Values that an operation uses and does not define are asked for; the function returns
// a value of the graph, or VALUE_NONE.
typedef enum graph_fragment {
  GRAPH_FRAGMENT_OP,
  GRAPH_FRAGMENT_TYPE,
  GRAPH_FRAGMENT_SYMBOL
} graph_fragment;
typedef value_id graph_outer_value(void *data, const char *name, size_t length);
void graph_json_decode_fragment(shape_graph *graph, shape_budget *budget, graph_fragment kind,
                                graph_outer_value *outer, void *data);

#endif
