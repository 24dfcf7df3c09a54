// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/mlir/edit.h"

#include <criterion/criterion.h>
#include <string.h>

static uint32_t offset(const char *text, const char *part) {
  return (uint32_t)(strstr(text, part) - text);
}

Test(edits, have_the_line_ends_of_the_text) {
  static const char *const ROWS[][2] = {{"a\r\nb", "x\r\ny\r\nz\r\na\r\nb"},
                                        {"a\nb\r\n", "x\ny\r\nz\na\nb\r\n"},
                                        {"ab", "x\ny\r\nz\nab"}};
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    shape_arena arena;
    arena_init(&arena, 1 << 20);
    source_text source = {.text = ROWS[i][0], .length = (uint32_t)strlen(ROWS[i][0])};
    text_edits edits = {.arena = &arena};
    edits_add(&edits, &source, (source_span){0, 0}, "x\ny\r\nz\n", 7);
    shape_strbuf out;
    strbuf_init(&out, &arena);
    edits_apply(&edits, &source, &out);
    cr_expect_str_eq(strbuf_text(&out), ROWS[i][1]);
    arena_destroy(&arena);
  }
}

Test(edits, say_where_a_byte_of_the_result_comes_from) {
  static const char TEXT[] = "one two three four";
  shape_arena arena;
  arena_init(&arena, 1 << 20);
  source_text source = {.text = TEXT, .length = sizeof TEXT - 1};
  text_edits edits = {.arena = &arena};
  edits_add(&edits, &source, (source_span){14, 18}, "", 0);           // four goes
  edits_add(&edits, &source, (source_span){4, 7}, "twenty-two", 10);  // two grows
  edits_add(&edits, &source, (source_span){8, 8}, "and ", 4);         // before three
  shape_strbuf out;
  strbuf_init(&out, &arena);
  edits_apply(&edits, &source, &out);
  const char *text = strbuf_text(&out);
  cr_assert_str_eq(text, "one twenty-two and three ");
  cr_expect_eq(edits_source(&edits, 0), 0);
  cr_expect_eq(edits_source(&edits, offset(text, "ne ")), 1);
  cr_expect_eq(edits_source(&edits, offset(text, "two ")), 4, "inside of what an edit wrote");
  cr_expect_eq(edits_source(&edits, offset(text, "and")), 8);
  cr_expect_eq(edits_source(&edits, offset(text, "three")), 8);
  cr_expect_eq(edits_source(&edits, offset(text, "ree")), 10);
  arena_destroy(&arena);
}
