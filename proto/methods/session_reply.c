// SPDX-License-Identifier: Apache-2.0
// What sessions answer, as JSON.
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

void session_write_shape(json_writer *w, const session_shape *shape) {
  if (!shape) {
    json_null(w);
    return;
  }
  json_begin_object(w);
  json_key(w, "type");
  json_string(w, shape->type);
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

static void session_write_diags(json_writer *w, const char *key, session_diags diags) {
  json_key_string(w, key);
  json_begin_array(w);
  for (uint32_t i = 0; i < diags.count; i++) {
    const session_diag *d = &diags.items[i];
    json_begin_object(w);
    json_key(w, "severity");
    json_string(w, diag_severity_name(d->severity));
    json_key(w, "code");
    json_string(w, d->code);
    json_key(w, "op");
    if (d->op == ID_NONE) {
      json_null(w);
    } else {
      json_int(w, d->op);
    }
    json_key(w, "message");
    json_string(w, d->message);
    json_end_object(w);
  }
  json_end_array(w);
}

static void write_inserted(json_writer *w, const shape_session *s, const session_changes *c) {
  json_key(w, "inserted");
  json_begin_array(w);
  for (uint32_t i = 0; i < c->inserted_count; i++) {
    op_id op = c->inserted[i];
    if (c->arguments && c->arguments[i] != VALUE_NONE) {
      json_begin_object(w);
      json_key(w, "op");
      json_null(w);
      json_key(w, "values");
      json_begin_array(w);
      json_int(w, c->arguments[i]);
      json_end_array(w);
      json_end_object(w);
      continue;
    }
    if (op == ID_NONE) {
      json_null(w);
      continue;
    }
    const graph_op *o = &session_graph(s)->ops[op];
    json_begin_object(w);
    json_key(w, "op");
    json_int(w, op);
    json_key(w, "values");
    json_begin_array(w);
    for (uint32_t k = 0; k < o->result_count; k++) json_int(w, o->results + k);
    json_end_array(w);
    json_end_object(w);
  }
  json_end_array(w);
}

void session_write_changes(method_call *call, const char *id, const session_changes *c) {
  const shape_session *s = call->taken;
  json_writer w;
  if (!id) call->out->arena->stop = NULL;  // it has happened, and the reply says so
  json_writer_init(&w, call->out);
  w.big_as_text = true;
  json_begin_object(&w);
  if (id) {
    json_key(&w, "session");
    json_string(&w, id);
  }
  json_key(&w, "version");
  json_int(&w, (int64_t)session_version(s));
  json_key(&w, "depth");
  json_int(&w, session_depth(s));
  session_stats stats = session_get_stats(s);
  json_key(&w, "ops");
  json_int(&w, stats.ops);
  write_inserted(&w, s, c);
  json_key(&w, "values");
  json_begin_array(&w);
  for (uint32_t i = 0; i < c->value_count; i++) {
    json_begin_object(&w);
    json_key(&w, "value");
    json_int(&w, c->values[i].value);
    json_key(&w, "before");
    session_write_shape(&w, session_shape_of(s, c->values[i].before));
    json_key(&w, "after");
    session_write_shape(&w, session_shape_of(s, c->values[i].after));
    json_end_object(&w);
  }
  json_end_array(&w);
  session_write_diags(&w, "appeared", c->appeared);
  session_write_diags(&w, "vanished", c->vanished);
  json_key(&w, "visited");
  json_int(&w, c->visited);
  json_key(&w, "whole");
  json_bool(&w, c->whole);
  json_end_object(&w);
}
