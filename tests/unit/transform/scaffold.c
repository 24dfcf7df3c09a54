// SPDX-License-Identifier: Apache-2.0
// Models are cleaned by `refine --cleanup`, and what was written is read again.
#include "solver/transform/scaffold.h"

#include "solver/shape.h"
#include "tests/unit/formats/onnx/reading.h"

static wire_out graph, node, model, written;

static void add(const char *op, const char *inputs, const char *output) {
  node_begin(&node, op, inputs, output);
  put_message(&graph, 1, &node);
}

static void begin(const char *dims) {
  static const int64_t ZERO = 0, ONE = 1, TWO = 2, FOUR = 4;
  graph.size = written.size = 0;
  put_value(&graph, 11, "x", 1, dims);
  put_value(&graph, 11, "y", 1, dims);
  put_ints(&graph, "c0", &ZERO, 1);
  put_ints(&graph, "c1", &ONE, 1);
  put_ints(&graph, "c2", &TWO, 1);
  put_ints(&graph, "c4", &FOUR, 1);
}

// The model with the output z, cleaned and read.
static void clean(onnx_reading *again) {
  put_value(&graph, 12, "z", 1, NULL);
  model_of(&model, &graph, 17);
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, (const char *)model.data, model.size, "m.onnx"), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_assert_eq(shape_analysis_error(a)->status, SHAPE_OK, "%s", shape_analysis_error(a)->message);
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  options.cleanup = true;
  cr_assert_eq(shape_analysis_emit_with(a, "onnx", &options, wire_out_take, &written), SHAPE_OK);
  shape_analysis_free(a);
  shape_program_free(p);
  onnx_reading_open(again, &written, NULL);
  cr_expect_str_eq(onnx_reading_error(again), "");
}

// The elements of the constant that is the second input of the Reshape, printed.
static const char *target(const onnx_reading *r) {
  static char text[64];
  const shape_graph *g = &r->graph;
  *text = 0;
  for (op_id op = 0; op < g->op_count; op++) {
    if (strcmp(graph_op_name(g, op), "onnx.Reshape") != 0) continue;
    op_id def = g->values[graph_operand(g, op, 1)].def;
    const graph_attr *value = graph_attr_get(g, graph_attr_named(g, def, "value"));
    if (!value) return "computed";
    uint32_t count;
    const int64_t *items = attr_held_ints(value, &count);
    for (uint32_t i = 0, at = 0; i < count; i++)
      at += (uint32_t)snprintf(text + at, sizeof text - at, i ? " %lld" : "%lld",
                               (long long)items[i]);
  }
  return text;
}

// A Reshape of x to the concatenation of these.
static void expect_target(const char *dims, const char *parts, const char *says) {
  onnx_reading r;
  begin(dims);
  add("Shape", "x", "s");
  add("Shape", "y", "sy");
  add("Gather", "s c0", "n");
  add("Gather", "s c1", "m");
  add("Gather", "sy c0", "other");
  add("Mul", "n m", "nm");
  add("Mul", "m c4", "m4");
  node_begin(&node, "Concat", parts, "t");
  attr_int(&node, "axis", 0);
  put_message(&graph, 1, &node);
  add("Reshape", "x t", "z");
  clean(&r);
  cr_expect_str_eq(target(&r), says, "%s of %s: %s", parts, dims, target(&r));
  bool all = strcmp(says, "computed") != 0;
  cr_expect_eq(onnx_reading_count(&r, "onnx.Concat"), all ? 0u : 1u);
  if (all) cr_expect_eq(onnx_reading_count(&r, "onnx.Shape"), 0u);
  onnx_reading_close(&r);
}

Test(scaffold, a_target_becomes_one_constant) {
  expect_target("2 M 4", "n m4", "2 -1");
  expect_target("N M 4", "n m c2 c2", "0 0 2 2");
  expect_target("2 3 4", "m n c4", "3 2 4");
}

// Two dims that are not at their axes, a dim of another input, a -1 beside what may be 0, and an element that copies dim 0
// where M is 0: then the model ends, and with -1 it would not.
Test(scaffold, what_may_differ_stays_computed) {
  expect_target("N M 4", "m n c4", "computed");
  expect_target("N M 4", "n c4 m", "computed");
  expect_target("N M 4", "nm c4", "computed");
  expect_target("? ? 4", "other m c4", "computed");
}

Test(scaffold, what_changes_nothing_makes_way) {
  onnx_reading r;
  begin("N M");
  add("Identity", "x", "a");
  add("Shape", "a", "s");
  add("Expand", "a s", "b");
  add("Relu", "b", "z");
  clean(&r);
  onnx_reading_expect(&r, "Relu 1 Identity 0 Expand 0 Shape 0");
  onnx_reading_close(&r);
}

// Nothing uses the sum, but only it says that both have the same dims.
Test(scaffold, a_requirement_stays) {
  onnx_reading r;
  begin("? ?");
  add("MatMul", "x y", "sum");
  add("Relu", "x", "unused");
  add("Tanh", "x", "z");
  clean(&r);
  onnx_reading_expect(&r, "MatMul 1 Relu 0");
  onnx_reading_close(&r);
}

// An initializer that is an input too is a default that a caller may replace.
Test(scaffold, defaults_are_no_constants) {
  onnx_reading r;
  begin("N M");
  put_value(&graph, 11, "c4", 7, "1");
  add("Identity", "x", "a");
  add("Reshape", "a c4", "z");
  clean(&r);
  onnx_reading_expect(&r, "Identity 1");
  onnx_reading_close(&r);
}
