// SPDX-License-Identifier: Apache-2.0
// session/query: many queries about the dims of an open program.
#include <stdio.h>
#include <string.h>

#include "proto/methods/params.h"
#include "proto/methods/session_method.h"

typedef struct query_call {
  method_call *call;
  json_writer *w;
} query_call;

static void write_error(json_writer *w, const char *message) {
  json_key(w, "error");
  json_begin_object(w);
  json_key(w, "code");
  json_string(w, "invalid");
  json_key(w, "message");
  json_string(w, message);
  json_end_object(w);
}

static void write_end(json_writer *w, const char *key, bool has, num value) {
  json_key_string(w, key);
  if (has) {
    json_num(w, value);
  } else {
    json_null(w);
  }
}

static const char *answer_text(shape_answer answer) {
  return answer == SHAPE_YES ? "true" : answer == SHAPE_NO ? "false" : "unknown";
}

// False where the whole request ends: cancelled, late, out of memory.
static bool ask(query_call *q, session_query_kind kind, json_slice text) {
  session_reply reply;
  session_failure failure;
  json_writer *w = q->w;
  if (!session_ask(q->call->taken, kind, text.text, text.length, &reply, &failure)) {
    if (failure.status == SHAPE_INVALID) {
      write_error(w, failure.message);
      return true;
    }
    rpc_fail(q->call->failure, rpc_of_status(failure.status), "%s",
             shape_status_message(failure.status));
    return false;
  }
  if (reply.conflict) {
    json_key(w, "conflict");
    json_bool(w, true);
  }
  if (kind == ASK_HOLDS) {
    json_key(w, "answer");
    json_string(w, answer_text(reply.answer.answer));
  } else if (kind == ASK_BOUNDS && !reply.conflict) {
    write_end(w, "min", reply.bounds.has_lo, reply.bounds.lo);
    write_end(w, "max", reply.bounds.has_hi, reply.bounds.hi);
  } else if (kind == ASK_SIMPLIFY) {
    json_key(w, "simplified");
    session_write_size(w, reply.text);
  }
  return true;
}

static bool read_value(json_cursor *c, const shape_session *s, value_id *out) {
  json_slice number;
  uint64_t value = 0;
  if (!cursor_number(c, &number) || number.length > 9) return false;
  for (size_t i = 0; i < number.length; i++) {
    if (number.text[i] < '0' || number.text[i] > '9') return false;
    value = value * 10 + (uint64_t)(number.text[i] - '0');
  }
  *out = (value_id)value;
  return session_has_value(s, *out);
}

// The same dims, or the same number of elements, as one predicate after the other.
static bool compare(query_call *q, json_cursor *c, bool elements) {
  const shape_session *s = q->call->taken;
  json_writer *w = q->w;
  value_id v[2];
  bool good = cursor_enter(c, '[') && cursor_next_item(c, true) && read_value(c, s, &v[0]) &&
              cursor_next_item(c, false) && read_value(c, s, &v[1]) && !cursor_next_item(c, false);
  if (!good) return params_refuse(q->call, "params.queries", "expected two ids of values");
  const session_shape *a = session_shape_of(s, session_value_shape(s, v[0]));
  const session_shape *b = session_shape_of(s, session_value_shape(s, v[1]));
  shape_answer answer = SHAPE_YES;
  if (!a->ranked || !b->ranked) {
    answer = SHAPE_UNKNOWN;
  } else if (!elements && a->rank != b->rank) {
    answer = SHAPE_NO;
  }
  shape_strbuf text;
  for (uint32_t i = 0; answer != SHAPE_NO && a->ranked && b->ranked && i < (elements ? 1 : a->rank);
       i++) {
    strbuf_init(&text, q->call->arena);
    if (!elements) strbuf_printf(&text, "v%u.%u == v%u.%u", v[0], i, v[1], i);
    for (uint32_t k = 0; elements && k < a->rank; k++) strbuf_printf(&text, "v%u.%u*", v[0], k);
    if (elements) strbuf_puts(&text, "1 == 1");
    for (uint32_t k = 0; elements && k < b->rank; k++) strbuf_printf(&text, "*v%u.%u", v[1], k);
    const char *asked = strbuf_text(&text);
    session_reply reply;
    session_failure failure;
    shape_answer one = SHAPE_UNKNOWN;
    if (session_ask(q->call->taken, ASK_HOLDS, asked, text.length, &reply, &failure)) {
      one = reply.answer.answer;
    } else if (failure.status != SHAPE_INVALID) {
      rpc_fail(q->call->failure, rpc_of_status(failure.status), "%s",
               shape_status_message(failure.status));
      return false;
    }
    if (one == SHAPE_NO || answer == SHAPE_YES) answer = one;
  }
  json_key(w, "answer");
  json_string(w, answer_text(answer));
  return true;
}

static bool write_value(query_call *q, json_cursor *c) {
  const shape_session *s = q->call->taken;
  value_id v;
  if (!read_value(c, s, &v)) {
    if (c->failed) return params_refuse(q->call, "params.queries", "expected the id of a value");
    write_error(q->w, "there is no such value");
    return true;
  }
  json_key(q->w, "shape");
  session_write_shape(q->w, session_shape_of(s, session_value_shape(s, v)));
  return true;
}

static bool answer_one(query_call *q, json_cursor *c) {
  json_slice key, text;
  bool asked = false;
  if (!cursor_enter(c, '{')) return params_refuse(q->call, "params.queries", "expected objects");
  json_begin_object(q->w);
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    bool good = true;
    if (slice_is(key, "value")) {
      good = write_value(q, c);
    } else if (slice_is(key, "same_shape") || slice_is(key, "same_elements")) {
      good = compare(q, c, slice_is(key, "same_elements"));
    } else if (slice_is(key, "query") || slice_is(key, "bounds") || slice_is(key, "simplify")) {
      if (!cursor_string(c, &text))
        return params_refuse(q->call, "params.queries", "expected string");
      good = ask(q,
                 *key.text == 'q'   ? ASK_HOLDS
                 : *key.text == 'b' ? ASK_BOUNDS
                                    : ASK_SIMPLIFY,
                 text);
    } else {
      return params_refuse(
          q->call, "params.queries",
          "not a query: query, bounds, simplify, value, same_shape, same_elements");
    }
    if (!good) return false;
    if (asked) return params_refuse(q->call, "params.queries", "one query in an object");
    asked = true;
  }
  if (!asked) return params_refuse(q->call, "params.queries", "there is no query");
  json_end_object(q->w);
  return true;
}

bool method_session_query(method_call *call) {
  json_cursor c, at = {0};
  json_slice key;
  bool found = false;
  if (!session_take(call)) return false;
  cursor_init(&c, call->arena, call->params.text, call->params.length);
  cursor_enter(&c, '{');
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    cursor_peek(&c);
    if (slice_is(key, "queries")) at = c, found = true;
    cursor_skip(&c);
  }
  if (!found || !cursor_enter(&at, '['))
    return params_refuse(call, "params.queries", "expected array");
  json_writer w;
  json_writer_init(&w, call->out);
  w.big_as_text = true;
  query_call q = {call, &w};
  json_begin_object(&w);
  json_key(&w, "version");
  json_int(&w, (int64_t)session_version(call->taken));
  json_key(&w, "answers");
  json_begin_array(&w);
  for (bool first = true; cursor_next_item(&at, first); first = false) {
    if (!answer_one(&q, &at)) return false;
  }
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
