// SPDX-License-Identifier: Apache-2.0
// Values of a program: their names, types, and the dims that the archive says they have.
#include "tests/unit/formats/torch/reading.h"

static void open(torch_reading *t, const char *tensors, const char *integers) {
  torch_reading_open(t);
  t->r.tensors = torch_dom(t, tensors);
  t->r.integers = torch_dom(t, integers);
  torch_index(&t->r);
}

static value_id argument(torch_reading *t) {
  return graph_add_block_arguments(&t->graph, t->r.build.block, 1);
}

Test(torch_value, a_name_is_defined_once_and_before_its_use) {
  torch_reading t;
  value_id found;
  open(&t, "{'later': {}}", "{'n': {}}");
  value_id x = argument(&t);
  cr_expect(torch_define(&t.r, torch_dom(&t, "'x'"), x));
  cr_expect(torch_look_up(&t.r, torch_dom(&t, "'x'"), &found) && found == x);
  static const char *const WRONG[][2] = {
      {"'y'", "'y' is not defined: no value has this name"},
      {"'later'", "'later' is used before it is defined"},
      {"'n'", "'n' is used before it is defined"},
      {"3", "the name of a value: expected a text, found a number"}};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    t.graph.diags.count = t.graph.diags.errors = 0;
    t.r.failed = false;
    cr_expect_not(torch_look_up(&t.r, torch_dom(&t, WRONG[i][0]), &found));
    cr_expect_str_eq(torch_reading_error(&t), WRONG[i][1]);
  }
  t.graph.diags.count = t.graph.diags.errors = 0;
  t.r.failed = false;
  cr_expect_not(torch_define(&t.r, torch_dom(&t, "'x'"), x));
  cr_expect_not(torch_define(&t.r, torch_dom(&t, "''"), x));
  cr_assert_eq(t.graph.diags.count, 1);  // the first error alone
  cr_expect_str_eq(torch_reading_error(&t), "'x' is defined twice");
  torch_reading_close(&t);
}

// What a value of that entry of tensor_values is declared as, or the error.
static const char *declared(const char *meta) {
  static char text[256], tensors[512];
  torch_reading t;
  snprintf(tensors, sizeof tensors, "{'x': %s}", meta);
  open(&t, tensors, "{}");
  value_id x = argument(&t);
  shape_strbuf out;
  strbuf_init(&out, &t.arena);
  if (torch_declare(&t.r, torch_dom(&t, "'x'"), x, false))
    type_print(&t.graph.types, &out, t.graph.values[x].type);
  else
    strbuf_puts(&out, torch_reading_error(&t));
  snprintf(text, sizeof text, "%s", strbuf_text(&out));
  torch_reading_close(&t);
  return text;
}

#define SIZES(sizes) "{'dtype': 7, 'sizes': [" sizes "]}"
#define DTYPE(n)     "{'dtype': " n ", 'sizes': []}"

