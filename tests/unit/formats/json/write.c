// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/json/write.h"

typedef struct sheet {
  shape_arena arena;
  shape_budget budget;
  shape_strbuf buf;
  json_writer w;
} sheet;

static void sheet_open(sheet *s) {
  arena_init(&s->arena, 0);
  budget_init(&s->budget, &s->arena, 1000000, NULL);
  strbuf_init(&s->buf, &s->arena);
  json_writer_init(&s->w, &s->buf);
}

static void sheet_expect(sheet *s, const char *want) {
  cr_expect_str_eq(strbuf_text(&s->buf), want);
  arena_destroy(&s->arena);
}

static void nested(json_writer *w) {
  json_begin_object(w);
  json_key(w, "a");
  json_begin_array(w);
  json_int(w, 1);
  json_begin_array(w);
  json_end_array(w);
  json_begin_object(w);
  json_end_object(w);
  json_end_array(w);
  json_key(w, "b");
  json_bool(w, true);
  json_key(w, "c");
  json_null(w);
  json_end_object(w);
}

// What is written on one line, and on many.
static void expect_written(void write(json_writer *w), const char *compact, const char *pretty) {
  sheet s;
  sheet_open(&s);
  write(&s.w);
  sheet_expect(&s, compact);
  sheet_open(&s);
  s.w.pretty = true;
  write(&s.w);
  sheet_expect(&s, pretty);
}

Test(write, compact_and_pretty) {
  expect_written(nested, "{\"a\": [1, [], {}], \"b\": true, \"c\": null}",
                 "{\n  \"a\": [\n    1,\n    [],\n    {}\n  ],\n  \"b\": true,\n  \"c\": null\n}");
}

// Texts of every length with each kind of byte at every index, in one piece and as values.
Test(write, plain_in_one_piece) {
  static const char OTHERS[] = {'"', '\\', '\n', 31, (char)0xc3, '~', ' '};
  enum { LONGEST = 70 };
  char text[LONGEST], to[LONGEST + 4];
  for (size_t length = 0; length <= LONGEST; length++) {
    for (size_t i = 0; i <= length * sizeof OTHERS; i++) {
      memset(text, 'a', sizeof text);
      memset(to, '-', sizeof to);
      char other = i ? OTHERS[(i - 1) % sizeof OTHERS] : 'a';
      if (i) text[(i - 1) / sizeof OTHERS] = other;
      bool plain = other == 'a' || other == '~' || other == ' ';
      char *end = json_put_plain(to + 1, text, length);
      cr_assert_eq(end, plain ? to + 1 + length + 2 : NULL, "%zu of %zu", i, length);
      cr_assert(to[0] == '-' && to[length + 3] == '-');
      if (plain) cr_assert(memcmp(to + 2, text, length) == 0 && to[1] == '"' && end[-1] == '"');
      sheet s;
      sheet_open(&s);
      json_text(&s.w, text, length);
      bool same = s.buf.length == length + 2 && memcmp(s.buf.data, to + 1, length + 2) == 0;
      cr_assert_eq(same, plain, "%zu of %zu", i, length);
      arena_destroy(&s.arena);
    }
  }
}

Test(write, escapes) {
  sheet s;
  sheet_open(&s);
  const char text[] = "q\" b\\ n\n t\t z\0 e\x1f \xc3\xa9 not\xff\xc3";
  json_text(&s.w, text, sizeof text - 1);
  sheet_expect(&s, "\"q\\\" b\\\\ n\\n t\\t z\\u0000 e\\u001f \xc3\xa9 not\xef\xbf\xbd"
                   "ff\xef\xbf\xbd"
                   "c3\"");
}

Test(write, numbers) {
  sheet s;
  sheet_open(&s);
  num big;
  cr_assert(num_parse(&s.budget, "-123456789012345678901234567890", 31, &big));
  json_begin_array(&s.w);
  json_int(&s.w, INT64_MIN);
  json_num(&s.w, big);
  s.w.big_as_text = true;
  json_int(&s.w, ((int64_t)1 << 53));
  json_int(&s.w, ((int64_t)1 << 53) + 1);
  json_num(&s.w, big);
  json_end_array(&s.w);
  sheet_expect(&s, "[-9223372036854775808, -123456789012345678901234567890, 9007199254740992, "
                   "\"9007199254740993\", "
                   "\"-123456789012345678901234567890\"]");
}

// Values in a row, at whose end the caller asks for room: also where the buffer moves for it.
Test(write, values_in_a_row) {
  sheet s;
  sheet_open(&s);
  char want[4000] = "[0", *end = want + 2;
  json_begin_array(&s.w);
  json_int(&s.w, 0);
  char *at = json_end_of(&s.w);
  for (int i = 1; i < 500; i++) {
    at = json_room(&s.w, at, JSON_GAP + TEXT_INT);
    at = text_put_int(text_put(at, ", ", JSON_GAP), i);
    end = text_put_int(text_put(end, ", ", JSON_GAP), i);
  }
  json_close(&s.w, at);
  json_end_array(&s.w);
  text_put(end, "]", 2);
  sheet_expect(&s, want);
}

// Values that a caller puts together are where any other would.
static void pieces(json_writer *w) {
  json_begin_array(w);
  json_int(w, 7);
  json_close(w, text_put(json_open(w, 6), "[true]", 6));
  json_key_text(w, "k\n", 2);
  json_close(w, text_put(json_open(w, 2), "{}", 2));
  json_text(w, "", 0);
  json_end_array(w);
}

Test(write, values_in_pieces) {
  expect_written(pieces, "[7, [true], \"k\\n\": {}, \"\"]",
                 "[\n  7,\n  [true],\n  \"k\\n\": {},\n  \"\"\n]");
}
