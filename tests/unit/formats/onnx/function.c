// SPDX-License-Identifier: Apache-2.0
// Calls of model-local functions: bodies take the call's values and attributes, and stay calls where copies would grow.
#include "tests/unit/formats/onnx/reading.h"

// A function "local.NAME" of the nodes; `inputs` and `outputs` are words.
static void put_function(wire_out *model, const char *name, const char *inputs, const char *outputs,
                         const wire_out *nodes, size_t count) {
  wire_out f = {.size = 0};
  put_text(&f, 1, name);
  put_words(&f, 4, inputs);
  put_words(&f, 5, outputs);
  for (size_t i = 0; i < count; i++) put_message(&f, 7, &nodes[i]);
  put_text(&f, 10, "local");
  put_message(model, 25, &f);
}

static void node_of(wire_out *node, const char *op, const char *inputs, const char *outputs) {
  node_begin(node, op, inputs, outputs);
  put_text(node, 7, "local");
}

// An attribute of a node in a function that is the call's attribute `reference`.
static void attr_reference(wire_out *node, const char *name, const char *reference) {
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  put_int(&attr, 20, 2);
  put_text(&attr, 21, reference);
  put_message(node, 5, &attr);
}

static wire_out graph, model, node, inner[2];

// A model whose graph calls local.f(x) -> y, `times` over.
static void begin(int times, const char *inputs, const char *outputs) {
  graph.size = 0;
  for (int i = 0; i < times; i++) {
    node_of(&node, "f", inputs, outputs);
    put_message(&graph, 1, &node);
  }
  put_value(&graph, 11, "x", 1, "N 3");
  put_value(&graph, 12, "y", 1, NULL);
}

Test(onnx_function, a_call_becomes_the_body) {
  onnx_reading r;
  begin(1, "x", "y");
  model_of(&model, &graph, 17);
  // Nodes of a function come in any order.
  node_begin(&inner[0], "Relu", "t", "out");
  node_begin(&inner[1], "Neg", "in", "t");
  put_function(&model, "f", "in", "out", inner, 2);
  onnx_reading_open(&r, &model, NULL);
  cr_expect_str_empty(onnx_reading_error(&r));
  cr_expect_eq(r.graph.func_count, 1u);
  onnx_reading_expect(&r, "Neg 1 Relu 1 local.f 0");
  onnx_reading_close(&r);
}

Test(onnx_function, attributes_are_those_of_the_call_or_defaults) {
  onnx_reading r;
  graph.size = 0;
  node_of(&node, "f", "x", "y");
  attr_int(&node, "a", 1);
  put_message(&graph, 1, &node);
  put_value(&graph, 11, "x", 1, "N 3");
  put_value(&graph, 12, "y", 1, NULL);
  model_of(&model, &graph, 17);
  node_begin(&inner[0], "Flatten", "in", "out");
  attr_reference(&inner[0], "axis", "a");
  attr_reference(&inner[0], "other", "absent");
  put_function(&model, "f", "in", "out", inner, 1);
  onnx_reading_open(&r, &model, NULL);
  cr_expect_str_empty(onnx_reading_error(&r));
  int64_t axis = 0;
  for (op_id op = 0; op < r.graph.op_count; op++) {
    if (strcmp(graph_op_name(&r.graph, op), "onnx.Flatten") != 0) continue;
    cr_expect(graph_attr_int(&r.graph, graph_attr_named(&r.graph, op, "axis"), &axis));
    cr_expect_eq(graph_attr_named(&r.graph, op, "other"), ATTR_NONE);
  }
  cr_expect_eq(axis, 1);
  onnx_reading_close(&r);
}

// main calls f, whose body is the node that `inner[0]` holds.
static void open_call(onnx_reading *r, const char *outputs, const char *in, const char *out) {
  begin(1, "x", outputs);
  model_of(&model, &graph, 17);
  put_function(&model, "f", in, out, inner, 1);
  onnx_reading_open(r, &model, NULL);
}

Test(onnx_function, inputs_may_be_left_out_and_handed_on) {
  onnx_reading r;
  node_begin(&inner[0], "Clip", "in low", "out");
  open_call(&r, "y z", "in low", "out low");
  cr_expect_str_empty(onnx_reading_error(&r));
  onnx_reading_expect(&r, "Clip 1");
  onnx_reading_close(&r);
}

Test(onnx_function, what_is_wrong_is_an_error) {
  onnx_reading r;
  node_begin(&inner[0], "Relu", "in", "out");
  open_call(&r, "y z", "in", "out");
  cr_expect_str_eq(onnx_reading_error(&r),
                   "a call has more outputs than the function it calls: expected at most 1");
  onnx_reading_close(&r);

  node_of(&inner[0], "f", "in", "out");
  open_call(&r, "y", "in", "out");
  cr_expect(strstr(onnx_reading_error(&r), "does one call itself?"), "%s", onnx_reading_error(&r));
  onnx_reading_close(&r);
}

// Each level calls the one below twice: 2^20 copies would be made, and each level is read once instead.
Test(onnx_function, calls_that_would_double_stay_calls) {
  enum { LEVELS = 20 };
  onnx_reading r;
  char name[16], below[16];
  begin(1, "x", "y");
  model_of(&model, &graph, 17);
  for (int i = 0; i < LEVELS; i++) {
    snprintf(name, sizeof name, i ? "f%d" : "f", i);
    snprintf(below, sizeof below, "f%d", i + 1);
    if (i + 1 < LEVELS) {
      node_of(&inner[0], below, "in", "t");
      node_of(&inner[1], below, "t", "out");
      put_function(&model, name, "in", "out", inner, 2);
    } else {
      node_begin(&inner[0], "Relu", "in", "out");
      put_function(&model, name, "in", "out", inner, 1);
    }
  }
  onnx_reading_open(&r, &model, NULL);
  cr_expect_str_empty(onnx_reading_error(&r));
  cr_expect_gt(onnx_reading_count(&r, "func.call"), 0u);
  cr_expect_gt(r.graph.func_count, 1u);
  cr_expect_lt(r.graph.op_count, 100000u);
  for (func_id f = 1; f < r.graph.func_count; f++) cr_expect(r.graph.funcs[f].is_private);
  onnx_reading_close(&r);
}
