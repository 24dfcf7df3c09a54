// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/json/validate.h"

typedef struct validate_case {
  const char *text;
  const char *message;  // part of it; NULL: the text passes
} validate_case;

typedef struct validate_run {
  shape_arena arena;
  json_limits limits;
  const char *text, *clean;
  size_t length, clean_length;
  json_error error;
  bool passed;
} validate_run;

static void body(void *data) {
  validate_run *run = data;
  run->passed = json_validate(&run->arena, &run->limits, run->text, run->length, &run->clean,
                              &run->clean_length, &run->error);
}

static void run_validate(validate_run *run, const char *text, size_t length) {
  arena_init(&run->arena, 0);
  run->text = text;
  run->length = length;
  cr_assert_eq(arena_protect(&run->arena, body, run), SHAPE_OK);
}

static void expect(const char *text, size_t length, const char *message) {
  validate_run run = {.limits = {0, 0}};
  run_validate(&run, text, length);
  if (!message) {
    cr_expect(run.passed, "%s: %s", text, run.error.message);
  } else {
    cr_expect(!run.passed, "%s passes", text);
    if (!run.passed) {
      cr_expect(strstr(run.error.message, message) != NULL, "%s: '%s' has no '%s'", text,
                run.error.message, message);
    }
  }
  arena_destroy(&run.arena);
}

// Short values are walked over up to some bytes before the end of the text, and spaces may be on both sides of that.
Test(validate, spaces_before_the_end) {
  static const char *const OPEN[] = {"[", "{", "[1", "[1,", "{\"a\"", "{\"a\":"};
  static const char *const CLOSE[] = {"]", "}", "]", "1]", ":1}", "1}"};
  char text[256];
  for (size_t form = 0; form < sizeof OPEN / sizeof *OPEN; form++) {
    for (int spaces = 0; spaces <= 6; spaces++) {
      for (int tail = 50; tail <= 110; tail++) {
        int length = snprintf(text, sizeof text, "[%s%*s%s, \"%0*d\"]", OPEN[form], spaces, "",
                              CLOSE[form], tail, 0);
        expect(text, (size_t)length, NULL);
      }
    }
  }
}

Test(validate, accepts_every_form) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "-1.5e+10",
                                      "1E-2",
                                      "\"\"",
                                      "\"a\\u00e9\\n\\\\\\/\"",
                                      "true",
                                      "false",
                                      "null",
                                      "[]",
                                      "{}",
                                      " [ 1 , 2 ] ",
                                      "{\"a\":{\"a\":[{}]},\"b\":1}",
                                      "\"\\ud83d\\ude00\"",
                                      "\"\xf0\x9f\x98\x80\"",
                                      "\t\r\n1\n",
                                      "[\"\x7f\"]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    expect(texts[i], strlen(texts[i]), NULL);
}

