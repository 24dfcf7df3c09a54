// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/proto/methods/methods.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void write_limits(void *data, json_writer *w) {
  (void)data;
  json_key(w, "max-message");
  json_int(w, 1000);
}

static void write_stats(void *data, json_writer *w) {
  const methods *m = data;
  json_key(w, "sessions");
  json_int(w, (m->sessions.open[0] != NULL) + (m->sessions.open[1] != NULL));
}

static json_slice profile_get(void *data, shape_arena *arena, json_slice name) {
  const methods *m = data;
  (void)name;
  if (!m->profile) return (json_slice){"", 0};
  return (json_slice){arena_strndup(arena, m->profile, m->profile_length), m->profile_length};
}

// The state is folded twice, as by a host that lost a race the first time.
static bool profile_update(void *data, shape_arena *arena, json_slice name,
                           void (*fold)(void *work, json_slice before, shape_strbuf *after),
                           void *work, rpc_failure *failure) {
  methods *m = data;
  if (name.length == 4 && memcmp(name.text, "full", 4) == 0) {
    rpc_fail(failure, RPC_MEMORY, "there is no room for profiles");
    return false;
  }
  shape_strbuf after;
  for (int round = 0; round < 2; round++) {
    strbuf_init(&after, arena);
    fold(work, profile_get(data, arena, name), &after);
  }
  free(m->profile);
  m->profile_length = after.length;
  m->profile = malloc(after.length + 1);
  cr_assert(m->profile);
  memcpy(m->profile, strbuf_text(&after), after.length + 1);
  return true;
}

void methods_open(methods *m) {
  *m = (methods){
      .limits = {
          .json = {0, 50}, .steps = 10000000, .bits = 4096, .elements = 1024, .memory = 256 << 20}};
  m->host = session_host_make(&m->sessions);
  arena_init(&m->arena, 0);
}

void methods_close(methods *m) {
  session_host_end(&m->sessions);
  free(m->profile);
  arena_destroy(&m->arena);
}

const char *methods_call(methods *m, const char *method, const char *params) {
  shape_arena arena, split_arena;
  shape_strbuf text, out;
  rpc_message message;
  rpc_failure failure;
  rpc_code outcome;
  method_control control;
  method_host host = m->host;
  host.data = m;  // whose first member is the host of sessions
  host.write_limits = write_limits;
  host.write_stats = write_stats;
  host.profile_get = profile_get;
  host.profile_update = profile_update;
  arena_init(&arena, m->limits.memory);
  arena_init(&split_arena, 0);
  strbuf_init(&text, &m->arena);
  strbuf_printf(&text, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\"", method);
  if (params) strbuf_printf(&text, ", \"params\": %s", params);
  strbuf_putc(&text, '}');
  for (char *c = text.data; c < text.data + text.length; c++) {
    if (*c == '\'') *c = '"';
  }
  cr_assert(rpc_split(&split_arena, strbuf_text(&text), text.length, 9, NULL, &message, &failure),
            "%s", strbuf_text(&text));
  const method_row *row = method_find(method, strlen(method));
  cr_assert(row, "%s", method);
  strbuf_init(&out, &m->arena);
  method_control_init(&control);
  atomic_store(&control.stop, m->stop);
  cr_assert(
      method_answer(&arena, row, message.requests, &m->limits, &host, &control, &out, &outcome));
  arena_destroy(&arena);
  arena_destroy(&split_arena);
  return strbuf_text(&out);
}

static char *with_quotes(methods *m, const char *part) {
  char *want = arena_strndup(&m->arena, part, strlen(part));
  for (char *c = want; *c; c++) {
    if (*c == '\'') *c = '"';
  }
  return want;
}

void methods_expect(methods *m, const char *method, const char *params, const char *part,
                    const char *file, unsigned line) {
  const char *reply = methods_call(m, method, params), *want = with_quotes(m, part);
  cr_assert(strstr(reply, want), "%s:%u: %s %s\n  has not %s\n  but is %s", file, line, method,
            params ? params : "", want, reply);
}

void methods_expect_rows(methods *m, const char *method, const replied *rows, size_t count,
                         const char *file, unsigned line) {
  for (size_t i = 0; i < count; i++)
    methods_expect(m, method, rows[i].params, rows[i].part, file, line);
}

void methods_expect_table(const char *method, const replied *rows, size_t count, const char *file,
                          unsigned line) {
  methods m;
  methods_open(&m);
  methods_expect_rows(&m, method, rows, count, file, line);
  methods_close(&m);
}

void methods_refuse(methods *m, const char *method, const refused *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *reply = methods_call(m, method, rows[i].params);
    shape_strbuf code, path;
    strbuf_init(&code, &m->arena);
    strbuf_init(&path, &m->arena);
    strbuf_printf(&code, "\"code\": \"%s\"", rows[i].code);
    strbuf_printf(&path, "\"path\": \"%s\"", rows[i].path);
    cr_assert(strstr(reply, "\"error\": ") && strstr(reply, strbuf_text(&code)) &&
                  (!rows[i].path[0] || strstr(reply, strbuf_text(&path))),
              "%s %s\n  wants %s at %s\n  but is %s", method, rows[i].params, rows[i].code,
              rows[i].path, reply);
  }
}
