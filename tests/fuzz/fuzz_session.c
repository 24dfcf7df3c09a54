// SPDX-License-Identifier: Apache-2.0
// Whole sessions: a program, and the requests about it one after the other. Every reply is JSON, and after each request
// what a session keeps is what a fresh analysis says (session_verify).
//
// The input is lines. The first byte of a line says what it is, so that random changes hit what matters:
//   {  a request as it is                 e  the edits of session/edit, a list
//   g  the graph of session/open, JSON     q  the queries of session/query, a list
//   m  the same, MLIR with \n for a line   p  the assumptions of session/push, a list
//   o  session/pop   a  session/analyze   c  session/close
// There are two sessions, A and B by the first letter of the id; the short forms speak of A.
#include <stdlib.h>
#include <string.h>

#include "solver/api/session.h"
#include "solver/session/session.h"
#include "tests/fuzz/support/messages.h"
#include "tests/support/session_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 48 << 20, STEPS = 300000, LINES = 40 };

// --- one request

static void answer(void *data, const rpc_request *r, const method_row *row) {
  session_host *sessions = data;
  const method_limits limits = {
      .json = {0, FUZZ_JSON_DEPTH}, .steps = STEPS, .bits = 4096, .memory = MEMORY};
  const method_host host = session_host_make(sessions);
  shape_strbuf out;
  rpc_code outcome;
  shape_arena arena, reply;
  arena_init(&reply, MEMORY);
  strbuf_init(&out, &reply);
  arena_init(&arena, limits.memory);
  if (!method_answer(&arena, row, r, &limits, &host, NULL, &out, &outcome)) abort();
  const json_limits reply_limits = {0, JSON_DEPTH_MAX};
  const char *clean;
  size_t length;
  json_error error;
  if (out.length &&
      !json_validate(&reply, &reply_limits, out.data, out.length, &clean, &length, &error)) {
    abort();
  }
  for (unsigned i = 0; i < HOSTED_SESSIONS; i++) {
    if (sessions->taken[i]) abort();
  }
  arena_destroy(&arena);
  arena_destroy(&reply);
}

static void request(session_host *sessions, const char *text, size_t length) {
  fuzz_each_request(text, length, MEMORY, answer, sessions);
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

static void do_line(session_host *sessions, const char *line, size_t length) {
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

static void verify(const session_host *sessions) {
  for (unsigned i = 0; i < HOSTED_SESSIONS; i++) {
    const char *where;
    if (!sessions->open[i] || session_verify(sessions->open[i]->core, &where)) continue;
    // A limit that the fresh analysis runs into says nothing about what was kept.
    if (strcmp(where, "the analysis failed") != 0) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  session_host sessions = {0};
  const char *at = (const char *)data;
  size_t left = size;
  for (unsigned lines = 0; left && lines < LINES; lines++) {
    const char *end = memchr(at, '\n', left);
    size_t length = end ? (size_t)(end - at) : left;
    do_line(&sessions, at, length);
    // Not after each line, so that updates follow updates as well.
    if (length && at[length - 1] == ' ') verify(&sessions);
    at += length + (end != NULL);
    left -= length + (end != NULL);
  }
  verify(&sessions);
  session_host_end(&sessions);
  return 0;
}
