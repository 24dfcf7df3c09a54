// SPDX-License-Identifier: Apache-2.0
// Words of ONNX's text syntax: numbers, names, types, and the bytes that types become.
#include "solver/formats/onnx/syntax_scan.h"

#include "solver/formats/onnx/fields.h"
#include "tests/unit/formats/onnx/conversion.h"

static text_reader over(const char *text) {
  return text_open(text, strlen(text), NULL, NULL, NULL);
}

Test(onnx_syntax_scan, numbers_end_where_they_end) {
  static const struct {
    const char *text;
    syntax_number kind;
    size_t length;
  } CASES[] = {
      {"12", NUMBER_INTEGER, 2},  {"-3,", NUMBER_INTEGER, 2},   {"1.5e-3]", NUMBER_FLOAT, 6},
      {"1.5.2", NUMBER_FLOAT, 3}, {"2.", NUMBER_FLOAT, 2},      {"-inf", NUMBER_FLOAT, 4},
      {"NaN }", NUMBER_FLOAT, 3}, {"infinite", NUMBER_NONE, 0}, {"-", NUMBER_NONE, 0},
      {"x", NUMBER_NONE, 0},      {"", NUMBER_NONE, 0}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    text_reader r = over(CASES[i].text);
    text_word text;
    cr_expect_eq(syntax_number_next(&r, &text), CASES[i].kind, "%s", CASES[i].text);
    cr_expect_eq(text.length, CASES[i].length, "%s", CASES[i].text);
    cr_expect_eq((size_t)(r.at - r.begin), CASES[i].length, "%s", CASES[i].text);
  }
}

Test(onnx_syntax_scan, comments_are_white_space) {
  text_reader r = over(" # a ] }\n\t# b\n name2 x");
  cr_expect(text_is(syntax_peek_identifier(&r), "name2"));
  cr_expect(text_is(syntax_identifier(&r), "name2"));
  cr_expect(text_accept(&r, 'x'));
  cr_expect_eq(text_peek(&r), 0);
  cr_expect_not(text_accept(&r, 0));
}

static bool read_type(const char *text, size_t length, shape_budget *budget, shape_strbuf *out,
                      text_error *error) {
  text_reader r = text_open(text, length, budget, out, error);
  return syntax_type(&r);
}

Test(onnx_syntax_scan, types_become_messages) {
  conversion c;
  wire_field f;
  convert_by(&c, read_type, "float[2, N, \"a b\", ?]");
  cr_assert(c.ok, "%s", c.error.message);
  cr_expect_eq(field_at(&c, (uint32_t[]){TYPE_PROTO_TENSOR, TENSOR_TYPE_ELEM, 0}).value, 1);
  f = field_at(&c, (uint32_t[]){TYPE_PROTO_TENSOR, TENSOR_TYPE_SHAPE, 0});
  wire_reader dims = wire_open(f.bytes);
  cr_assert(wire_next(&dims, &f) && wire_find(f.bytes, DIM_VALUE, &f) && f.value == 2);
  cr_assert(wire_next(&dims, &f) && wire_find(f.bytes, DIM_PARAM, &f));
  expect_bytes(f, "N", 1);
  cr_assert(wire_next(&dims, &f) && wire_find(f.bytes, DIM_PARAM, &f));
  expect_bytes(f, "a b", 3);
  cr_assert(wire_next(&dims, &f) && f.bytes.size == 0);
  arena_destroy(&c.arena);

  convert_by(&c, read_type, "int64");
  cr_expect_eq(field_at(&c, (uint32_t[]){TYPE_PROTO_TENSOR, TENSOR_TYPE_SHAPE, 0}).bytes.size, 0);
  arena_destroy(&c.arena);
  convert_by(&c, read_type, "int64[]");
  cr_expect_not(
      wire_find(field_at(&c, (uint32_t[]){TYPE_PROTO_TENSOR, 0}).bytes, TENSOR_TYPE_SHAPE, &f));
  arena_destroy(&c.arena);

  convert_by(&c, read_type, "optional(seq(map(int64, sparse_tensor(float[3]))))");
  cr_assert(c.ok, "%s", c.error.message);
  uint32_t path[] = {TYPE_PROTO_OPTIONAL,
                     ELEMENT_TYPE,
                     TYPE_PROTO_SEQUENCE,
                     ELEMENT_TYPE,
                     TYPE_PROTO_MAP,
                     MAP_VALUE,
                     TYPE_PROTO_SPARSE_TENSOR,
                     TENSOR_TYPE_SHAPE,
                     SHAPE_DIM,
                     DIM_VALUE,
                     0};
  cr_expect_eq(field_at(&c, path).value, 3);
  arena_destroy(&c.arena);

  convert_by(&c, read_type, "opaque(a.b, name)");
  expect_bytes(field_at(&c, (uint32_t[]){7, 1, 0}), "a.b", 3);
  expect_bytes(field_at(&c, (uint32_t[]){7, 2, 0}), "name", 4);
  arena_destroy(&c.arena);
}

Test(onnx_syntax_scan, other_types_are_refused) {
  static const refused_text CASES[] = {
      {"floats", "expected a type such as float[N, 3], found 'floats'", 0},
      {"float[2", "expected ']', found the end of the text", 7},
      {"float[-]", "expected a dim, found '-': a number, a name or ?", 6},
      {"map(seq, float)", "expected an element type such as float, found 'seq'", 4},
      {"seq float", "expected '(', found 'float'", 4},
      {"opaque(a.)", "expected a name, found ')': in quotes where it is no word", 9}};
  expect_refused(read_type, CASES, sizeof CASES / sizeof *CASES);
}

Test(onnx_syntax_scan, nesting_of_types_ends) {
  expect_nesting_ends(read_type, "", "seq(", 1000, "types", 100);
}
