// SPDX-License-Identifier: Apache-2.0
// analyze over JSON-RPC: parameters to a request of analyze.h, its answer to a result.
//
// The program is taken from the text of the parameters as it stands there: a graph is not made into a tree first, and
// its places are those that its author sees. Everything else is small and goes through cJSON.
#include "proto/methods/analyze.h"
#include "proto/methods/method.h"

#include <stdio.h>
#include <string.h>

#include "proto/json/read.h"
#include "proto/methods/base64.h"
#include "proto/json/utf8.h"

typedef struct analyze_work {
  method_call *call;
  analyze_request request;
  analyze_reply reply;
  shape_strbuf text;  // of the answer, where it is rendered
  bool render;
  json_slice options;
  cJSON *tree;
  bool good;
} analyze_work;

static bool refuse(analyze_work *w, const char *path, const char *why) {
  rpc_fail(w->call->failure, RPC_INVALID, "%s: %s", path, why);
  snprintf(w->call->failure->path, sizeof w->call->failure->path, "%s", path);
  return false;
}

static json_slice value_text(json_cursor *c) {
  cursor_peek(c);
  const char *from = c->at;
  cursor_skip(c);
  return (json_slice){from, (size_t)(c->at - from)};
}

// A string without NUL bytes, as a C string in the arena.
static const char *c_string(analyze_work *w, json_slice s) {
  if (s.length && memchr(s.text, 0, s.length)) return NULL;
  return arena_strndup(w->call->arena, s.text, s.length);
}

static bool read_blob(analyze_work *w, json_slice text) {
  size_t length;
  char *bytes = arena_alloc(w->call->arena, text.length / 4 * 3 + 3);
  if (!base64_decode(text.text, text.length, bytes, &length)) {
    return refuse(w, "params.blob", "this is not base64");
  }
  w->request.text = bytes;
  w->request.length = length;
  return true;
}

static bool read_member(analyze_work *w, json_cursor *c, json_slice key, unsigned *programs) {
  json_slice value;
  if (slice_is(key, "graph")) {
    if (cursor_peek(c) != '{') return refuse(w, "params.graph", "expected object");
    value = value_text(c);
    w->request.text = value.text;
    w->request.length = value.length;
    w->request.gated = true;  // with the whole request
    ++*programs;
  } else if (slice_is(key, "text")) {
    if (!cursor_string(c, &value)) return refuse(w, "params.text", "expected string");
    w->request.text = value.text;
    w->request.length = value.length;
    ++*programs;
  } else if (slice_is(key, "blob")) {
    if (!cursor_string(c, &value)) return refuse(w, "params.blob", "expected string");
    ++*programs;
    return read_blob(w, value);
  } else if (slice_is(key, "name")) {
    if (!cursor_string(c, &value)) return refuse(w, "params.name", "expected string");
    w->request.name = c_string(w, value);
    if (!w->request.name) return refuse(w, "params.name", "the text holds U+0000");
  } else if (slice_is(key, "options")) {
    w->options = value_text(c);
  } else {
    cursor_skip(c);
  }
  return true;
}

static bool read_params(analyze_work *w) {
  json_cursor c;
  json_slice key;
  unsigned programs = 0;
  cursor_init(&c, w->call->arena, w->call->params.text, w->call->params.length);
  if (!cursor_enter(&c, '{')) return refuse(w, "params", "expected object");
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    if (!read_member(w, &c, key, &programs)) return false;
  }
  if (programs == 1) return true;
  return refuse(w, "params", "give the program once: as \"text\", \"graph\" or \"blob\"");
}

// --- options

static const char *option_text(analyze_work *w, json_reader *r, const json_at *options,
                               const char *key) {
  json_at at;
  const char *text;
  size_t length;
  if (!json_get(r, options, key, &at) || !json_present(&at)) return NULL;
  if (!json_get_text(r, &at, &text, &length)) return NULL;
  return arena_strndup(w->call->arena, text, length);
}

static bool option_bool(json_reader *r, const json_at *options, const char *key) {
  json_at at;
  bool value = false;
  if (json_get(r, options, key, &at) && json_present(&at)) json_get_bool(r, &at, &value);
  return value;
}

