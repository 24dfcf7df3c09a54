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

// What is taken away from a dim of an input leaves a dim; of another value nothing is said.
Test(onnx_dim, differences_are_not_negative) {
  onnx_reading r;
  read(&r, "s-1 2*s s+1", "w-(5)");
  cr_assert_eq(r.graph.declared.assumption_count, 1);
  const graph_assumption *a = r.graph.declared.assumptions;
  cr_expect_str_eq(a[0].text, "s - 1 >= 0");
  cr_expect(a[0].found && !a[0].required);
  onnx_reading_close(&r);
}

// --- dims in the structured form

static void put_named(wire_out *list, const char *name) {
  wire_out dim = {.size = 0};
  put_text(&dim, 2, name);
  put_message(list, 3, &dim);
}

// A dim that applies a function to a name and a number.
static void put_applied(wire_out *dim, const char *domain, const char *function, const char *name,
                        int64_t number) {
  wire_out application = {.size = 0}, argument = {.size = 0};
  put_text(&application, 1, domain);
  put_text(&application, 2, function);
  put_named(&application, name);
  put_int(&argument, 1, number);
  put_message(&application, 3, &argument);
  put_message(dim, 4, &application);
}

static void read_applied_with(onnx_reading *r, const wire_out *dims, uint32_t count,
                              const onnx_options *options) {
  static wire_out shape, tensor, type, value;
  shape.size = tensor.size = type.size = value.size = graph.size = 0;
  for (uint32_t i = 0; i < count; i++) put_message(&shape, 1, &dims[i]);
  put_int(&tensor, 1, 1);
  put_message(&tensor, 2, &shape);
  put_message(&type, 1, &tensor);
  put_text(&value, 1, "x");
  put_message(&value, 2, &type);
  put_message(&graph, 11, &value);
  put_message(&graph, 12, &value);
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, options);
  cr_expect_str_eq(onnx_reading_error(r), "");
}

static void read_applied(onnx_reading *r, const wire_out *dims, uint32_t count) {
  read_applied_with(r, dims, count, NULL);
}

Test(onnx_dim, opaque_names_are_no_expressions) {
  static wire_out dims[2];
  onnx_reading r;
  put_text(&dims[0], 2, "2*n");
  put_applied(&dims[1], "", "Add", "n", 1);
  read_applied_with(&r, dims, 2, &(onnx_options){.opaque_names = true});
  cr_expect_null(symbol(&r, "2*n")->definition);
  cr_expect_null(symbol(&r, "Add(n, 1)")->definition);
  onnx_reading_close(&r);
}

Test(onnx_dim, structured_dims_are_what_their_text_says) {
  static wire_out dims[5], inner, outer;
  onnx_reading r;
  put_applied(&dims[0], "", "Add", "n", 1);
  put_applied(&dims[1], "com.mine", "Twice", "n", 1);
  put_applied(&dims[2], "", "Add", "batch-size", 1);  // no word: nothing is known
  put_text(&dims[3], 2, "n");
  // Mul(Add(n, 2), m)
  put_applied(&inner, "", "Add", "n", 2);
  put_text(&outer, 2, "Mul");
  put_message(&outer, 3, &inner);
  put_named(&outer, "m");
  put_message(&dims[4], 4, &outer);
  read_applied(&r, dims, 5);
  cr_expect_str_eq(symbol(&r, "Add(n, 1)")->definition, "n + 1");
  cr_expect_null(symbol(&r, "com.mine.Twice(n, 1)")->definition);
  cr_expect_eq(input_dim(&r, 2), DIM_DYNAMIC);
  cr_expect(dim_is_symbol(input_dim(&r, 3)));
  cr_expect_str_eq(symbol(&r, "Mul(Add(n, 2), m)")->definition, "n*m + 2*m");
  onnx_reading_close(&r);
}

Test(onnx_dim, structured_dims_end) {
  static wire_out deep, next, dim;
  onnx_reading r;
  deep.size = 0;
  put_text(&deep, 2, "n");
  for (int i = 0; i < 40; i++) {
    wire_out application = {.size = 0};
    put_text(&application, 2, "Neg");
    put_message(&application, 3, &deep);
    next.size = 0;
    put_message(&next, 4, &application);
    deep = next;
  }
  dim = deep;
  read_applied(&r, &dim, 1);
  cr_expect_eq(input_dim(&r, 0), DIM_DYNAMIC);
  onnx_reading_close(&r);
}
