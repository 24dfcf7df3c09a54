// SPDX-License-Identifier: Apache-2.0
// Bytecode that is written byte by byte (writer.h) and printed: programs of each version, and attributes of an operation.
#ifndef TESTS_UNIT_FORMATS_BYTECODE_READING_H
#define TESTS_UNIT_FORMATS_BYTECODE_READING_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/bytecode/tables.h"
#include "tests/unit/formats/bytecode/writer.h"

enum { STRING = 2, TYPE = 6, INTEGER = 8, UNKNOWN_LOC = 15, DENSE = 18 };  // builtin attributes
enum { FUNCTION = 2, F32 = 5, TENSOR = 13 };                               // builtin types

typedef struct printed {
  shape_arena arena;
  const bytes *from;
  bytecode_text text;
  bytecode_error error;
  bool whole, ok;
} printed;

static inline void print(void *data) {
  printed *p = data;
  const bytecode_options options = {.whole = p->whole};
  p->ok =
      bytecode_print(&p->arena, NULL, p->from->at, p->from->length, &options, &p->text, &p->error);
}

static inline printed *open_print(const bytes *from, bool whole) {
  printed *p = calloc(1, sizeof *p);
  arena_init(&p->arena, 0);
  p->from = from;
  p->whole = whole;
  cr_assert_eq(arena_protect(&p->arena, print, p), SHAPE_OK);
  return p;
}

static inline void close_print(printed *p) {
  arena_destroy(&p->arena);
  free(p);
}

static inline void expect_text(const bytes *from, const char *part) {
  printed *p = open_print(from, false);
  cr_assert(p->ok, "%s", p->error.message);
  cr_expect(strstr(p->text.text, part), "%s\nis not in\n%s", part, p->text.text);
  close_print(p);
}

// The bytes are refused, with a message that names a byte from `low` to `high`.
static inline void expect_error(const bytes *from, size_t low, size_t high, const char *part) {
  for (int whole = 0; whole < 2; whole++) {
    printed *p = open_print(from, whole);
    cr_assert_not(p->ok);
    cr_expect(strstr(p->error.message, part), "%s", p->error.message);
    cr_expect(p->error.offset >= low && p->error.offset <= high, "%s", p->error.message);
    close_print(p);
  }
}

// A program: one function of one operation.
typedef struct sample {
  writer w;
  uint32_t tensor, function, loc, sym_name, function_type;
  uint32_t func, ret, op;
} sample;

static inline void begin_sample(sample *s, uint32_t version, bool vhlo) {
  memset(s, 0, sizeof *s);
  writer *w = &s->w;
  w->version = version;
  const char *types = vhlo ? "vhlo" : "builtin";
  uint32_t f32 = add_type(w, types, vhlo ? FIELDS(4) : FIELDS(F32));
  bytes dims = vhlo ? FIELDS(20, 1) : FIELDS(TENSOR, 1);
  put_signed(&dims, INT64_MIN);
  put(&dims, f32);
  s->tensor = add_type(w, types, dims);
  s->function = add_type(w, types, FIELDS(vhlo ? 8 : FUNCTION, 1, s->tensor, 1, s->tensor));
  s->loc = add_attr(w, "builtin", FIELDS(UNKNOWN_LOC));
  add_op(w, "builtin", "module", true);
  s->func = add_op(w, vhlo ? "vhlo" : "func", vhlo ? "func_v1" : "func", true);
  s->ret = add_op(w, vhlo ? "vhlo" : "func", vhlo ? "return_v1" : "return", true);
  if (vhlo) {
    s->sym_name = add_attr(w, "vhlo", FIELDS(14, add_string(w, "main")));
    s->function_type = add_attr(w, "vhlo", FIELDS(17, s->function));
  } else {
    s->sym_name = add_string_attr(w, "main");
    s->function_type = add_attr(w, "builtin", FIELDS(TYPE, s->function));
  }
}

// The attributes of an operation, as names and values: one blob from version 5 on, else a dictionary.
static inline void put_attributes(sample *s, bytes *op, const char *const *names,
                                  const uint32_t *attrs, unsigned count) {
  bytes data = FIELDS(1, count);
  for (unsigned i = 0; i < count; i++) {
    put(&data, add_string_attr(&s->w, names[i]));
    put(&data, attrs[i]);
  }
  put(op, add_attr(&s->w, "builtin", data));
}

static inline void begin_op(sample *s, bytes *out, uint32_t name, unsigned mask) {
  put(out, name);
  put_byte(out, mask);
  put(out, s->loc);
}

