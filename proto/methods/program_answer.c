// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/profile.h"
#include "proto/methods/program_request.h"

#include <assert.h>
#include <stdio.h>

#include <string.h>

#include "proto/json/text.h"
#include "proto/methods/base64.h"
#include "proto/methods/sink.h"

typedef struct program_answer {
  method_call *call;
  shape_status status;
  uint32_t errors;
  char message[sizeof(((shape_error *)0)->message)];  // empty where the status is OK
  const char *limit;                                  // of the program, where it is over one
  uint64_t limit_value;
  bool answers;  // a predicate
  shape_answer answer;
  bool with_dynamic;     // what stays dynamic is part of the result
  shape_strbuf text;     // where it is rendered
  shape_strbuf dynamic;  // of refine: what stays dynamic, as members of a JSON array
} program_answer;

typedef struct dynamic_item {
  shape_strbuf *out;
  const shape_dynamic *value;
} dynamic_item;

static void append_dynamic(void *data) {
  const dynamic_item *item = data;
  const shape_dynamic *v = item->value;
  json_writer w;
  json_writer_init(&w, item->out);
  if (item->out->length) strbuf_puts(item->out, ", ");
  json_begin_object(&w);
  json_put_int(&w, "line", v->line);
  json_put_int(&w, "column", v->column);
  json_put_string(&w, "what", v->what);
  json_put_string(&w, "type", v->type);
  json_put_string(&w, "reason", v->reason);
  json_end_object(&w);
}

static void to_dynamic(void *to, const shape_dynamic *value) {
  text_sink *sink = to;
  dynamic_item item = {sink->out, value};
  sink_add(sink, append_dynamic, &item);
}

static bool is_utf8(shape_arena *arena, const char *text, size_t length) {
  const char *end = text + length, *polled = text;
  for (const char *at = skip_text(arena, text, end); at < end; at = skip_plain(at, end)) {
    if (at - polled > POLL_BYTES) arena_poll(arena), polled = at;
    uint32_t n = utf8_sequence((const unsigned char *)at, (size_t)(end - at));
    if (!n) return false;
    at += n;
  }
  return true;
}

