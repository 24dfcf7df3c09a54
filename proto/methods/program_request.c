// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/program_request.h"

#include <stdio.h>
#include <string.h>

#include "proto/json/read.h"
#include "proto/methods/base64.h"
#include "proto/methods/params.h"

typedef struct reading {
  method_call *call;
  const char *side;  // what the program's path has after "params": ".old", ".new", or nothing
  program_request *out;
  json_slice options;
  cJSON *tree;
  bool good;
} reading;

// path: begins with "params".
static bool refuse(reading *w, const char *path, const char *why) {
  char whole[sizeof w->call->failure->path];
  snprintf(whole, sizeof whole, "params%s%s", w->side, path + strlen("params"));
  return params_refuse(w->call, whole, why);
}

// A string without NUL bytes, as a C string in the arena.
static const char *c_string(reading *w, json_slice s) {
  if (s.length && memchr(s.text, 0, s.length)) return NULL;
  return arena_strndup(w->call->arena, s.text, s.length);
}

// In parts, between which the job may end; only the last may be padded.
static bool read_blob(reading *w, json_slice text) {
  enum { PART = 1 << 20 };
  char *bytes = arena_alloc(w->call->arena, text.length / 4 * 3 + 3);
  size_t length = 0;
  for (size_t from = 0, part; from < text.length; from += part) {
    size_t left = text.length - from, decoded;
    part = left < PART ? left : PART;
    if (!base64_decode(text.text + from, part, bytes + length, &decoded) ||
        (part < left && decoded < PART / 4 * 3)) {
      return refuse(w, "params.blob", "this is not base64");
    }
    length += decoded;
    arena_poll(w->call->arena);
  }
  w->out->text = bytes;
  w->out->length = length;
  return true;
}

static bool read_member(reading *w, json_cursor *c, json_slice key, unsigned *programs) {
  json_slice value;
  if (slice_is(key, "graph")) {
    if (cursor_peek(c) != '{') return refuse(w, "params.graph", "expected object");
    value = params_member(w->call, c);
    w->out->text = value.text;
    w->out->length = value.length;
    w->out->validated = true;  // with the whole request
    ++*programs;
  } else if (slice_is(key, "text")) {
    if (!cursor_string(c, &value)) return refuse(w, "params.text", "expected string");
    w->out->text = value.text;
    w->out->length = value.length;
    ++*programs;
  } else if (slice_is(key, "blob")) {
    if (!cursor_string(c, &value)) return refuse(w, "params.blob", "expected string");
    ++*programs;
    return read_blob(w, value);
  } else if (slice_is(key, "name")) {
    if (!cursor_string(c, &value)) return refuse(w, "params.name", "expected string");
    w->out->name = c_string(w, value);
    if (!w->out->name) return refuse(w, "params.name", "the text holds U+0000");
  } else if (slice_is(key, "options")) {
    w->options = params_value(c);
  } else if (slice_is(key, "progress_token")) {
    return params_progress(w->call, params_value(c));
  } else if (slice_is(key, "all")) {
    w->out->all = cursor_word(c, "true");
    if (!w->out->all && !cursor_word(c, "false"))
      return refuse(w, "params.all", "expected boolean");
  } else {
    cursor_skip(c);
  }
  return true;
}

static bool read_params(reading *w, json_slice params) {
  json_cursor c;
  json_slice key;
  unsigned programs = 0;
  cursor_init(&c, w->call->arena, params.text, params.length);
  if (!cursor_enter(&c, '{')) return refuse(w, "params", "expected object");
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    if (!read_member(w, &c, key, &programs)) return false;
  }
  if (programs == 1) return true;
  return refuse(w, "params", "give the program once: as \"text\", \"graph\" or \"blob\"");
}

// --- options

// Lives as long as the request; NULL: there is none.
static const char *option_word(json_reader *r, const json_at *options, const char *key,
                               json_at *at) {
  const char *text;
  if (!json_get(r, options, key, at) || !json_present(at)) return NULL;
  return json_get_text(r, at, &text, NULL) ? text : NULL;
}

