// SPDX-License-Identifier: Apache-2.0
#include "server/member.h"

#include <criterion/criterion.h>
#include <string.h>

// A member of an object, as its JSON and, where it is a string, as its text; "-" for what there is none of.
static void expect(const char *object, const char *key, const char *json, const char *text) {
  shape_arena arena;
  arena_init(&arena, 0);
  member m;
  cr_assert(member_find(&arena, (json_slice){object, strlen(object)}, key, &m));
  cr_expect(slice_is(m.json, *json == '-' && !json[1] ? "" : json), "%s: %.*s", object,
            (int)m.json.length, m.json.text);
  cr_expect(slice_is(m.text, *text == '-' && !text[1] ? "" : text), "%s: %.*s", object,
            (int)m.text.length, m.text.text);
  arena_destroy(&arena);
}

Test(member, is_found_by_its_key) {
  expect("{\"a\": 1, \"b\": [2, {\"c\": 3}] }", "b", "[2, {\"c\": 3}]", "-");
  expect("{\"a\": 1, \"b\": [2, {\"c\": 3}] }", "c", "-", "-");
  expect("{\"ab\": 1, \"a\": -2.5e3}", "a", "-2.5e3", "-");
  expect("{\"a\": null}", "a", "null", "-");
  expect("{}", "a", "-", "-");
  expect("[\"a\", 1]", "a", "-", "-");
  expect("", "a", "-", "-");
}

Test(member, strings_are_read) {
  expect("{\"a\": \"x\\n\\u00e9\"}", "a", "\"x\\n\\u00e9\"", "x\n\xc3\xa9");
  expect("{\"\\u0061\": \"x\"}", "a", "\"x\"", "x");
  expect("{\"a\": \"\"}", "a", "\"\"", "-");
}

Test(member, the_last_of_a_key_counts) {
  expect("{\"a\": \"x\", \"b\": 1, \"a\": 2}", "a", "2", "-");
  expect("{\"a\": 2, \"a\": \"x\"}", "a", "\"x\"", "x");
}

// What is cut off anywhere is read without leaving it, and what is found lies in it.
Test(member, parts_of_an_object) {
  static const char WHOLE[] = "{\"x\": {\"a\": [1]}, \"a\": \"y\\ud83d\\ude00\", \"z\": tru}";
  for (size_t length = 0; length < sizeof WHOLE; length++) {
    char *part = malloc(length + 1);  // of its length, so that a reader that leaves it is found
    memcpy(part, WHOLE, length);
    shape_arena arena;
    arena_init(&arena, 0);
    member m;
    cr_assert(member_find(&arena, (json_slice){part, length}, "a", &m));
    cr_expect(!m.json.length ||
              (m.json.text >= part && m.json.text + m.json.length <= part + length));
    cr_expect(!m.text.length || m.json.length, "%zu", length);
    arena_destroy(&arena);
    free(part);
  }
}

Test(member, without_memory_nothing_is_found) {
  static const char OBJECT[] = "{\"a\": \"x\\ny\"}";
  shape_arena arena;
  member m;
  arena_init(&arena, 0);
  arena.fault.fail_at = 1;
  cr_assert_not(member_find(&arena, (json_slice){OBJECT, sizeof OBJECT - 1}, "a", &m));
  cr_assert(m.json.length == 0 && m.text.length == 0);
  arena_destroy(&arena);
}
