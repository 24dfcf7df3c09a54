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

static void write_conflict(json_writer *w) {
  json_key(w, "conflict");
  json_bool(w, true);
}

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

static bool ask_holds(query_call *q, const char *text) {
  shape_answer answer;
  shape_status status = shape_session_prove_text(q->call->taken, text, &answer);
  if (status == SHAPE_OK) {
    if (answer == SHAPE_CONTRADICTION) write_conflict(q->w);
    json_key(q->w, "answer");
    json_string(q->w, answer_text(answer));
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

static bool read_value(json_cursor *c, const shape_session *s, shape_value *out,
                       shape_session_shape *shape) {
  json_slice number;
  uint64_t value = 0;
  if (!cursor_number(c, &number) || number.length > 9) return false;
  for (size_t i = 0; i < number.length; i++) {
    if (number.text[i] < '0' || number.text[i] > '9') return false;
    value = value * 10 + (uint64_t)(number.text[i] - '0');
  }
  *out = (shape_value)value;
  return shape_session_shape_of(s, *out, shape);
}

// The same dims, or the same number of elements.
static bool compare(query_call *q, json_cursor *c, bool elements) {
  shape_session *s = q->call->taken;
  shape_session_shape shape;
  shape_value v[2];
  bool good = cursor_enter(c, '[') && cursor_next_item(c, true) &&
              read_value(c, s, &v[0], &shape) && cursor_next_item(c, false) &&
              read_value(c, s, &v[1], &shape) && !cursor_next_item(c, false);
  if (!good) return params_refuse(q->call, "params.queries", "expected two ids of values");
  shape_answer answer;
  shape_status status = elements ? shape_session_same_element_count(s, v[0], v[1], &answer)
                                 : shape_session_same_shape(s, v[0], v[1], &answer);
  if (status == SHAPE_OK) {
    json_key(q->w, "answer");
    json_string(q->w, answer_text(answer));
  }
  return finish(q, status);
}

static bool write_value(query_call *q, json_cursor *c) {
  shape_session_shape shape;
  shape_value v;
  if (!read_value(c, q->call->taken, &v, &shape)) {
    if (c->failed) return params_refuse(q->call, "params.queries", "expected the id of a value");
    write_error(q->w, "there is no such value");
    return true;
  }
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
      if (!cursor_string(c, &text))
        return params_refuse(q->call, "params.queries", "expected string");
      const char *own = arena_strndup(q->call->arena, text.length ? text.text : "", text.length);
      good = *key.text == 'q'   ? ask_holds(q, own)
             : *key.text == 'b' ? ask_bounds(q, own)
                                : ask_simple(q, own);
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
  json_int(&w, (int64_t)shape_session_get_stats(call->taken).version);
  json_key(&w, "answers");
  json_begin_array(&w);
  for (bool first = true; cursor_next_item(&at, first); first = false) {
    if (!answer_one(&q, &at)) return false;
  }
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
