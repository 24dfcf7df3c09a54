// SPDX-License-Identifier: Apache-2.0
// Operations that are as one before: their text, and what their printer says of their names.
#include <stdio.h>

#include "tests/unit/formats/bytecode/reprint.h"

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
  reprinted *x = reprint_open(SUMS, false);
  expect_kinds(x, "0 0 1 1 2 1 3");
  cr_expect(strstr(
      x->text.text,
      "    %2 = \"stablehlo.add\"(%arg0, %arg0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
      "    %3 = \"stablehlo.add\"(%2, %arg0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
      "    %4 = \"stablehlo.add\"(%arg1, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
      "    %5 = \"stablehlo.add\"(%3, %2) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"));
  reprint_close(x);
}

Test(bytecode_repeat, rows_say_where_statements_end_and_which_values_they_name) {
  reprinted *x = reprint_open(SUMS, false);
  const mlir_printed *s = &x->text.statements.items[5];
  const uint32_t *names = x->text.statements.names;
  for (uint32_t i = 0; i < 5; i++) names += x->text.statements.items[i].names;
  cr_expect_eq(s->values, 5u);
  cr_assert_eq(s->names, 3u);
  cr_expect_eq(names[0], 5u);  // %5 is the number in the text
  cr_expect_eq(names[1], 3u);
  cr_expect_eq(names[2], 2u);
  cr_expect_eq(memcmp(x->text.text + s->at, "%5 = ", 5), 0);
  cr_expect_eq(x->text.text[s->at + s->length], '\n');
  cr_expect(s->joined && !s->later);
  reprint_close(x);
}

// Statements with locations are written one by one, and so are those of a function in another operation, whose names may
// be those around it.
Test(bytecode_repeat, what_may_be_written_otherwise_has_no_kind) {
  reprinted *x = reprint_open(SUMS, true);
  expect_kinds(x, "0 0 0 0 0 0 0");
  reprint_close(x);
  shape_arena arena;
  arena_init(&arena, 0);
  shape_strbuf inner;
  strbuf_init(&inner, &arena);
  strbuf_printf(&inner, "\"x.region\"() ({\n%s}) : () -> ()\n", SUMS);
  x = reprint_open(strbuf_text(&inner), false);
  expect_kinds(x, "0 0 0 0 0 0 0 0");
  reprint_close(x);
  arena_destroy(&arena);
}

// Two uses of one kind in the region of %1: the first is of %0, the second of `second`.
static reprinted *uses_in_region(const char *second) {
  static char text[1024];
  snprintf(text, sizeof text,
           "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n"
           "  %%0 = \"x.value\"() : () -> i32\n"
           "  %%other = \"x.value\"() : () -> i32\n"
           "  %%1 = \"x.region\"() ({\n"
           "    \"x.use\"(%%0) : (i32) -> ()\n"
           "    \"x.use\"(%s) : (i32) -> ()\n"
           "  }) : () -> i32\n"
           "  \"func.return\"() : () -> ()\n"
           "}) : () -> ()\n",
           second);
  return reprint_open(text, false);
}

// Text in which the name is not defined as yet says what the reader of the text says of it.
Test(bytecode_repeat, what_an_operation_defines_is_not_seen_in_its_regions) {
  reprinted *x = uses_in_region("%0"), *y = uses_in_region("%other");
  expect_kinds(x, "0 0 1 1 0 2 2 3");
  cr_assert_eq(x->length, y->length);
  size_t at = 0;
  while (at < x->length && x->bytes[at] == y->bytes[at]) at++;
  cr_assert_lt(at, x->length, "the operand differs");
  cr_assert_eq(x->bytes[at] + 2, y->bytes[at]);
  y->bytes[at] = (char)(y->bytes[at] + 2);  // the next value: that of the operation around it
  bytecode_error error;
  const bytecode_options reading = {.whole = false};
  cr_assert(bytecode_print(&y->arena, NULL, y->bytes, y->length, &reading, &y->text, &error), "%s",
            error.message);
  cr_expect(strstr(y->text.text, "\"x.use\"(%2) : (i32) -> ()"), "%s", y->text.text);
  expect_kinds(y, "0 0 1 1 0 2 0 3");
  reprint_close(x);
  reprint_close(y);
}

Test(bytecode_repeat, statements_without_names_have_a_kind) {
  reprinted *x = reprint_open("\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n"
                              "  \"x.nothing\"() : () -> ()\n"
                              "  \"x.nothing\"() : () -> ()\n"
                              "  \"func.return\"() : () -> ()\n"
                              "}) : () -> ()\n",
                              false);
  expect_kinds(x, "0 0 1 1 2");
  cr_expect(x->text.statements.names, "rows are counted from it on");
  reprint_close(x);
}
