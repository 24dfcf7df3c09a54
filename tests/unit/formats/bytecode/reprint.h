// SPDX-License-Identifier: Apache-2.0
// Generic text that is written as bytecode and printed again, for tests.
#ifndef TESTS_UNIT_FORMATS_BYTECODE_REPRINT_H
#define TESTS_UNIT_FORMATS_BYTECODE_REPRINT_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/bytecode/write.h"

typedef struct reprinted {
  shape_arena arena;
  const char *source;
  bool whole;
  bytecode_text text;
  char *bytes;
  size_t length;
} reprinted;

static inline void reprint_keep(void *to, const char *data, size_t length) {
  reprinted *x = to;
  x->bytes = realloc(x->bytes, x->length + length);
  cr_assert(x->bytes);
  memcpy(x->bytes + x->length, data, length);
  x->length += length;
}

// Inside arena_protect.
static inline void reprint(void *data) {
  reprinted *x = data;
  bytecode_refusal refusal;
  bytecode_error error;
  const bytecode_write_options options = {NULL, {NULL, 0}};
  const bytecode_options reading = {.whole = x->whole};
  const bytecode_sink sink = {x, reprint_keep, NULL};
  cr_assert_eq(
      bytecode_write(&x->arena, NULL, x->source, strlen(x->source), &options, &sink, &refusal),
      BYTECODE_WRITTEN, "%s", refusal.message);
  cr_assert(bytecode_print(&x->arena, NULL, x->bytes, x->length, &reading, &x->text, &error), "%s",
            error.message);
}

static inline reprinted *reprint_open(const char *source, bool whole) {
  reprinted *x = calloc(1, sizeof *x);
  cr_assert(x);
  arena_init(&x->arena, 0);
  x->source = source;
  x->whole = whole;
  cr_assert_eq(arena_protect(&x->arena, reprint, x), SHAPE_OK);
  return x;
}

static inline void reprint_close(reprinted *x) {
  free(x->bytes);
  arena_destroy(&x->arena);
  free(x);
}

#endif
