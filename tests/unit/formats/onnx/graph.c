// SPDX-License-Identifier: Apache-2.0
// Graphs: arguments, constants and what is returned; names and the types that are declared for them.
#include "tests/unit/formats/onnx/reading.h"

enum { NODE = 1, INITIALIZER = 5, INPUT = 11, OUTPUT = 12, VALUE_INFO = 13, SPARSE = 15 };

static wire_out graph, model, node;

static void begin(void) { graph.size = 0; }

static void put_node(const char *op, const char *inputs, const char *outputs) {
  node_begin(&node, op, inputs, outputs);
  put_message(&graph, NODE, &node);
}

static void open(onnx_reading *r) {
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, NULL);
}

static void expect_error(const char *want) {
  onnx_reading r;
  open(&r);
  cr_expect_str_eq(onnx_reading_error(&r), want);
  onnx_reading_close(&r);
}

// "a: tensor<...>, b: ..." of values.
static const char *values_of(onnx_reading *r, value_id first, uint32_t count) {
  shape_strbuf out;
  strbuf_init(&out, &r->arena);
  for (value_id v = first; v < first + count; v++) {
    name_id name = r->graph.values[v].name;
    strbuf_printf(&out, "%s%s: ", v > first ? ", " : "",
                  name == NAME_NONE ? "" : intern_text(&r->graph.names, name));
    if (r->graph.values[v].type == TYPE_NONE)
      strbuf_putc(&out, '-');
    else
      type_print(&r->graph.types, &out, r->graph.values[v].type);
  }
  return strbuf_text(&out);
}

static block_id main_block(const onnx_reading *r) {
  return r->graph.regions[r->graph.funcs[0].body].first_block;
}

// Symbols are in the order of inputs, outputs, inner values, whatever the order of the fields.
Test(onnx_graph, inputs_are_arguments_and_outputs_are_returned) {
  static const char *const SYMBOLS[] = {"N", "M", "K"};
  onnx_reading r;
  begin();
  put_value(&graph, VALUE_INFO, "t", 1, "K 3");
  put_value(&graph, OUTPUT, "y", 1, "M");
  put_node("Relu", "x", "t");
  put_node("Neg", "t", "y");
  put_value(&graph, INPUT, "x", 1, "N 3");
  put_value(&graph, INPUT, "z", 7, "");
  open(&r);
  cr_assert_str_empty(onnx_reading_error(&r));
  const graph_block *b = &r.graph.blocks[main_block(&r)];
  cr_expect_str_eq(values_of(&r, b->arguments, b->argument_count),
                   "x: tensor<?x3xf32>, z: tensor<i64>");
  cr_expect_str_eq(values_of(&r, r.graph.ops[0].results, 2),
                   "t: tensor<?x3xf32>, y: tensor<?xf32>");
  cr_expect_str_eq(graph_op_name(&r.graph, b->last), "func.return");
  cr_expect_eq(graph_operand(&r.graph, b->last, 0), r.graph.ops[1].results);
  cr_assert_eq(r.graph.declared.symbol_count, 3);
  for (uint32_t i = 0; i < 3; i++)
    cr_expect_str_eq(intern_text(&r.graph.names, r.graph.declared.symbols[i].name), SYMBOLS[i]);
  onnx_reading_close(&r);
}

// Of old models: the input is only what may be handed over instead, and the value is that of the initializer.
Test(onnx_graph, an_input_with_an_initializer_is_no_argument) {
  static const int64_t ITEMS[] = {0, -1};
  onnx_reading r;
  begin();
  put_value(&graph, INPUT, "shape", 7, "2");
  put_value(&graph, INPUT, "x", 1, "N");
  put_ints(&graph, "shape", ITEMS, 2);
  put_node("Reshape", "x shape", "y");
  put_value(&graph, OUTPUT, "y", 1, NULL);
  open(&r);
  cr_assert_str_empty(onnx_reading_error(&r));
  cr_expect_eq(r.graph.blocks[main_block(&r)].argument_count, 1);
  cr_expect_str_eq(graph_op_name(&r.graph, 0), "onnx.Constant");
  cr_expect_str_eq(values_of(&r, r.graph.ops[0].results, 1), "shape: tensor<2xi64>");
  cr_expect_eq(graph_operand(&r.graph, 1, 1), r.graph.ops[0].results);
  onnx_reading_close(&r);
}