static const char *option_text(reading *w, json_reader *r, const json_at *options,
                               const char *key) {
  json_at at;
  const char *text = option_word(r, options, key, &at);
  return text ? arena_strndup(w->call->arena, text, strlen(text)) : NULL;
}

static bool option_bool(json_reader *r, const json_at *options, const char *key) {
  json_at at;
  bool value = false;
  if (json_get(r, options, key, &at) && json_present(&at)) json_get_bool(r, &at, &value);
  return value;
}

static const char *const *option_texts(reading *w, json_reader *r, const json_at *options,
                                       const char *key, uint32_t *count) {
  json_at at, item;
  *count = 0;
  if (!json_get(r, options, key, &at) || !json_present(&at)) return NULL;
  const char **list = arena_alloc(w->call->arena, (json_length(&at) + 1) * sizeof *list);
  for (bool more = json_first(r, &at, &item); more; more = json_next(&item)) {
    const char *text;
    size_t length;
    if (!json_get_text(r, &item, &text, &length)) return NULL;
    list[(*count)++] = arena_strndup(w->call->arena, text, length);
  }
  return list;
}

// {"B": 8, "arg0.1": 16}, or the list of texts "NAME=N" that the command line has.
static const char *const *read_bindings(reading *w, json_reader *r, const json_at *options,
                                        const char *key, uint32_t *count) {
  json_at at, member;
  if (!json_get(r, options, key, &at) || !json_present(&at)) return NULL;
  if (!cJSON_IsObject(at.node)) return option_texts(w, r, options, key, count);
  const char **list = arena_alloc(w->call->arena, (json_length(&at) + 1) * sizeof *list);
  for (bool more = json_first_member(r, &at, &member); more; more = json_next(&member)) {
    int64_t value;
    shape_strbuf text;
    if (!json_get_int(r, &member, INT64_MIN, INT64_MAX, &value)) return NULL;
    strbuf_init(&text, w->call->arena);
    strbuf_printf(&text, "%s=%lld", member.key, (long long)value);
    list[(*count)++] = strbuf_text(&text);
  }
  return list;
}

static bool fail_with(reading *w, const json_error *error) {
  rpc_fail(w->call->failure, rpc_of_status(error->status), "%s", error->message);
  size_t length = strcspn(error->message, ":");
  if (error->message[length] && length < sizeof w->call->failure->path) {
    memcpy(w->call->failure->path, error->message, length);
    w->call->failure->path[length] = 0;
  }
  return false;
}

// Limits of the request may only be tighter than those of the server.
static void read_limits(reading *w, json_reader *r, const json_at *options) {
  json_at at;
  int64_t value;
  if (json_get(r, options, "steps", &at) && json_present(&at) &&
      json_get_int(r, &at, 1, INT64_MAX, &value) && (uint64_t)value < w->out->limits.steps) {
    w->out->limits.steps = (uint64_t)value;
  }
  if (json_get(r, options, "memory", &at) && json_present(&at) &&
      json_get_int(r, &at, 1, INT64_MAX, &value) && (uint64_t)value < w->out->limits.memory) {
    w->out->limits.memory = (size_t)value;
  }
}

// In milliseconds from the arrival of the request; the server's own still holds.
static void read_deadline(reading *w, json_reader *r, const json_at *options) {
  json_at at;
  int64_t value;
  if (json_get(r, options, "deadline", &at) && json_present(&at) &&
      json_get_int(r, &at, 1, INT64_MAX, &value) && w->call->control) {
    atomic_store(&w->call->control->deadline_ms, (uint64_t)value);
  }
}

static void read_location(reading *w, json_reader *r, const json_at *options) {
  json_at at, part;
  int64_t line = 0, column = 0;
  if (!json_get(r, options, "at", &at) || !json_present(&at)) return;
  if (!cJSON_IsObject(at.node)) {
    json_fail(r, &at, "expected {\"line\", \"column\"}");
    return;
  }
  if (!json_get(r, &at, "line", &part) || !json_get_int(r, &part, 1, INT32_MAX, &line)) return;
  if (!json_get(r, &at, "column", &part) || !json_get_int(r, &part, 1, INT32_MAX, &column)) return;
  w->out->emit_options.line = (uint32_t)line;
  w->out->emit_options.column = (uint32_t)column;
}

