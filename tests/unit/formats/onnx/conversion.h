// SPDX-License-Identifier: Apache-2.0
// A text form of models, converted to bytes, and what is in them.
#ifndef TESTS_UNIT_FORMATS_ONNX_CONVERSION_H
#define TESTS_UNIT_FORMATS_ONNX_CONVERSION_H

#include "solver/formats/onnx/text.h"
#include "tests/support/onnx_model.h"

typedef struct conversion {
  shape_arena arena;
  shape_budget budget;
  text_form_read *reader;
  const char *text;
  shape_strbuf out;
  text_error error;
  bool ok;
} conversion;

typedef struct refused_text {
  const char *text, *message;
  size_t at;
} refused_text;

static void convert_body(void *data) {
  conversion *c = data;
  strbuf_init(&c->out, &c->arena);
  c->ok = c->reader(c->text, strlen(c->text), &c->budget, &c->out, &c->error);
}

static inline void convert_by(conversion *c, text_form_read *reader, const char *text) {
  *c = (conversion){.reader = reader, .text = text};
  arena_init(&c->arena, 1u << 20);
  budget_init(&c->budget, &c->arena, 100000, NULL);
  cr_assert_eq(arena_protect(&c->arena, convert_body, c), SHAPE_OK);
}

static inline wire_span whole(const conversion *c) {
  return (wire_span){(const uint8_t *)c->out.data, c->out.length};
}

// The field at the end of a path of numbers that ends in 0.
static inline wire_field field_at(const conversion *c, const uint32_t *path) {
  wire_field f = {.bytes = whole(c)};
  for (; *path; path++) cr_assert(wire_find(f.bytes, *path, &f), "field %u", *path);
  return f;
}

static inline void expect_bytes(wire_field f, const char *text, size_t length) {
  cr_assert_eq(f.bytes.size, length);
  cr_expect_eq(memcmp(f.bytes.data, text, length), 0);
}

static inline void expect_refused(text_form_read *reader, const refused_text *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    conversion c;
    convert_by(&c, reader, cases[i].text);
    cr_expect_not(c.ok, "%s", cases[i].text);
    if (!c.ok) cr_expect_str_eq(c.error.message, cases[i].message, "%s", cases[i].text);
    if (!c.ok) cr_expect_eq(c.error.at, cases[i].at, "%s: %zu", cases[i].text, c.error.at);
    arena_destroy(&c.arena);
  }
}

#endif
