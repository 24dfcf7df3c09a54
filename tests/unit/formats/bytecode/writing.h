// SPDX-License-Identifier: Apache-2.0
// Generic text that is written as bytecode and read again: what comes back, and what is refused.
#ifndef TESTS_UNIT_FORMATS_BYTECODE_WRITING_H
#define TESTS_UNIT_FORMATS_BYTECODE_WRITING_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/bytecode/write.h"

typedef struct written {
  shape_arena arena;
  const char *text, *release;
  bytecode_source source;
  char *bytes;
  size_t length, copied;
  bytecode_written result;
  bytecode_refusal refusal;
  bytecode_text back;
} written;

static inline void take(void *to, const char *data, size_t length) {
  written *w = to;
  w->bytes = realloc(w->bytes, w->length + length + 1);
  memcpy(w->bytes + w->length, data, length);
  w->length += length;
}

static inline void copy(void *to, size_t begin, size_t end) {
  written *w = to;
  w->copied += end - begin;
  take(to, (const char *)w->source.bytes + begin, end - begin);
}

static inline void write_body(void *data) {
  written *w = data;
  bytecode_release release;
  if (w->release) cr_assert(bytecode_release_parse(w->release, &release), "%s", w->release);
  const bytecode_write_options options = {w->release ? &release : NULL, w->source};
  const bytecode_sink sink = {w, take, copy};
  w->result =
      bytecode_write(&w->arena, NULL, w->text, strlen(w->text), &options, &sink, &w->refusal);
  if (w->result != BYTECODE_WRITTEN) return;
  const bytecode_options whole = {.whole = true};
  bytecode_error error;
  cr_assert(bytecode_print(&w->arena, NULL, w->bytes, w->length, &whole, &w->back, &error),
            "%s\n%s", w->text, error.message);
}

static inline written *open_written(const char *text, const char *release, const written *source) {
  written *w = calloc(1, sizeof *w);
  arena_init(&w->arena, 0);
  w->text = text;
  w->release = release;
  if (source) w->source = (bytecode_source){source->bytes, source->length};
  cr_assert_eq(arena_protect(&w->arena, write_body, w), SHAPE_OK);
  return w;
}

static inline void close_written(written *w) {
  arena_destroy(&w->arena);
  free(w->bytes);
  free(w);
}

static inline void expect_part(const char *text, const char *release, const char *part) {
  written *w = open_written(text, release, NULL);
  cr_assert_eq(w->result, BYTECODE_WRITTEN, "%s\n%s", text, w->refusal.message);
  cr_expect(strstr(w->back.text, part), "%s\nis not in\n%s", part, w->back.text);
  close_written(w);
}

static inline void expect_refused(const char *text, const char *release, const char *part) {
  written *w = open_written(text, release, NULL);
  cr_expect_eq(w->result, BYTECODE_REFUSED, "%s", text);
  cr_expect(strstr(w->refusal.message, part), "%s", w->refusal.message);
  cr_expect_eq(w->length, 0);
  cr_expect(w->refusal.offset <= strlen(text));
  close_written(w);
}

// An operation with this attribute comes back with the other.
static inline void expect_attribute(const char *in, const char *back) {
  char text[2048], part[1024];
  snprintf(text, sizeof text, "\"t.a\"() {x = %s} : () -> ()\n", in);
  snprintf(part, sizeof part, "{x = %s}", back);
  expect_part(text, NULL, part);
}

static inline void expect_same(const char *attribute) { expect_attribute(attribute, attribute); }

// A program of one function, for portable artifacts.
#define FUNCTION(arguments, body)                                                                  \
  "\"builtin.module\"() ({\n\"func.func\"() <{function_type = () -> (), sym_name = \"main\"}> "    \
  "({\n^bb0(" arguments "):\n" body                                                                \
  "\n\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n"
#define GATHER(lists)                                                                              \
  FUNCTION("%a: tensor<2x3xf32>, %i: tensor<2xi32>",                                               \
           "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<" lists      \
           "start_index_map = [0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xf32>, "         \
           "tensor<2xi32>) -> tensor<2x3xf32>")
#define OP(name, attributes)                                                                       \
  FUNCTION("%a: tensor<2xf32>",                                                                    \
           "%0 = \"" name "\"(%a) " attributes " : (tensor<2xf32>) -> tensor<2xf32>")

#endif
