// SPDX-License-Identifier: Apache-2.0
// Operations that are as one before: their text, and what their printer says of their names.
#include <criterion/criterion.h>
#include <stdlib.h>

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

static void keep(void *to, const char *data, size_t length) {
  reprinted *x = to;
  x->bytes = realloc(x->bytes, x->length + length);
  cr_assert(x->bytes);
  memcpy(x->bytes + x->length, data, length);
  x->length += length;
}

static void reprint(void *data) {
  reprinted *x = data;
  bytecode_refusal refusal;
  bytecode_error error;
  const bytecode_write_options options = {NULL, {NULL, 0}};
  const bytecode_options reading = {.whole = x->whole};
  const bytecode_sink sink = {x, keep, NULL};
  cr_assert_eq(
      bytecode_write(&x->arena, NULL, x->source, strlen(x->source), &options, &sink, &refusal),
      BYTECODE_WRITTEN, "%s", refusal.message);
  cr_assert(bytecode_print(&x->arena, NULL, x->bytes, x->length, &reading, &x->text, &error), "%s",
            error.message);
}

static reprinted *open_reprinted(const char *source, bool whole) {
  reprinted *x = calloc(1, sizeof *x);
  arena_init(&x->arena, 0);
  x->source = source;
  x->whole = whole;
  cr_assert_eq(arena_protect(&x->arena, reprint, x), SHAPE_OK);
  return x;
}

static void close_reprinted(reprinted *x) {
  free(x->bytes);
  arena_destroy(&x->arena);
  free(x);
}

// The kinds of the statements, in the order of the text.
static void expect_kinds(const reprinted *x, const char *kinds) {
  shape_strbuf out;
  strbuf_init(&out, (shape_arena *)&x->arena);
  for (uint32_t i = 0; i < x->text.statements.count; i++)
    strbuf_printf(&out, "%s%u", i ? " " : "", x->text.statements.items[i].kind);
  cr_expect_str_eq(strbuf_text(&out), kinds, "of\n%s", x->text.text);
}

static const char SUMS[] =
    "\"func.func\"() <{function_type = (tensor<?xf32>, tensor<4xf32>) -> (), sym_name = \"f\"}> "
    "({\n"
    "^bb0(%a: tensor<?xf32>, %b: tensor<4xf32>):\n"
    "  %0 = \"stablehlo.add\"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
    "  %1 = \"stablehlo.add\"(%0, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
    "  %2 = \"stablehlo.add\"(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    "  %3 = \"stablehlo.add\"(%1, %0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
    "  \"func.return\"() : () -> ()\n"
    "}) : () -> ()\n";

Test(bytecode_repeat, operations_of_one_kind_differ_in_their_values) {
  reprinted *x = open_reprinted(SUMS, false);
  expect_kinds(x, "0 0 1 1 2 1 3");
  cr_expect(strstr(
      x->text.text,
      "    %2 = \"stablehlo.add\"(%arg0, %arg0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
      "    %3 = \"stablehlo.add\"(%2, %arg0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
      "    %4 = \"stablehlo.add\"(%arg1, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
      "    %5 = \"stablehlo.add\"(%3, %2) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"));
  close_reprinted(x);
}

Test(bytecode_repeat, rows_say_where_names_end_and_which_values_they_are) {
  reprinted *x = open_reprinted(SUMS, false);
  const mlir_printed *s = &x->text.statements.items[5];
  const mlir_printed_name *names = x->text.statements.names + s->names;
  cr_expect_eq(s->values, 5u);
  cr_expect_eq(names[0].value, 5u);  // %5 is the number in the text
  cr_expect_eq(names[1].value, 3u);
  cr_expect_eq(names[2].value, 2u);
  for (int i = 0; i < 3; i++) {
    static const char *const NAMES[] = {"%5", "%3", "%2"};
    cr_expect_eq(memcmp(x->text.text + s->at + names[i].to - 2, NAMES[i], 2), 0);
  }
  close_reprinted(x);
}

// Statements with locations are written one by one, and so are those of a function in another operation, whose names may
// be those around it.
Test(bytecode_repeat, what_may_be_written_otherwise_has_no_kind) {
  reprinted *x = open_reprinted(SUMS, true);
  expect_kinds(x, "0 0 0 0 0 0 0");
  close_reprinted(x);
  shape_arena arena;
  arena_init(&arena, 0);
  shape_strbuf inner;
  strbuf_init(&inner, &arena);
  strbuf_printf(&inner, "\"x.region\"() ({\n%s}) : () -> ()\n", SUMS);
  x = open_reprinted(strbuf_text(&inner), false);
  expect_kinds(x, "0 0 0 0 0 0 0 0");
  close_reprinted(x);
  arena_destroy(&arena);
}
