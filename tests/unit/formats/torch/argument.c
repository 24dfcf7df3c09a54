// SPDX-License-Identifier: Apache-2.0
// Arguments of nodes: which operand each form denotes.
#include "tests/unit/formats/torch/reading.h"

// The operand in a reader that knows the value x, or the error.
static const char *operand(const char *argument) {
  static char text[256];
  torch_reading t;
  torch_reading_open(&t);
  value_id x = graph_add_block_arguments(&t.graph, t.r.build.block, 1), out;
  cr_assert(torch_define(&t.r, torch_dom(&t, "'x'"), x));
  shape_strbuf written;
  strbuf_init(&written, &t.arena);
  if (torch_operand(&t.r, torch_dom(&t, argument), &out))
    torch_put_value(&written, &t.graph, out);
  else
    strbuf_puts(&written, torch_reading_error(&t));
  snprintf(text, sizeof text, "%s", strbuf_text(&written));
  torch_reading_close(&t);
  return text;
}

Test(torch_argument, each_form_is_an_operand) {
  static const char *const CASES[][2] = {
      {"{'as_tensor': {'name': 'x'}}", "x"},
      {"{'as_tensors': [{'name': 'x'}, {'name': 'x'}]}", "[x, x]"},
      {"{'as_tensors': []}", "[]"},
      {"{'as_int': 0}", "0"},
      {"{'as_int': -9223372036854775808}", "-9223372036854775808"},
      {"{'as_ints': [1, -1]}", "[1, -1]"},
      {"{'as_sym_int': {'as_name': 'x'}}", "x"},
      {"{'as_sym_int': {'as_int': 7}}", "7"},
      {"{'as_sym_ints': [{'as_int': 2}, {'as_name': 'x'}]}", "[2, x]"},
      {"{'as_sym_bool': {'as_bool': true}}", "true"},
      {"{'as_sym_float': {'as_float': 0.5}}", "0.5"},
      {"{'as_sym_floats': [{'as_float': 2}]}", "[2]"},
      {"{'as_bool': false}", "false"},
      {"{'as_bools': [true, false]}", "[true, false]"},
      {"{'as_float': -0.25}", "-0.25"},
      {"{'as_float': 9007199254740993}", "9.0072e+15"},
      {"{'as_float': 'Infinity'}", "float"},
      {"{'as_floats': [1, 2.5]}", "[1, 2.5]"},
      {"{'as_string': 'mean'}", "'mean'"},
      {"{'as_strings': ['a', '']}", "['a', '']"},
      {"{'as_optional_tensor': {'as_none': null}}", "none"},
      {"{'as_optional_tensors': [{'as_tensor': {'name': 'x'}}, {'as_none': []}]}", "[x, none]"},
      {"{'as_int_lists': [[1], []]}", "[[1], []]"},
      {"{'as_none': null}", "none"},
      {"{'as_scalar_type': 7}", "device"},
      {"{'as_device': {'type': 'cpu'}}", "device"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(operand(CASES[i][0]), CASES[i][1], "%s: %s", CASES[i][0],
                     operand(CASES[i][0]));
}

Test(torch_argument, what_is_wrong_says_what_was_expected) {
  static const char *const CASES[][2] = {
      {"{}", "an argument of a node: a union has exactly one member such as as_int or as_expr, "
             "found 0"},
      {"{'as_int': 1, 'as_none': null}",
       "an argument of a node: a union has exactly one member such as as_int or as_expr, found 2"},
      {"[]", "an argument of a node: expected an object with one member, found a list"},
      {"{'as_int': 1.5}", "as_ints: expected integers of 64 bits, found a number"},
      {"{'as_int': '9223372036854775808'}", "as_ints: expected integers of 64 bits, found a text"},
      {"{'as_ints': 3}", "an argument: expected a list, found a number"},
      {"{'as_ints': [1, null]}", "as_ints: expected integers of 64 bits, found null"},
      {"{'as_int_lists': [1]}", "an argument: expected a list, found a number"},
      {"{'as_string': 3}", "as_strings: expected texts, found a number"},
      {"{'as_tensor': {'name': 'q'}}", "'q' is not defined: no value has this name"},
      {"{'as_tensor': {}}", "the name of a value: expected a text, found nothing"},
      {"{'as_sym_ints': [3]}", "as_sym_ints: expected an object with one member, found a number"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(operand(CASES[i][0]), CASES[i][1], "%s: %s", CASES[i][0],
                     operand(CASES[i][0]));
}
