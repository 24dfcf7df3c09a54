// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/params.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

typedef struct params {
  shape_arena arena;
  rpc_failure failure;
  method_control control;
  method_call call;
} params;

static void open_params(params *p, const char *text) {
  memset(p, 0, sizeof *p);
  arena_init(&p->arena, 0);
  method_control_init(&p->control);
  p->call = (method_call){.arena = &p->arena,
                          .control = &p->control,
                          .params = {text, strlen(text)},
                          .text = text,
                          .failure = &p->failure};
}

// What is said where a parameter is refused: that it is, with its path, and what was found there.
static void expect_refused(const char *text, const char *path, const char *why, const char *said) {
  params p;
  open_params(&p, text);
  cr_assert_not(params_refuse(&p.call, path, why));
  cr_expect(p.failure.code == RPC_INVALID);
  cr_expect_str_eq(p.failure.path, path);
  cr_expect_str_eq(p.failure.message, said);
  arena_destroy(&p.arena);
}

Test(params, what_is_refused_is_quoted_where_it_is_short) {
  expect_refused("{\"steps\": -1}", "params.steps", "expected a positive integer",
                 "params.steps: expected a positive integer, found -1");
  expect_refused("{}", "params.steps", "expected a positive integer",
                 "params.steps: expected a positive integer, found nothing");
  expect_refused("", "params.steps", "expected a positive integer",
                 "params.steps: expected a positive integer, found nothing");
  expect_refused("{\"options\": {\"bind\": \"x\", \"at\": {\"line\": 0}}}",
                 "params.options.at.line", "expected a line",
                 "params.options.at.line: expected a line, found 0");
  expect_refused("{\"options\": {\"bind\": {\"a\": 1}}}", "params.options.bind", "expected array",
                 "params.options.bind: expected array, found an object");
  expect_refused("{\"steps\": true}", "params.steps", "given twice", "params.steps: given twice");
  // Of an array one item is meant, which the path does not name.
  expect_refused("{\"queries\": [3]}", "params.queries", "expected objects",
                 "params.queries: expected objects");
  // A path through what is no object ends in nothing.
  expect_refused("{\"options\": 3}", "params.options.bind", "expected array",
                 "params.options.bind: expected array, found nothing");
}

Test(params, what_is_long_is_named_by_its_kind) {
  char text[128];
  for (int length = 36; length <= 42; length++) {
    snprintf(text, sizeof text, "{\"name\": \"%.*s\"}", length,
             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    params p;
    open_params(&p, text);
    params_refuse(&p.call, "params.name", "expected a number");
    bool quoted = strstr(p.failure.message, "aaa") != NULL;
    cr_expect_eq(quoted, length + 2 <= 40, "%s", p.failure.message);
    cr_expect_eq(strstr(p.failure.message, "found a string") != NULL, !quoted);
    arena_destroy(&p.arena);
  }
}

Test(params, are_an_object) {
  static const char *const MISMATCH[] = {"", "[]", "3", "\"{\""};
  for (size_t i = 0; i < sizeof MISMATCH / sizeof *MISMATCH; i++) {
    params p;
    json_cursor c;
    open_params(&p, MISMATCH[i]);
    cr_expect_not(params_open(&p.call, &c), "%s", MISMATCH[i]);
    cr_expect_str_eq(p.failure.path, "params");
    arena_destroy(&p.arena);
  }
  params p;
  json_cursor c;
  json_slice key;
  open_params(&p, " {\"a\" : [1, {\"b\": \"]\"}] , \"c\":2}");
  cr_assert(params_open(&p.call, &c) && cursor_next_key(&c, true, &key));
  cr_expect(slice_is(params_value(&c), "[1, {\"b\": \"]\"}]"));
  cr_assert(cursor_next_key(&c, false, &key) && slice_is(key, "c"));
  cr_expect(slice_is(params_value(&c), "2"));
  cr_expect_not(cursor_next_key(&c, false, &key));
  arena_destroy(&p.arena);
}

// A value whose end validation has noted is the same text as one that is read.
Test(params, noted_members_are_what_is_read) {
  static const char TEXT[] = "{\"a\": \"x, y\", \"b\": [[], {}]}";
  params p;
  json_cursor c;
  json_slice key;
  open_params(&p, TEXT);
  const char *at = strstr(TEXT, "\"x, y\"");
  json_members m = {.count = 1};
  m.items[0].begin = (uint32_t)(at - TEXT);
  m.items[0].end = m.items[0].begin + 6;
  p.call.members = &m;
  cr_assert(params_open(&p.call, &c) && cursor_next_key(&c, true, &key));
  cr_expect(slice_is(params_member(&p.call, &c), "\"x, y\""));
  cr_assert(cursor_next_key(&c, false, &key));
  cr_expect(slice_is(params_member(&p.call, &c), "[[], {}]"));
  cr_expect_not(cursor_next_key(&c, false, &key));
  arena_destroy(&p.arena);
}

Test(params, a_token_of_progress_is_a_string_or_a_number) {
  static const char *const ROWS[] = {"7",    "\"seven\"", "-1.5", "{}", "[1]",
                                     "true", "false",     "null", ""};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    params p;
    open_params(&p, "{}");
    bool good = params_progress(&p.call, (json_slice){ROWS[i], strlen(ROWS[i])});
    cr_expect_eq(good, i < 3, "%s", ROWS[i]);
    cr_expect_eq(atomic_load(&p.control.wants_progress), good);
    cr_expect(!good || slice_is(p.control.token, ROWS[i]));
    arena_destroy(&p.arena);
  }
  char text[RPC_ID_MAX + 1];
  memset(text, '1', sizeof text);
  params p;
  open_params(&p, "{}");
  cr_expect_not(params_progress(&p.call, (json_slice){text, RPC_ID_MAX + 1}));
  cr_expect(params_progress(&p.call, (json_slice){text, RPC_ID_MAX}));
  p.call.control = NULL;  // no one watches: the token is taken, and nothing is kept
  cr_expect(params_progress(&p.call, (json_slice){"7", 1}));
  arena_destroy(&p.arena);
}
