// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "server/job.h"

enum { MS = 1000000 };  // nanoseconds

static json_slice slice(const char *text) { return (json_slice){text, strlen(text)}; }

Test(reply, a_message_is_a_copy_with_references) {
  char text[] = "[1]";
  server_message *m = message_new(text, 3);
  text[0] = 'x';
  cr_assert(m->references == 1 && m->length == 3 && memcmp(m->text, "[1]", 3) == 0);
  m->references++;
  message_release(m);
  cr_assert(m->references == 1 && memcmp(m->text, "[1]", 3) == 0);
  message_release(m);
  m = message_new("", 0);
  cr_assert(m && m->length == 0);
  message_release(m);
  reply_free(NULL);
}

Test(reply, a_job_is_late_from_its_deadline_on) {
  static const struct {
    uint64_t deadline, own, now;
    bool late;
  } ROWS[] = {
      {UINT64_MAX, 0, UINT64_MAX - 1, false},
      {200, 0, 199, false},
      {200, 0, 200, true},
      {100, 0, 100, true},
      {UINT64_MAX, 5, 100 + 5 * MS - 1, false},
      {UINT64_MAX, 5, 100 + 5 * MS, true},
      {100 + 3 * MS, 5, 100 + 3 * MS, true},       // a later one of its own gives no more time
      {UINT64_MAX, UINT64_MAX, 1ull << 63, false}  // no deadline of a client overflows
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    server_job job = {.deadline = ROWS[i].deadline, .received = 100};
    method_control_init(&job.control);
    atomic_store(&job.control.deadline_ms, ROWS[i].own);
    cr_expect_eq(job_is_late(&job, ROWS[i].now), ROWS[i].late, "row %zu", i);
  }
}

static void say(void *data) { strbuf_puts(data, "half of a result"); }

Test(reply, an_error_replaces_a_result) {
  rpc_failure failure = {.code = RPC_DEADLINE};
  server_job job = {.reply = reply_new(0), .request.id = slice("\"seven\"")};
  cr_assert_eq(arena_protect(&job.reply->arena, say, &job.reply->out), SHAPE_OK);
  job_fail(&job, &failure);
  cr_assert_eq(job.outcome, RPC_DEADLINE);
  const char *text = strbuf_text(&job.reply->out);
  cr_expect(strstr(text, "\"id\": \"seven\"") && strstr(text, rpc_code_message(RPC_DEADLINE)), "%s",
            text);
  cr_expect_not(strstr(text, "half"), "%s", text);
  job.request.id.length = 0;
  job_fail(&job, &failure);
  cr_expect_eq(job.reply->out.length, 0, "a notification has no reply");
  reply_free(job.reply);
}

Test(reply, without_memory_an_error_is_silent) {
  rpc_failure failure = {.code = RPC_MEMORY};
  server_job job = {.reply = reply_new(0), .request.id = slice("7")};
  job.reply->arena.fault.fail_at = 1;
  job_fail(&job, &failure);
  cr_assert(job.outcome == RPC_MEMORY && job.reply->out.length == 0);
  reply_free(job.reply);
}

static void answer(const char *text, uint64_t memory, int stop, rpc_code *outcome,
                   server_reply *reply) {
  shape_arena arena;
  arena_init(&arena, 0);
  method_limits limits = {.json = {0, 50}, .memory = memory};
  method_host host = {.data = NULL};
  method_control control;
  method_control_init(&control);
  atomic_store(&control.stop, stop);
  rpc_message m;
  rpc_failure failure;
  cr_assert(rpc_split(&arena, text, strlen(text), 10, NULL, &m, &failure), "%s", failure.message);
  const method_row *row = method_find(m.requests->method.text, m.requests->method.length);
  cr_assert(row);
  job_answer(row, m.requests, &limits, &host, &control, &reply->out, outcome);
  arena_destroy(&arena);
}

Test(reply, a_job_answers_or_says_why_not) {
  static const char LIST[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ops/list\",\"params\":{}}";
  static const struct {
    uint64_t memory;
    int stop;
    rpc_code outcome;
    const char *part;
  } ROWS[] = {
      {64 << 20, SHAPE_OK, RPC_OK, "\"stablehlo.add\""},
      {64 << 20, SHAPE_CANCELLED, RPC_CANCELLED, "\"error\""},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    rpc_code outcome = RPC_INTERNAL;
    server_reply *reply = reply_new(0);
    answer(LIST, ROWS[i].memory, ROWS[i].stop, &outcome, reply);
    cr_expect_eq(outcome, ROWS[i].outcome, "row %zu: %d", i, (int)outcome);
    cr_expect(strstr(strbuf_text(&reply->out), ROWS[i].part), "%.200s", strbuf_text(&reply->out));
    reply_free(reply);
  }
}