static void read_dynamism(reading *w, json_reader *r, const json_at *options) {
  json_at at;
  const char *text = option_word(r, options, "dynamism", &at);
  if (!text) return;
  if (strcmp(text, "bounded") == 0) {
    w->out->emit_options.dynamism = SHAPE_DYNAMISM_BOUNDED;
    w->out->options.find_bounds = true;
  } else if (strcmp(text, "unbounded") == 0) {
    w->out->emit_options.dynamism = SHAPE_DYNAMISM_UNBOUNDED;
  } else {
    json_fail(r, &at, "expected \"bounded\" or \"unbounded\"");
  }
}

static void read_render(reading *w, json_reader *r, const json_at *options) {
  json_at at;
  const char *text = option_word(r, options, "render", &at);
  if (!text) return;
  w->out->render = true;
  if (strcmp(text, "text") == 0 || strcmp(text, "colour") == 0) {
    w->out->as_text = true;
    w->out->emit_options.colour = *text == 'c';
  } else if (strcmp(text, "json") != 0) {
    json_fail(r, &at, "expected \"text\", \"colour\" or \"json\"");
  }
}

// Texts, or JSON as one text.
static void read_inputs(reading *w, json_reader *r, const json_at *options) {
  json_at at;
  shape_options *o = &w->out->options;
  if (!json_get(r, options, "inputs", &at) || !json_present(&at)) return;
  if (cJSON_IsString(at.node)) {
    o->inputs = option_text(w, r, options, "inputs");
  } else {
    o->input_texts = option_texts(w, r, options, "inputs", &o->input_text_count);
  }
}

static void read_profiles(reading *w, json_reader *r, const json_at *options) {
  uint32_t count;
  const char *const *texts = option_texts(w, r, options, "profiles", &count);
  const char **list = arena_alloc(w->call->arena, ((size_t)count + 1) * sizeof *list);
  for (uint32_t i = 0; i < count; i++) list[i] = texts[i];
  list[count] = NULL;
  w->out->dims = SHAPE_STRUCT(shape_dims_options);
  w->out->dims.profiles = count ? list : NULL;
}

static void read_cost(reading *w, json_reader *r, const json_at *options) {
  shape_dims_options *cost = &w->out->dims;
  json_at at;
  cost->point = option_text(w, r, options, "point");
  w->out->over[0] = option_text(w, r, options, "over");
  cost->reuse = option_bool(r, options, "reuse");
  if (!json_get(r, options, "flops_per_byte", &at) || !json_present(&at)) return;
  if (cJSON_IsNumber(at.node) && at.node->valuedouble > 0) {
    cost->flops_per_byte = at.node->valuedouble;
  } else {
    json_fail(r, &at, "expected a number above 0");
  }
}

static void read_options(void *data) {
  reading *w = data;
  shape_budget budget;
  json_error error = {0};
  json_reader r;
  budget_init(&budget, w->call->arena, UINT64_MAX, w->call->stop);
  json_reader_init(&r, &budget, &error);
  json_at options = json_root("params.options", w->tree);
  w->out->options.argument_types = option_text(w, &r, &options, "arg_types");
  w->out->options.entry = option_text(w, &r, &options, "entry");
  read_inputs(w, &r, &options);
  w->out->emit_options.that = option_text(w, &r, &options, "that");
  w->out->options.warnings_are_errors = option_bool(&r, &options, "werror");
  w->out->options.refinable = option_bool(&r, &options, "refinable");
  w->out->details = option_bool(&r, &options, "verbose");
  w->out->options.assume_suggested = option_bool(&r, &options, "assume_suggested");
  w->out->options.strict = option_bool(&r, &options, "strict");
  w->out->options.opaque_names = option_bool(&r, &options, "opaque_names");
  w->out->options.certify = option_bool(&r, &options, "certify");
  w->out->options.assumptions =
      option_texts(w, &r, &options, "assume", &w->out->options.assumption_count);
  w->out->options.binding_texts =
      read_bindings(w, &r, &options, "bind", &w->out->options.binding_text_count);
  w->out->options.bound_texts =
      read_bindings(w, &r, &options, "bound", &w->out->options.bound_text_count);
  w->out->emit = option_text(w, &r, &options, "emit");
  w->out->profile = option_text(w, &r, &options, "profile");
  w->out->free = option_texts(w, &r, &options, "free", &w->out->free_count);
  w->out->emit_options.cleanup = option_bool(&r, &options, "cleanup");
  w->out->emit_options.passes = option_text(w, &r, &options, "passes");
  w->out->emit_options.generic = option_bool(&r, &options, "generic");
  w->out->emit_options.require_static = option_bool(&r, &options, "require_static");
  read_profiles(w, &r, &options);
  read_cost(w, &r, &options);
  w->out->dims.names = option_bool(&r, &options, "names");
  read_location(w, &r, &options);
  read_dynamism(w, &r, &options);
  read_limits(w, &r, &options);
  read_deadline(w, &r, &options);
  read_render(w, &r, &options);
  w->good = !r.failed || fail_with(w, &error);
}

