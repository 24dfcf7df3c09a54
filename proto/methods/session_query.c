// SPDX-License-Identifier: Apache-2.0
// session/query: many queries about the dims of an open program.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/methods/params.h"
#include "proto/methods/session_method.h"

typedef struct query_call {
  method_call *call;
  json_writer *w;
  bool because;  // answers of "query" list what they follow from
} query_call;

static void write_error(json_writer *w, const char *message) {
  json_key(w, "error");
  json_begin_object(w);
  json_put_string(w, "code", "invalid");
  json_put_string(w, "message", message);
  json_end_object(w);
}

// A number of any length; NULL: there is no end.
static void write_end(json_writer *w, const char *key, const char *number) {
  json_key_string(w, key);
  if (!number) {
    json_null(w);
    return;
  }
  errno = 0;
  int64_t small = strtoll(number, NULL, 10);
  if (errno) {
    json_string(w, number);
  } else {
    json_int(w, small);
  }
}

static const char *answer_text(shape_answer answer) {
  return answer == SHAPE_YES ? "true" : answer == SHAPE_NO ? "false" : "unknown";
}

static void write_conflict(json_writer *w) { json_put_bool(w, "conflict", true); }

// False where the whole request ends: cancelled, late, out of memory.
static bool finish(query_call *q, shape_status status) {
  if (status == SHAPE_OK) return true;
  if (status == SHAPE_INVALID) {
    write_error(q->w, shape_session_error(q->call->taken)->message);
    return true;
  }
  rpc_fail(q->call->failure, rpc_of_status(status), "%s", shape_status_message(status));
  return false;
}

static void write_reasons(json_writer *w, const shape_session_reason *reasons, uint32_t count) {
  json_key(w, "because");
  json_begin_array(w);
  for (uint32_t i = 0; i < count; i++) {
    json_begin_object(w);
    if (reasons[i].op != SHAPE_NO_ID) json_put_int(w, "op", reasons[i].op);
    if (reasons[i].rule) json_put_string(w, "rule", reasons[i].rule);
    json_put_string(w, "message", reasons[i].text);
    json_end_object(w);
  }
  json_end_array(w);
}

static bool ask_holds(query_call *q, const char *text) {
  shape_answer answer;
  const shape_session_reason *reasons = NULL;
  uint32_t count = 0;
  shape_session *s = q->call->taken;
  shape_status status = q->because ? shape_session_why_text(s, text, &answer, &reasons, &count)
                                   : shape_session_prove_text(s, text, &answer);
  if (status == SHAPE_OK) {
    if (answer == SHAPE_CONTRADICTION) write_conflict(q->w);
    json_put_string(q->w, "answer", answer_text(answer));
    if (q->because) write_reasons(q->w, reasons, count);
  }
  return finish(q, status);
}

static bool ask_bounds(query_call *q, const char *text) {
  shape_exact_bounds bounds;
  shape_status status = shape_session_bounds_text(q->call->taken, text, &bounds);
  if (status == SHAPE_OK && bounds.contradiction) {
    write_conflict(q->w);
  } else if (status == SHAPE_OK) {
    write_end(q->w, "min", bounds.min);
    write_end(q->w, "max", bounds.max);
  }
  return finish(q, status);
}

static bool ask_simple(query_call *q, const char *text) {
  const char *simple;
  shape_status status = shape_session_simplify_text(q->call->taken, text, &simple);
  if (status == SHAPE_OK) {
    json_key(q->w, "simplified");
    session_write_size(q->w, simple);
  }
  return finish(q, status);
}

// A query that is none gets an error of its own; the others are answered.
static bool refuse_one(query_call *q, json_cursor *c, json_cursor at, const char *message) {
  *c = at;
  cursor_skip(c);
  write_error(q->w, message);
  return true;
}

// The same dims, or the same number of elements.
static bool compare(query_call *q, json_cursor *c, bool elements) {
  static const char EXPECTED[] = "expected two ids or addresses of values";
  const json_cursor at = *c;
  shape_session *s = q->call->taken;
  shape_session_shape shape;
  shape_value v[2];
  shape_answer answer;
  const char *wrong = cursor_enter(c, '[') ? NULL : EXPECTED;
  for (unsigned i = 0; i < 2 && !wrong; i++) {
    wrong = cursor_next_item(c, i == 0) ? session_value_of(q->call, c, &v[i]) : EXPECTED;
    if (!wrong && !shape_session_shape_of(s, v[i], &shape)) wrong = "there is no such value";
  }
  if (!wrong && cursor_next_item(c, false)) wrong = EXPECTED;
  if (wrong) return refuse_one(q, c, at, wrong);
  shape_status status = elements ? shape_session_same_element_count(s, v[0], v[1], &answer)
                                 : shape_session_same_shape(s, v[0], v[1], &answer);
  if (status == SHAPE_OK) {
    json_put_string(q->w, "answer", answer_text(answer));
  }
  return finish(q, status);
}

static bool write_value(query_call *q, json_cursor *c) {
  shape_session_shape shape;
  shape_value v;
  const json_cursor at = *c;
  const char *wrong = session_value_of(q->call, c, &v);
  if (!wrong && !shape_session_shape_of(q->call->taken, v, &shape))
    wrong = "there is no such value";
  if (wrong) return refuse_one(q, c, at, wrong);
  json_key(q->w, "shape");
  session_write_shape(q->w, shape.type ? &shape : NULL);
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
      if (cursor_string(c, &text)) {
        const char *own = arena_strndup(q->call->arena, text.length ? text.text : "", text.length);
        good = *key.text == 'q'   ? ask_holds(q, own)
               : *key.text == 'b' ? ask_bounds(q, own)
                                  : ask_simple(q, own);
      } else {
        refuse_one(q, c, *c, "expected a predicate or an expression as text");
      }
    } else {
      refuse_one(q, c, *c,
                 "not a query: query, bounds, simplify, value, same_shape, same_elements");
    }
    if (!good) return false;
    if (asked) return params_refuse(q->call, "params.queries", "expected one query in an object");
    asked = true;
  }
  if (!asked)
    return params_refuse(
        q->call, "params.queries",
        "expected a query: query, bounds, simplify, value, same_shape or same_elements");
  json_end_object(q->w);
  return true;
}

bool method_session_query(method_call *call) {
  json_cursor c, at = {0};
  json_slice key;
  bool found = false, because = false;
  if (!session_take(call)) return false;
  cursor_init(&c, call->arena, call->params.text, call->params.length);
  cursor_enter(&c, '{');
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    char next = cursor_peek(&c);
    if (slice_is(key, "because")) because = next == 't';
    if (slice_is(key, "queries")) at = c, found = true;
    cursor_skip(&c);
  }
  if (!found || !cursor_enter(&at, '['))
    return params_refuse(call, "params.queries", "expected array");
  json_writer w;
  json_writer_init(&w, call->out);
  w.big_as_text = true;
  query_call q = {call, &w, because};
  json_begin_object(&w);
  json_put_int(&w, "version", (int64_t)shape_session_get_stats(call->taken).version);
  json_key(&w, "answers");
  json_begin_array(&w);
  for (bool first = true; cursor_next_item(&at, first); first = false) {
    if (!answer_one(&q, &at)) return false;
  }
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
