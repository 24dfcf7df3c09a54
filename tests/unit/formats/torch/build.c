// SPDX-License-Identifier: Apache-2.0
// Operations that readers of PyTorch's programs put into a graph.
#include <math.h>

#include "tests/unit/formats/torch/reading.h"

static const char *type_of(torch_reading *t, value_id v) {
  shape_strbuf out;
  strbuf_init(&out, &t->arena);
  if (t->graph.values[v].type == TYPE_NONE) return "none";
  type_print(&t->graph.types, &out, t->graph.values[v].type);
  return strbuf_text(&out);
}

Test(torch_build, constants_have_their_values_and_types) {
  torch_reading t;
  torch_reading_open(&t);
  torch_builder *b = &t.r.build;
  const struct {
    value_id value;
    const char *want, *type;
  } cases[] = {{build_int(b, INT64_MIN), "-9223372036854775808", "i64"},
               {build_int(b, 0), "0", "i64"},
               {build_bool(b, true), "true", "i64"},
               {build_bool(b, false), "false", "i64"},
               {build_real(b, -0.5), "-0.5", "f64"},
               {build_real(b, NAN), "float", "f64"},
               {build_real(b, INFINITY), "float", "f64"},
               {build_text(b, "ab", 1), "'a'", "none"},
               {build_none(b), "none", "none"},
               {build_other(b), "device", "none"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    shape_strbuf out;
    strbuf_init(&out, &t.arena);
    torch_put_value(&out, &t.graph, cases[i].value);
    cr_expect_str_eq(strbuf_text(&out), cases[i].want);
    cr_expect_str_eq(type_of(&t, cases[i].value), cases[i].type, "%s: %s", cases[i].want,
                     type_of(&t, cases[i].value));
  }
  torch_reading_close(&t);
}

// In the block, one after the other; steps of reading are taken, and running out of them ends it.
Test(torch_build, operations_have_operands_results_and_steps) {
  torch_reading t;
  shape_budget budget;
  torch_reading_open(&t);
  budget_init(&budget, &t.arena, 100, NULL);
  t.graph.budget = &budget;
  const value_id operands[] = {build_int(&t.r.build, 1), VALUE_NONE};
  uint64_t before = budget_left(&budget);
  value_id first = build_op(&t.r.build, "torch.my.op", operands, 2, NULL, 3);
  cr_expect_eq(budget_left(&budget), before - 3);
  const graph_op *op = &t.graph.ops[t.graph.values[first].def];
  cr_expect(op->operand_count == 2 && op->result_count == 3 && op->results == first);
  cr_expect_eq(graph_operand(&t.graph, t.graph.values[first].def, 1), VALUE_NONE);
  cr_expect_eq(t.graph.blocks[t.r.build.block].last, t.graph.values[first].def);
  cr_expect_eq(build_op(&t.r.build, "torch.my.op", NULL, 0, NULL, 0), VALUE_NONE);
  torch_reading_close(&t);
}

Test(torch_build, a_bind_has_a_text_for_each_dim) {
  torch_reading t;
  torch_reading_open(&t);
  static const char *const TEXTS[] = {"s0", "", "2*s1"};
  value_id x = build_int(&t.r.build, 1);
  build_bind(&t.r.build, x, TEXTS, 3);
  op_id bind = t.graph.blocks[t.r.build.block].last;
  cr_expect_str_eq(graph_op_name(&t.graph, bind), "torch.export.bind");
  cr_expect_eq(graph_operand(&t.graph, bind, 0), x);
  uint32_t count = 0;
  const attr_id *items =
      attr_items(graph_attr_get(&t.graph, graph_attr_named(&t.graph, bind, "value")), &count);
  cr_assert_eq(count, 3);
  for (uint32_t i = 0; i < 3; i++)
    cr_expect_str_eq(intern_text(&t.graph.names, graph_attr_get(&t.graph, items[i])->text),
                     TEXTS[i]);
  torch_reading_close(&t);
}

Test(torch_build, names_of_an_expression_are_symbols) {
  static const struct {
    const char *text;
    bool knows;
    uint32_t declares;
  } cases[] = {{"", true, 0},
               {"17", true, 0},
               {"s0", true, 0},
               {"2*s0 + 3", true, 0},
               {"floordiv(s0, 2) + ceildiv(mod(s0, 3), min(max(s0, 1), 2))", true, 0},
               {"s1", false, 1},
               {"s0 + u0*u1 - u0", false, 2},
               {"floor(s0)", false, 1},
               {"s_0", false, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    torch_reading t;
    torch_reading_open(&t);
    graph_add_symbol(&t.graph, intern_add(&t.graph.names, "s0", 2), SPAN_NONE);
    cr_expect_eq(build_knows(&t.graph, cases[i].text, false), cases[i].knows, "%s", cases[i].text);
    cr_expect_eq(t.graph.declared.symbol_count, 1);
    cr_expect(build_knows(&t.graph, cases[i].text, true), "%s", cases[i].text);
    cr_expect_eq(t.graph.declared.symbol_count, 1 + cases[i].declares, "%s", cases[i].text);
    torch_reading_close(&t);
  }
}

Test(torch_build, how_many_operands_are_scanned) {
  torch_reading t;
  torch_reading_open(&t);
  attr_entry entry = build_scanned(&t.graph, 3);
  int64_t value = 0;
  cr_expect_str_eq(intern_text(&t.graph.names, entry.name), "num_scan_inputs");
  cr_expect(graph_attr_int(&t.graph, entry.value, &value) && value == 3);
  torch_reading_close(&t);
}
