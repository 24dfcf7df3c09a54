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

// A text of that many pieces, one in the other, after the first one.
static inline void expect_nesting_ends(text_form_read *reader, const char *first, const char *piece,
                                       uint32_t times, const char *what, unsigned most) {
  char want[96];
  size_t length = strlen(piece);
  char *deep = calloc(1, strlen(first) + times * length + 1), *to = deep + strlen(first);
  cr_assert(deep);
  memcpy(deep, first, strlen(first));
  for (uint32_t i = 0; i < times; i++, to += length) memcpy(to, piece, length);
  conversion c;
  convert_by(&c, reader, deep);
  snprintf(want, sizeof want, "expected %s to be nested at most %u deep, found more", what, most);
  cr_expect_not(c.ok);
  cr_expect_str_eq(c.error.message, want);
  arena_destroy(&c.arena);
  free(deep);
}

// Texts that the function recognises, and others that it does not, each list up to NULL.
static inline void expect_recognised(text_form_recognise *recognise, const char *const *yes,
                                     const char *const *no) {
  for (; *yes; yes++) cr_expect(recognise(*yes, strlen(*yes)), "%s", *yes);
  for (; *no; no++) cr_expect_not(recognise(*no, strlen(*no)), "%s", *no);
}

#endif
