// SPDX-License-Identifier: Apache-2.0
// profile/observe: dims that were seen at run time. Where the program comes with them, those that cannot be are
// reported and left out; the others are folded into the profile, of which the answer says.
#include <stdio.h>
#include <string.h>

#include "proto/methods/params.h"
#include "proto/methods/profile.h"
#include "proto/methods/program_request.h"

typedef struct observing {
  method_call *call;
  json_slice name;
  shape_seen points[SHAPE_SEEN_MAX];
  uint32_t count;
  bool violated[SHAPE_SEEN_MAX];
  bool has_program;
  uint32_t accepted, dropped;
  profile_state *state;
} observing;

// An integer of 64 bits, as a number or a decimal string.
static bool read_integer(json_cursor *c, int64_t *out) {
  json_slice text;
  num value;
  shape_budget budget;
  budget_init(&budget, c->arena, UINT64_MAX, NULL);
  if (!(cursor_peek(c) == '"' ? cursor_string(c, &text) : cursor_number(c, &text))) return false;
  return num_parse(&budget, text.text, text.length, &value) && num_to_int(value, out);
}

static bool read_sizes(observing *o, json_cursor *c, shape_seen *p) {
  json_slice name;
  shape_seen_dim *sizes = arena_alloc(o->call->arena, SHAPE_SEEN_DIMS_MAX * sizeof *sizes);
  p->dims = sizes;
  if (!cursor_enter(c, '{'))
    return params_refuse(o->call, "params.observations.dims", "expected object");
  for (bool first = true; cursor_next_key(c, first, &name); first = false) {
    if (p->dim_count == SHAPE_SEEN_DIMS_MAX)
      return params_refuse(o->call, "params.observations.dims", "more than 64 dims");
    if (!name.length || name.length > PROFILE_NAME_MAX)
      return params_refuse(o->call, "params.observations.dims", "a name has 1 to 128 bytes");
    shape_seen_dim size = {.name = name.text, .name_length = name.length};
    if (!read_integer(c, &size.value))
      return params_refuse(o->call, "params.observations.dims", "expected integers of 64 bits");
    // In the order of names, so that the same run is the same point.
    uint32_t at = p->dim_count++;
    for (; at > 0; at--) {
      const shape_seen_dim *before = &sizes[at - 1];
      size_t shorter = before->name_length < name.length ? before->name_length : name.length;
      int order = memcmp(before->name, name.text, shorter);
      if (order < 0 || (order == 0 && before->name_length < name.length)) break;
      sizes[at] = sizes[at - 1];
    }
    sizes[at] = size;
  }
  return true;
}

static bool read_observation(observing *o, json_cursor *c) {
  json_slice key;
  if (o->count == SHAPE_SEEN_MAX)
    return params_refuse(o->call, "params.observations", "more than 256 items");
  shape_seen *p = &o->points[o->count++];
  *p = (shape_seen){.count = 1};
  if (!cursor_enter(c, '{'))
    return params_refuse(o->call, "params.observations", "expected objects");
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    int64_t count;
    if (slice_is(key, "dims") || slice_is(key, "sizes")) {
      // "sizes" is the name that version 0.1 gave to this key.
      if (p->dims) return params_refuse(o->call, "params.observations.dims", "given twice");
      if (!read_sizes(o, c, p)) return false;
    } else if (slice_is(key, "count")) {
      if (!read_integer(c, &count) || count < 1)
        return params_refuse(o->call, "params.observations.count", "expected a positive integer");
      p->count = (uint64_t)count;
    } else {
      cursor_skip(c);
    }
  }
  return p->dim_count ||
         params_refuse(o->call, "params.observations.dims", "expected at least one dim");
}

static bool read_params(observing *o) {
  json_cursor c;
  json_slice key;
  cursor_init(&c, o->call->arena, o->call->params.text, o->call->params.length);
  if (!o->call->params.length || !cursor_enter(&c, '{'))
    return params_refuse(o->call, "params", "expected object");
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    if (slice_is(key, "profile")) {
      if (!cursor_string(&c, &o->name) || !o->name.length || o->name.length > PROFILE_NAME_MAX)
        return params_refuse(o->call, "params.profile", "expected a string of 1 to 128 bytes");
    } else if (slice_is(key, "observations")) {
      if (!cursor_enter(&c, '['))
        return params_refuse(o->call, "params.observations", "expected array");
      for (bool item = true; cursor_next_item(&c, item); item = false) {
        if (!read_observation(o, &c)) return false;
      }
    } else {
      o->has_program |= slice_is(key, "text") || slice_is(key, "graph") || slice_is(key, "blob");
      cursor_skip(&c);
    }
  }
  return o->name.length ||
         params_refuse(o->call, "params.profile", "expected a string of 1 to 128 bytes");
}

// Writes what cannot be; the answer to the rest follows it.
static bool check(observing *o) {
  program_request q;
  if (!o->has_program) {
    strbuf_puts(o->call->out, "[]");
    return true;
  }
  if (!program_request_read(o->call, &q)) return false;
  q.render = false;
  q.emit_options.big_as_text = true;
  q.emit_options.seen = o->points;
  q.emit_options.seen_count = o->count;
  q.emit_options.violated = o->violated;
  return program_request_emit(&q, SHAPE_FORMAT_ANSWER, "violations", false);
}

// With the state as it is now, and again where that has changed meanwhile; see method_host.
static void fold(void *data, json_slice before, shape_strbuf *after) {
  observing *o = data;
  o->accepted = o->dropped = 0;
  o->state = profile_read(o->call->arena, before);
  for (uint32_t i = 0; i < o->count; i++) {
    if (o->violated[i]) continue;
    if (profile_add(o->state, &o->points[i])) {
      o->accepted++;
    } else {
      o->dropped++;
    }
  }
  profile_write(o->state, after);
}

static void write_symbol(json_writer *w, const profile_symbol *s) {
  json_begin_object(w);
  json_key(w, "name");
  json_text(w, s->name.text, s->name.length);
  json_put_int(w, "min", s->least);
  json_put_int(w, "max", s->most);
  json_put_int(w, "count", (int64_t)s->count);
  json_put_int(w, "other", (int64_t)s->other);
  json_key(w, "values");
  json_begin_array(w);
  for (uint32_t k = 0; k < s->value_count; k++) {
    json_begin_array(w);
    json_int(w, s->values[k].value);
    json_int(w, (int64_t)s->values[k].count);
    json_end_array(w);
  }
  json_end_array(w);
  json_end_object(w);
}

bool method_profile_observe(method_call *call) {
  observing *o = arena_zalloc(call->arena, sizeof *o);
  o->call = call;
  if (!read_params(o)) return false;
  if (!call->host || !call->host->profile_update) {
    rpc_fail(call->failure, RPC_UNSUPPORTED, "this server keeps no profiles");
    return false;
  }
  json_writer w;
  json_writer_init(&w, call->out);
  w.big_as_text = true;
  json_begin_object(&w);
  json_key(&w, "violated");
  json_raw(&w, "", 0);  // it is written by check
  if (!check(o)) return false;
  if (!call->host->profile_update(call->host->data, call->arena, o->name, fold, o, call->failure)) {
    return false;
  }
  json_put_int(&w, "accepted", o->accepted);
  json_put_int(&w, "dropped", o->dropped);
  json_key(&w, "symbols");
  json_begin_array(&w);
  for (uint32_t i = 0; i < o->state->symbol_count; i++) write_symbol(&w, &o->state->symbols[i]);
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