Test(onnx_graph, an_initializer_has_the_dims_that_its_input_declares) {
  static const int64_t ITEMS[] = {0, -1};
  static const struct {
    const char *dims, *error;
  } cases[] = {{"2", ""},
               {"N", ""},
               {"?", ""},
               {"3", "initializer 'shape' is tensor<2xi64>, it is declared as tensor<3xi64>"},
               {"", "initializer 'shape' is tensor<2xi64>, it is declared as tensor<i64>"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin();
    put_value(&graph, INPUT, "shape", 7, cases[i].dims);
    put_ints(&graph, "shape", ITEMS, 2);
    put_node("Relu", "shape", "y");
    put_value(&graph, OUTPUT, "y", 7, NULL);
    expect_error(cases[i].error);
  }
}

Test(onnx_graph, a_sparse_initializer_is_a_constant_of_its_dense_dims) {
  onnx_reading r;
  wire_out values = {.size = 0}, sparse = {.size = 0}, indices = {.size = 0};
  begin();
  put_int(&values, 1, 1);
  put_int(&values, 2, 1);
  put_text(&values, 8, "s");
  put_bytes(&values, 9, "\0\0\x80\x3f", 4);
  put_int(&indices, 1, 1);
  put_int(&indices, 2, 7);
  put_int(&indices, 7, 4);
  put_message(&sparse, 1, &values);
  put_message(&sparse, 2, &indices);
  put_int(&sparse, 3, 2);
  put_int(&sparse, 3, 5);
  put_message(&graph, SPARSE, &sparse);
  put_value(&graph, OUTPUT, "s", 1, NULL);
  open(&r);
  cr_expect_str_empty(onnx_reading_error(&r));
  cr_expect_str_eq(values_of(&r, 0, 1), "s: tensor<2x5xf32>");
  onnx_reading_close(&r);
}

Test(onnx_graph, what_is_wrong_with_names) {
  begin();
  put_value(&graph, INPUT, "x", 1, "N");
  put_value(&graph, INPUT, "x", 1, "N");
  put_value(&graph, OUTPUT, "x", 1, "N");
  expect_error("the name 'x' is defined twice");
  begin();
  put_value(&graph, INPUT, "x", 1, "N");
  put_value(&graph, OUTPUT, "y", 1, "N");
  expect_error("output 'y' is not defined: no node, input or initializer has its name");
  begin();
  put_value(&graph, INPUT, "x", 0, "N");
  put_node("Relu", "x", "y");
  put_value(&graph, OUTPUT, "y", 1, "N");
  expect_error("expected an element type of input 'x', found none");
}

// A subgraph sees the names around it, and what it defines is its own.
Test(onnx_graph, a_subgraph_sees_the_names_around_it) {
  static wire_out branch[2], attr;
  static const char *const NAMES[] = {"else_branch", "then_branch"};
  onnx_reading r;
  begin();
  node_begin(&node, "If", "c", "y");
  for (int i = 0; i < 2; i++) {
    wire_out inner = {.size = 0};
    branch[i].size = attr.size = 0;
    node_begin(&inner, i ? "Relu" : "Neg", "x", "t");
    put_message(&branch[i], NODE, &inner);
    put_value(&branch[i], OUTPUT, "t", 1, NULL);
    put_text(&attr, 1, NAMES[i]);
    put_message(&attr, 6, &branch[i]);
    put_int(&attr, 20, 5);
    put_message(&node, 5, &attr);
  }
  put_message(&graph, NODE, &node);
  put_value(&graph, INPUT, "c", 9, "");
  put_value(&graph, INPUT, "x", 1, "N");
  put_value(&graph, OUTPUT, "y", 1, NULL);
  open(&r);
  cr_assert_str_empty(onnx_reading_error(&r));
  const graph_op *op = &r.graph.ops[0];
  cr_assert_eq(op->region_count, 2);
  for (uint32_t i = 0; i < 2; i++) {  // then_branch is the first region
    const graph_block *b = &r.graph.blocks[r.graph.regions[op->regions + i].first_block];
    cr_expect_str_eq(graph_op_name(&r.graph, b->first), i ? "onnx.Neg" : "onnx.Relu");
    cr_expect_eq(graph_operand(&r.graph, b->first, 0), 1);
    cr_expect_eq(b->argument_count, 0);
  }
  onnx_reading_close(&r);
  put_value(&graph, OUTPUT, "t", 1, NULL);
  expect_error("output 't' is not defined: no node, input or initializer has its name");
}

// How many diagnostics there are; *says: the last.
static uint32_t diagnostics(const onnx_reading *r, const char **says) {
  uint32_t count = r->graph.diags.count;
  *says = count ? r->graph.diags.items[count - 1].message : "";
  return count;
}

// ONNX's checker lets a value be declared more than once, but not an input.
Test(onnx_graph, declarations_of_one_name_are_read_together) {
  static const struct {
    const char *first, *second, *type, *says;
  } CASES[] = {
      {"N 3", "N 3", "tensor<?x3xf32>", ""},
      {"? 3", "4 ?", "tensor<4x3xf32>", ""},
      {NULL, "4 ?", "tensor<4x?xf32>", ""},
      {"4 ?", NULL, "tensor<4x?xf32>", ""},
      {"N 3", "N 4", "tensor<?x3xf32>",
       "'t' is declared twice with types that differ: tensor<?x3xf32> counts, tensor<?x4xf32> does "
       "not"},
      {"N 3", "N", "tensor<?x3xf32>",
       "'t' is declared twice with types that differ: tensor<?x3xf32> counts, tensor<?xf32> does "
       "not"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    onnx_reading r;
    const char *says;
    begin();
    put_node("Relu", "x", "t");
    put_value(&graph, INPUT, "x", 1, NULL);
    put_value(&graph, VALUE_INFO, "t", 1, CASES[i].first);
    put_value(&graph, VALUE_INFO, "t", 1, CASES[i].second);
    put_value(&graph, OUTPUT, "t", 1, NULL);
    open(&r);
    cr_expect_eq(diagnostics(&r, &says), *CASES[i].says != 0);
    cr_expect_str_eq(says, CASES[i].says);
    shape_strbuf text;
    strbuf_init(&text, &r.arena);
    type_print(&r.graph.types, &text, r.graph.values[r.graph.ops[0].results].type);
    cr_expect_str_eq(strbuf_text(&text), CASES[i].type);
    onnx_reading_close(&r);
  }
}

Test(onnx_graph, inputs_of_one_name_are_one_error) {
  static const int64_t ITEMS[] = {0, -1};
  for (int initialized = 0; initialized < 2; initialized++) {
    onnx_reading r;
    const char *says;
    begin();
    put_node("Relu", "x", "y");
    put_value(&graph, INPUT, "x", 7, "2");
    put_value(&graph, INPUT, "x", 7, "3");
    if (initialized) put_ints(&graph, "x", ITEMS, 2);
    put_value(&graph, OUTPUT, "y", 7, NULL);
    open(&r);
    cr_expect_eq(diagnostics(&r, &says), 1);
    cr_expect_str_eq(says, "the name 'x' is defined twice");
    onnx_reading_close(&r);
  }
}

Test(onnx_graph, a_value_of_a_branch_has_a_name_of_its_own) {
  wire_out branch = {.size = 0};
  onnx_reading r;
  const char *says;
  begin();
  put_node("Neg", "x", "t");
  node_begin(&node, "Relu", "x", "t");
  put_message(&branch, NODE, &node);
  put_value(&branch, OUTPUT, "t", 1, NULL);
  node_begin(&node, "If", "k", "y");
  for (uint32_t i = 0; i < 2; i++) {
    wire_out attribute = {.size = 0};
    put_text(&attribute, 1, i ? "else_branch" : "then_branch");
    put_message(&attribute, 6, &branch);
    put_message(&node, 5, &attribute);
  }
  put_message(&graph, NODE, &node);
  put_value(&graph, INPUT, "x", 1, "N");
  put_value(&graph, INPUT, "k", 9, "");
  put_value(&graph, OUTPUT, "y", 1, NULL);
  open(&r);
  cr_expect_eq(diagnostics(&r, &says), 2);
  cr_expect_str_eq(
      says, "the name 't' is that of a value around this graph: ONNX gives each value its own");
  onnx_reading_close(&r);
}
