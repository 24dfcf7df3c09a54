// SPDX-License-Identifier: Apache-2.0
// From a request to its reply, whichever way it ends.
#include <criterion/criterion.h>
#include <string.h>

#include "proto/methods/method.h"

Test(method_table, names_are_found_whole) {
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    const method_row *row = method_at(i);
    size_t length = strlen(row->name);
    cr_expect_eq(method_find(row->name, length), row, "%s", row->name);
    cr_expect_eq(method_index(row), i);
    cr_expect(row->function && *row->summary);
    cr_expect_null(method_find(row->name, length - 1), "%s", row->name);
  }
  cr_expect_null(method_find("", 0));
  cr_expect_null(method_find("Analyze", 7));
  cr_expect_null(method_find("analyze ", 8));
}

typedef struct asked {
  shape_arena arena, reply_arena;
  shape_strbuf out;
  method_limits limits;
  method_control control;
  rpc_code outcome;
} asked;

static void begin(asked *a) {
  memset(a, 0, sizeof *a);
  arena_init(&a->arena, 0);
  arena_init(&a->reply_arena, 0);
  strbuf_init(&a->out, &a->reply_arena);
  a->limits = (method_limits){.json = {0, 50}, .memory = 64 << 20, .reply = 1 << 20};
  method_control_init(&a->control);
}

static void end(asked *a) {
  arena_destroy(&a->arena);
  arena_destroy(&a->reply_arena);
}

// id: JSON, empty of a notification. False where there was no memory for any reply.
static bool ask(asked *a, const char *method, const char *id, const char *text) {
  method_host host = {.data = NULL};
  const char *at = strstr(text, "\"params\":");
  rpc_request request = {.text = {text, strlen(text)}, .id = {id, strlen(id)}};
  if (at) request.params = (json_slice){at + 9, strlen(at + 9) - 1};
  const method_row *row = method_find(method, strlen(method));
  cr_assert(row);
  return method_answer(&a->arena, row, &request, &a->limits, &host, &a->control, &a->out,
                       &a->outcome);
}

static void expect(asked *a, rpc_code outcome, const char *part) {
  const char *said = strbuf_text(&a->out);
  cr_expect_eq(a->outcome, outcome, "%d: %s", (int)a->outcome, said);
  cr_expect(strstr(said, part), "%s is not in %s", part, said);
}

Test(method_table, results_and_errors_have_the_id) {
  asked a;
  begin(&a);
  cr_assert(ask(&a, "server/ping", "\"x\"", "{\"params\":[1]}"));
  expect(&a, RPC_OK, "\"result\": [1]");
  expect(&a, RPC_OK, "\"x\"");
  end(&a);
  begin(&a);
  cr_assert(ask(&a, "query", "3", "{\"params\":[1]}"));
  expect(&a, RPC_INVALID, "\"error\"");
  expect(&a, RPC_INVALID, "\"path\": \"params\"");
  cr_expect_not(strstr(strbuf_text(&a.out), "\"result\""), "what was begun is dropped");
  end(&a);
}

Test(method_table, a_notification_has_no_reply) {
  static const char *const TEXTS[] = {"{\"params\":[1]}", "{\"params\":{\"x\" 1}}"};
  for (size_t i = 0; i < 2; i++) {
    asked a;
    begin(&a);
    cr_assert(ask(&a, "server/ping", "", TEXTS[i]));
    cr_expect_eq(a.outcome, i ? RPC_PARSE_ERROR : RPC_OK);
    cr_expect_eq(a.out.length, 0);
    end(&a);
  }
}

Test(method_table, texts_that_are_invalid_are_located) {
  asked a;
  begin(&a);
  cr_assert(ask(&a, "server/ping", "1", "{\n \"params\":[1,]}"));
  expect(&a, RPC_PARSE_ERROR, "at line 2, column ");
  end(&a);
  begin(&a);
  a.limits.json.depth = 3;
  cr_assert(ask(&a, "server/ping", "1", "{\"params\":[[[[1]]]]}"));
  expect(&a, RPC_DEPTH, "\"max-depth\"");
  end(&a);
}

Test(method_table, a_reply_without_room_says_so) {
  asked a;
  begin(&a);
  arena_destroy(&a.reply_arena);
  arena_init(&a.reply_arena, 8 << 10);  // less than the description of the service
  strbuf_init(&a.out, &a.reply_arena);
  a.limits.reply = 8 << 10;
  cr_assert(ask(&a, "rpc.discover", "1", "{}"));
  expect(&a, RPC_REPLY_TOO_LARGE, "\"max-reply\"");
  end(&a);
}

Test(method_table, no_room_at_all) {
  asked a;
  begin(&a);
  a.reply_arena.fault.fail_at = 1;
  cr_assert_not(ask(&a, "server/ping", "1", "{}"));
  end(&a);
}

Test(method_table, requests_that_were_ended) {
  static const struct {
    shape_status stop;
    rpc_code outcome;
  } ROWS[] = {{SHAPE_CANCELLED, RPC_CANCELLED}, {SHAPE_DEADLINE, RPC_DEADLINE}};
  for (size_t i = 0; i < 2; i++) {
    asked a;
    begin(&a);
    a.arena.stop = &a.control.stop;
    atomic_store(&a.control.stop, ROWS[i].stop);
    cr_assert(ask(&a, "ops/list", "1", "{}"));
    expect(&a, ROWS[i].outcome, "\"error\"");
    end(&a);
  }
}

Test(method_table, the_tighter_deadline_is_named) {
  static const struct {
    uint64_t of_server, own, named;
  } ROWS[] = {{1000, 0, 1000}, {1000, 10, 10}, {1000, 2000, 1000}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    asked a;
    begin(&a);
    a.limits.deadline = ROWS[i].of_server;
    atomic_store(&a.control.deadline_ms, ROWS[i].own);
    rpc_failure failure = {.code = RPC_DEADLINE};
    method_name_limit(&failure, &a.limits, &a.control);
    cr_expect_str_eq(failure.limit, "deadline");
    cr_expect_eq(failure.limit_value, ROWS[i].named);
    end(&a);
  }
  rpc_failure failure = {.code = RPC_INVALID};
  method_limits limits = {.steps = 7};
  method_name_limit(&failure, &limits, NULL);
  cr_expect_null(failure.limit);
  failure.code = RPC_BUDGET;
  method_name_limit(&failure, &limits, NULL);
  cr_expect(strcmp(failure.limit, "max-steps") == 0 && failure.limit_value == 7);
}
