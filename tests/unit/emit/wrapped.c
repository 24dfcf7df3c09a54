// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/wrapped.h"

#include <criterion/criterion.h>
#include <string.h>

#define WORDS "aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb cccccccccccccccccccc dddddddddddddddddddd"

static void expect(const char *before, const char *text, uint32_t column, const char *wanted) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  strbuf_puts(&out, before);
  emit_wrapped(&out, text, strlen(text), column);
  cr_expect_str_eq(strbuf_text(&out), wanted);
  arena_destroy(&arena);
}

Test(wrapped, lines_begin_at_the_column) {
  expect("", "", 0, "");
  expect("x: ", "one two", 3, "x: one two");
  expect("x: ", WORDS, 3,
         "x: aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb cccccccccccccccccccc\n"
         "   dddddddddddddddddddd");
}

// A name of the program may be as long as it likes.
Test(wrapped, a_column_beyond_the_line_leaves_room_for_the_others) {
  char name[1000];
  shape_arena arena;
  shape_strbuf out;
  memset(name, 'n', sizeof name);
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  strbuf_add(&out, name, sizeof name);
  emit_wrapped(&out, WORDS, strlen(WORDS), sizeof name);
  strbuf_text(&out);
  cr_expect_eq(strncmp(out.data + sizeof name, "aaaaaaaaaaaaaaaaaaaa\n   ", 24), 0);
  cr_expect_lt(out.length, sizeof name + 4 * 80);
  arena_destroy(&arena);
}