Test(validate, refuses_what_json_is_not) {
  static const validate_case cases[] = {
      {"", "expected a JSON value"},
      {"   ", "expected a JSON value"},
      {"[1,]", "expected a JSON value"},
      {"{\"a\":1,}", "expected a key"},
      {"{a:1}", "expected a key"},
      {"{\"a\" 1}", "expected ':'"},
      {"[1 2]", "expected ',' or ']'"},
      {"{\"a\":1 \"b\":2}", "expected ',' or '}'"},
      {"[1}", "expected ',' or ']'"},
      {"01", "needless 0"},
      {"-", "a digit"},
      {"1.", "a digit after the point"},
      {"1e", "a digit of the exponent"},
      {"+1", "expected a JSON value"},
      {".5", "expected a JSON value"},
      {"NaN", "expected a JSON value"},
      {"tru", "expected a JSON value"},
      {"'a'", "expected a JSON value"},
      {"1 2", "the end of the text"},
      {"[] x", "the end of the text"},
      {"\"a", "ends in a string"},
      {"\"\\", "ends in a string"},
      {"\"\\x\"", "this escape is not JSON"},
      {"\"\\u12g4\"", "four hex digits"},
      {"\"\\u12", "ends in a \\u escape"},
      {"\"\\ud800\"", "half of a surrogate pair"},
      {"\"\\udc00\"", "half of a surrogate pair"},
      {"\"\\ud800\\u0041\"", "half of a surrogate pair"},
      {"\"\\u0000\"", "U+0000"},
      {"\"a\nb\"", "control character"},
      {"\"\xff\"", "not UTF-8"},
      {"\"\xc0\xaf\"", "not UTF-8"},
      {"\"\xed\xa0\x80\"", "not UTF-8"},
      {"\"\xf4\x90\x80\x80\"", "not UTF-8"},
      {"\xef\xbb\xbf{}", "byte order mark"},
      {"1e999", "too large"},
      {"{\"a\":1,\"b\":2,\"a\":3}", "the key \"a\" is given twice"},
      {"{\"a\":1,\"\\u0061\":3}", "the key \"a\" is given twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i].text, strlen(cases[i].text), cases[i].message);
  }
  expect("[1,\0]", 5, "the byte 0x00");
  expect("1\0", 2, "the byte 0x00");
}

Test(validate, finds_repeated_keys_in_large_objects) {
  char text[8192];
  int n = snprintf(text, sizeof text, "{");
  for (int i = 0; i < 300; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "\"key%d\": {\"x\": 1}, ", i);
  int last = snprintf(text + n, sizeof text - (size_t)n, "\"other\": 1}");
  expect(text, (size_t)(n + last), NULL);
  last = snprintf(text + n, sizeof text - (size_t)n, "\"key3\": 1}");
  expect(text, (size_t)(n + last), "\"key3\" is given twice");
  last = snprintf(text + n, sizeof text - (size_t)n, "\"key299\": 1}");
  expect(text, (size_t)(n + last), "\"key299\" is given twice");
}

Test(validate, says_where) {
  validate_run run = {.limits = {0, 0}};
  run_validate(&run, "{\n  \"a\": 1,\n  \"b\": ]\n}", 23);
  cr_assert(!run.passed);
  cr_expect_eq(run.error.line, 3);
  cr_expect_eq(run.error.column, 8);
  cr_expect_eq(run.error.offset, 19);
  cr_expect_eq(run.error.status, SHAPE_SYNTAX);
  arena_destroy(&run.arena);
}

// Most of a text is read by a walk that ends before its last bytes and before what is rare, which other functions read:
// whatever is how far from the end, the answer is the same.
Test(validate, says_the_same_at_any_distance_from_the_end) {
  static const struct {
    const char *text, *message;
    size_t offset;
  } cases[] = {
      {"{\"a\": [1, \"b\", {}, [],\n [{\"c\" :2}]], \"d\": \"\"}", NULL, 0},
      {"{\"a\":[\"b\",{\"c\":0,\"d\":[]}],\"e\":{\"f\":\"g\"}}", NULL, 0},
      {"[[\"a\", 1]\t x]", "expected ',' or ']'", 11},
      {"{\"a\": {\"b\":1,\"c\":2,\"b\":3}}", "given twice", 19},
      {"{\"a\": {\"b\":1}, }", "a key in double quotes", 15},
      {"{\"a\": [01]}", "needless 0", 7},
      {"[[\"a\"}]", "expected ',' or ']'", 5},
      {"{\"a\" \"b\"}", "expected ':'", 5},
      {"[{\"a\":[1,]}]", "expected a JSON value", 9},
  };
  enum { PADDING = 200 };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t length = strlen(cases[i].text);
    for (size_t before = 0; before < PADDING; before += 1 + before / 40) {
      char text[2 * PADDING + 100];
      memset(text, ' ', sizeof text);
      memcpy(text, "[1,", 3);
      memcpy(text + 3 + before, cases[i].text, length);
      text[3 + before + length] = ']';
      for (size_t after = 0; after < PADDING; after += 1 + after / 40) {
        validate_run run = {.limits = {0, 0}};
        run_validate(&run, text, 3 + before + length + 1 + after);
        cr_assert_eq(run.passed, !cases[i].message, "%s", cases[i].text);
        if (!run.passed) {
          cr_assert(strstr(run.error.message, cases[i].message), "%s", run.error.message);
          cr_assert_eq(run.error.offset, 3 + before + cases[i].offset, "%s", cases[i].text);
        }
        arena_destroy(&run.arena);
      }
    }
  }
}

// The opening quote is the last byte, also where a block of 64 bytes ends.
Test(validate, says_that_a_string_has_no_end) {
  static const char *const LAST[] = {"{\"k\":123456789012345,\"", "[123456789012345,\"",
                                     "[\"abcdefgh\",\""};
  char text[256];
  for (size_t form = 0; form < sizeof LAST / sizeof *LAST; form++) {
    for (int spaces = 0; spaces <= 130; spaces++) {
      int length = snprintf(text, sizeof text, "%*s%s", spaces, "", LAST[form]);
      expect(text, (size_t)length, "the text ends in a string");
    }
  }
}

