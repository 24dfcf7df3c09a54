// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/cursor.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct at {
  shape_arena arena;
  json_cursor c;
  char *text;  // a copy of its length, so that what is read after it is found
} at;

static void open_bytes(at *a, const char *text, size_t length) {
  arena_init(&a->arena, 0);
  a->text = malloc(length ? length : 1);
  memcpy(a->text, text, length);
  cursor_init(&a->c, &a->arena, a->text, length);
}

static void open_at(at *a, const char *text) { open_bytes(a, text, strlen(text)); }

static void close_at(at *a) {
  arena_destroy(&a->arena);
  free(a->text);
}

Test(cursor, steps_through_objects_and_arrays) {
  at a;
  json_slice key, s;
  int64_t n;
  open_at(&a, " { \"a\" : [ 1 , -20 ] , \"b\":{}, \"c\" : null }");
  cr_assert(cursor_enter(&a.c, '{') && cursor_next_key(&a.c, true, &key) && slice_is(key, "a"));
  cr_assert(cursor_enter(&a.c, '[') && cursor_next_item(&a.c, true));
  cr_assert(cursor_number(&a.c, &s) && slice_is(s, "1"));
  cr_assert(cursor_next_item(&a.c, false) && cursor_number(&a.c, &s) && slice_is(s, "-20"));
  cr_assert_not(cursor_next_item(&a.c, false));
  cr_assert(cursor_next_key(&a.c, false, &key) && slice_is(key, "b"));
  cr_assert(cursor_enter(&a.c, '{') && !cursor_next_key(&a.c, true, &key));
  cr_assert(cursor_next_key(&a.c, false, &key) && slice_is(key, "c"));
  cr_assert_not(cursor_short_int(&a.c, &n));
  cr_assert(cursor_word(&a.c, "null") && !cursor_next_key(&a.c, false, &key));
  cr_assert(!a.c.failed && a.c.at == a.c.end && cursor_peek(&a.c) == 0);
  close_at(&a);
}

Test(cursor, escapes_are_resolved) {
  static const struct {
    const char *text, *value;
  } ROWS[] = {
      {"\"\"", ""},
      {"\"plain\"", "plain"},
      {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
      {"\"a\\u0041\\u00e9\\u20ac\\ud83d\\ude00z\"", "aA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"},
      {"\"\\uD7FF\\uE000\"", "\xed\x9f\xbf\xee\x80\x80"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    at a;
    json_slice s;
    open_at(&a, ROWS[i].text);
    cr_assert(cursor_string(&a.c, &s), "%s", ROWS[i].text);
    cr_expect(slice_is(s, ROWS[i].value), "%s: %.*s", ROWS[i].text, (int)s.length, s.text);
    cr_expect(a.c.at == a.c.end && !a.c.failed);
    close_at(&a);
  }
  at a;
  json_slice s;
  open_at(&a, "\"a\\u0000b\"");
  cr_assert(cursor_string(&a.c, &s) && s.length == 3 && memcmp(s.text, "a\0b", 3) == 0);
  close_at(&a);
}

Test(cursor, strings_that_are_none_fail) {
  static const char *const WRONG[] = {"\"",
                                      "\"abc",
                                      "\"\\\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\u12g4\"",
                                      "\"\\ud800\"",
                                      "\"\\ud800\\n\"",
                                      "\"\\ud800\\u0041\"",
                                      "\"\\udc00\"",
                                      "\"\\ud800\\ud800\""};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    at a;
    json_slice s, key;
    open_at(&a, WRONG[i]);
    cr_expect_not(cursor_string(&a.c, &s), "%s", WRONG[i]);
    cr_expect(a.c.failed && a.c.at == a.c.end, "%s", WRONG[i]);
    cr_expect(!cursor_next_item(&a.c, true) && !cursor_next_key(&a.c, true, &key) &&
              !cursor_peek(&a.c));
    close_at(&a);
  }
}

// Long strings are read in parts: at every length around those the text is the same.
Test(cursor, strings_of_any_length) {
  enum { LONGEST = 300 };
  char text[LONGEST + 8];
  for (int escaped = 0; escaped < 2; escaped++) {
    for (size_t length = 0; length < LONGEST; length++) {
      at a;
      json_slice s;
      memset(text, 'x', sizeof text);
      text[0] = '"';
      memcpy(text + 1 + length, escaped ? "\\n\"" : "\"", escaped ? 3 : 1);
      open_bytes(&a, text, length + 2 + 2 * (size_t)escaped);
      cr_assert(cursor_string(&a.c, &s) && s.length == length + (size_t)escaped, "%zu", length);
      cr_expect(!length || s.text[length - 1] == 'x');
      cr_expect(!escaped || s.text[length] == '\n');
      close_at(&a);
    }
  }
}

Test(cursor, values_are_skipped_whole) {
  static const char *const ROWS[] = {"1",
                                     "-1.5e+3",
                                     "true",
                                     "null",
                                     "\"a\\\"]}\"",
                                     "[]",
                                     "{}",
                                     "[[[]], {\"a\": \"}\"}]",
                                     "{\"]\": [1, 2]}"};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char text[64];
    at a;
    json_slice s;
    snprintf(text, sizeof text, "[ %s,7]", ROWS[i]);
    open_at(&a, text);
    cr_assert(cursor_enter(&a.c, '[') && cursor_next_item(&a.c, true));
    cursor_skip(&a.c);
    cr_assert(!a.c.failed && cursor_next_item(&a.c, false) && cursor_number(&a.c, &s), "%s", text);
    cr_expect(slice_is(s, "7") && !cursor_next_item(&a.c, false) && !a.c.failed);
    close_at(&a);
  }
}

