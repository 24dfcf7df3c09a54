// SPDX-License-Identifier: Apache-2.0
// Exported programs: nodes become operations with their operands in the order that the operator has them.
#include "solver/graph/verify.h"
#include "tests/unit/formats/torch/reading.h"

// The operations of a program, "torch.aten.relu(x) -> y; ...", or the error.
static const char *read_program(const char *text) {
  static char written[1024];
  shape_strbuf out;
  torch_reading t;
  memset(&t, 0, sizeof t);
  arena_init(&t.arena, 0);
  graph_init(&t.graph, &t.arena, GRAPH_JSON, "", 0);
  t.r.g = &t.graph;
  strbuf_init(&out, &t.arena);
  if (!torch_program(&t.r, torch_dom(&t, text))) {
    strbuf_puts(&out, torch_reading_error(&t));
  } else {
    const char *wrong = graph_verify(&t.graph);
    cr_expect_null(wrong, "%s", wrong);
  }
  for (op_id op = 0; op < t.graph.op_count && !t.graph.diags.errors; op++) {
    const char *name = graph_op_name(&t.graph, op);
    const graph_op *o = &t.graph.ops[op];
    if (strncmp(name, "torch.constant", 14) == 0) continue;
    strbuf_printf(&out, "%s%s(", out.length ? "; " : "", name);
    for (uint32_t i = 0; i < o->operand_count; i++) {
      value_id v = graph_operand(&t.graph, op, i);
      if (i) strbuf_puts(&out, ", ");
      if (v == VALUE_NONE)
        strbuf_putc(&out, '-');
      else
        torch_put_value(&out, &t.graph, v);
    }
    strbuf_putc(&out, ')');
    for (uint32_t i = 0; i < o->result_count; i++) {
      name_id result = t.graph.values[o->results + i].name;
      strbuf_printf(&out, "%s%s", i ? ", " : " -> ",
                    result == NAME_NONE ? "?" : intern_text(&t.graph.names, result));
    }
  }
  snprintf(written, sizeof written, "%s", strbuf_text(&out));
  arena_destroy(&t.arena);
  return written;
}

#define FOUR(name) TENSOR(name, "{'as_int': 4}")
#define ONE(target, inputs)                                                                        \
  PROGRAM(NAMED("x"), NAMED("y"), NODE(target, inputs, NAMED("y")), FOUR("x") ", " FOUR("y"))
#define KEYWORD(name, text) "{'name': '" name "', 'kind': 2, 'arg': " text "}"