static const char *const *option_texts(analyze_work *w, json_reader *r, const json_at *options,
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
static void read_bindings(analyze_work *w, json_reader *r, const json_at *options) {
  json_at at, member;
  if (!json_get(r, options, "bind", &at) || !json_present(&at)) return;
  if (!cJSON_IsObject(at.node)) {
    w->request.bindings = option_texts(w, r, options, "bind", &w->request.binding_count);
    return;
  }
  const char **list = arena_alloc(w->call->arena, (json_length(&at) + 1) * sizeof *list);
  for (bool more = json_first_member(r, &at, &member); more; more = json_next(&member)) {
    int64_t value;
    shape_strbuf text;
    if (!json_get_int(r, &member, INT64_MIN, INT64_MAX, &value)) return;
    strbuf_init(&text, w->call->arena);
    strbuf_printf(&text, "%s=%lld", member.key, (long long)value);
    list[w->request.binding_count++] = strbuf_text(&text);
  }
  w->request.bindings = list;
}

static bool fail_with(analyze_work *w, const json_error *error) {
  rpc_fail(w->call->failure, rpc_of_status(error->status), "%s", error->message);
  size_t length = strcspn(error->message, ":");
  if (error->message[length] && length < sizeof w->call->failure->path) {
    memcpy(w->call->failure->path, error->message, length);
    w->call->failure->path[length] = 0;
  }
  return false;
}

// Limits of the request may only be tighter than those of the server.
static void read_limits(analyze_work *w, json_reader *r, const json_at *options) {
  json_at at;
  int64_t value;
  if (json_get(r, options, "steps", &at) && json_present(&at) &&
      json_get_int(r, &at, 1, INT64_MAX, &value) && (uint64_t)value < w->request.limits.steps) {
    w->request.limits.steps = (uint64_t)value;
  }
  if (json_get(r, options, "memory", &at) && json_present(&at) &&
      json_get_int(r, &at, 1, INT64_MAX, &value) && (uint64_t)value < w->request.limits.memory) {
    w->request.limits.memory = (size_t)value;
  }
}

static void read_render(analyze_work *w, json_reader *r, const json_at *options) {
  json_at at;
  const char *text;
  size_t length;
  if (!json_get(r, options, "render", &at) || !json_present(&at) ||
      !json_get_text(r, &at, &text, &length))
    return;
  w->render = true;
  w->request.big_as_text = false;
  if (strcmp(text, "text") == 0 || strcmp(text, "colour") == 0) {
    w->request.output = ANALYZE_TEXT;
    w->request.colour = *text == 'c';
  } else if (strcmp(text, "json") != 0) {
    json_fail(r, &at, "expected \"text\", \"colour\" or \"json\"");
  }
}

static void read_options(void *data) {
  analyze_work *w = data;
  shape_budget budget;
  json_error error = {0};
  json_reader r;
  budget_init(&budget, w->call->arena, UINT64_MAX, w->call->stop);
  json_reader_init(&r, &budget, &error);
  json_at options = json_root("params.options", w->tree);
  w->request.argument_types = option_text(w, &r, &options, "arg_types");
  w->request.entry = option_text(w, &r, &options, "entry");
  w->request.that = option_text(w, &r, &options, "that");
  w->request.werror = option_bool(&r, &options, "werror");
  w->request.refinable = option_bool(&r, &options, "refinable");
  w->request.assumptions = option_texts(w, &r, &options, "assume", &w->request.assumption_count);
  read_bindings(w, &r, &options);
  read_limits(w, &r, &options);
  read_render(w, &r, &options);
  w->good = !r.failed || fail_with(w, &error);
}

// cJSON's tree is not the arena's: it is deleted whichever way the reading ends.
static bool take_options(analyze_work *w) {
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

// --- the answer

typedef struct answer_sink {
  shape_strbuf *out;
  const char *data;
  size_t length;
  bool full;
} answer_sink;

static void append(void *data) {
  answer_sink *sink = data;
  strbuf_add(sink->out, sink->data, sink->length);
}

// analyze() owns memory of its own while it calls this, so an arena that is full must not be left from here.
static void to_result(void *to, const char *data, size_t length) {
  answer_sink *sink = to;
  sink->data = data;
  sink->length = length;
  if (!sink->full) sink->full = arena_protect(sink->out->arena, append, sink) != SHAPE_OK;
}

static bool is_utf8(const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    uint32_t n = utf8_sequence((const unsigned char *)text + i, length - i);
    if (!n) return false;
    i += n;
  }
  return true;
}

static void write_rendered(analyze_work *w) {
  char name[48];
  json_writer out;
  json_writer_init(&out, w->call->out);
  json_begin_object(&out);
  json_key(&out, "status");
  json_string(&out, rpc_code_name(rpc_of_status(w->reply.status), name));
  json_key(&out, "errors");
  json_int(&out, w->reply.errors);
  if (w->request.that) {
    static const char *const ANSWERS[] = {
        [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
    json_key(&out, "answer");
    json_string(&out, ANSWERS[w->reply.answer]);
  }
  json_key(&out, "message");
  json_string(&out, w->reply.message);
  // A name in a program may hold any byte; what a terminal is to see is not changed on the way.
  if (is_utf8(w->text.data, w->text.length)) {
    json_key(&out, "text");
    json_text(&out, w->text.data, w->text.length);
  } else {
    json_key(&out, "base64");
    strbuf_putc(w->call->out, '"');
    strbuf_reserve(w->call->out, (size_t)w->text.length / 3 * 4 + 4);
    w->call->out->length += (uint32_t)base64_encode(w->text.data, w->text.length,
                                                    w->call->out->data + w->call->out->length);
    strbuf_putc(w->call->out, '"');
  }
  json_end_object(&out);
}

static bool answer_failure(analyze_work *w) {
  rpc_failure *failure = w->call->failure;
  rpc_fail(failure, rpc_of_status(w->reply.status), "%s",
           w->reply.message[0] ? w->reply.message : shape_status_message(w->reply.status));
  if (w->reply.status == SHAPE_INVALID)
    snprintf(failure->path, sizeof failure->path, "params.options");
  return false;
}

bool method_analyze(method_call *call) {
  const method_limits *limits = call->limits;
  analyze_work w = {.call = call};
  w.request = (analyze_request){.name = "program",
                                .output = ANALYZE_JSON,
                                .big_as_text = true,
                                .limits = {limits->memory, limits->steps, call->stop}};
  if (!call->params.length) return refuse(&w, "params", "expected object");
  if (!read_params(&w) || !take_options(&w)) return false;
  strbuf_init(&w.text, call->out->arena);
  answer_sink sink = {.out = w.render ? &w.text : call->out};
  analyze(&w.request, to_result, &sink, &w.reply);
  if (sink.full) arena_fail(call->out->arena, SHAPE_MEMORY);
  // Cancelled and late requests end with an error whoever asked.
  bool ended = w.reply.status == SHAPE_CANCELLED || w.reply.status == SHAPE_DEADLINE;
  if (ended || (!w.render && w.reply.status != SHAPE_OK)) return answer_failure(&w);
  if (w.render) {
    write_rendered(&w);
  } else if (call->out->length && call->out->data[call->out->length - 1] == '\n') {
    call->out->length--;
  }
  return true;
}