// Puts `body` into module { func @main(%arg0) { body } }; version 6 of the format, or 0.
static inline bytes end_sample(sample *s, const bytes *body, unsigned ops, unsigned values,
                               bool vhlo) {
  bool blobs = s->w.version >= 5;
  bytes region = {.length = 0}, func = region, module = region, top = region;
  put(&region, 1);  // blocks
  put(&region, values);
  put(&region, (uint64_t)ops << 1 | 1);
  put(&region, 1);  // argument
  if (s->w.version >= 4) {
    put(&region, s->tensor << 1);
  } else {
    put(&region, s->tensor);
    put(&region, s->loc);
  }
  if (s->w.version >= 3) put_byte(&region, 0);
  put_all(&region, body);
  begin_op(s, &func, s->func, MASK_REGIONS | (blobs ? MASK_PROPERTIES : MASK_ATTRS));
  if (blobs && vhlo) {
    uint32_t none = add_attr(&s->w, "vhlo", FIELDS(1, 0));
    uint32_t empty = add_attr(&s->w, "vhlo", FIELDS(14, add_string(&s->w, "")));
    put(&func, add_blob(&s->w, FIELDS(none, s->function_type, none, s->sym_name, empty)));
  } else if (blobs) {
    put(&func, add_blob(&s->w, FIELDS(0, s->function_type, 0, 0, s->sym_name, 0)));
  } else {
    put_attributes(s, &func, (const char *const[]){"function_type", "sym_name"},
                   (const uint32_t[]){s->function_type, s->sym_name}, 2);
  }
  put(&func, 1 << 1 | 1);
  if (s->w.version >= 2) {
    put_section(&func, 4, &region);
  } else {
    put_all(&func, &region);
  }
  put(&module, 1);
  put(&module, 0);
  put(&module, 1 << 1);
  put_all(&module, &func);
  put(&top, 1 << 1);
  begin_op(s, &top, 0, MASK_REGIONS);
  put(&top, 1 << 1 | 1);
  if (s->w.version >= 2) {
    put_section(&top, 4, &module);
  } else {
    put_all(&top, &module);
  }
  s->w.ir = top;
  return finish(&s->w);
}

static inline void put_return(sample *s, bytes *body, uint32_t value) {
  begin_op(s, body, s->ret, MASK_OPERANDS);
  put(body, 1);
  put(body, value);
}

// %1 = NAME(%arg0), return %1
static inline void put_unary(sample *s, bytes *body, uint32_t op, uint32_t blob, uint32_t operand) {
  begin_op(s, body, op, MASK_RESULTS | MASK_OPERANDS | (blob == UINT32_MAX ? 0 : MASK_PROPERTIES));
  if (blob != UINT32_MAX) put(body, blob);
  put(body, 1);
  put(body, s->tensor);
  put(body, 1);
  put(body, operand);
}

static inline bytes unary(uint32_t version, const char *dialect, const char *name, uint32_t operand,
                          uint32_t returned) {
  sample s;
  bytes body = {.length = 0};
  bool vhlo = strcmp(dialect, "vhlo") == 0;
  begin_sample(&s, version, vhlo);
  put_unary(&s, &body, add_op(&s.w, dialect, name, true), UINT32_MAX, operand);
  put_return(&s, &body, returned);
  return end_sample(&s, &body, 2, 2, vhlo);
}

// The attribute as `value` of a stablehlo.constant of version 6.
static inline bytes with_attr(sample *s, uint32_t attr) {
  bytes body = {.length = 0};
  uint32_t op = add_op(&s->w, "stablehlo", "constant", true);
  put_unary(s, &body, op, add_blob(&s->w, FIELDS(attr)), 0);
  put_return(s, &body, 1);
  return end_sample(s, &body, 2, 2, false);
}

static inline void expect_attr(const char *dialect, bytes data, const char *text) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_attr(&s.w, dialect, data));
  snprintf(part, sizeof part, "<{value = %s}>", text);
  expect_text(&file, part);
}

// The same is refused.
static inline void expect_attr_error(const char *dialect, bytes data, const char *error) {
  sample s;
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_attr(&s.w, dialect, data));
  expect_error(&file, 0, file.length, error);
}

// A signed number among FIELDS.
#define SIGNED(n) ((uint64_t)(n) << 1 ^ (uint64_t)((int64_t)(n) >> 63))
// Of each sample: types f32 and tensor<?xf32>, attributes unknown and "main".
enum { OF_F32, OF_TENSOR };
enum { AN_UNKNOWN, A_STRING };

static inline void expect_dense(uint64_t width, int64_t dim, const char *data, size_t length,
                                const char *text) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  uint32_t element = add_type(&s.w, "builtin", width ? FIELDS(0, width << 2) : FIELDS(F32));
  bytes tensor = FIELDS(TENSOR, 1), dense = {.length = 0};
  put_signed(&tensor, dim);
  put(&tensor, element);
  put(&dense, DENSE);
  put(&dense, add_type(&s.w, "builtin", tensor));
  put(&dense, length);
  put_raw(&dense, data, length);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", dense));
  if (!text) {
    expect_error(&file, 0, file.length, "elements of");
    return;
  }
  snprintf(part, sizeof part, "<{value = dense<%s> : tensor<%lldx", text, (long long)dim);
  expect_text(&file, part);
}

#endif
