// SPDX-License-Identifier: Apache-2.0
// The table of sessions, over sessions that only count: who gets which, and which of them end.
#include "server/sessions.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct counted {
  size_t bytes;
  int freed;
} counted;

static void free_counted(struct shape_session *session) { ((counted *)session)->freed++; }
static size_t bytes_of_counted(const struct shape_session *session) {
  return ((const counted *)session)->bytes;
}
static const session_kind COUNTED = {free_counted, bytes_of_counted};

static server_config defaults(void) {
  server_config config;
  char *argv[] = {"shaped", NULL}, error[256];
  config_line line;
  cr_assert(config_read(&config, 1, argv, &line, error, sizeof error), "%s", error);
  return config;
}

static struct shape_session *handle(counted *session) { return (struct shape_session *)session; }

typedef struct id {
  char text[SESSION_ID_SIZE];
} id;

static id add(session_table *t, const char *peer, counted *session, bool shared) {
  id out;
  rpc_failure failure;
  cr_assert(sessions_add(t, peer, handle(session), shared, out.text, &failure));
  cr_assert(strlen(out.text) == SESSION_ID_SIZE - 1 &&
            strspn(out.text, "0123456789abcdef") == SESSION_ID_SIZE - 1);
  return out;
}

// And it is given back.
static id keep(session_table *t, const char *peer, counted *session) {
  id out = add(t, peer, session, false);
  sessions_give(t, handle(session), false);
  return out;
}

static rpc_failure take(session_table *t, const char *peer, const id *of, const counted *expected) {
  rpc_failure failure = {.code = RPC_OK};
  struct shape_session *found =
      sessions_take(t, peer, (json_slice){of->text, SESSION_ID_SIZE - 1}, &failure);
  cr_expect_eq(found, (const struct shape_session *)expected);
  cr_expect_eq(failure.code == RPC_OK, expected != NULL);
  return failure;
}

static void expect_counts(session_table *t, uint64_t open, uint64_t bytes, uint64_t expired,
                          uint64_t evicted) {
  uint64_t is[4];
  sessions_counts(t, &is[0], &is[1], &is[2], &is[3]);
  cr_expect(is[0] == open && is[1] == bytes && is[2] == expired && is[3] == evicted,
            "%llu open, %llu bytes, %llu expired, %llu evicted", (unsigned long long)is[0],
            (unsigned long long)is[1], (unsigned long long)is[2], (unsigned long long)is[3]);
}

Test(sessions, one_request_at_a_time) {
  server_config config = defaults();
  session_table *t = sessions_new(&config, &COUNTED);
  counted a = {.bytes = 100};
  id own = add(t, "peer", &a, false);
  cr_expect_eq(take(t, "peer", &own, NULL).code, RPC_SESSION_BUSY);
  a.bytes = 250;
  sessions_give(t, handle(&a), false);
  expect_counts(t, 1, 250, 0, 0);
  take(t, "peer", &own, &a);
  cr_expect_eq(take(t, "peer", &own, NULL).code, RPC_SESSION_BUSY);
  sessions_give(t, handle(&a), true);
  cr_expect_eq(a.freed, 1);
  cr_expect_eq(take(t, "peer", &own, NULL).code, RPC_SESSION_UNKNOWN);
  expect_counts(t, 0, 0, 0, 0);
  sessions_free(t);
  cr_expect_eq(a.freed, 1);
  sessions_free(NULL);
}

Test(sessions, belong_to_a_peer_unless_they_are_shared) {
  server_config config = defaults();
  session_table *t = sessions_new(&config, &COUNTED);
  counted a = {.bytes = 1}, b = {.bytes = 1};
  id own = keep(t, "peer", &a), shared = add(t, "peer", &b, true);
  sessions_give(t, handle(&b), false);
  cr_expect_eq(take(t, "other", &own, NULL).code, RPC_SESSION_UNKNOWN);
  take(t, "other", &shared, &b);
  cr_expect_str_neq(own.text, shared.text);
  static const size_t LENGTHS[] = {0, 1, SESSION_ID_SIZE - 2};
  for (size_t i = 0; i < 3; i++) {
    rpc_failure failure;
    cr_expect_null(sessions_take(t, "peer", (json_slice){own.text, LENGTHS[i]}, &failure));
    cr_expect_eq(failure.code, RPC_SESSION_UNKNOWN);
  }
  sessions_free(t);
  cr_expect(a.freed == 1 && b.freed == 1);
}

