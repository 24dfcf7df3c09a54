// SPDX-License-Identifier: Apache-2.0
#include "solver/analysis/analysis.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/formats.h"
#include "solver/formats/mlir/mlir.h"
#include "solver/report/suggest.h"

bool analysis_refuse(analysis *a, const char *format, ...) {
  if (a->reply->status != SHAPE_OK) return false;
  a->reply->status = SHAPE_INVALID;
  va_list args;
  va_start(args, format);
  vsnprintf(a->reply->message, sizeof a->reply->message, format, args);
  va_end(args);
  return false;
}

bool analysis_is_valid(const analysis *a) {
  const shape_report *report = a->program ? shape_run_report(a->program) : NULL;
  return report && report->infer && !shape_run_errors(a->program);
}

// --- readers

static shape_status read_format(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  analysis *a = data;
  const analysis_request *q = a->request;
  const format_options options = {.validated = q->validated,
                                  .text_later = a->text_later && !q->mode.prepare,
                                  .uses = a->with_spans ? &a->uses : NULL,
                                  .statements = a->with_spans ? &a->statements : NULL,
                                  .beside = q->beside};
  const graph_format given = g->format;
  assert(g->budget == budget);
  format_read(g, &options);
  // What is compressed is known now, if it could be expanded.
  const graph_format known = given == GRAPH_COMPRESSED ? g->format : given;
  bool has_inputs = q->beside.inputs || q->beside.input_count;
  if (has_inputs && known != GRAPH_FX && known != GRAPH_COMPRESSED)
    analysis_refuse(a, "inputs are those of an FX graph, the program is %s",
                    GRAPH_FORMATS[known].name);
  if (q->mode.prepare && !g->diags.errors) q->mode.prepare(g, q->mode.prepare_data);
  return SHAPE_OK;
}

static shape_status read_nothing(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  diag_add(&g->diags, DIAG_ERROR, "format", (source_span){0, 0}, "%s", (const char *)data);
  return SHAPE_OK;
}

static shape_status read_program(analysis *a, shape_run *p) {
  // What came through json_validate is JSON.
  const analysis_request *q = a->request;
  graph_format format = q->validated ? GRAPH_JSON : q->format;
  const char *advice = NULL;
  assert(!q->recognised || q->format < GRAPH_FORMATS_END);
  if (!q->validated && !q->recognised && !format_of(q->text, q->length, &format, &advice))
    return shape_run_read(p, GRAPH_MLIR, read_nothing, (void *)advice);
  return shape_run_read(p, format, read_format, a);
}

// --- parameters

static void take_argument_types(shape_run *p, void *data) {
  analysis *a = data;
  const char *text = a->request->argument_types, *error = NULL;
  size_t at = 0;
  const type_id *types = NULL;
  uint32_t count = 0;
  if (!mlir_parse_type_list(shape_run_graph(p), text, strlen(text), &types, &count, &error, &at)) {
    analysis_refuse(a, "argument types, byte %zu: %s", at,
                    error ? error : "expected a type such as tensor<?x4xf32>");
    return;
  }
  a->options.argument_types = types;
  a->options.argument_count = count;
}

static bool take_binding(analysis *a, const char *item, size_t length, run_binding *out,
                         shape_budget *budget) {
  const char *equals = memchr(item, '=', length);
  num value;
  if (!equals || equals == item) {
    analysis_refuse(a, "binding '%.*s': expected NAME=N", (int)length, item);
    return false;
  }
  size_t digits = length - (size_t)(equals + 1 - item);
  *out = (run_binding){item, (size_t)(equals - item), 0};
  if (!num_parse(budget, equals + 1, digits, &value) || !num_to_int(value, &out->value)) {
    analysis_refuse(a, "binding '%.*s': '%.*s' is no integer of 64 bits", (int)length, item,
                    (int)digits, equals + 1);
    return false;
  }
  return true;
}

static uint32_t take_list(analysis *a, shape_run *p, const char *const *texts, uint32_t text_count,
                          const run_binding **out) {
  shape_arena *arena = shape_run_graph(p)->arena;
  uint32_t most = 0;
  for (uint32_t i = 0; i < text_count; i++) {
    most++;
    for (const char *c = texts[i]; *c; c++) most += *c == ',';
  }
  run_binding *list = arena_alloc(arena, (most + 1) * sizeof *list);
  uint32_t count = 0;
  for (uint32_t i = 0; i < text_count; i++) {
    for (const char *item = texts[i];;) {
      size_t length = strcspn(item, ",");
      assert(count < most);
      if (!take_binding(a, item, length, &list[count++], shape_run_budget(p))) return 0;
      if (!item[length]) break;
      item += length + 1;
    }
  }
  *out = list;
  return count;
}

static void take_bindings(shape_run *p, void *data) {
  analysis *a = data;
  const analysis_request *q = a->request;
  a->options.binding_count = take_list(a, p, q->bindings, q->binding_count, &a->options.bindings);
  a->options.bound_count = take_list(a, p, q->bounds, q->bound_count, &a->options.bounds);
}