Test(validate, limits_depth_and_size) {
  validate_run run = {.limits = {0, 3}};
  run_validate(&run, "[[[1]]]", 7);
  cr_expect(run.passed);
  arena_destroy(&run.arena);
  run_validate(&run, "[[[[1]]]]", 9);
  cr_expect(!run.passed);
  cr_expect_eq(run.error.status, SHAPE_DEPTH);
  arena_destroy(&run.arena);
  run.limits = (json_limits){4, 0};
  run_validate(&run, "[1, 2]", 6);
  cr_expect(!run.passed);
  cr_expect_eq(run.error.status, SHAPE_SIZE);
  arena_destroy(&run.arena);
  static char deep[10001];
  memset(deep, '[', 10000);
  expect(deep, 10000, "nested deeper than 200");
}

Test(validate, hands_large_integers_on_as_text) {
  validate_run run = {.limits = {0, 0}};
  const char *text = "[9007199254740992, 9007199254740993, -9007199254740993, "
                     "123456789012345678901234567890, 1.5]";
  run_validate(&run, text, strlen(text));
  cr_assert(run.passed);
  const char *want = "[9007199254740992, \"9007199254740993\", \"-9007199254740993\", "
                     "\"123456789012345678901234567890\", 1.5]";
  cr_expect_eq(run.clean_length, strlen(want));
  cr_expect_str_eq(run.clean, want);
  arena_destroy(&run.arena);
}

Test(validate, copies_nothing_when_there_is_no_need) {
  validate_run run = {.limits = {0, 0}};
  const char *text = "{\"a\": [1, 2, 3]}";
  run_validate(&run, text, strlen(text));
  cr_assert(run.passed);
  cr_expect_eq(run.clean, text);
  arena_destroy(&run.arena);
}

typedef struct members_run {
  shape_arena arena;
  json_members members;
  const char *text;
} members_run;

static void members_body(void *data) {
  members_run *run = data;
  const char *clean;
  size_t length;
  json_error error;
  cr_assert(json_validate_members(&run->arena, NULL, run->text, strlen(run->text), &run->members,
                                  &clean, &length, &error));
}

// The values of members at the depth, whole and without the space around them, one by one.
static void expect_members(const char *text, uint32_t depth, const char *const *values,
                           uint32_t count) {
  members_run run = {.members = {.depth = depth, .count = 77}, .text = text};
  arena_init(&run.arena, 0);
  cr_assert_eq(arena_protect(&run.arena, members_body, &run), SHAPE_OK);
  cr_assert_eq(run.members.count, count, "%s: %u", text, run.members.count);
  for (uint32_t i = 0; i < count; i++) {
    size_t begin = run.members.items[i].begin, end = run.members.items[i].end;
    cr_expect_eq(end - begin, strlen(values[i]), "%s: %u: %zu to %zu", text, i, begin, end);
    cr_expect_eq(memcmp(text + begin, values[i], end - begin), 0, "%s: %u", text, i);
  }
  arena_destroy(&run.arena);
}

Test(validate, says_where_members_are) {
  const char *const two[] = {"[1, {}]", "{ \"a\" : {\"x\":[1,{\"y\":2}]} , \"b\":-1.5 }",
                             "{\"x\":[1,{\"y\":2}]}", "-1.5", "{}"},
                    *const flat[] = {"[]", "\"}\""}, *const many[] = {"0", "1", "2",  "3",
                                                                      "4", "5", "6",  "7",
                                                                      "8", "9", "10", "11"};
  expect_members(
      " {\"id\": [1, {}], \"params\": { \"a\" : {\"x\":[1,{\"y\":2}]} , \"b\":-1.5 }, \"z\":{}}", 2,
      two, 5);
  expect_members("{\"a\":[] ,\"b\":\"}\"}", 1, flat, 2);
  // The value is after the end of what a walk reads.
  char far[400];
  snprintf(far, sizeof far, "{\"a\":[]%*s,\"b\":%*s\"}\"}", 120, "", 150, "");
  expect_members(far, 1, flat, 2);
  expect_members("[[1,2],[3]]", 2, NULL, 0);
  expect_members("7", 1, NULL, 0);
  expect_members("{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,\"i\":8,"
                 "\"j\":9,\"k\":10,\"l\":11,\"m\":[12],\"n\":13}",
                 1, many, JSON_MEMBERS_MAX);
}
