// SPDX-License-Identifier: Apache-2.0
// Whole sessions: a program, and the requests about it one after the other. Every reply is JSON, and after each request
// what a session keeps is what a fresh analysis says (session_verify).
//
// The input is lines. The first byte of a line says what it is, so that random changes hit what matters:
//   {  a request as it stands              e  the edits of session/edit, a list
//   g  the graph of session/open, JSON     q  the queries of session/query, a list
//   m  the same, MLIR with \n for a line   p  the assumptions of session/push, a list
//   o  session/pop   a  session/analyze   c  session/close
// There are two sessions, A and B by the first letter of the id; the short forms speak of A.
#include <stdlib.h>
#include <string.h>

#include "proto/methods/method.h"
#include "solver/session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SESSIONS = 2, MEMORY = 48 << 20, STEPS = 300000, LINES = 40 };

typedef struct table {
  shape_session *open[SESSIONS];
  bool taken[SESSIONS];
} table;

// --- the host

static bool add(void *data, shape_session *session, char id[SESSION_ID_SIZE],
                rpc_failure *failure) {
  table *t = data;
  unsigned at = 0;
  while (at < SESSIONS && t->open[at]) at++;
  if (at == SESSIONS) {
    rpc_fail(failure, RPC_MEMORY, "both are open");
    return false;
  }
  t->open[at] = session;
  t->taken[at] = true;
  memset(id, 'A' + (int)at, SESSION_ID_SIZE - 1);
  id[SESSION_ID_SIZE - 1] = 0;
  return true;
}

static shape_session *take(void *data, json_slice id, rpc_failure *failure) {
  table *t = data;
  unsigned at = id.length && id.text[0] == 'B';
  if (t->open[at] && !t->taken[at]) {
    t->taken[at] = true;
    return t->open[at];
  }
  rpc_fail(failure, RPC_SESSION_UNKNOWN, "it is not open");
  return NULL;
}

static void give(void *data, shape_session *session, bool end) {
  table *t = data;
  for (unsigned i = 0; i < SESSIONS; i++) {
    if (t->open[i] != session) continue;
    if (!t->taken[i]) abort();
    t->taken[i] = false;
    if (!end) return;
    session_free(session);
    t->open[i] = NULL;
    return;
  }
  abort();
}

// --- one request

typedef struct fuzz_work {
  shape_arena arena, reply;
  table *sessions;
  const char *text;
  size_t length;
  rpc_message message;
  bool good;
} fuzz_work;

static void split(void *data) {
  fuzz_work *w = data;
  rpc_failure failure;
  w->good = rpc_split(&w->arena, w->text, w->length, 8, &w->message, &failure);
}

static void answer(fuzz_work *w, const rpc_request *r, const method_row *row) {
  const method_limits limits = {.json = {0, 64}, .steps = STEPS, .bits = 4096, .memory = MEMORY};
  const method_host host = {
      .data = w->sessions, .session_add = add, .session_take = take, .session_give = give};
  shape_strbuf out;
  rpc_code outcome;
  shape_arena arena;
  arena_init(&w->reply, MEMORY);
  strbuf_init(&out, &w->reply);
  arena_init(&arena, limits.memory);
  if (!method_answer(&arena, row, r, &limits, &host, NULL, &out, &outcome)) abort();
  const json_limits reply_limits = {0, JSON_DEPTH_MOST};
  const char *clean;
  size_t length;
  json_error error;
  if (out.length &&
      !json_gate(&w->reply, &reply_limits, out.data, out.length, &clean, &length, &error)) {
    abort();
  }
  for (unsigned i = 0; i < SESSIONS; i++) {
    if (w->sessions->taken[i]) abort();
  }
  arena_destroy(&arena);
  arena_destroy(&w->reply);
}

static void request(table *sessions, const char *text, size_t length) {
  fuzz_work w = {.sessions = sessions, .text = text, .length = length};
  arena_init(&w.arena, MEMORY);
  if (arena_protect(&w.arena, split, &w) == SHAPE_OK && w.good) {
    for (uint32_t i = 0; i < w.message.count; i++) {
      const rpc_request *r = &w.message.requests[i];
      const method_row *row = r->wrong ? NULL : method_find(r->method.text, r->method.length);
      if (row) answer(&w, r, row);
    }
  }
  arena_destroy(&w.arena);
}

// --- lines

typedef struct short_form {
  char letter;
  const char *before, *after;
} short_form;

#define OF_A(method, key)                                                                          \
  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/" method                                     \
  "\",\"params\":{\"session\":\"A\",\"all\":true" key

static const short_form FORMS[] = {
    {'g', "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/open\",\"params\":{\"graph\":", "}}"},
    {'m', "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/open\",\"params\":{\"text\":\"",
     "\"}}"},
    {'e', OF_A("edit", ",\"edits\":"), "}}"},
    {'q', OF_A("query", ",\"queries\":"), "}}"},
    {'p', OF_A("push", ",\"assume\":"), "}}"},
    {'o', OF_A("pop", ""), "}}"},
    {'a', OF_A("analyze", ""), "}}"},
    {'c', OF_A("close", ""), "}}"},
};

static void do_line(table *sessions, const char *line, size_t length) {
  if (!length) return;
  for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
    const short_form *f = &FORMS[i];
    if (f->letter != *line) continue;
    bool bare = f->letter == 'o' || f->letter == 'a' || f->letter == 'c';
    size_t before = strlen(f->before), after = strlen(f->after), inner = bare ? 0 : length - 1;
    char *text = malloc(before + inner + after);
    if (!text) abort();
    memcpy(text, f->before, before);
    memcpy(text + before, line + 1, inner);
    memcpy(text + before + inner, f->after, after);
    request(sessions, text, before + inner + after);
    free(text);
    return;
  }
  request(sessions, line, length);
}

static void verify(const table *sessions) {
  for (unsigned i = 0; i < SESSIONS; i++) {
    const char *where;
    if (!sessions->open[i] || session_verify(sessions->open[i], &where)) continue;
    // A limit that the fresh analysis runs into says nothing about what was kept.
    if (strcmp(where, "the analysis failed") != 0) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  table sessions = {0};
  const char *at = (const char *)data;
  size_t left = size;
  for (unsigned lines = 0; left && lines < LINES; lines++) {
    const char *end = memchr(at, '\n', left);
    size_t length = end ? (size_t)(end - at) : left;
    do_line(&sessions, at, length);
    // Not after each line, so that cones follow cones as well.
    if (length && at[length - 1] == ' ') verify(&sessions);
    at += length + (end != NULL);
    left -= length + (end != NULL);
  }
  verify(&sessions);
  for (unsigned i = 0; i < SESSIONS; i++) session_free(sessions.open[i]);
  return 0;
}
