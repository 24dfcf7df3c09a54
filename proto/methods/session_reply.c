// SPDX-License-Identifier: Apache-2.0
// What sessions answer, as JSON.
#include <assert.h>
#include <string.h>

#include "proto/methods/session_method.h"

void session_write_size(json_writer *w, const char *text) {
  enum { EXACT = 15 };  // digits that every reader of numbers keeps
  size_t length = text ? strlen(text) : 0;
  bool digits = length && length <= EXACT;
  for (size_t i = 0; i < length && digits; i++) digits = text[i] >= '0' && text[i] <= '9';
  if (digits) {
    json_raw(w, text, length);
  } else {
    json_string(w, text);
  }
}

void session_write_shape(json_writer *w, const shape_session_shape *shape) {
  if (!shape) {
    json_null(w);
    return;
  }
  json_begin_object(w);
  json_put_string(w, "type", shape->type);
  json_key(w, "dims");
  if (shape->ranked) {
    json_begin_array(w);
    for (uint32_t i = 0; i < shape->rank; i++) session_write_size(w, shape->dims[i]);
    json_end_array(w);
  } else {
    json_null(w);
  }
  json_end_object(w);
}

typedef bool list_diagnostic(const shape_session *s, uint32_t index, shape_session_diagnostic *out);

static void write_diagnostics(json_writer *w, const char *key, const shape_session *s,
                              list_diagnostic *list) {
  static const char *const SEVERITIES[] = {[SHAPE_SEVERITY_ERROR] = "error",
                                           [SHAPE_SEVERITY_WARNING] = "warning",
                                           [SHAPE_SEVERITY_NOTE] = "note",
                                           [SHAPE_SEVERITY_HINT] = "hint"};
  shape_session_diagnostic d;
  json_key_string(w, key);
  json_begin_array(w);
  for (uint32_t i = 0; list(s, i, &d); i++) {
    json_begin_object(w);
    json_put_string(w, "severity", SEVERITIES[d.severity]);
    json_put_string(w, "code", d.code);
    json_key(w, "op");
    if (d.op == SHAPE_NO_ID) {
      json_null(w);
    } else {
      json_int(w, d.op);
    }
    json_put_string(w, "message", d.message);
    json_end_object(w);
  }
  json_end_array(w);
}

static void write_inserted(json_writer *w, const shape_session *s) {
  shape_inserted made;
  json_key(w, "inserted");
  json_begin_array(w);
  for (uint32_t i = 0; shape_session_inserted(s, i, &made); i++) {
    if (made.op == SHAPE_NO_ID && made.value == SHAPE_NO_ID) {
      json_null(w);
      continue;
    }
    json_begin_object(w);
    json_key(w, "op");
    if (made.op == SHAPE_NO_ID) {
      json_null(w);
    } else {
      json_int(w, made.op);
    }
    json_key(w, "values");
    json_begin_array(w);
    for (uint32_t k = 0; k < made.value_count; k++) json_int(w, made.value + k);
    json_end_array(w);
    json_end_object(w);
  }
  json_end_array(w);
}

// What addresses each value, for clients that did not write the program.
static void write_names(json_writer *w, shape_session *s) {
  shape_session_name n;
  json_key(w, "names");
  json_begin_array(w);
  for (shape_value v = 0; v < shape_session_value_count(s); v++) {
    if (!shape_session_name_of(s, v, &n)) continue;
    json_begin_object(w);
    json_put_int(w, "value", v);
    if (n.name) json_put_string(w, "name", n.name);
    if (n.tag) json_put_string(w, "tag", n.tag);
    if (n.op != SHAPE_NO_ID) json_put_int(w, "op", n.op);
    if (n.line) {
      json_put_int(w, "line", n.line);
      json_put_int(w, "column", n.column);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

// What was written of a value that changed, from the comma after its number to the end.
typedef struct written_change {
  shape_change change;
  uint32_t from, length;  // bytes of the reply; length 0: none was
} written_change;

// The session has each shape once, so texts at other addresses are those of another.
static bool same_shape(const shape_session_shape *a, const shape_session_shape *b) {
  return a->type == b->type && a->dims == b->dims && a->ranked == b->ranked && a->rank == b->rank;
}

static bool is_alike(const shape_change *a, const shape_change *b) {
  return a->was_there == b->was_there && a->is_there == b->is_there &&
         same_shape(&a->before, &b->before) && same_shape(&a->after, &b->after);
}

static void write_change(json_writer *w, const shape_change *change, written_change *last) {
  shape_strbuf *out = w->out;
  assert(!out->sink && !w->pretty);
  json_begin_object(w);
  json_put_int(w, "value", change->value);
  last->change = *change;
  last->from = out->length;
  json_key(w, "before");
  session_write_shape(w, change->was_there ? &change->before : NULL);
  json_key(w, "after");
  session_write_shape(w, change->is_there ? &change->after : NULL);
  json_end_object(w);
  last->length = out->length - last->from;
}

// The same of another value.
static void write_alike(json_writer *w, shape_value value, const written_change *last) {
  char *at = json_open(w, sizeof "{\"value\": " + TEXT_INT + last->length);
  at = text_put_int(json_put_literal(at, "{\"value\": "), value);
  json_close(w, text_put(at, w->out->data + last->from, last->length));
}

// Values that change together mostly change as one of the last few did.
static void write_values(json_writer *w, const shape_session *s) {
  enum { BITS = 4 };
  written_change written[1 << BITS] = {0};
  shape_change change;
  json_key(w, "values");
  json_begin_array(w);
  for (uint32_t i = 0; shape_session_changed(s, i, &change); i++) {
    uint64_t shapes = 3 * (uint64_t)(uintptr_t)change.before.dims + (uintptr_t)change.after.dims;
    written_change *last = &written[shapes * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS)];
    if (last->length && is_alike(&change, &last->change)) {
      write_alike(w, change.value, last);
    } else {
      write_change(w, &change, last);
    }
  }
  json_end_array(w);
}

void session_write_changes(method_call *call, const char *id, bool names) {
  const shape_session *s = call->taken;
  const shape_changes *c = shape_session_changes(s);
  shape_session_stats stats = shape_session_get_stats(s);
  json_writer w;
  if (!id) call->out->arena->stop = NULL;  // it has happened, and the reply says so
  json_writer_init(&w, call->out);
  w.big_as_text = true;
  json_begin_object(&w);
  if (id) {
    json_put_string(&w, "session", id);
  }
  json_put_int(&w, "version", (int64_t)stats.version);
  json_put_int(&w, "depth", stats.depth);
  json_put_int(&w, "ops", stats.ops);
  write_inserted(&w, s);
  write_values(&w, s);
  write_diagnostics(&w, "appeared", s, shape_session_appeared);
  write_diagnostics(&w, "vanished", s, shape_session_vanished);
  if (names) write_names(&w, call->taken);
  json_put_int(&w, "visited", c->visited);
  json_put_bool(&w, "whole", c->whole);
  json_end_object(&w);
}
