// SPDX-License-Identifier: Apache-2.0
// Models as text: the bytes that come out of each kind of field, and where a text that is no model is refused.
#include "solver/formats/onnx/textproto.h"

#include "tests/support/onnx_model.h"

typedef struct conversion {
  shape_arena arena;
  shape_budget budget;
  const char *text;
  shape_strbuf out;
  textproto_error error;
  bool ok;
} conversion;

static void convert_body(void *data) {
  conversion *c = data;
  strbuf_init(&c->out, &c->arena);
  c->ok = textproto_read(c->text, strlen(c->text), &c->budget, &c->out, &c->error);
}

static void convert(conversion *c, const char *text) {
  *c = (conversion){.text = text};
  arena_init(&c->arena, 1u << 20);
  budget_init(&c->budget, &c->arena, 100000, NULL);
  cr_assert_eq(arena_protect(&c->arena, convert_body, c), SHAPE_OK);
}

static wire_span whole(const conversion *c) {
  return (wire_span){(const uint8_t *)c->out.data, c->out.length};
}

// The field at the end of a path of numbers that ends in 0.
static wire_field field_at(const conversion *c, const uint32_t *path) {
  wire_field f = {.bytes = whole(c)};
  for (; *path; path++) cr_assert(wire_find(f.bytes, *path, &f), "field %u", *path);
  return f;
}

static void expect_bytes(wire_field f, const char *text, size_t length) {
  cr_assert_eq(f.bytes.size, length);
  cr_expect_eq(memcmp(f.bytes.data, text, length), 0);
}

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
  static const struct {
    const char *text, *message;
    size_t at;
  } CASES[] = {{"ir_version: x", "expected an integer of 64 bits", 12},
               {"ir_version 8", "expected ':'", 11},
               {"graph {", "expected '}'", 7},
               {"graph < >}", "expected the name of a field", 9},
               {"ir_version: 99999999999999999999", "expected an integer of 64 bits", 12},
               {"producer_name: \"a", "expected the end of the string", 17},
               {"producer_name: \"\\", "expected the end of the string", 17},
               {"opset_import [ { version: 1 }", "expected ':'", 13},
               {"opset_import: [ { version: 1 }", "expected ']'", 30},
               {"producer_name: 1", "expected a string", 15}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    conversion c;
    convert(&c, CASES[i].text);
    cr_expect_not(c.ok, "%s", CASES[i].text);
    if (!c.ok) cr_expect_str_eq(c.error.message, CASES[i].message, "%s", CASES[i].text);
    if (!c.ok) cr_expect_eq(c.error.at, CASES[i].at, "%s: %zu", CASES[i].text, c.error.at);
    arena_destroy(&c.arena);
  }
}

Test(onnx_textproto, nesting_ends) {
  static char deep[8 * 4000 + 1];
  conversion c;
  size_t at = 0;
  for (int i = 0; i < 4000; i++)
    at += (size_t)snprintf(deep + at, 9, "%s", i ? "unknow {" : "graph {");
  convert(&c, deep);
  cr_expect_not(c.ok);
  cr_expect_str_eq(c.error.message, "messages are nested too deep");
  arena_destroy(&c.arena);
}

Test(onnx_textproto, is_recognised_by_its_first_field) {
  static const char *const YES[] = {"ir_version: 8", "# text\n graph {", "opset_import <",
                                    "opset_import: [{"};
  static const char *const NO[] = {"", "graph():", "module {", "graph", "node {", "%0 = x"};
  for (size_t i = 0; i < sizeof YES / sizeof *YES; i++)
    cr_expect(textproto_recognise(YES[i], strlen(YES[i])), "%s", YES[i]);
  for (size_t i = 0; i < sizeof NO / sizeof *NO; i++)
    cr_expect_not(textproto_recognise(NO[i], strlen(NO[i])), "%s", NO[i]);
}
