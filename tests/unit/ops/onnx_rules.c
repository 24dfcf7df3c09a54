// SPDX-License-Identifier: Apache-2.0
// ONNX operators: dims, the version that an attribute belongs to, and what is refused.
#include "tests/support/onnx_model.h"

enum { FLOAT = 1, INT64 = 7, BOOL = 9 };
enum { NODE = 1, INPUT = 11, OUTPUT = 12 };

// One operator on inputs a, b with the given dims (NULL: left out); its result is y.
static const char *run(wire_out *node, const char *a, const char *b, int64_t opset) {
  static wire_out graph;
  graph.size = 0;
  put_message(&graph, NODE, node);
  put_text(&graph, 2, "g");
  if (a) put_value(&graph, INPUT, "a", FLOAT, a);
  if (b) put_value(&graph, INPUT, "b", FLOAT, b);
  put_value(&graph, OUTPUT, "y", FLOAT, NULL);
  return sizes_of(&graph, opset, "y");
}

Test(onnx, broadcasting_is_exact) {
  wire_out node;
  node_begin(&node, "Add", "a b", "y");
  cr_expect_str_eq(run(&node, "N 3", "1 3", 13), "[s0, 3]");
  cr_expect_str_eq(run(&node, "N 3", "4 3", 13), "[4, 3]");
  cr_expect_str_eq(run(&node, "N 3", "3", 13), "[s0, 3]");
  cr_expect_str_eq(run(&node, "2 3", "4 3", 13), "error");
}

Test(onnx, windows_round_as_their_mode_says) {
  wire_out node;
  static const int64_t three[] = {3}, two[] = {2}, zero[] = {0}, ones[] = {1, 1};
  node_begin(&node, "MaxPool", "a", "y");
  attr_ints(&node, "kernel_shape", three, 1);
  attr_ints(&node, "strides", two, 1);
  cr_expect_str_eq(run(&node, "1 1 8", NULL, 13), "[1, 1, 3]");
  attr_int(&node, "ceil_mode", 1);
  cr_expect_str_eq(run(&node, "1 1 8", NULL, 13), "[1, 1, 4]");
  // A window that would start after the last element does not count.
  attr_ints(&node, "pads", ones, 2);
  cr_expect_str_eq(run(&node, "1 1 7", NULL, 13), "[1, 1, 4]");
  node_begin(&node, "MaxPool", "a", "y");
  attr_ints(&node, "kernel_shape", three, 1);
  attr_ints(&node, "strides", zero, 1);
  cr_expect_str_eq(run(&node, "1 1 8", NULL, 13), "error");
  node_begin(&node, "AveragePool", "a", "y");
  attr_ints(&node, "kernel_shape", three, 1);
  attr_ints(&node, "strides", two, 1);
  attr_text(&node, "auto_pad", "SAME_UPPER");
  cr_expect_str_eq(run(&node, "1 1 7", NULL, 13), "[1, 1, 4]");
}

Test(onnx, products_contract_and_broadcast) {
  wire_out node;
  node_begin(&node, "MatMul", "a b", "y");
  cr_expect_str_eq(run(&node, "N 2 3", "3 4", 13), "[s0, 2, 4]");
  cr_expect_str_eq(run(&node, "3", "3 4", 13), "[4]");
  cr_expect_str_eq(run(&node, "2 3", "4 5", 13), "error");
  node_begin(&node, "Einsum", "a b", "y");
  attr_text(&node, "equation", "bij,bjk->bik");
  cr_expect_str_eq(run(&node, "N 2 3", "N 3 4", 13), "[s0, 2, 4]");
}

Test(onnx, axes_move_from_attribute_to_operand) {
  static const int64_t axis[] = {1};
  wire_out node;
  node_begin(&node, "ReduceSum", "a", "y");
  attr_ints(&node, "axes", axis, 1);
  attr_int(&node, "keepdims", 0);
  cr_expect_str_eq(run(&node, "N 3", NULL, 11), "[s0]");
  cr_expect_str_eq(run(&node, "N 3", NULL, 13), "[]");  // not an attribute any more: all axes
  node_begin(&node, "Relu", "a", "y");
  cr_expect_str_eq(run(&node, "N 3", NULL, 999), "error");
}

Test(onnx, reshape_divides_what_is_left) {
  static const int64_t shape[] = {0, -1, 4}, invalid[] = {-1, -1};
  wire_out node, graph = {.size = 0};
  node_begin(&node, "Reshape", "a s", "y");
  put_message(&graph, NODE, &node);
  put_value(&graph, INPUT, "a", FLOAT, "N 8 6");
  put_ints(&graph, "s", shape, 3);
  cr_expect_str_eq(sizes_of(&graph, 13, "y"), "[s0, 12, 4]");
  graph.size = 0;
  put_message(&graph, NODE, &node);
  put_value(&graph, INPUT, "a", FLOAT, "N 8 6");
  put_ints(&graph, "s", invalid, 2);
  cr_expect_str_eq(sizes_of(&graph, 13, "y"), "error");
}

