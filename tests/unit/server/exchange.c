// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/worker_says.h"

static const char GOOD[] = "{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}";

typedef struct said {
  char bytes[SAID_MAX];
  size_t length;
} said;

static void add(said *s, const void *bytes, size_t length) {
  if (length) memcpy(s->bytes + s->length, bytes, length);  // there may be no body
  s->length += length;
}

static void say(said *s, wire_head head, const void *body, size_t length) {
  head.length = length;
  add(s, &head, sizeof head);
  add(s, body, length);
}

static void expect_by(const said *s, said_how how, exchange_end end, const char *reply) {
  said_result r = worker_says("analyze", s->bytes, s->length, how, NULL);
  cr_assert_eq(r.end, end, "%d", (int)r.end);
  const char *text = strbuf_text(&r.reply->out);
  cr_assert(strstr(text, reply) != NULL, "%s", text);
  cr_assert_eq(r.outcome, end == EXCHANGE_DONE ? RPC_OK : RPC_WORKER_DIED);
  reply_free(r.reply);
}

static void expect(const said *s, exchange_end end, const char *reply) {
  expect_by(s, SAID_ON_SOCKET, end, reply);
}

Test(exchange, a_reply_is_handed_on) {
  static said s;
  say(&s, (wire_head){.kind = WIRE_REPLY}, GOOD, strlen(GOOD));
  expect(&s, EXCHANGE_DONE, GOOD);
  expect_by(&s, SAID_IN_MEMORY, EXCHANGE_DONE, GOOD);
}

Test(exchange, a_worker_that_ends_costs_its_request) {
  static said s;
  expect(&s, EXCHANGE_DIED, "\"code\": \"worker-died\"");
  say(&s, (wire_head){.kind = WIRE_REPLY}, GOOD, strlen(GOOD));
  for (size_t n = s.length - 1; n; n -= n > 7 ? 7 : 1) {
    s.length = n;
    expect(&s, EXCHANGE_DIED, "\"id\": 7");
  }
}

Test(exchange, one_that_is_gone_before_has_nothing_to_do_with_it) {
  said_result r = worker_says("analyze", NULL, 0, SAID_NOTHING, NULL);
  cr_assert_eq(r.end, EXCHANGE_ABSENT);
  cr_assert_eq(r.reply->out.length, 0);
  reply_free(r.reply);
}

Test(exchange, one_that_takes_longer_is_for_another) {
  static const char CANCELLED[] = "{\"jsonrpc\": \"2.0\", \"id\": 7, \"error\": {}}";
  static said s;
  say(&s, (wire_head){.kind = WIRE_REPLY, .code = RPC_CANCELLED}, CANCELLED, strlen(CANCELLED));
  said_result r = worker_says("analyze", s.bytes, s.length, SAID_BRIEFLY, NULL);
  cr_assert(r.end == EXCHANGE_LONGER && !r.reply->out.length);
  reply_free(r.reply);
  // One that may not give up has answered.
  r = worker_says("analyze", s.bytes, s.length, SAID_IN_MEMORY, NULL);
  cr_assert(r.end == EXCHANGE_DONE && r.outcome == RPC_CANCELLED);
  reply_free(r.reply);
}

