// SPDX-License-Identifier: Apache-2.0
// The program back with every type as refined as it is known. No I/O.
//
// Values whose types must be the same one in the text are a class, and a class gets the most refined type that covers
// all of it: what a call hands over and the argument of the callee, what a loop carries, what a function returns.
#ifndef SHAPE_TRANSFORM_TYPES_H
#define SHAPE_TRANSFORM_TYPES_H

#include "solver/formats/mlir/edit.h"
#include "solver/formats/mlir/uses.h"
#include "solver/report/report.h"

typedef struct refined_types {
  shape_graph *graph;
  const shape_report *report;
  uint32_t *class_of;  // union-find, by node: values, then results of functions
  type_id *types;      // by node, of the root: its refined type; TYPE_NONE: keeps what is declared
  bool *pinned;        // by node, of the root
  uint32_t *first_node;  // by func_id: of its results
  uint32_t node_count;
  bool unbounded;  // types lose their bounds
  bool encoded;    // types are written with the symbols of the graph as an encoding
} refined_types;

// uses: NULL where the program is no MLIR text. O(text).
refined_types *refine_types(const shape_report *report, const mlir_uses *uses);
// Values keep the types that are declared.
void refine_nothing(refined_types *types);
type_id refined_value(const refined_types *types, value_id value);
type_id refined_result(const refined_types *types, func_id func, uint32_t index);
// The type of a function with refined arguments and results.
type_id refined_function(const refined_types *types, func_id func);

// The root of the class of a node; it indexes `types`.
uint32_t refined_class(const refined_types *types, uint32_t node);

// Refined types where the source has the old ones.
void refine_edits(const refined_types *types, const mlir_uses *uses, text_edits *edits);
// name_dims.c: the names of the entry's free dims where its arguments are declared (shaped.dims). O(text).
void refine_name_dims(shape_report *report, const refined_types *types, const mlir_uses *uses,
                      text_edits *edits);
// Gives the values of the graph their refined types, so that graph_json_encode writes those.
void refine_graph(const refined_types *types);
// facts.c: gives the graph the constraints and guards of the report that speak of arguments, as far as it has names.
void refine_facts(shape_report *report);
// branches.c: makes dims `?` where what branches yield would not fit together. O(text).
void refine_branches(refined_types *types);

// --- dynamic.c

// A value that is not static.
typedef struct dynamic_value {
  uint32_t line, column;  // of the operation's name, or of the function's; 0: a model has none
  const char *what;       // "result 0 of stablehlo.add"
  const char *type;
  // Data (an operation whose result depends on it), an argument that is not given, or an operation that is not known.
  const char *reason;
  bool is_op;  // an operation that has a static form; its type may be static
} dynamic_value;
typedef void dynamic_taker(void *to, const dynamic_value *value);

// Those that the entry's runs reach, in the order of the source. Returns how many there are.
uint32_t refine_each_dynamic(const refined_types *types, dynamic_taker *take, void *to);
// A taker that writes an error line; `to`: a dynamic_errors.
typedef struct dynamic_errors {
  const char *name;  // of the program
  shape_strbuf *out;
} dynamic_errors;
void refine_put_dynamic(void *to, const dynamic_value *value);
// The same as an error line for each.
uint32_t refine_list_dynamic(const refined_types *types, const char *name, shape_strbuf *out);

#endif