Test(onnx, a_sum_of_parts_may_be_uneven) {
  wire_out node;
  node_begin(&node, "Split", "a", "x y");
  attr_int(&node, "num_outputs", 2);
  cr_expect_str_eq(run(&node, "7", NULL, 18), "[3]");
  node_begin(&node, "Split", "a", "x y");
  cr_expect_str_eq(run(&node, "7", NULL, 11), "error");
}

// An attribute that is a graph.
static void attr_graph(wire_out *node, const char *name, const wire_out *body) {
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  put_message(&attr, 6, body);
  put_int(&attr, 20, 5);
  put_message(node, 5, &attr);
}

// A loop that runs four times and stacks what it makes.
Test(onnx, a_loop_stacks_its_outputs) {
  static const int64_t four[] = {4};
  wire_out body = {.size = 0}, node, graph = {.size = 0};
  node_begin(&node, "Identity", "c", "d");
  put_message(&body, NODE, &node);
  node_begin(&node, "Identity", "v", "w");
  put_message(&body, NODE, &node);
  node_begin(&node, "Identity", "v", "z");
  put_message(&body, NODE, &node);
  put_value(&body, INPUT, "i", INT64, "");
  put_value(&body, INPUT, "c", 9, "");
  put_value(&body, INPUT, "v", FLOAT, NULL);
  put_value(&body, OUTPUT, "d", 9, NULL);
  put_value(&body, OUTPUT, "w", FLOAT, NULL);
  put_value(&body, OUTPUT, "z", FLOAT, NULL);
  node_begin(&node, "Loop", "m - a", "last y");
  attr_graph(&node, "body", &body);
  put_message(&graph, NODE, &node);
  put_ints(&graph, "m", four, -1);
  put_value(&graph, INPUT, "a", FLOAT, "N 3");
  put_value(&graph, OUTPUT, "y", FLOAT, NULL);
  cr_expect_str_eq(sizes_of(&graph, 13, "y"), "[4, s0, 3]");
  cr_expect_str_eq(sizes_of(&graph, 13, "last"), "[s0, 3]");
}

// The body of a Loop whose carried vector v becomes what the node makes of v and k.
static void loop_of(wire_out *graph, const wire_out *step) {
  static wire_out body, node;
  body.size = 0;
  graph->size = 0;
  put_message(&body, NODE, step);
  put_text(&body, 2, "b");
  put_value(&body, INPUT, "i", INT64, "");
  put_value(&body, INPUT, "c", BOOL, "");
  put_value(&body, INPUT, "v", INT64, NULL);
  put_value(&body, OUTPUT, "c", BOOL, NULL);
  put_value(&body, OUTPUT, "w", INT64, NULL);
  node_begin(&node, "Loop", "m - s", "last");
  attr_graph(&node, "body", &body);
  put_message(graph, NODE, &node);
  node_begin(&node, "ConstantOfShape", "last", "y");
  put_message(graph, NODE, &node);
  put_text(graph, 2, "g");
  put_value(graph, INPUT, "m", INT64, "");
  put_value(graph, INPUT, "s", INT64, "2");
  put_value(graph, INPUT, "k", INT64, "1");
  put_value(graph, OUTPUT, "y", FLOAT, NULL);
}

Test(onnx, elements_of_a_vector_that_grows_in_a_loop_are_not_known) {
  wire_out step, graph;
  node_begin(&step, "Concat", "v k", "w");
  attr_int(&step, "axis", 0);
  loop_of(&graph, &step);
  cr_expect_str_eq(sizes_of(&graph, 17, "y"), "*");
  node_begin(&step, "Identity", "v", "w");
  loop_of(&graph, &step);
  cr_expect_str_eq(sizes_of(&graph, 17, "y"), "[s1, s2]");
}

static void put_named(wire_out *graph, uint32_t field, const char *name) {
  wire_out value = {.size = 0};  // of any type
  put_text(&value, 1, name);
  put_message(graph, field, &value);
}

static void put_body(wire_out *node, const char *name, const wire_out *body) {
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  put_message(&attr, 6, body);
  put_int(&attr, 20, 5);
  put_message(node, 5, &attr);
}

static void put_node(wire_out *graph, const char *op, const char *inputs, const char *outputs,
                     const char *axis) {
  wire_out node;
  node_begin(&node, op, inputs, outputs);
  if (axis) attr_int(&node, axis, 0);
  put_message(graph, NODE, &node);
}

