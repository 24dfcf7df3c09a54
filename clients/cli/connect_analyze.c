// SPDX-License-Identifier: Apache-2.0
// An analysis by way of the daemon.
#include "clients/cli/connect.h"

#include <stdlib.h>
#include <string.h>

#include "clients/cli/options.h"
#include "proto/json/text.h"
#include "proto/methods/base64.h"

typedef struct analyze_work {
  daemon_link *link;
  const char *command;
  const analysis_setup *setup;
  const input *in;
  const check_query *query;
  FILE *out;
  daemon_outcome *done;
  shape_arena arena;
  int exit_status;
  bool good;
} analyze_work;

static void write_texts(json_writer *w, const char *key, const char *const *texts, uint32_t count) {
  if (!count) return;
  json_key_string(w, key);
  json_begin_array(w);
  for (uint32_t i = 0; i < count; i++) json_string(w, texts[i]);
  json_end_array(w);
}

static void write_options(json_writer *w, const analysis_setup *setup, const check_query *query) {
  const shape_options *q = &setup->options;
  const shape_limits *limits = &setup->limits;
  json_key_object(w, "options");
  json_key(w, "render");
  json_string(w, query->json ? "json" : query->colour ? "colour" : "text");
  if (query->verbose) {
    json_key(w, "verbose");
    json_bool(w, true);
  }
  if (q->argument_types) {
    json_key(w, "arg_types");
    json_string(w, q->argument_types);
  }
  if (q->entry) {
    json_key(w, "entry");
    json_string(w, q->entry);
  }
  if (query->that) {
    json_key(w, "that");
    json_string(w, query->that);
  }
  if (query->line) {
    json_key_object(w, "at");
    json_key(w, "line");
    json_int(w, query->line);
    json_key(w, "column");
    json_int(w, query->column);
    json_end_object(w);
  }
  if (q->inputs) {
    json_key(w, "inputs");
    json_string(w, q->inputs);
  } else {
    write_texts(w, "inputs", q->input_texts, q->input_text_count);
  }
  write_texts(w, "bind", q->binding_texts, q->binding_text_count);
  write_texts(w, "profiles", query->profiles, query->profile_count);
  write_texts(w, "assume", q->assumptions, q->assumption_count);
  const struct {
    const char *key;
    bool given;
  } flags[] = {{"werror", q->warnings_are_errors},        {"refinable", q->refinable},
               {"assume_suggested", q->assume_suggested}, {"strict", q->strict},
               {"opaque_names", q->opaque_names},         {"certify", q->certify}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    if (!flags[i].given) continue;
    json_key_string(w, flags[i].key);
    json_bool(w, true);
  }
  if (limits->steps) {
    json_key(w, "steps");
    json_int(w, (int64_t)limits->steps);
  }
  if (limits->memory) {
    json_key(w, "memory");
    json_int(w, (int64_t)limits->memory);
  }
  json_end_object(w);
}

static void write_params(analyze_work *work, shape_strbuf *out) {
  const input *in = work->in;
  json_writer w;
  json_writer_init(&w, out);
  json_begin_object(&w);
  json_key(&w, "name");
  json_string(&w, in->name);
  if (utf8_is_text(in->text, in->length)) {
    json_key(&w, "text");
    json_text(&w, in->text, in->length);
  } else {
    char *blob = arena_alloc(&work->arena, in->length / 3 * 4 + 8);
    json_key(&w, "blob");
    json_text(&w, blob, base64_encode(in->text, in->length, blob));
  }
  write_options(&w, work->setup, work->query);
  json_end_object(&w);
}

static json_slice string_member(analyze_work *w, json_slice object, const char *key) {
  json_cursor c;
  json_slice out = {"", 0}, json = daemon_member(object, key);
  cursor_init(&c, &w->arena, json.text, json.length);
  return cursor_string(&c, &out) ? out : (json_slice){"", 0};
}

static shape_status status_named(json_slice name) {
  char word[48];
  for (int i = 0; i < SHAPE_STATUS_COUNT; i++) {
    if (slice_is(name, rpc_code_name(rpc_of_status((shape_status)i), word))) return (shape_status)i;
  }
  return SHAPE_INTERNAL;
}

static void take_result(analyze_work *w, json_slice result) {
  json_slice text = string_member(w, result, "text"), blob = string_member(w, result, "base64");
  json_slice message = string_member(w, result, "message");
  json_slice errors = daemon_member(result, "errors");
  if (blob.length) {
    char *bytes = arena_alloc(&w->arena, blob.length / 4 * 3 + 3);
    if (base64_decode(blob.text, blob.length, bytes, &text.length)) text.text = bytes;
  }
  fwrite(text.text, 1, text.length, w->out);
  outcome *done = &w->done->outcome;
  done->status = status_named(string_member(w, result, "status"));
  done->errors = (uint32_t)strtoul(errors.length ? errors.text : "0", NULL, 10);
  json_slice answer = string_member(w, result, "answer");
  done->answer = slice_is(answer, "yes")       ? SHAPE_YES
                 : slice_is(answer, "unknown") ? SHAPE_UNKNOWN
                                               : SHAPE_NO;
  snprintf(w->done->message, sizeof w->done->message, "%.*s", (int)message.length, message.text);
  done->message = w->done->message;
  w->good = true;
}

static void run(void *data) {
  analyze_work *w = data;
  shape_strbuf params;
  daemon_reply reply;
  strbuf_init(&params, &w->arena);
  write_params(w, &params);
  w->exit_status = EXIT_NO_DAEMON;
  if (!daemon_call(w->link, "analyze", (json_slice){params.data, params.length}, &reply)) return;
  if (reply.error.length) {
    w->exit_status = daemon_error(w->command, reply.error);
  } else {
    take_result(w, reply.result);
  }
}

bool daemon_analyze(daemon_link *link, const char *command, const analysis_setup *setup,
                    const input *in, const check_query *query, FILE *out, daemon_outcome *done,
                    int *exit_status) {
  analyze_work w = {.link = link,
                    .command = command,
                    .setup = setup,
                    .in = in,
                    .query = query,
                    .out = out,
                    .done = done};
  memset(done, 0, sizeof *done);
  arena_init(&w.arena, 0);
  if (arena_protect(&w.arena, run, &w) != SHAPE_OK) {
    fprintf(stderr, "shape %s: out of memory\n", command);
    w.exit_status = EXIT_NO_ANSWER;
  }
  arena_destroy(&w.arena);
  *exit_status = w.exit_status;
  return w.good;
}
