// SPDX-License-Identifier: Apache-2.0
// Expressions in dim_param: which symbols and constraints a model declares by them.
#include "tests/unit/formats/onnx/reading.h"

static wire_out model, graph;

// Reads a model with an input, an inner value and an output of these dims.
static void read(onnx_reading *r, const char *input, const char *inner) {
  graph.size = 0;
  put_value(&graph, 11, "x", 1, input);
  put_value(&graph, 13, "y", 1, inner);
  put_value(&graph, 12, "x", 1, input);
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, NULL);
  cr_expect_str_eq(onnx_reading_error(r), "");
}

static const graph_symbol *symbol(const onnx_reading *r, const char *name) {
  uint32_t id = graph_find_symbol(&r->graph, intern_find(&r->graph.names, name, strlen(name)));
  return id == ID_NONE ? NULL : &r->graph.declared.symbols[id];
}

static int64_t input_dim(const onnx_reading *r, uint32_t axis) {
  return type_get(&r->graph.types, r->graph.values[0].type)->dims[axis];
}

Test(onnx_dim, an_expression_defines_its_symbol) {
  onnx_reading r;
  read(&r, "n n*2 n+past", "n");
  cr_expect_eq(r.graph.declared.symbol_count, 4);
  cr_expect_null(symbol(&r, "n")->definition);
  cr_expect_null(symbol(&r, "past")->definition);
  cr_expect_str_eq(symbol(&r, "n*2")->definition, "2*n");
  cr_expect_str_eq(symbol(&r, "n+past")->definition, "n + past");
  cr_expect_eq(r.graph.declared.assumption_count, 0);
  onnx_reading_close(&r);
}

Test(onnx_dim, numbers_are_dims_and_names_stay_names) {
  onnx_reading r;
  read(&r, "(4*3) (2-5) batch-size n! n+", "n");
  cr_expect_eq(input_dim(&r, 0), 12);
  cr_expect_null(symbol(&r, "(2-5)")->definition);
  cr_expect_null(symbol(&r, "batch-size")->definition);
  cr_expect_null(symbol(&r, "n!")->definition);
  cr_expect_null(symbol(&r, "n+")->definition);
  cr_expect_null(symbol(&r, "batch"));
  onnx_reading_close(&r);
}

// Of an input, its type says that a quotient is an integer; another value may turn out not to have the dim.
Test(onnx_dim, quotients_are_integers) {
  onnx_reading r;
  read(&r, "h h/2 n*2+1/2", "w/3");
  cr_assert_eq(r.graph.declared.assumption_count, 2);
  const graph_assumption *a = r.graph.declared.assumptions;
  cr_expect_str_eq(a[0].text, "mod(h, 2) == 0");
  cr_expect(a[0].found && !a[0].required);
  cr_expect_str_eq(a[1].text, "mod(w, 3) == 0");
  cr_expect(a[1].found && a[1].required);
  cr_expect_null(symbol(&r, "n*2+1/2")->definition);
  onnx_reading_close(&r);
}
