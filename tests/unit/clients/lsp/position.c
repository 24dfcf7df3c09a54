// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/document.h"

// "a" 1 byte, U+00FC 2, U+6570 3, U+1F600 4 bytes and two units of UTF-16.
static const char TEXT[] = "a\xc3\xbc\xe6\x95\xb0\xf0\x9f\x98\x80z\nb\r\n\rc";

static lsp_text make(const char *data, size_t length) {
  lsp_text text = {0};
  cr_assert(lsp_text_set(&text, data, length));
  return text;
}

static uint32_t offset(lsp_text *t, lsp_encoding encoding, uint32_t line, uint32_t character) {
  return lsp_offset_of(&t->lines, t->data, t->length, encoding, (lsp_position){line, character});
}

Test(lsp_position, characters_of_each_encoding) {
  static const struct {
    uint32_t at, utf8, utf16, utf32;
  } ROWS[] = {{0, 0, 0, 0}, {1, 1, 1, 1},   {3, 3, 2, 2},
              {6, 6, 3, 3}, {10, 10, 5, 4}, {11, 11, 6, 5}};
  lsp_text t = make(TEXT, sizeof TEXT - 1);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const uint32_t characters[] = {ROWS[i].utf8, ROWS[i].utf16, ROWS[i].utf32};
    for (int e = LSP_UTF8; e <= LSP_UTF32; e++) {
      lsp_position position =
          lsp_position_of(&t.lines, t.data, t.length, (lsp_encoding)e, ROWS[i].at);
      cr_assert_eq(position.line, 0);
      cr_assert_eq(position.character, characters[e], "byte %u, encoding %d: %u", ROWS[i].at, e,
                   position.character);
      cr_assert_eq(offset(&t, (lsp_encoding)e, 0, characters[e]), ROWS[i].at);
    }
  }
  lsp_text_free(&t);
}

Test(lsp_position, inside_and_beyond) {
  lsp_text t = make(TEXT, sizeof TEXT - 1);
  cr_assert_eq(offset(&t, LSP_UTF16, 0, 4), 6, "half of a pair is its begin");
  cr_assert_eq(offset(&t, LSP_UTF8, 0, 2), 1, "a byte inside is the begin");
  cr_assert_eq(offset(&t, LSP_UTF8, 0, 99), 11, "beyond the line is its end");
  cr_assert_eq(offset(&t, LSP_UTF32, 1, 99), 13, "which is in front of its end of line");
  cr_assert_eq(offset(&t, LSP_UTF16, 99, 0), t.length);
  cr_assert_eq(lsp_units("\xf0\x9f\x98\x80\xff", 5, LSP_UTF16), 3);
  lsp_position end = lsp_position_of(&t.lines, t.data, t.length, LSP_UTF16, 1000);
  cr_assert(end.line == 3 && end.character == 1);
  lsp_text_free(&t);
}

Test(lsp_position, lines_end_in_three_ways) {
  lsp_text t = make("\r\n\n\r", 4);
  static const uint32_t STARTS[] = {0, 2, 3, 4};
  cr_assert_eq(t.lines.count, 4);
  cr_assert(memcmp(t.lines.starts, STARTS, sizeof STARTS) == 0);
  lsp_text_free(&t);
  t = make("", 0);
  cr_assert_eq(t.lines.count, 1);
  cr_assert_eq(offset(&t, LSP_UTF16, 0, 5), 0);
  lsp_text_free(&t);
}

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static void expect_same(const lsp_text *edited, uint32_t step) {
  lsp_text fresh = make(edited->data, edited->length);
  cr_assert_eq(edited->lines.count, fresh.lines.count, "step %u", step);
  cr_assert(memcmp(edited->lines.starts, fresh.lines.starts,
                   fresh.lines.count * sizeof *fresh.lines.starts) == 0,
            "step %u", step);
  cr_assert(!edited->lines.ascii || fresh.lines.ascii);
  lsp_text_free(&fresh);
}

// Every edit of a text of line ends leaves the lines that a fresh text has.
Test(lsp_document, edits_keep_the_lines) {
  static const char *const PIECES[] = {"", "\n", "\r", "\r\n", "x", "xy\n", "\n\r", "\xc3\xbc"};
  uint32_t seed = 7;
  lsp_text t = make("\r\n", 2);
  for (uint32_t step = 0; step < 20000; step++) {
    uint32_t begin = next(&seed) >> 8, end = next(&seed) >> 8;
    const char *piece = PIECES[next(&seed) >> 16 & 7];
    begin %= t.length + 1;
    end = begin + (t.length > begin ? end % (t.length - begin < 4 ? t.length - begin + 1 : 4) : 0);
    if (t.length > 60) begin = 0, end = t.length;
    cr_assert(lsp_text_replace(&t, begin, end, piece, strlen(piece)));
    expect_same(&t, step);
  }
  lsp_text_free(&t);
}

// Positions there and back, in each encoding, asked for in any order.
Test(lsp_document, positions_there_and_back) {
  static const char *const PIECES[] = {"a", "\xc3\xbc", "\xe6\x95\xb0", "\xf0\x9f\x98\x80", "\n"};
  uint32_t seed = 3;
  lsp_text t = make("", 0);
  for (uint32_t i = 0; i < 300; i++) {
    const char *piece = PIECES[(next(&seed) >> 16) % 5];
    cr_assert(lsp_text_replace(&t, t.length, t.length, piece, strlen(piece)));
  }
  for (uint32_t step = 0; step < 3000; step++) {
    uint32_t at = (next(&seed) >> 8) % (t.length + 1);
    while (at && ((unsigned char)t.data[at] & 0xc0) == 0x80) at--;
    lsp_encoding encoding = (lsp_encoding)((next(&seed) >> 16) % 3);
    lsp_position position = lsp_position_of(&t.lines, t.data, t.length, encoding, at);
    cr_assert_eq(offset(&t, encoding, position.line, position.character), at);
    uint32_t begin = t.lines.starts[position.line];
    cr_assert_eq(lsp_units(t.data + begin, at - begin, encoding), position.character);
  }
  lsp_text_free(&t);
}