// v grows with each trip, so the first element of [v] is not what it was on the first trip. What each trip inserts into an
// empty sequence is what all its elements are.
Test(onnx, elements_of_a_sequence_may_differ_from_trip_to_trip) {
  static const int64_t zero[] = {0};
  wire_out body = {.size = 0}, node, graph = {.size = 0};
  put_node(&body, "Identity", "c", "d", NULL);
  put_node(&body, "Concat", "v a", "w", "axis");
  put_node(&body, "SequenceConstruct", "v", "t", NULL);
  put_node(&body, "SequenceAt", "t zero", "u", NULL);
  put_node(&body, "SequenceInsert", "s a", "s2", NULL);
  put_value(&body, INPUT, "i", INT64, "");
  put_value(&body, INPUT, "c", 9, "");
  put_value(&body, INPUT, "v", FLOAT, NULL);
  put_value(&body, INPUT, "p", FLOAT, NULL);
  put_named(&body, INPUT, "s");
  put_value(&body, OUTPUT, "d", 9, NULL);
  put_value(&body, OUTPUT, "w", FLOAT, NULL);
  put_value(&body, OUTPUT, "u", FLOAT, NULL);
  put_named(&body, OUTPUT, "s2");
  put_node(&graph, "SequenceEmpty", "", "e", NULL);
  node_begin(&node, "Loop", "m - a a e", "last first all");
  put_body(&node, "body", &body);
  put_message(&graph, NODE, &node);
  put_node(&graph, "ConcatFromSequence", "all", "y", "axis");
  put_ints(&graph, "zero", zero, -1);
  put_value(&graph, INPUT, "m", INT64, "");
  put_value(&graph, INPUT, "a", FLOAT, "N 3");
  put_value(&graph, OUTPUT, "y", FLOAT, NULL);
  cr_expect_str_eq(sizes_of(&graph, 17, "first"), "[s11, 3]");
  cr_expect_str_eq(sizes_of(&graph, 17, "y"), "[s13, 3]");
}

// One operator or the other, where `k` says so.
static void put_choice(wire_out *graph, const char *inserts, const char *operands, const char *op,
                       const char *other, const char *result) {
  wire_out yes = {.size = 0}, no = {.size = 0}, node;
  put_node(&yes, inserts, operands, "t", NULL);
  put_named(&yes, OUTPUT, "t");
  put_node(&no, op, other, "f", NULL);
  put_named(&no, OUTPUT, "f");
  node_begin(&node, "If", "k", result);
  put_body(&node, "then_branch", &yes);
  put_body(&node, "else_branch", &no);
  put_message(graph, NODE, &node);
}

Test(onnx, an_empty_sequence_says_nothing_of_the_elements_of_another_branch) {
  static const int64_t zero[] = {0};
  wire_out graph = {.size = 0}, body = {.size = 0}, node;
  put_choice(&graph, "SequenceConstruct", "a", "SequenceEmpty", "", "s");
  put_node(&graph, "SequenceAt", "s zero", "y", NULL);
  put_ints(&graph, "zero", zero, -1);
  put_value(&graph, INPUT, "k", 9, "");
  put_value(&graph, INPUT, "a", FLOAT, "N 3");
  put_value(&graph, OUTPUT, "y", FLOAT, NULL);
  cr_expect_str_eq(sizes_of(&graph, 17, "y"), "[s0, 3]");

  graph.size = 0;
  put_node(&body, "Identity", "c", "d", NULL);
  put_choice(&body, "SequenceInsert", "s a", "Identity", "s", "s2");
  put_value(&body, INPUT, "i", INT64, "");
  put_value(&body, INPUT, "c", 9, "");
  put_named(&body, INPUT, "s");
  put_value(&body, OUTPUT, "d", 9, NULL);
  put_named(&body, OUTPUT, "s2");
  put_node(&graph, "SequenceEmpty", "", "e", NULL);
  node_begin(&node, "Loop", "m - e", "all");
  put_body(&node, "body", &body);
  put_message(&graph, NODE, &node);
  put_node(&graph, "ConcatFromSequence", "all", "y", "axis");
  put_value(&graph, INPUT, "k", 9, "");
  put_value(&graph, INPUT, "m", INT64, "");
  put_value(&graph, INPUT, "a", FLOAT, "N 3");
  put_value(&graph, OUTPUT, "y", FLOAT, NULL);
  cr_expect_str_eq(sizes_of(&graph, 17, "y"), "[s5, 3]");
}

Test(onnx, states_of_a_scan_keep_their_shapes) {
  wire_out body = {.size = 0}, node, graph = {.size = 0};
  node_begin(&node, "Add", "u v", "w");
  put_message(&body, NODE, &node);
  put_text(&body, 2, "b");
  put_value(&body, INPUT, "u", FLOAT, NULL);
  put_value(&body, INPUT, "v", FLOAT, NULL);
  put_value(&body, OUTPUT, "w", FLOAT, NULL);
  put_value(&body, OUTPUT, "w", FLOAT, NULL);
  node_begin(&node, "Scan", "a b", "last y");
  attr_int(&node, "num_scan_inputs", 1);
  attr_graph(&node, "body", &body);
  put_message(&graph, NODE, &node);
  put_text(&graph, 2, "g");
  put_value(&graph, INPUT, "a", FLOAT, "N");
  put_value(&graph, INPUT, "b", FLOAT, "T M");
  put_value(&graph, OUTPUT, "y", FLOAT, NULL);
  cr_expect_str_eq(sizes_of(&graph, 17, "last"), "[s0]");
  cr_expect_str_eq(sizes_of(&graph, 17, "y"), "[s1, s0]");
}
