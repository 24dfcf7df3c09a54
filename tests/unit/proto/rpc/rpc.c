// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "proto/methods/method.h"
#include "proto/rpc/rpc.h"

static bool split(shape_arena *arena, const char *text, rpc_message *out, rpc_failure *failure) {
  return rpc_split(arena, text, strlen(text), 3, NULL, out, failure);
}

static bool equals(json_slice s, const char *text) {
  return s.length == strlen(text) && memcmp(s.text, text, s.length) == 0;
}

Test(rpc, a_request) {
  shape_arena arena;
  rpc_message m;
  rpc_failure failure;
  arena_init(&arena, 0);
  cr_assert(
      split(&arena,
            " {\"id\": \"\\u0061\", \"params\": {\"a\": [1, {}]}, \"x\": 1, \"jsonrpc\": \"2.0\", "
            "\"method\": \"a\\/b\"} ",
            &m, &failure));
  cr_assert(!m.is_batch && m.count == 1 && !m.requests->wrong);
  cr_assert(equals(m.requests->id, "\"\\u0061\"") && equals(m.requests->method, "a/b"));
  cr_assert(equals(m.requests->params, "{\"a\": [1, {}]}"));
  cr_assert(m.requests->text.text[0] == '{' &&
            m.requests->text.text[m.requests->text.length - 1] == '}');
  arena_destroy(&arena);
}

// With validation the parts are the same, and what is not valid is refused where it is answered.
Test(rpc, a_request_that_is_validated_where_it_is_split) {
  static const struct {
    const char *text;
    bool valid, good;
  } ROWS[] = {
      {" {\"id\": [7], \"params\": {\"a\": [1, {}]}, \"jsonrpc\": \"2.0\", \"method\": \"m\"} ",
       true, true},
      {"{\"jsonrpc\":\"2.0\",\"id\":1e5,\"method\":\"m\",\"params\":{\"a\":{\"b\":[]},\"c\":2}}",
       true, true},
      {"{\"method\": \"m\", \"id\": \"x\", \"params\": [[[[[[]]]]]]}", false, true},  // too deep
      {"{\"method\": \"m\", \"method\": \"n\"}", false, true},
      {"{\"params\": {\"a\": 01}}", false, true},
      {"{\"params\": {}", false, false},
      {"[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}]", false, true},
      {"7", false, true},
  };
  const json_limits limits = {0, 5};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    shape_arena arena;
    rpc_message m, plain;
    rpc_failure failure;
    const char *text = ROWS[i].text;
    arena_init(&arena, 0);
    bool good = rpc_split(&arena, text, strlen(text), 3, &limits, &m, &failure);
    cr_assert_eq(good, ROWS[i].good, "%s", text);
    cr_assert_eq(split(&arena, text, &plain, &failure), good, "%s", text);
    for (uint32_t k = 0; good && k < m.count; k++) {
      const rpc_request *r = &m.requests[k], *p = &plain.requests[k];
      cr_expect_eq(r->members != NULL, ROWS[i].valid, "%s", text);
      cr_expect(!p->members && r->wrong == p->wrong, "%s", text);
      cr_expect(r->text.text == p->text.text && r->text.length == p->text.length, "%s", text);
      cr_expect(r->id.length == p->id.length && r->params.length == p->params.length, "%s", text);
      cr_expect(r->params.text == p->params.text, "%s", text);
    }
    arena_destroy(&arena);
  }
}

Test(rpc, a_batch) {
  shape_arena arena;
  rpc_message m;
  rpc_failure failure;
  arena_init(&arena, 0);
  cr_assert(split(&arena, "[{\"jsonrpc\":\"2.0\",\"method\":\"m\"},3]", &m, &failure));
  cr_assert(m.is_batch && m.count == 2);
  cr_assert(!m.requests[0].wrong && m.requests[0].id.length == 0 && m.requests[1].wrong);
  cr_assert_not(split(&arena, "[]", &m, &failure));
  cr_assert_eq(failure.code, RPC_INVALID_REQUEST);
  cr_assert_not(split(&arena, "[1,1,1,1]", &m, &failure));
  cr_assert_eq(failure.code, RPC_SIZE);
  arena_destroy(&arena);
}

Test(rpc, what_is_no_json) {
  static const char *const TEXTS[] = {"",         "{",     "{\"a\"", "{\"a\":1}x", "[1",
                                      "\"a",      "{1:2}", "{}{}",   "nonsense",   "01",
                                      "\"\x01\"", "nulls", "-"};
  shape_arena arena;
  rpc_message m;
  rpc_failure failure;
  arena_init(&arena, 0);
  for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    cr_assert_not(split(&arena, TEXTS[i], &m, &failure), "%s", TEXTS[i]);
    cr_assert_eq(failure.code, RPC_PARSE_ERROR, "%s", TEXTS[i]);
  }
  arena_destroy(&arena);
}

