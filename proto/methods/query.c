// SPDX-License-Identifier: Apache-2.0
// query: many queries about integers at once, each answered as `shape decide --jsonl` answers a line. Symbols and
// assumptions at the top hold for all of them.
#include <stdio.h>

#include "proto/methods/params.h"
#include "proto/methods/sink.h"
#include "solver/shape.h"

enum { QUERY_STEPS = 2000000, QUERY_MEMORY = 1 << 28 };  // of one query, at most

typedef struct query_work {
  method_call *call;
  json_slice symbols, assume, unknown_keys, queries;
  bool certify;
  uint64_t steps, memory;  // of one query; 0: the default
} query_work;

// A limit of the request, which may only be tighter than *limit (0: none). False after filling the failure.
static bool read_limit(query_work *w, json_slice value, const char *path, uint64_t *limit) {
  int64_t n;
  bool fits;
  if (!slice_int(value, false, &n, &fits) || (fits && n < 1))
    return params_refuse(w->call, path, "expected an integer of at least 1");
  if (fits && (!*limit || (uint64_t)n < *limit)) *limit = (uint64_t)n;
  return true;
}

static bool read_deadline(query_work *w, json_slice value) {
  uint64_t deadline = 0;
  if (!read_limit(w, value, "params.deadline", &deadline)) return false;
  if (deadline && w->call->control) atomic_store(&w->call->control->deadline_ms, deadline);
  return true;
}

static bool read_params(query_work *w) {
  method_call *call = w->call;
  json_cursor c;
  json_slice key;
  if (!params_open(call, &c)) return false;
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    json_slice value = params_value(&c);
    if (slice_is(key, "symbols")) w->symbols = value;
    if (slice_is(key, "assume")) w->assume = value;
    if (slice_is(key, "unknown_keys")) w->unknown_keys = value;
    if (slice_is(key, "queries")) w->queries = value;
    if (slice_is(key, "certify")) w->certify = slice_is(value, "true");
    if (slice_is(key, "steps") && !read_limit(w, value, "params.steps", &w->steps)) return false;
    if (slice_is(key, "memory") && !read_limit(w, value, "params.memory", &w->memory)) return false;
    if (slice_is(key, "deadline") && !read_deadline(w, value)) return false;
    if (slice_is(key, "progress_token") && !params_progress(call, value)) return false;
  }
  if (w->queries.length && w->queries.text[0] == '[') return true;
  return params_refuse(call, "params.queries", "expected array");
}

static void put_member(shape_strbuf *line, const char *key, json_slice value) {
  if (!value.length) return;
  if (line->length > 1) strbuf_putc(line, ',');
  strbuf_printf(line, "\"%s\":", key);
  strbuf_add(line, value.text, value.length);
}

// One query as a line of its own: what all share, then what it says itself.
static void put_line(query_work *w, json_slice query, shape_strbuf *line) {
  line->length = 0;
  strbuf_putc(line, '{');
  put_member(line, "symbols", w->symbols);
  put_member(line, "assume", w->assume);
  put_member(line, "unknown_keys", w->unknown_keys);
  json_cursor c;
  cursor_init(&c, w->call->arena, query.text + 1, query.length - 1);
  if (cursor_peek(&c) != '}' && line->length > 1) strbuf_putc(line, ',');
  strbuf_add(line, query.text + 1, query.length - 1);
  // A request of decide is one line; between tokens a line end is as good as a space.
  for (uint32_t i = 0; i < line->length; i++) {
    if (line->data[i] == '\n' || line->data[i] == '\r') line->data[i] = ' ';
  }
}

static bool open_decider(query_work *w) {
  const method_limits *limits = w->call->limits;
  shape_limits own = SHAPE_STRUCT(shape_limits);
  shape_decider_options options = SHAPE_STRUCT(shape_decider_options);
  own.steps = w->steps;
  own.memory = (size_t)w->memory;
  own.bits = limits->bits;
  own.stop = (const int *)w->call->stop;
  own.progress = w->call->control ? (uint64_t *)&w->call->control->steps : NULL;
  options.certify = w->certify;
  w->call->decider = shape_decider_new(&own, &options);
  if (!w->call->decider) rpc_fail(w->call->failure, RPC_MEMORY, "the server is out of memory");
  return w->call->decider != NULL;
}

bool method_query(method_call *call) {
  query_work w = {.call = call};
  if (call->limits->steps < QUERY_STEPS) w.steps = call->limits->steps;
  if (call->limits->memory < QUERY_MEMORY) w.memory = call->limits->memory;
  if (!read_params(&w) || !open_decider(&w)) return false;
  shape_strbuf line;
  json_cursor c;
  text_sink sink = {.out = call->out};
  strbuf_init(&line, call->arena);
  strbuf_reserve(&line, call->params.length + 64);
  cursor_init(&c, call->arena, w.queries.text, w.queries.length);
  cursor_enter(&c, '[');
  strbuf_puts(call->out, "{\"answers\": [");
  for (bool first = true; cursor_next_item(&c, first); first = false) {
    json_slice query = params_value(&c);
    if (query.text[0] != '{') return params_refuse(call, "params.queries", "expected objects");
    put_line(&w, query, &line);
    if (!first) strbuf_puts(call->out, ", ");
    if (shape_decider_answer(call->decider, line.data, line.length, sink_write, &sink, NULL) !=
        SHAPE_OK)
      arena_fail(call->arena, SHAPE_MEMORY);
    sink_end(&sink);
    arena_poll(call->arena);
    if (call->out->data[call->out->length - 1] == '\n') call->out->length--;
  }
  strbuf_puts(call->out, "]}");
  return true;
}