// Nesting costs no stack.
Test(cursor, deep_values_are_skipped) {
  enum { DEPTH = 1 << 20 };
  char *text = malloc(2 * DEPTH);
  memset(text, '[', DEPTH);
  memset(text + DEPTH, ']', DEPTH);
  at a;
  open_bytes(&a, text, 2 * DEPTH);
  cursor_skip(&a.c);
  cr_expect(!a.c.failed && a.c.at == a.c.end);
  close_at(&a);
  open_bytes(&a, text, 2 * DEPTH - 1);
  cursor_skip(&a.c);
  cr_expect(a.c.failed);
  close_at(&a);
  free(text);
}

// Every part of a text is read within its bounds, and each loop over it ends.
Test(cursor, parts_of_a_text) {
  static const char WHOLE[] = "{\"a\\n\": [1, \"\\ud83d\\ude00\", {\"b\": tru}], \"c\": -}";
  for (size_t length = 0; length < sizeof WHOLE; length++) {
    at a;
    json_slice key, s;
    open_bytes(&a, WHOLE, length);
    unsigned members = 0;
    if (cursor_enter(&a.c, '{')) {
      for (bool first = true; cursor_next_key(&a.c, first, &key); first = false, members++) {
        if (!cursor_number(&a.c, &s)) cursor_skip(&a.c);
      }
    }
    cr_expect_leq(members, 2);
    cr_expect(length == sizeof WHOLE || a.c.at == a.c.end, "%zu", length);
    close_at(&a);
  }
}

Test(cursor, short_integers_are_read_and_others_left) {
  static const struct {
    const char *text;
    bool is;
    int64_t value;
  } ROWS[] = {
      {"0]", true, 0},
      {"-7,", true, -7},
      {"999999999999999999}", true, 999999999999999999},
      {"-999999999999999999]", true, -999999999999999999},
      {"1000000000000000000]", false, 0},
      {"1.0]", false, 0},
      {"1e3]", false, 0},
      {"-]", false, 0},
      {"7", false, 0},
      {"7 ]", false, 0},
      {"]", false, 0},
      {"", false, 0},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    at a;
    int64_t value = 0;
    open_at(&a, ROWS[i].text);
    const char *from = a.c.at;
    cr_expect_eq(cursor_short_int(&a.c, &value), ROWS[i].is, "%s", ROWS[i].text);
    cr_expect_eq(value, ROWS[i].value, "%s", ROWS[i].text);
    cr_expect(ROWS[i].is || a.c.at == from, "%s", ROWS[i].text);
    close_at(&a);
  }
}

Test(cursor, integers_of_any_length) {
  static const struct {
    const char *text;
    bool wrap, is, fits;
    int64_t value;
  } ROWS[] = {
      {"0", false, true, true, 0},
      {"-0", false, true, true, 0},
      {"9223372036854775807", false, true, true, INT64_MAX},
      {"9223372036854775808", false, true, false, 0},
      {"9223372036854775808", true, true, true, INT64_MIN},
      {"-9223372036854775808", false, true, true, INT64_MIN},
      {"-9223372036854775809", false, true, false, 0},
      {"-9223372036854775809", true, true, false, 0},
      {"18446744073709551615", true, true, true, -1},
      {"18446744073709551616", true, true, false, 0},
      {"99999999999999999999999999", true, true, false, 0},
      {"", false, false, false, 0},
      {"-", false, false, false, 0},
      {"1.0", false, false, false, 0},
      {"1e2", false, false, false, 0},
      {"+1", false, false, false, 0},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    int64_t value = 0;
    bool fits = false;
    json_slice s = {ROWS[i].text, strlen(ROWS[i].text)};
    cr_expect_eq(slice_int(s, ROWS[i].wrap, &value, &fits), ROWS[i].is, "%s", ROWS[i].text);
    cr_expect_eq(fits, ROWS[i].fits, "%s", ROWS[i].text);
    cr_expect(!fits || value == ROWS[i].value, "%s", ROWS[i].text);
  }
}

Test(cursor, kinds_of_values) {
  static const char *const ROWS[][2] = {
      {"{", "an object"},     {" [", "an array"}, {"\"", "a string"}, {"true", "a boolean"},
      {"false", "a boolean"}, {"null", "null"},   {"-1", "a number"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    at a;
    open_at(&a, ROWS[i][0]);
    cr_expect_str_eq(cursor_kind(&a.c), ROWS[i][1]);
    close_at(&a);
  }
}

Test(cursor, slices_are_words_whole) {
  static const char *const WORDS[] = {"", "a", "ab", "abc", "b"};
  for (size_t i = 0; i < 5; i++) {
    for (size_t k = 0; k < 5; k++)
      cr_expect_eq(slice_is((json_slice){WORDS[i], strlen(WORDS[i])}, WORDS[k]), i == k, "%zu", k);
  }
}