// Those of the peer alone, the one that was used longest ago first, none that a request has; its owner learns why.
Test(sessions, a_peer_makes_room_by_its_own) {
  server_config config = defaults();
  config.max_sessions = 2;
  session_table *t = sessions_new(&config, &COUNTED);
  counted s[6] = {{.bytes = 1}};
  id other = keep(t, "other", &s[0]), first = add(t, "peer", &s[1], false);
  id second = keep(t, "peer", &s[2]);
  id third = keep(t, "peer", &s[3]);  // the first is taken: the second goes
  cr_expect(s[1].freed == 0 && s[2].freed == 1 && s[0].freed == 0);
  rpc_failure failure = take(t, "peer", &second, NULL);
  cr_expect(failure.code == RPC_SESSION_EVICTED && strcmp(failure.limit, "max-sessions") == 0 &&
            failure.limit_value == 2);
  cr_expect_eq(take(t, "other", &second, NULL).code, RPC_SESSION_UNKNOWN);
  sessions_give(t, handle(&s[1]), false);  // used after the third
  keep(t, "peer", &s[4]);
  cr_expect(s[3].freed == 1 && s[1].freed == 0, "what was given back last is used last");
  cr_expect_eq(take(t, "peer", &third, NULL).code, RPC_SESSION_EVICTED);
  take(t, "peer", &first, &s[1]);
  take(t, "other", &other, &s[0]);
  expect_counts(t, 3, 1, 0, 2);
  sessions_free(t);
  for (int i = 0; i < 5; i++) cr_expect_eq(s[i].freed, 1);
}

Test(sessions, memory_is_counted_when_they_come_back) {
  server_config config = defaults();
  config.peer_session_memory = 100;
  config.session_memory = 150;
  session_table *t = sessions_new(&config, &COUNTED);
  counted s[4] = {{.bytes = 60}, {.bytes = 40}, {.bytes = 50}, {.bytes = 0}};
  id first = keep(t, "peer", &s[0]), second = keep(t, "peer", &s[1]);
  id other = keep(t, "other", &s[2]);
  expect_counts(t, 3, 150, 0, 0);
  take(t, "peer", &second, &s[1]);
  s[1].bytes = 41;
  sessions_give(t, handle(&s[1]), false);
  rpc_failure failure = take(t, "peer", &first, NULL);
  cr_expect(failure.code == RPC_SESSION_EVICTED &&
            strcmp(failure.limit, "peer-session-memory") == 0);
  // Beyond the memory of all peers, those of the peer that brings it there go.
  take(t, "other", &other, &s[2]);
  s[2].bytes = 100;
  sessions_give(t, handle(&s[2]), false);
  expect_counts(t, 2, 141, 0, 1);
  take(t, "peer", &second, &s[1]);
  s[1].bytes = 51;
  sessions_give(t, handle(&s[1]), false);
  failure = take(t, "peer", &second, NULL);
  cr_expect(failure.code == RPC_SESSION_EVICTED && strcmp(failure.limit, "session-memory") == 0);
  expect_counts(t, 1, 100, 0, 2);
  sessions_free(t);
}

Test(sessions, idle_ones_end) {
  server_config config = defaults();
  config.session_idle = 0;
  session_table *t = sessions_new(&config, &COUNTED);
  counted a = {.bytes = 1}, b = {.bytes = 1};
  id own = add(t, "peer", &a, false);
  cr_expect_not(sessions_sweep(t), "what a request has is not idle");
  sessions_give(t, handle(&a), false);
  add(t, "peer", &b, false);
  cr_expect_eq(take(t, "peer", &own, NULL).code, RPC_SESSION_EXPIRED);
  cr_expect_eq(a.freed, 1);
  sessions_give(t, handle(&b), false);
  (void)sessions_sweep(t);
  expect_counts(t, 0, 0, 2, 0);
  cr_expect_not(sessions_sweep(t));
  sessions_free(t);
}
