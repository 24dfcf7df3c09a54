// SPDX-License-Identifier: Apache-2.0
// Models as text: the bytes that come out of each kind of field, and where a text that is no model is refused.
#include "solver/formats/onnx/textproto.h"

#include "tests/unit/formats/onnx/conversion.h"

static void convert(conversion *c, const char *text) { convert_by(c, textproto_read, text); }

Test(onnx_textproto, scalars_become_what_bytes_have) {
  conversion c;
  float f;
  double d;
  convert(&c, "ir_version: 0x8 # a comment\n"
              "model_version: -2;\n"
              "graph { initializer < dims: [2, 3] data_location: EXTERNAL float_data: -1.5f\n"
              " double_data: 1e-3 >, name: 'a' \"b\" }");
  cr_assert(c.ok, "%s", c.error.message);
  cr_expect_eq(field_at(&c, (uint32_t[]){1, 0}).value, 8);
  cr_expect_eq((int64_t)field_at(&c, (uint32_t[]){5, 0}).value, -2);
  cr_expect_eq(field_at(&c, (uint32_t[]){7, 5, 1, 0}).value, 3);  // the last one
  cr_expect_eq(field_at(&c, (uint32_t[]){7, 5, 14, 0}).value, 1);
  uint32_t bits = (uint32_t)field_at(&c, (uint32_t[]){7, 5, 4, 0}).value;
  memcpy(&f, &bits, sizeof f);
  cr_expect(f == -1.5f);
  uint64_t wide = field_at(&c, (uint32_t[]){7, 5, 10, 0}).value;
  memcpy(&d, &wide, sizeof d);
  cr_expect(d == 1e-3);
  expect_bytes(field_at(&c, (uint32_t[]){7, 2, 0}), "ab", 2);
  arena_destroy(&c.arena);
}

Test(onnx_textproto, strings_have_escapes) {
  conversion c;
  convert(&c, "producer_name: \"\\n\\x41\\101\\000\\\"\\u00e9\"");
  cr_assert(c.ok, "%s", c.error.message);
  expect_bytes(field_at(&c, (uint32_t[]){2, 0}), "\nAA\0\"\xc3\xa9", 7);
  arena_destroy(&c.arena);
}

Test(onnx_textproto, unknown_fields_are_stepped_over) {
  conversion c;
  convert(
      &c,
      "ir_version: 8 later { a: [1, 2] b { c: \"}\" } } [my.extension] { x: 1 } newer: \"text\"");
  cr_assert(c.ok, "%s", c.error.message);
  cr_expect_eq(c.out.length, 2);
  arena_destroy(&c.arena);
}

Test(onnx_textproto, what_is_no_model_is_refused_where_it_ends) {
  static const refused_text CASES[] = {
      {"ir_version: x", "expected an integer of 64 bits, found 'x'", 12},
      {"ir_version 8", "expected ':', found '8'", 11},
      {"graph {", "expected '}', found the end of the text", 7},
      {"graph < >}", "expected the name of a field, found '}'", 9},
      {"ir_version: 99999999999999999999",
       "expected an integer of 64 bits, found '99999999999999999999'", 12},
      {"producer_name: \"a", "expected the end of the string, found the end of the text", 17},
      {"producer_name: \"\\", "expected the end of the string, found the end of the text", 17},
      {"opset_import [ { version: 1 }", "expected ':', found '['", 13},
      {"opset_import: [ { version: 1 }", "expected ']', found the end of the text", 30},
      {"producer_name: 1", "expected a string, found '1'", 15}};
  expect_refused(textproto_read, CASES, sizeof CASES / sizeof *CASES);
}

Test(onnx_textproto, nesting_ends) {
  expect_nesting_ends(textproto_read, "graph {", "unknow {", 3999, "messages", 200);
}

Test(onnx_textproto, is_recognised_by_its_first_field) {
  static const char *const YES[] = {"ir_version: 8", "# text\n graph {", "opset_import <",
                                    "opset_import: [{", NULL};
  static const char *const NO[] = {"", "graph():", "module {", "graph", "node {", "%0 = x", NULL};
  expect_recognised(textproto_recognise, YES, NO);
}