Test(rpc, codes_are_those_of_the_library_first) {
  char name[48];
  cr_assert_eq(rpc_code_number(rpc_of_status(SHAPE_CANCELLED)), -32800);
  cr_assert_str_eq(rpc_code_name(RPC_TOO_MANY_IN_FLIGHT, name), "too-many-in-flight");
  for (int i = RPC_OK + 1; i < RPC_CODE_COUNT; i++) {
    for (int k = i + 1; k < RPC_CODE_COUNT; k++) {
      cr_assert_neq(rpc_code_number((rpc_code)i), rpc_code_number((rpc_code)k));
    }
  }
}

Test(rpc, every_method_is_found) {
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    const method_row *row = method_at(i);
    cr_assert_eq(method_find(row->name, strlen(row->name)), row);
    cr_assert_eq(method_index(row), i);
  }
  cr_assert_null(method_find("server/pin", 10));
}

static const char *answer(shape_arena *out_arena, shape_strbuf *out, const char *text,
                          size_t memory, uint64_t fail_at) {
  shape_arena arena, split_arena;
  rpc_message m;
  rpc_failure failure;
  rpc_code outcome;
  const method_limits limits = {.json = {0, 50}, .steps = 100000, .bits = 4096, .memory = memory};
  const method_host host = {0};
  arena_init(&split_arena, 0);
  arena_init(&arena, memory);
  arena.fault.fail_at = fail_at;
  cr_assert(rpc_split(&split_arena, text, strlen(text), 9, NULL, &m, &failure));
  const method_row *row = method_find(m.requests->method.text, m.requests->method.length);
  cr_assert(row);
  strbuf_init(out, out_arena);
  cr_assert(method_answer(&arena, row, m.requests, &limits, &host, NULL, out, &outcome));
  arena_destroy(&arena);
  arena_destroy(&split_arena);
  return strbuf_text(out);
}

// A caller of rpc_split has nothing to protect.
Test(rpc, a_message_without_room_is_refused) {
  static const char TEXT[] =
      "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},{\"id\":\"\\u0061\"}]";
  rpc_message m;
  rpc_failure failure;
  for (uint64_t fail_at = 1;; fail_at++) {
    shape_arena arena;
    arena_init(&arena, 0);
    arena.fault.fail_at = fail_at;
    bool good = rpc_split(&arena, TEXT, sizeof TEXT - 1, 9, NULL, &m, &failure);
    arena_destroy(&arena);
    if (good && fail_at > 1) break;
    cr_assert(!good && failure.code == RPC_MEMORY, "allocation %llu", (unsigned long long)fail_at);
  }
}

Test(rpc, methods_answer) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  cr_assert_str_eq(
      answer(&arena, &out,
             "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"server/ping\",\"params\":{\"a\":1}}", 0,
             0),
      "{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {\"a\":1}}");
  cr_assert_str_eq(answer(&arena, &out, "{\"jsonrpc\":\"2.0\",\"method\":\"server/ping\"}", 0, 0),
                   "");
  const char *text =
      answer(&arena, &out,
             "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"analyze\",\"params\":{\"text\":3}}", 0, 0);
  cr_assert(strstr(text, "\"path\": \"params.text\"") && strstr(text, "-32602"), "%s", text);
  arena_destroy(&arena);
}

// Whichever allocation of the request fails, there is one whole reply.
Test(rpc, memory_that_runs_out_is_an_error_of_the_request) {
  static const char TEXT[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"analyze\",\"params\":{"
                             "\"blob\":\"AAAA\",\"options\":"
                             "{\"bind\":{\"a\":1},\"assume\":[\"a > 1\"],\"render\":\"text\"}}}";
  unsigned failures = 0;
  for (uint64_t n = 1; n < 60; n++) {
    shape_arena arena;
    shape_strbuf out;
    arena_init(&arena, 0);
    const char *text = answer(&arena, &out, TEXT, 0, n);
    cr_assert(text[0] == '{' && text[strlen(text) - 1] == '}' && strstr(text, "\"id\": 7"), "%s",
              text);
    failures += strstr(text, "\"memory\"") != NULL;
    arena_destroy(&arena);
  }
  cr_assert_gt(failures, 0u);
}