// --- the whole

static void locate_diagnostics(shape_run *p, void *data) {
  (void)data;
  shape_run_locate(p);
}

// What the report suggests, as texts in the arena of the program that is analysed under it.
typedef struct suggested {
  const report_suggestion *found;
  analysis *a;
} suggested;

static void find_suggestion(shape_run *p, void *data) {
  suggested *s = data;
  s->found = report_suggest(shape_run_report(p));
}

static void copy_assumptions(shape_run *p, void *data) {
  suggested *s = data;
  shape_arena *arena = shape_run_graph(p)->arena;
  const run_options given = s->a->options;
  uint32_t count = given.assumption_count + s->found->assume_count;
  const char **texts = arena_alloc(arena, (count + 1) * sizeof *texts);
  s->a->options.assumptions = texts;
  s->a->options.assumption_count = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t added = i - given.assumption_count;
    const char *text = i < given.assumption_count ? given.assumptions[i] : s->found->assume[added];
    texts[i] = arena_strndup(arena, text, strlen(text));
  }
}

// under: a suggestion to take; NULL: none.
static bool run(analysis *a, suggested *under) {
  const analysis_request *q = a->request;
  analysis_reply *reply = a->reply;
  shape_run *p = a->program;
  shape_status status = read_program(a, p);
  if (status == SHAPE_OK && !program_within(&q->program, shape_run_graph(p), &reply->excess)) {
    reply->status = SHAPE_SIZE;
    snprintf(reply->message, sizeof reply->message, "%s", reply->excess.message);
    return false;
  }
  if (status == SHAPE_OK && q->argument_types) {
    status = shape_run_protect(p, take_argument_types, a);
  }
  if (status == SHAPE_OK && (q->binding_count || q->bound_count))
    status = shape_run_protect(p, take_bindings, a);
  if (status == SHAPE_OK && under) status = shape_run_protect(p, copy_assumptions, under);
  if (status == SHAPE_OK && reply->status == SHAPE_OK) {
    status = shape_run_analyze(p, &a->options);
  }
  if (status == SHAPE_OK && reply->status == SHAPE_OK)
    status = shape_run_protect(p, locate_diagnostics, NULL);
  if (reply->status == SHAPE_OK) reply->status = status;
  if (reply->status == SHAPE_OK) reply->errors = shape_run_errors(p);
  return reply->status == SHAPE_OK;
}

// Once more, under what the last analysis suggests. Where that ends with errors the last one counts. *more: it did not.
static bool run_round(analysis *a, bool *more) {
  suggested s = {.a = a};
  analysis_reply *reply = a->reply;
  shape_run *last = a->program;
  const run_options given = a->options;
  *more = false;
  if (!analysis_is_valid(a)) return true;
  reply->status = shape_run_protect(last, find_suggestion, &s);
  if (reply->status != SHAPE_OK) return false;
  if (!s.found) return true;
  a->program = shape_run_new(a->request->text, a->request->length, &a->request->limits);
  if (!a->program) reply->status = SHAPE_MEMORY;
  bool ok = a->program && run(a, &s);
  if (!ok || !reply->errors) {
    shape_run_free(last);
    *more = ok;
    return ok;
  }
  shape_run_free(a->program);
  a->program = last;
  a->options = given;
  reply->errors = 0;
  return true;
}

// Operations after one of which the shape was open are seen only where that is settled: they may need more.
enum { SUGGESTED_ROUNDS = 3 };

static bool run_suggested(analysis *a) {
  bool more = true;
  for (uint32_t i = 0; i < SUGGESTED_ROUNDS && more; i++) {
    if (!run_round(a, &more)) return false;
  }
  return true;
}

static bool open(analysis *a) {
  const analysis_request *request = a->request;
  a->options = (run_options){.assumptions = request->assumptions,
                             .assumption_count = request->assumption_count,
                             .entry = request->entry,
                             .warnings_are_errors = request->werror,
                             .must_be_refinable = request->refinable,
                             .find_bounds = request->find_bounds,
                             .whole_regions = request->mode.whole_regions,
                             .strict = request->mode.strict,
                             .alone = request->alone,
                             .certify = request->certify,
                             .understood = request->understood};
  a->program = shape_run_new(request->text, request->length, &request->limits);
  if (a->program) return run(a, NULL) && (!request->mode.suggested || run_suggested(a));
  a->reply->status = SHAPE_MEMORY;
  return false;
}

bool analysis_open(analysis *a, const analysis_request *request, bool with_spans,
                   analysis_reply *reply) {
  *a = (analysis){.request = request, .reply = reply, .with_spans = with_spans};
  return open(a);
}

bool analysis_open_later(analysis *a, const analysis_request *request, bool with_spans,
                         analysis_reply *reply) {
  *a = (analysis){
      .request = request, .reply = reply, .with_spans = with_spans, .text_later = !with_spans};
  return open(a);
}

void analysis_close(analysis *a) {
  if (a->program) shape_run_free(a->program);
  a->program = NULL;
}
