// SPDX-License-Identifier: Apache-2.0
// Nodes: their order, names of operations, and what is wrong with them.
#include "solver/formats/onnx/reader.h"

#include "tests/unit/formats/onnx/reading.h"

enum { NODE = 1, INPUT = 11, OUTPUT = 12 };

static wire_out graph, model, node;

static void begin(void) {
  graph.size = 0;
  put_value(&graph, INPUT, "x", 1, "N");
  put_value(&graph, OUTPUT, "y", 1, NULL);
}

static void put_node(const char *op, const char *inputs, const char *outputs) {
  node_begin(&node, op, inputs, outputs);
  put_message(&graph, NODE, &node);
}

static void open(onnx_reading *r, int64_t opset) {
  model_of(&model, &graph, opset);
  onnx_reading_open(r, &model, NULL);
}

// "onnx.Relu onnx.Neg": the operations but for the last one, in their order.
static const char *order(onnx_reading *r) {
  shape_strbuf out;
  strbuf_init(&out, &r->arena);
  for (op_id op = 0; op + 1 < r->graph.op_count; op++)
    strbuf_printf(&out, "%s%s", op ? " " : "", graph_op_name(&r->graph, op));
  return strbuf_text(&out);
}

// Values come before their uses, and what is in order stays as it is.
Test(onnx_node, the_order_is_kept_or_made) {
  static const struct {
    const char *nodes[4][3], *want;
  } cases[] = {
      {{{"Relu", "x", "a"}, {"Neg", "x", "b"}, {"Add", "a b", "y"}}, "onnx.Relu onnx.Neg onnx.Add"},
      {{{"Neg", "x", "b"}, {"Relu", "x", "a"}, {"Add", "a b", "y"}}, "onnx.Neg onnx.Relu onnx.Add"},
      {{{"Add", "a b", "y"}, {"Relu", "x", "a"}, {"Neg", "a", "b"}}, "onnx.Relu onnx.Neg onnx.Add"},
      {{{"Abs", "c", "y"}, {"Neg", "b", "c"}, {"Sqrt", "a", "b"}, {"Exp", "x", "a"}},
       "onnx.Exp onnx.Sqrt onnx.Neg onnx.Abs"},
      {{{"Clip", "x - x", "y"}}, "onnx.Clip"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    onnx_reading r;
    begin();
    for (int k = 0; k < 4 && cases[i].nodes[k][0]; k++)
      put_node(cases[i].nodes[k][0], cases[i].nodes[k][1], cases[i].nodes[k][2]);
    open(&r, 17);
    cr_expect_str_eq(onnx_reading_error(&r), "");
    cr_expect_str_eq(order(&r), cases[i].want);
    onnx_reading_close(&r);
  }
}

// More operands and results than most nodes have.
Test(onnx_node, nodes_with_many_parts) {
  onnx_reading r;
  char inputs[200] = "", outputs[200] = "";
  begin();
  for (uint32_t i = 0; i < 30; i++) {
    strcat(inputs, i ? " x" : "x");
    snprintf(outputs + strlen(outputs), 8, i ? " o%u" : "o%u", i);
  }
  put_node("Concat", inputs, "c");
  put_node("Split", "c", outputs);
  put_node("Add", "o0 o29", "y");
  open(&r, 17);
  cr_expect_str_eq(onnx_reading_error(&r), "");
  cr_assert_eq(r.graph.ops[0].operand_count, 30);
  cr_assert_eq(r.graph.ops[1].result_count, 30);
  cr_expect_eq(graph_operand(&r.graph, 2, 0), r.graph.ops[1].results);
  cr_expect_eq(graph_operand(&r.graph, 2, 1), r.graph.ops[1].results + 29);
  onnx_reading_close(&r);
}

// Far more than a stack of calls would hold, each before the one that it needs.
Test(onnx_node, a_long_chain_in_reverse_is_sorted) {
  enum { LENGTH = 400 };
  char input[8], output[8];
  onnx_reading r;
  begin();
  for (int i = LENGTH; i-- > 0;) {
    snprintf(input, sizeof input, i ? "t%d" : "x", i);
    snprintf(output, sizeof output, i + 1 < LENGTH ? "t%d" : "y", i + 1);
    put_node("Neg", input, output);
  }
  cr_assert_lt(graph.size, sizeof graph.data);
  open(&r, 17);
  cr_expect_str_eq(onnx_reading_error(&r), "");
  cr_expect_eq(graph_operand(&r.graph, 0, 0), 0);
  for (op_id op = 1; op < LENGTH; op++)
    cr_assert_eq(graph_operand(&r.graph, op, 0), r.graph.ops[op - 1].results);
  onnx_reading_close(&r);
}

Test(onnx_node, names_of_operations) {
  static const char *const CASES[][2] = {{"", "onnx.Op"},
                                         {"ai.onnx", "onnx.Op"},
                                         {"com.microsoft", "com.microsoft.Op"},
                                         {"ai.onnx.ml", "ai.onnx.ml.Op"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    onnx_reading r;
    begin();
    node_begin(&node, "Op", "x", "y");
    put_text(&node, 3, "called");
    put_text(&node, 7, CASES[i][0]);
    put_message(&graph, NODE, &node);
    open(&r, 17);
    cr_expect_str_eq(graph_op_name(&r.graph, 0), CASES[i][1]);
    const source_span *name = &r.graph.ops[0].name_span;
    cr_expect_eq(name->end - name->begin, 6);
    cr_expect_eq(memcmp(model.data + name->begin, "called", 6), 0);
    onnx_reading_close(&r);
  }
}

// An absent input stays one, and an absent output is a value without a name.
Test(onnx_node, absent_inputs_and_outputs) {
  onnx_reading r;
  begin();
  put_node("Op", "- x -", "- y");
  open(&r, 17);
  const graph_op *op = &r.graph.ops[0];
  cr_assert(op->operand_count == 3 && op->result_count == 2);
  cr_expect_eq(graph_operand(&r.graph, 0, 0), VALUE_NONE);
  cr_expect_eq(graph_operand(&r.graph, 0, 1), 0);
  cr_expect_eq(r.graph.values[op->results].name, NAME_NONE);
  cr_expect_str_eq(intern_text(&r.graph.names, r.graph.values[op->results + 1].name), "y");
  onnx_reading_close(&r);
}

static void expect_error(const char *want) {
  onnx_reading r;
  open(&r, 17);
  cr_expect(strstr(onnx_reading_error(&r), want), "%s", onnx_reading_error(&r));
  onnx_reading_close(&r);
}

Test(onnx_node, what_is_wrong_is_an_error) {
  begin();
  put_node("Add", "y x", "y");
  expect_error("a node needs its own output 'y': the nodes form a cycle");
  begin();
  put_node("Relu", "b", "y");
  put_node("Relu", "y", "b");
  expect_error("the nodes form a cycle");
  begin();
  put_node("Relu", "nothing", "y");
  expect_error(
      "input 'nothing' is not defined: no input, initializer or earlier node has its name");
  begin();
  put_node("Relu", "x", "y");
  put_node("Neg", "x", "y");
  expect_error("the name 'y' is defined twice");
  begin();
  put_bytes(&graph, NODE, "\x0a\x05x", 3);  // five bytes of a name, and there is one
  expect_error("a node is not well-formed");
}

Test(onnx_node, an_operator_set_that_is_not_imported_is_assumed) {
  onnx_reading r;
  begin();
  put_node("Relu", "x", "y");
  model.size = 0;
  put_int(&model, 1, 8);
  put_message(&model, 7, &graph);
  onnx_reading_open(&r, &model, NULL);
  cr_expect_eq(r.graph.onnx_opset, ONNX_LAST_OPSET);
  cr_assert_eq(r.graph.diags.count, 1);
  cr_expect_eq(r.graph.diags.items[0].severity, DIAG_WARNING);
  onnx_reading_close(&r);
}

// If in If in If, one more than is followed.
Test(onnx_node, subgraphs_are_nested_at_most_so_deep) {
  static wire_out inner, around, attr, holder;
  for (int depth = ONNX_MAX_DEPTH; depth <= ONNX_MAX_DEPTH + 1; depth++) {
    inner.size = 0;
    for (int i = 0; i < depth; i++) {
      attr.size = around.size = 0;
      put_text(&attr, 1, "body");
      put_message(&attr, 6, &inner);
      node_begin(&holder, "Op", "x", "-");
      put_message(&holder, 5, &attr);
      put_message(&around, NODE, &holder);
      inner = around;
    }
    begin();
    put_message(&graph, NODE, &holder);
    put_node("Relu", "x", "y");
    if (depth > ONNX_MAX_DEPTH)
      expect_error("expected subgraphs to be nested at most 64 deep, found more");
    else
      expect_error("");
  }
}