// cJSON's tree is not the arena's: it is deleted whichever way the reading ends.
static bool take_options(reading *w) {
  json_error error;
  if (!w->options.length) return true;
  if (!json_parse(w->call->arena, &w->call->limits->json, w->options.text, w->options.length,
                  &w->tree, &error)) {
    return fail_with(w, &error);
  }
  shape_status status = arena_protect(w->call->arena, read_options, w);
  cJSON_Delete(w->tree);
  if (status != SHAPE_OK) arena_fail(w->call->arena, status);
  return w->good;
}

program_request program_request_new(method_call *call) {
  const method_limits *limits = call->limits;
  program_request q = {.call = call,
                       .name = "program",
                       .limits = SHAPE_STRUCT(shape_limits),
                       .options = SHAPE_STRUCT(shape_options),
                       .emit_options = SHAPE_STRUCT(shape_emit_options)};
  q.limits.memory = limits->memory;
  q.limits.steps = limits->steps;
  q.limits.bits = limits->bits;
  q.limits.elements = limits->elements;
  q.limits.nodes = limits->program.nodes;
  q.limits.rank = limits->program.rank;
  q.limits.abandon_at = limits->abandon_at;
  // What other threads, or a process that watches over this one, store and read.
  q.limits.stop = (const int *)call->stop;
  q.limits.progress = call->control ? (uint64_t *)&call->control->steps : NULL;
  return q;
}

bool program_request_read(method_call *call, program_request *out) {
  reading w = {.call = call, .side = "", .out = out};
  *out = program_request_new(call);
  if (!call->params.length) return refuse(&w, "params", "expected object");
  return read_params(&w, call->params) && take_options(&w);
}

// The program of one side, which has nothing of its own but how it is given and its name.
static bool read_side(reading *both, json_slice params, const char *side, program_request *out) {
  reading w = {.call = both->call, .side = side, .out = out};
  if (!params.length) return refuse(&w, "params", "the program is missing");
  if (!read_params(&w, params)) return false;
  return !w.options.length ||
         refuse(&w, "params.options", "options are given once, beside \"old\" and \"new\"");
}

bool program_request_read_two(method_call *call, program_request out[2]) {
  reading w = {.call = call, .side = "", .out = &out[0]};
  json_slice key, sides[2] = {{NULL, 0}, {NULL, 0}};
  json_cursor c;
  unsigned programs = 0;
  out[0] = out[1] = program_request_new(call);
  if (!call->params.length) return refuse(&w, "params", "expected object");
  cursor_init(&c, call->arena, call->params.text, call->params.length);
  if (!cursor_enter(&c, '{')) return refuse(&w, "params", "expected object");
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    if (slice_is(key, "old") || slice_is(key, "new")) {
      sides[slice_is(key, "new")] = params_value(&c);
    } else if (slice_is(key, "options") || slice_is(key, "progress_token")) {
      if (!read_member(&w, &c, key, &programs)) return false;
    } else {
      cursor_skip(&c);
    }
  }
  if (!take_options(&w)) return false;
  out[1] = out[0];
  return read_side(&w, sides[0], ".old", &out[0]) && read_side(&w, sides[1], ".new", &out[1]);
}