static void write_rendered(program_answer *w) {
  char name[48];
  json_writer out;
  json_writer_init(&out, w->call->out);
  json_begin_object(&out);
  json_put_string(&out, "status", rpc_code_name(rpc_of_status(w->status), name));
  json_put_int(&out, "errors", w->errors);
  if (w->answers) {
    static const char *const ANSWERS[] = {
        [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
    json_put_string(&out, "answer", ANSWERS[w->answer]);
  }
  json_put_string(&out, "message", w->message);
  // A name in a program may hold any byte; what a terminal is to see is not changed on the way.
  if (is_utf8(w->call->arena, w->text.data, w->text.length)) {
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
  if (w->with_dynamic && w->status == SHAPE_OK) {
    strbuf_puts(w->call->out, ", \"dynamic\": [");
    strbuf_add(w->call->out, w->dynamic.data, w->dynamic.length);
    strbuf_putc(w->call->out, ']');
  }
  json_end_object(&out);
}

static bool answer_failure(program_answer *w) {
  rpc_failure *failure = w->call->failure;
  rpc_fail(failure, rpc_of_status(w->status), "%s", w->message);
  failure->limit = w->limit;
  failure->limit_value = w->limit_value;
  if (w->status == SHAPE_INVALID) snprintf(failure->path, sizeof failure->path, "params.options");
  return false;
}

// Allocations of the program count on from those of the request.
static shape_program *load(program_request *q) {
  uint64_t fail_at = q->call->limits->fail_at, seen = q->call->arena->fault.seen;
  q->limits.fail_at = fail_at > seen ? fail_at - seen : 0;
  shape_program *p = shape_program_new(&q->limits);
  if (!p) return NULL;
  if (q->validated) {
    (void)shape_program_load_json(p, q->text, q->length, q->name);
  } else {
    // Bytes that are not a program are an error of their analysis.
    (void)shape_program_load(p, q->text, q->length, q->name);
  }
  return p;
}

static void take_status(program_answer *w, shape_status status, const shape_error *error,
                        const shape_program *p) {
  const char *message = error ? error->message : shape_status_message(status);
  w->status = status;
  snprintf(w->message, sizeof w->message, "%s", status == SHAPE_OK ? "" : message);
  w->limit = status == SHAPE_SIZE && p ? shape_program_limit(p, &w->limit_value) : NULL;
}

static bool deliver(program_answer *w, const text_sink *sink, bool asked, bool rendered) {
  shape_strbuf *out = w->call->out;
  sink_end(sink);
  // Cancelled and late requests end with an error for every client.
  bool ended = w->status == SHAPE_CANCELLED || w->status == SHAPE_DEADLINE;
  bool wrong = w->status == SHAPE_INVALID && !asked;
  if (ended || wrong || (!rendered && w->status != SHAPE_OK)) return answer_failure(w);
  if (rendered) {
    write_rendered(w);
  } else if (out->length && out->data[out->length - 1] == '\n') {
    out->length--;
  }
  return true;
}

bool program_request_emit(program_request *q, shape_format_family family, const char *form,
                          bool rendered) {
  program_answer w = {.call = q->call,
                      .answers = family == SHAPE_FORMAT_EXPLAIN ||
                                 (q->dims.profiles && family == SHAPE_FORMAT_ANSWER)};
  shape_format format;
  bool found = shape_format_find(family, form, &format);
  assert(found);
  (void)found;
  strbuf_init(&w.text, q->call->out->arena);
  strbuf_init(&w.dynamic, q->call->out->arena);
  text_sink sink = {.out = rendered ? &w.text : q->call->out}, dynamic = {.out = &w.dynamic};
  bool specialised = q->options.argument_types || q->options.binding_text_count;
  w.with_dynamic = specialised && strcmp(format.name, "mlir") == 0;
  q->emit_options.dynamic = w.with_dynamic ? to_dynamic : NULL;
  q->emit_options.dynamic_to = &dynamic;
  q->emit_options.dims = q->dims.struct_size ? &q->dims : NULL;
  q->emit_options.answer = &w.answer;
  q->emit_options.errors = &w.errors;
  q->options.keep_spans = format.needs_spans;
  // Nothing leaves through the arena before both are free: the sinks keep why they are not whole.
  shape_program *p = load(q);
  shape_analysis *a = p ? shape_program_analyze(p, &q->options) : NULL;
  shape_status status = SHAPE_MEMORY;
  if (a) status = shape_analysis_emit_with(a, format.name, &q->emit_options, sink_write, &sink);
  take_status(&w, status, a ? shape_analysis_error(a) : NULL, p);
  shape_analysis_free(a);
  shape_program_free(p);
  if (sink.status == SHAPE_OK) sink.status = dynamic.status;
  return deliver(&w, &sink, q->render, rendered);
}

void program_request_take_profile(program_request *q) {
  const method_host *host = q->call->host;
  json_slice name = {q->profile, q->profile ? strlen(q->profile) : 0};
  if (!name.length || name.length > PROFILE_NAME_MAX || !host || !host->profile_get) return;
  const profile_state *state =
      profile_read(q->call->arena, host->profile_get(host->data, q->call->arena, name));
  q->emit_options.seen = state->points;
  q->emit_options.seen_count = state->point_count;
}

bool program_request_answer(program_request *q) {
  const shape_emit_options *o = &q->emit_options;
  q->emit_options.big_as_text = !q->render;
  shape_format_family family = o->that   ? SHAPE_FORMAT_EXPLAIN
                               : o->line ? SHAPE_FORMAT_AT
                                         : SHAPE_FORMAT_ANSWER;
  bool details = q->details && family == SHAPE_FORMAT_ANSWER;
  const char *form = !q->as_text ? "json" : details ? "details" : "text";
  return program_request_emit(q, family, form, q->render);
}

bool program_request_generalize(program_request *q) {
  bool model = q->emit != NULL, rendered = model || q->render;
  program_answer w = {.call = q->call};
  strbuf_init(&w.text, q->call->out->arena);
  text_sink sink = {.out = rendered ? &w.text : q->call->out};
  shape_generalize_options options = SHAPE_STRUCT(shape_generalize_options);
  options.entry = q->options.entry;
  options.free = q->free;
  options.free_count = q->free_count;
  shape_program *p = load(q);
  shape_generalization *g = p ? shape_program_generalize(p, &options) : NULL;
  shape_status status = SHAPE_MEMORY;
  const char *format = model ? "model" : q->as_text ? "text" : "json";
  if (g) status = shape_generalization_emit(g, format, sink_write, NULL, &sink);
  if (g) w.errors = shape_generalization_error_count(g);
  take_status(&w, status, g ? shape_generalization_error(g) : NULL, p);
  shape_generalization_free(g);
  shape_program_free(p);
  return deliver(&w, &sink, false, rendered);
}

bool program_request_diff(program_request q[2]) {
  program_answer w = {.call = q->call};
  strbuf_init(&w.text, q->call->out->arena);
  text_sink sink = {.out = q->render ? &w.text : q->call->out};
  shape_program *before = load(&q[0]), *after = load(&q[1]);
  shape_status status = SHAPE_MEMORY;
  shape_diff diff = {0, 0};
  const char *format = !q->as_text ? "json" : q->emit_options.colour ? "colour" : "text";
  if (before && after)
    status = shape_program_diff(before, after, &q->options, format, sink_write, &sink, &diff);
  w.errors = diff.errors;
  take_status(&w, status, before && after ? shape_program_error(before) : NULL, before);
  shape_program_free(before);
  shape_program_free(after);
  return deliver(&w, &sink, q->render, q->render);
}