Test(torch_program, operands_are_where_the_operator_has_them) {
  static const char *const CASES[][2] = {
      {ONE("aten.relu.default", ARGUMENT(NAMED("x"))), "torch.aten.relu(x) -> y; func.return(y)"},
      {ONE("aten.add.Tensor",
           ARGUMENT(NAMED("x")) ", " ARGUMENT(NAMED("x")) ", " KEYWORD("alpha", "{'as_int': 2}")),
       "torch.aten.add.Tensor(x, x, 2) -> y; func.return(y)"},
      {ONE("aten.sum.dim_IntList",
           ARGUMENT(NAMED("x")) ", " KEYWORD("keepdim", "{'as_bool': true}")),
       "torch.aten.sum.dim_IntList(x, -, true) -> y; func.return(y)"},
      {ONE("aten.relu.default",
           ARGUMENT(NAMED("x")) ", " KEYWORD("no_such_parameter", "{'as_int': 2}")),
       "torch.aten.relu(x) -> y; func.return(y)"},
      {ONE("my.unknown.op", KEYWORD("a", NAMED("x"))),
       "torch.my.unknown.op(x) -> y; func.return(y)"},
      {PROGRAM(NAMED("x"), NAMED("x"), "", FOUR("x")), "func.return(x)"},
      {PROGRAM("", "", "", ""), "func.return()"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(read_program(CASES[i][0]), CASES[i][1], "%s", read_program(CASES[i][0]));
}

#define TARGET(name)                                                                               \
  PROGRAM(NAMED("x"), NAMED("y"),                                                                  \
          "{'target': " name                                                                       \
          ", 'inputs': [" ARGUMENT(NAMED("x")) "], 'outputs': [" NAMED("y") "]}",                  \
          FOUR("x") ", " FOUR("y"))

Test(torch_program, targets_are_names_of_operations) {
  static const char *const CASES[][2] = {
      {TARGET("'torch.ops.aten.my_op.default'"), "torch.aten.my_op(x) -> y; func.return(y)"},
      {TARGET("'_operator.my_op'"), "torch.operator.my_op(x) -> y; func.return(y)"},
      {TARGET("'math.my_op'"), "torch.math.my_op(x) -> y; func.return(y)"},
      {TARGET("'other.my_op'"), "other.my_op(x) -> y; func.return(y)"},
      {TARGET("''"), "the target of a node is no name of an operator"},
      {TARGET("3"), "the target of a node: expected a text, found a number"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(read_program(CASES[i][0]), CASES[i][1], "%s", read_program(CASES[i][0]));
}

// A list of outputs is taken apart, as its elements have the names.
Test(torch_program, several_outputs) {
  cr_expect_str_eq(read_program(PROGRAM(NAMED("x"), NAMED("b"),
                                        NODE("my.split.default", ARGUMENT(NAMED("x")),
                                             "{'as_tensors': [{'name': 'a'}, {'name': 'b'}]}"),
                                        FOUR("x") ", " FOUR("a") ", " FOUR("b"))),
                   "torch.my.split(x) -> ?; torch.prim.ListUnpack(?) -> a, b; func.return(b)");
  cr_expect_str_eq(
      read_program(PROGRAM(NAMED("x"), NAMED("b"),
                           NODE("my.two.default", ARGUMENT(NAMED("x")), NAMED("a") ", " NAMED("b")),
                           FOUR("x") ", " FOUR("a") ", " FOUR("b"))),
      "torch.my.two(x) -> a, b; func.return(b)");
  cr_expect_str_eq(read_program(PROGRAM(
                       NAMED("x"), NAMED("b"),
                       NODE("aten.relu.default", ARGUMENT(NAMED("x")), NAMED("a") ", " NAMED("b")),
                       FOUR("x") ", " FOUR("a") ", " FOUR("b"))),
                   "a node of torch.aten.relu has 2 outputs, the operator has 1");
}

#define MODULE(version, module) "{'schema_version': " version ", 'graph_module': " module "}"

Test(torch_program, what_is_wrong_says_what_was_expected) {
  static const char *const CASES[][2] = {
      {"[]", "the exported program: expected an object, found a list"},
      {"{}", "schema_version: expected an integer, found nothing"},
      {MODULE("4", "{}"), "expected a schema_version of 5 to 9, found 4: export the program again "
                          "with a PyTorch that writes one of these"},
      {MODULE("{'major': 10}", "{}"),
       "expected a schema_version of 5 to 9, found 10: export the program again with a PyTorch "
       "that writes one of these"},
      {MODULE("{}", "{}"), "schema_version: expected an integer, found nothing"},
      {MODULE("8", "3"), "graph_module: expected an object, found a number"},
      {MODULE("8", "{}"), "graph: expected an object, found nothing"},
      {MODULE("8", "{'graph': {'inputs': {}}}"), "inputs: expected a list, found an object"},
      {MODULE("8", "{'graph': {'inputs': [], 'nodes': [], 'outputs': []}}"),
       "tensor_values: expected an object, found nothing"},
      {PROGRAM(NAMED("x"), NAMED("x"), "", ""), "tensor_values has no 'x'"},
      {PROGRAM(NAMED("x"), NAMED("y"), "", FOUR("x")),
       "'y' is not defined: no value has this name"},
      {PROGRAM("{'as_tensor': {}}", "", "", ""), "an entry of inputs has no name"},
      {PROGRAM("", "", "3", ""), "a node: expected an object, found a number"},
      {PROGRAM("", "", "", "'unused': 3"), "'sizes' of 'unused': expected a list, found nothing"},
      {PROGRAM(NAMED("x"), NAMED("x"), NODE("my.op.default", "{'name': 'a'}", ""), FOUR("x")),
       "an input of a node has no 'arg'"},
      {PROGRAM(NAMED("x"), NAMED("x"), "{'target': 'a', 'inputs': []}", FOUR("x")),
       "outputs: expected a list, found nothing"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(read_program(CASES[i][0]), CASES[i][1], "%s: %s", CASES[i][0],
                     read_program(CASES[i][0]));
}