Test(exchange, nothing_of_a_worker_is_trusted) {
  static said s;
  static const char *const TEXTS[] = {
      "{\"jsonrpc\": \"2.0\", \"id\": 8, \"result\": {}}",
      ("{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}\n{\"jsonrpc\": \"2.0\", \"id\": 9, "
       "\"result\": {}}"),
      "{\"jsonrpc\": \"2.0\", \"id\": 7",
      "{\"jsonrpc\": \"2.0\", \"id\": 77, \"result\": {}}",
      "[]",
      "}",
  };
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    s.length = 0;
    say(&s, (wire_head){.kind = WIRE_REPLY}, TEXTS[i], strlen(TEXTS[i]));
    expect(&s, EXCHANGE_INVALID, "worker-died");
    expect_by(&s, SAID_IN_MEMORY, EXCHANGE_INVALID, "worker-died");
  }
  const wire_head heads[] = {
      {.kind = WIRE_JOB},
      {.kind = WIRE_RESULT},
      {.kind = WIRE_PROFILE_PUT + 1},
      {.kind = UINT32_MAX},
      {.kind = WIRE_REPLY, .length = UINT64_MAX},
      {.kind = WIRE_REPLY, .length = (1 << 20) + 1},
      {.kind = WIRE_REPLY, .code = RPC_CODE_COUNT},
      {.kind = WIRE_REPLY, .flags = 2},
      {.kind = WIRE_SESSION_ADD, .length = 1},
      {.kind = WIRE_SESSION_ADD},
      {.kind = WIRE_SESSION_TAKE},
      {.kind = WIRE_PROFILE_GET},
      {.kind = WIRE_PROFILE_GET, .length = UINT64_MAX},
      {.kind = WIRE_PROFILE_PUT},
  };
  const wire_head beyond = {.kind = WIRE_REPLY, .length = WIRE_ROOM + 1};
  add(&s, &beyond, sizeof beyond);
  expect_by(&s, SAID_IN_MEMORY, EXCHANGE_INVALID, "worker-died");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    s.length = 0;
    add(&s, &heads[i], sizeof heads[i]);
    expect(&s, EXCHANGE_INVALID, "worker-died");
    expect_by(&s, SAID_IN_MEMORY, EXCHANGE_INVALID, "worker-died");
  }
  // More than the reply.
  s.length = 0;
  say(&s, (wire_head){.kind = WIRE_REPLY}, GOOD, strlen(GOOD));
  add(&s, "x", 1);
  expect(&s, EXCHANGE_INVALID, "worker-died");
}

Test(exchange, what_was_said_cannot_be_taken_back) {
  static said s;
  say(&s, (wire_head){.kind = WIRE_REPLY}, GOOD, strlen(GOOD));
  expect_by(&s, SAID_AND_TAKEN_BACK, EXCHANGE_DONE, GOOD);
}

Test(exchange, sessions_are_added_by_the_request_that_opens_one) {
  static said s;
  static said_host host;
  say(&s, (wire_head){.kind = WIRE_SESSION_ADD, .value = 10}, NULL, 0);
  say(&s, (wire_head){.kind = WIRE_REPLY, .value = 10}, GOOD, strlen(GOOD));
  said_result r = worker_says("session/open", s.bytes, s.length, SAID_ON_SOCKET, &host);
  cr_assert(r.end == EXCHANGE_DONE && r.added && !r.ended);
  reply_free(r.reply);
  r = worker_says("session/edit", s.bytes, s.length, SAID_ON_SOCKET, &host);
  cr_assert(r.end == EXCHANGE_INVALID && !r.added);
  reply_free(r.reply);
  // Twice.
  s.length = 0;
  say(&s, (wire_head){.kind = WIRE_SESSION_ADD}, NULL, 0);
  say(&s, (wire_head){.kind = WIRE_SESSION_ADD}, NULL, 0);
  r = worker_says("session/open", s.bytes, s.length, SAID_ON_SOCKET, &host);
  cr_assert(r.end == EXCHANGE_INVALID && r.added);
  reply_free(r.reply);
  cr_assert_eq(host.open, 0);
}

Test(exchange, a_profile_is_kept_where_nothing_changed_it) {
  static said s;
  static said_host host = {.profile = "old", .length = 3};
  const struct {
    wire_profile sizes;
    char texts[8];
  } right = {{1, 3}, "poldnew"}, late = {{1, 3}, "pOLDbad"}, wrong = {{1, 300}, "poldnew"};
  for (int i = 0; i < 2; i++) {
    s.length = 0;
    say(&s, (wire_head){.kind = WIRE_PROFILE_PUT}, i ? &late : &right, sizeof right.sizes + 7);
    say(&s, (wire_head){.kind = WIRE_REPLY}, GOOD, strlen(GOOD));
    said_result r = worker_says("profile/observe", s.bytes, s.length, SAID_ON_SOCKET, &host);
    cr_assert_eq(r.end, EXCHANGE_DONE);
    cr_assert(host.length == 3 && memcmp(host.profile, "new", 3) == 0);
    reply_free(r.reply);
  }
  s.length = 0;
  say(&s, (wire_head){.kind = WIRE_PROFILE_PUT}, &wrong, sizeof wrong.sizes + 7);
  said_result r = worker_says("profile/observe", s.bytes, s.length, SAID_ON_SOCKET, &host);
  cr_assert_eq(r.end, EXCHANGE_INVALID);
  reply_free(r.reply);
}
