// SPDX-License-Identifier: Apache-2.0
// query: many questions about integers at once, each answered as `shape decide --jsonl` answers a line. Symbols and
// assumptions at the top hold for all of them.
#include <stdio.h>

#include "proto/decide/decide.h"
#include "proto/methods/params.h"

typedef struct query_work {
  method_call *call;
  json_slice symbols, assume, queries;
  bool certify;
} query_work;

static bool read_params(query_work *w) {
  method_call *call = w->call;
  json_cursor c;
  json_slice key;
  if (!params_open(call, &c)) return false;
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    json_slice value = params_value(&c);
    if (slice_is(key, "symbols")) w->symbols = value;
    if (slice_is(key, "assume")) w->assume = value;
    if (slice_is(key, "queries")) w->queries = value;
    if (slice_is(key, "certify")) w->certify = slice_is(value, "true");
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

// One question as a line of its own: what all share, then what it says itself.
static void put_line(query_work *w, json_slice query, shape_strbuf *line) {
  line->length = 0;
  strbuf_putc(line, '{');
  put_member(line, "symbols", w->symbols);
  put_member(line, "assume", w->assume);
  json_cursor c;
  cursor_init(&c, w->call->arena, query.text + 1, query.length - 1);
  if (cursor_peek(&c) != '}' && line->length > 1) strbuf_putc(line, ',');
  strbuf_add(line, query.text + 1, query.length - 1);
  // A request of decide is one line; between tokens a line end is as good as a space.
  for (uint32_t i = 0; i < line->length; i++) {
    if (line->data[i] == '\n' || line->data[i] == '\r') line->data[i] = ' ';
  }
}

bool method_query(method_call *call) {
  query_work w = {.call = call};
  if (!read_params(&w)) return false;
  shape_budget budget;
  shape_strbuf line;
  json_cursor c;
  const decide_options options = {
      .certify = w.certify, .stop = call->stop, .bits = call->limits->bits};
  budget_init(&budget, call->arena, UINT64_MAX, call->stop);
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
    decide_line(call->arena, &options, line.data, line.length, call->out);
    budget_poll(&budget);
    if (call->out->data[call->out->length - 1] == '\n') call->out->length--;
  }
  strbuf_puts(call->out, "]}");
  return true;
}
