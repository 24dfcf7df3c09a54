// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "solver/base/found.h"

static void finds(const char *text, size_t length, const char *expected) {
  char found[FOUND_ROOM];
  found_put(found, text, text + length);
  cr_expect_str_eq(found, expected);
}

Test(found, tokens) {
  finds("", 0, "the end of the text");
  finds("\nx", 2, "the end of the line");
  finds("word.1 next", 11, "'word.1'");
  finds("%x, %y", 6, "'%x'");
  finds("@main(", 6, "'@main'");
  finds("%%", 2, "'%'");
  finds(")x", 2, "')'");
  finds("\xc3\xa4x", 3, "'\xc3\xa4'");
  finds("\x07", 1, "the byte 0x07");
  finds("\xff", 1, "the byte 0xff");
  finds("\0", 1, "the byte 0x00");
  finds("\xe2\x80\xae", 3, "the byte 0xe2");  // it would turn the text around
}

Test(found, long_words_are_cut) {
  char text[100], found[FOUND_ROOM];
  memset(text, 'a', sizeof text);
  found_put(found, text, text + sizeof text);
  cr_expect_eq(strlen(found), 42);
  cr_expect_eq(found_length(text, text + sizeof text), 40);
}

Test(found, messages) {
  shape_arena arena;
  arena_init(&arena, 0);
  const char *x = "x";
  cr_expect_str_eq(found_message(&arena, "expected ')'", x, x + 1), "expected ')', found 'x'");
  cr_expect_str_eq(found_message(&arena, "expected a dim: there is none", x, x),
                   "expected a dim, found the end of the text: there is none");
  cr_expect_str_eq(found_message(&arena, "expected ':'", x, x + 1), "expected ':', found 'x'");
  static const char *const KEPT[] = {"expected 2 dims, found 3", "nested too deep"};
  for (int i = 0; i < 2; i++) cr_expect_eq(found_message(&arena, KEPT[i], x, x + 1), KEPT[i]);
  arena_destroy(&arena);
}
