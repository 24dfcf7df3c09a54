// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/program_request.h"

#include <stdio.h>

#include "proto/json/utf8.h"
#include "proto/methods/base64.h"

typedef struct program_answer {
  method_call *call;
  const analyze_request *request;
  analyze_reply reply;
  shape_strbuf text;  // where it is rendered
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

static void write_rendered(program_answer *w) {
  char name[48];
  json_writer out;
  json_writer_init(&out, w->call->out);
  json_begin_object(&out);
  json_key(&out, "status");
  json_string(&out, rpc_code_name(rpc_of_status(w->reply.status), name));
  json_key(&out, "errors");
  json_int(&out, w->reply.errors);
  if (w->request->that) {
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

static bool answer_failure(program_answer *w) {
  rpc_failure *failure = w->call->failure;
  rpc_fail(failure, rpc_of_status(w->reply.status), "%s",
           w->reply.message[0] ? w->reply.message : shape_status_message(w->reply.status));
  if (w->reply.status == SHAPE_INVALID)
    snprintf(failure->path, sizeof failure->path, "params.options");
  return false;
}

bool program_request_answer(program_request *q, bool rendered) {
  method_call *call = q->call;
  program_answer w = {.call = call, .request = &q->request};
  strbuf_init(&w.text, call->out->arena);
  // Allocations of the program count on from those of the request.
  uint64_t fail_at = call->limits->fail_at, seen = call->arena->fault.seen;
  q->request.limits.abandon_at = call->limits->abandon_at;
  q->request.limits.fail_at = fail_at > seen ? fail_at - seen : 0;
  answer_sink sink = {.out = rendered ? &w.text : call->out};
  analyze(&q->request, to_result, &sink, &w.reply);
  if (sink.full) arena_fail(call->out->arena, SHAPE_MEMORY);
  // Cancelled and late requests end with an error whoever asked.
  bool ended = w.reply.status == SHAPE_CANCELLED || w.reply.status == SHAPE_DEADLINE;
  bool wrong = w.reply.status == SHAPE_INVALID && !q->render;
  if (ended || wrong || (!rendered && w.reply.status != SHAPE_OK)) return answer_failure(&w);
  if (rendered) {
    write_rendered(&w);
  } else if (call->out->length && call->out->data[call->out->length - 1] == '\n') {
    call->out->length--;
  }
  return true;
}