Test(torch_value, types) {
  static const char *const CASES[][2] = {
      {SIZES(""), "tensor<f32>"},
      {SIZES("{'as_int': 0}, {'as_int': 4}"), "tensor<0x4xf32>"},
      {SIZES("{'as_int': '9223372036854775807'}"), "tensor<9223372036854775807xf32>"},
      {SIZES(SYMBOL("s0") ", {'as_int': 4}"), "tensor<?x4xf32>"},
      {SIZES(SYMBOL("Pow(s0, 2)")), "tensor<?xf32>"},
      {DTYPE("1"), "tensor<ui8>"},
      {DTYPE("2"), "tensor<i8>"},
      {DTYPE("3"), "tensor<i16>"},
      {DTYPE("4"), "tensor<i32>"},
      {DTYPE("5"), "tensor<i64>"},
      {DTYPE("6"), "tensor<f16>"},
      {DTYPE("8"), "tensor<f64>"},
      {DTYPE("10"), "tensor<complex<f32>>"},
      {DTYPE("11"), "tensor<complex<f64>>"},
      {DTYPE("12"), "tensor<i1>"},
      {DTYPE("13"), "tensor<bf16>"},
      {SIZES("{'as_int': -1}"), "'sizes' of 'x': expected dims of at least 0, found -1"},
      {SIZES("{'as_int': '9223372036854775808'}"),
       "'sizes' of 'x': the integer 9223372036854775808 is too large"},
      {SIZES("{'as_int': 1.5}"), "'sizes' of 'x': expected as_int with an integer, found a number"},
      {SIZES("{'as_expr': {}}"),
       "'sizes' of 'x': expected as_int, or as_expr with a text expr_str, found nothing"},
      {SIZES("4"), "'sizes' of 'x': expected an object with one member, found a number"},
      {"{'dtype': 7}", "'sizes' of 'x': expected a list, found nothing"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(declared(CASES[i][0]), CASES[i][1], "%s: %s", CASES[i][0],
                     declared(CASES[i][0]));
}

Test(torch_value, a_value_without_an_entry_is_an_error) {
  torch_reading t;
  open(&t, "{}", "{}");
  value_id x = argument(&t);
  cr_expect(torch_declare(&t.r, torch_dom(&t, "'n'"), x, true));  // an integer needs none
  cr_expect_eq(t.graph.values[x].type, type_scalar(&t.graph.types, DTYPE_I64));
  cr_expect_not(torch_declare(&t.r, torch_dom(&t, "'x'"), x, false));
  cr_expect_str_eq(torch_reading_error(&t), "tensor_values has no 'x'");
  torch_reading_close(&t);
}

// The texts that are bound to the dims, "s0 - 2*s0": "-" for nothing; "none" where nothing is bound.
static const char *bound(torch_reading *t, const char *name, value_id value, bool is_int) {
  shape_strbuf out;
  strbuf_init(&out, &t->arena);
  uint32_t before = t->graph.op_count, count = 0;
  cr_assert(torch_bind(&t->r, torch_dom(t, name), value, is_int), "%s", torch_reading_error(t));
  if (t->graph.op_count == before) return "none";
  const attr_id *items =
      attr_items(graph_attr_get(&t->graph, graph_attr_named(&t->graph, before, "value")), &count);
  for (uint32_t i = 0; i < count; i++) {
    const char *text = intern_text(&t->graph.names, graph_attr_get(&t->graph, items[i])->text);
    strbuf_printf(&out, "%s%s", i ? " | " : "", *text ? text : "-");
  }
  return strbuf_text(&out);
}

// Arguments declare their symbols; what an operation makes may speak of those alone.
Test(torch_value, dims_that_are_expressions_are_bound) {
  torch_reading t;
  open(
      &t,
      "{'x': " SIZES(SYMBOL("s0") ", {'as_int': 4}, " SYMBOL("2*s1")) ", 'y': " SIZES(
          SYMBOL("s0 + s1") ", " SYMBOL(
              "u0")) ", 'z': " SIZES(SYMBOL("u1")) ", 'c': " SIZES("{'as_int': 4}") ", "
                                                                                    "'p': " SIZES(
                                                                                        SYMBOL(
                                                                                            "s0/"
                                                                                            "2")) "}",
      "{'n': {'as_expr': {'expr_str': 's0'}}, 'm': {'as_int': 3}}");
  value_id x = argument(&t), made = build_int(&t.r.build, 1);
  cr_expect_str_eq(bound(&t, "'x'", x, false), "s0 | - | 2*s1");
  cr_expect_eq(t.graph.declared.symbol_count, 2);
  cr_expect_str_eq(bound(&t, "'y'", made, false), "s0 + s1 | -");
  cr_expect_str_eq(bound(&t, "'z'", made, false), "none");
  cr_expect_str_eq(bound(&t, "'c'", made, false), "none");
  cr_expect_str_eq(bound(&t, "'p'", x, false), "none");  // a fraction
  cr_expect_str_eq(bound(&t, "'n'", made, true), "s0");
  cr_expect_str_eq(bound(&t, "'m'", made, true), "3");
  cr_expect_str_eq(bound(&t, "'q'", made, true), "none");
  cr_expect_eq(t.graph.declared.symbol_count, 2);
  t.r.in_loop = true;
  cr_expect_str_eq(bound(&t, "'y'", made, false), "none");
  torch_reading_close(&t);
}

// The range of s0, or the error.
static const char *range(const char *ranges) {
  static char text[256];
  torch_reading t;
  torch_reading_open(&t);
  uint32_t row = graph_add_symbol(&t.graph, intern_add(&t.graph.names, "s0", 2), SPAN_NONE);
  if (torch_range_constraints(&t.r, *ranges ? torch_dom(&t, ranges) : NULL))
    snprintf(text, sizeof text, "%lld..%lld", (long long)t.graph.declared.symbols[row].min,
             (long long)t.graph.declared.symbols[row].max);
  else
    snprintf(text, sizeof text, "%s", torch_reading_error(&t));
  torch_reading_close(&t);
  return text;
}

// Dims are at least 0, and PyTorch writes "no bound" as the largest numbers.
Test(torch_value, ranges) {
  static const char *const CASES[][2] = {
      {"", "0..9223372036854775807"},
      {"{}", "0..9223372036854775807"},
      {"{'s0': {'min_val': 2, 'max_val': 64}}", "2..64"},
      {"{'s0': {'min_val': 0, 'max_val': 0}}", "0..0"},
      {"{'s0': {'min_val': -5, 'max_val': 7}}", "0..7"},
      {"{'s0': {'min_val': 2, 'max_val': null}}", "2..9223372036854775807"},
      {"{'s0': {'min_val': 2, 'max_val': '9223372036854775806'}}", "2..9223372036854775807"},
      {"{'u7': {'min_val': 2, 'max_val': 3}}", "0..9223372036854775807"},
      {"{'s0': {'min_val': 4, 'max_val': 3}}",
       "the range of 's0' is empty: min_val is above max_val"},
      {"{'s0': {'min_val': -4, 'max_val': -1}}",
       "the range of the dim 's0' is empty: max_val is negative"},
      {"{'s0': {'min_val': 1.5}}",
       "the range of 's0' has a min_val or max_val that is no integer of 64 bits"},
      {"{'s0': 3}", "the range of 's0' is no object"},
      {"[]", "range_constraints: expected an object, found a list"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(range(CASES[i][0]), CASES[i][1], "%s: %s", CASES[i][0], range(CASES[i][0]));
}
