// SPDX-License-Identifier: Apache-2.0
// Lines, columns and diagnostics.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/graph/diag.h"

static void expect_position(const char *text, uint32_t offset, uint32_t line, uint32_t column) {
  shape_arena arena;
  arena_init(&arena, 0);
  source_text source = {.text = text, .length = (uint32_t)strlen(text)};
  source_index(&source, &arena);
  source_position at = source_position_of(&source, offset);
  cr_expect(at.line == line && at.column == column, "%u of \"%s\": %u:%u", offset, text, at.line,
            at.column);
  source_position scanned = source_position_by_scan(&source, offset);
  cr_expect(scanned.line == line && scanned.column == column, "%u of \"%s\" scanned: %u:%u", offset,
            text, scanned.line, scanned.column);
  arena_destroy(&arena);
}

Test(positions, lines_and_columns) {
  expect_position("", 0, 1, 1);
  expect_position("", 9, 1, 1);
  expect_position("abc", 2, 1, 3);
  expect_position("abc", 3, 1, 4);
  expect_position("a\nb\n", 1, 1, 2);
  expect_position("a\nb\n", 2, 2, 1);
  expect_position("a\nb\n", 4, 3, 1);
  expect_position("\n\n\nx", 3, 4, 1);
  expect_position("a\r\nb", 3, 2, 1);
  expect_position("a\nb", UINT32_MAX, 2, 2);
}

// Texts are indexed in parts of 256 KB.
Test(positions, lines_at_ends_of_parts) {
  enum { PART = 1 << 18 };
  static char text[3 * PART];
  memset(text, 'x', sizeof text - 1);
  text[PART - 1] = text[PART] = text[2 * PART] = '\n';
  expect_position(text, PART - 1, 1, PART);
  expect_position(text, PART, 2, 1);
  expect_position(text, PART + 1, 3, 1);
  expect_position(text, 2 * PART, 3, PART);
  expect_position(text, 2 * PART + 3, 4, 3);
}

Test(positions, diagnostics) {
  shape_arena arena;
  arena_init(&arena, 0);
  diag_list list;
  diag_init(&list, &arena);
  diag *first = diag_add(&list, DIAG_ERROR, "syntax", (source_span){1, 2}, "no %s", "good");
  diag_relate(&list, first, (source_span){3, 4}, "see %d", 7);
  cr_expect_str_eq(list.items[0].message, "no good");
  cr_expect_str_eq(list.items[0].related[0].message, "see 7");
  cr_expect_str_eq(diag_severity_name(DIAG_HINT), "hint");
  while (list.count < list.limit) diag_add(&list, DIAG_NOTE, "note", SPAN_NONE, "n");
  cr_expect_null(diag_add(&list, DIAG_NOTE, "note", SPAN_NONE, "n"));
  cr_expect_eq(list.errors, 1u);
  // An error counts even where it is not kept.
  cr_expect_null(diag_add(&list, DIAG_ERROR, "late", SPAN_NONE, "n"));
  cr_expect_eq(list.errors, 2u);
  cr_expect_eq(list.dropped, 2u);
  diag_relate(&list, NULL, SPAN_NONE, "nothing");
  arena_destroy(&arena);
}
