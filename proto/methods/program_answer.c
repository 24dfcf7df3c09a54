// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/program_request.h"

#include <stdio.h>

#include "proto/methods/base64.h"
#include "solver/emit/diff.h"
#include "solver/formats/json/utf8.h"

typedef struct program_answer {
  method_call *call;
  analysis_reply reply;
  const shape_answer *answer;  // of a predicate, or NULL
  bool with_dynamic;           // what stays dynamic is part of the result
  shape_strbuf text;           // where it is rendered
  shape_strbuf dynamic;        // of refine: what stays dynamic, as members of a JSON array
} program_answer;

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

// An emitter owns memory of its own while it calls this, so an arena that is full must not be left from here.
static void to_result(void *to, const char *data, size_t length) {
  answer_sink *sink = to;
  sink->data = data;
  sink->length = length;
  if (!sink->full) sink->full = arena_protect(sink->out->arena, append, sink) != SHAPE_OK;
}

typedef struct dynamic_item {
  shape_strbuf *out;
  const dynamic_value *value;
} dynamic_item;

static void append_dynamic(void *data) {
  const dynamic_item *item = data;
  const dynamic_value *v = item->value;
  json_writer w;
  json_writer_init(&w, item->out);
  if (item->out->length) strbuf_puts(item->out, ", ");
  json_begin_object(&w);
  json_key(&w, "line");
  json_int(&w, v->line);
  json_key(&w, "column");
  json_int(&w, v->column);
  json_key(&w, "what");
  json_string(&w, v->what);
  json_key(&w, "type");
  json_string(&w, v->type);
  json_key(&w, "reason");
  json_string(&w, v->reason);
  json_end_object(&w);
}

static void to_dynamic(void *to, const dynamic_value *value) {
  answer_sink *sink = to;
  dynamic_item item = {sink->out, value};
  if (!sink->full) sink->full = arena_protect(sink->out->arena, append_dynamic, &item) != SHAPE_OK;
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
  json_key(&out, "status");
  json_string(&out, rpc_code_name(rpc_of_status(w->reply.status), name));
  json_key(&out, "errors");
  json_int(&out, w->reply.errors);
  if (w->answer) {
    static const char *const ANSWERS[] = {
        [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
    json_key(&out, "answer");
    json_string(&out, ANSWERS[*w->answer]);
  }
  json_key(&out, "message");
  json_string(&out, w->reply.message);
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
  if (w->with_dynamic && w->reply.status == SHAPE_OK) {
    strbuf_puts(w->call->out, ", \"dynamic\": [");
    strbuf_add(w->call->out, w->dynamic.data, w->dynamic.length);
    strbuf_putc(w->call->out, ']');
  }
  json_end_object(&out);
}

static bool answer_failure(program_answer *w) {
  rpc_failure *failure = w->call->failure;
  rpc_fail(failure, rpc_of_status(w->reply.status), "%s",
           w->reply.message[0] ? w->reply.message : shape_status_message(w->reply.status));
  failure->limit = w->reply.excess.limit;
  failure->limit_value = w->reply.excess.value;
  if (w->reply.status == SHAPE_INVALID)
    snprintf(failure->path, sizeof failure->path, "params.options");
  return false;
}

// Makes limits of the request those of the program; allocations of the program count on from those of the request.
static void take_limits(program_request *q) {
  const method_call *call = q->call;
  uint64_t fail_at = call->limits->fail_at, seen = call->arena->fault.seen;
  q->request.limits.abandon_at = call->limits->abandon_at;
  q->request.limits.fail_at = fail_at > seen ? fail_at - seen : 0;
}

static bool deliver(program_answer *w, const answer_sink *sink, bool asked, bool rendered) {
  shape_strbuf *out = w->call->out;
  if (sink->full) arena_fail(out->arena, SHAPE_MEMORY);
  // Cancelled and late requests end with an error for every client.
  bool ended = w->reply.status == SHAPE_CANCELLED || w->reply.status == SHAPE_DEADLINE;
  bool wrong = w->reply.status == SHAPE_INVALID && !asked;
  if (ended || wrong || (!rendered && w->reply.status != SHAPE_OK)) return answer_failure(w);
  if (rendered) {
    write_rendered(w);
  } else if (out->length && out->data[out->length - 1] == '\n') {
    out->length--;
  }
  return true;
}

bool program_request_emit(program_request *q, emit_choice choice, bool rendered,
                          const shape_answer *answer) {
  program_answer w = {.call = q->call, .answer = answer};
  strbuf_init(&w.text, q->call->out->arena);
  strbuf_init(&w.dynamic, q->call->out->arena);
  take_limits(q);
  answer_sink sink = {.out = rendered ? &w.text : q->call->out}, dynamic = {.out = &w.dynamic};
  bool specialised = q->request.argument_types || q->request.binding_count;
  if (choice.emitter == emit_as_mlir(NULL).emitter && specialised) {
    w.with_dynamic = true;
    q->program.dynamic = to_dynamic;
    q->program.dynamic_to = &dynamic;
  }
  emit_analyze(&q->request, choice, to_result, &sink, &w.reply);
  sink.full |= dynamic.full;
  return deliver(&w, &sink, q->render, rendered);
}

bool program_request_answer(program_request *q, const likely_point *points, uint32_t count) {
  bool big = !q->render;
  shape_answer answer = SHAPE_NO;
  const why_options why = {
      .that = q->that, .colour = q->colour, .big_as_text = big, .answer = &answer};
  const at_options at = {q->line, q->column, q->colour, big};
  const text_options text = {q->colour};
  const json_options json = {big, points, count};
  emit_choice choice = q->text ? emit_as_text(&text) : emit_as_json(&json);
  if (q->that) {
    choice = q->text ? emit_as_why(&why) : emit_as_why_json(&why);
  } else if (q->line) {
    choice = q->text ? emit_as_at(&at) : emit_as_at_json(&at);
  }
  return program_request_emit(q, choice, q->render, q->that ? &answer : NULL);
}

bool program_request_diff(program_request q[2]) {
  program_answer w = {.call = q->call};
  const diff_options options = {.json = !q->text, .colour = q->colour};
  diff_reply reply;
  strbuf_init(&w.text, q->call->out->arena);
  take_limits(&q[0]);
  take_limits(&q[1]);
  answer_sink sink = {.out = q->render ? &w.text : q->call->out};
  diff_programs(&q[0].request, &q[1].request, &options, to_result, &sink, &reply);
  w.reply.status = reply.status;
  w.reply.errors = reply.errors;
  w.reply.excess = reply.excess;
  snprintf(w.reply.message, sizeof w.reply.message, "%s", reply.message);
  return deliver(&w, &sink, q->render, q->render);
}
