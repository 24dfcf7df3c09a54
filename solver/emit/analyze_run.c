// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/analyze.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/emit/analysis.h"
#include "solver/emit/arg_conflict.h"
#include "solver/emit/disc_shape.h"
#include "solver/emit/draw.h"
#include "solver/emit/encode.h"
#include "solver/emit/explain.h"
#include "solver/emit/explain_at.h"
#include "solver/emit/guard_code.h"
#include "solver/emit/refute.h"
#include "solver/emit/smt.h"
#include "solver/emit/summary.h"
#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/json/validate.h"
#include "solver/formats/mlir/mlir.h"
#include "solver/formats/onnx/onnx.h"
#include "solver/formats/onnx/refine.h"
#include "solver/formats/sniff.h"
#include "solver/report/render.h"
#include "solver/transform/fit.h"

static void refuse(analysis *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void refuse(analysis *a, const char *format, ...) {
  if (a->reply->status != SHAPE_OK) return;
  a->reply->status = SHAPE_INVALID;
  va_list args;
  va_start(args, format);
  vsnprintf(a->reply->message, sizeof a->reply->message, format, args);
  va_end(args);
}

// --- readers

static shape_status read_mlir(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  analysis *a = data;
  analyze_output output = a->request->output;
  bool places = output == ANALYZE_REFINED || output == ANALYZE_DISC || a->request->line;
  return places ? mlir_read_uses(g, &a->uses) : mlir_read(g);
}

static shape_status read_json(struct shape_graph *g, struct shape_budget *budget, void *data) {
  const analyze_request *request = data;
  json_error error;
  const char *clean;
  size_t length;
  if (!request->validated &&
      !json_validate(g->arena, NULL, g->source.text, g->source.length, &clean, &length, &error)) {
    uint32_t at = (uint32_t)error.offset;
    diag_add(&g->diags, DIAG_ERROR, error.status == SHAPE_DEPTH ? "depth" : "syntax",
             (source_span){at, at}, "%s", error.message);
    return SHAPE_OK;
  }
  // The decoder reads integers of any length itself, from the text as it came, so that its places are right.
  graph_json_decode(g, budget);
  return SHAPE_OK;
}

static shape_status read_onnx(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  const analyze_request *q = data;
  onnx_read(g, g->source.text, g->source.length, &(onnx_options){q->external, q->external_data});
  return SHAPE_OK;
}

static shape_status read_nothing(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  diag_add(&g->diags, DIAG_ERROR, "format", (source_span){0, 0}, "%s", (const char *)data);
  return SHAPE_OK;
}

static shape_status read_program(analysis *a, shape_run *p) {
  // What came through the gate is JSON.
  sniff_kind kind =
      a->request->validated ? SNIFF_JSON : sniff(a->request->text, a->request->length);
  const char *advice = sniff_advice(kind);
  if (advice) return shape_run_read(p, RUN_MLIR, read_nothing, (void *)advice);
  switch (kind) {
  case SNIFF_JSON: return shape_run_read(p, RUN_JSON, read_json, (void *)a->request);
  case SNIFF_ONNX: return shape_run_read(p, RUN_ONNX, read_onnx, (void *)a->request);
  default: return shape_run_read(p, RUN_MLIR, read_mlir, a);
  }
}

// --- parameters

static void take_argument_types(shape_run *p, void *data) {
  analysis *a = data;
  const char *text = a->request->argument_types, *error = NULL;
  size_t at = 0;
  const type_id *types = NULL;
  uint32_t count = 0;
  if (!mlir_parse_type_list(shape_run_graph(p), text, strlen(text), &types, &count, &error, &at)) {
    refuse(a, "argument types, byte %zu: %s", at, error ? error : "this is no type");
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
    refuse(a, "binding '%.*s': expected NAME=N", (int)length, item);
    return false;
  }
  size_t digits = length - (size_t)(equals + 1 - item);
  *out = (run_binding){item, (size_t)(equals - item), 0};
  if (!num_parse(budget, equals + 1, digits, &value) || !num_to_int(value, &out->value)) {
    refuse(a, "binding '%.*s': '%.*s' is no integer of 64 bits", (int)length, item, (int)digits,
           equals + 1);
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
  const analyze_request *q = a->request;
  a->options.binding_count = take_list(a, p, q->bindings, q->binding_count, &a->options.bindings);
  a->options.bound_count = take_list(a, p, q->bounds, q->bound_count, &a->options.bounds);
}

// --- answers

static void render_errors(analysis *a, shape_report *report, shape_strbuf *out) {
  render_options options = {a->request->name, a->request->colour};
  for (uint32_t i = 0; i < report->diag_count; i++) {
    if (report->diags[i]->severity == DIAG_ERROR)
      render_diag(report, out, report->diags[i], &options);
  }
}

static void write_guards(shape_report *report, analyze_output output, shape_strbuf *out) {
  report_checks *checks = report_checks_make(report);
  switch (output) {
  case ANALYZE_GUARDS_C: guard_code_c(report, checks, out); return;
  case ANALYZE_GUARDS_PYTHON: guard_code_python(report, checks, out); return;
  default: guard_code_mlir(report, checks, out); return;
  }
}

static bool writes_mlir(analyze_output output) {
  return output == ANALYZE_REFINED || output == ANALYZE_GUARDS_MLIR || output == ANALYZE_DISC;
}

static void copy_to_sink(void *to, size_t begin, size_t end) {
  analysis *a = to;
  if (a->request->copy) {
    a->request->copy(a->to, begin, end);
  } else {
    a->sink(a->to, a->request->text + begin, end - begin);
  }
}

static void write_to_sink(void *to, const char *data, size_t length) {
  analysis *a = to;
  a->sink(a->to, data, length);
}

// False: there are none, and `out` has the error.
static bool fit(analysis *a, shape_run *p, shape_report *report, shape_strbuf *out,
                fit_result *fitted) {
  const analyze_request *q = a->request;
  const shape_graph *g = report->graph;
  fit_request request = {.report = report,
                         .uses = &a->uses,
                         .format = q->output == ANALYZE_DISC   ? GRAPH_MLIR
                                   : q->output == ANALYZE_ONNX ? GRAPH_ONNX
                                                               : GRAPH_JSON,
                         .entry = q->entry,
                         .steps = q->limits.steps ? q->limits.steps : SHAPE_STEPS_DEFAULT,
                         .budget = shape_run_budget(p),
                         .specialised = q->argument_types || q->binding_count || q->bound_count};
  *fitted = fit_types(&request);
  if (!fitted->refused) return true;
  source_position at = {1, 1};
  if (fitted->op != ID_NONE) at = graph_position(g, g->ops[fitted->op].name_span);
  strbuf_printf(out, "%s:%u:%u: error: without the values that are given it has an error: %s\n",
                q->name, at.line, at.column, fitted->refused);
  a->reply->errors = 1;
  return false;
}

// Programs with other types.
static void write_types(analysis *a, shape_run *p, shape_report *report, shape_strbuf *out) {
  const analyze_request *q = a->request;
  fit_result fitted;
  if (!fit(a, p, report, out, &fitted)) return;
  if (q->require_static && (a->reply->errors = refine_list_dynamic(fitted.types, q->name, out)))
    return;
  if (q->output == ANALYZE_ONNX) {
    const bool *keeps = fitted.kept ? fit_kept_values(report->graph, fitted.kept) : NULL;
    onnx_refine(report, keeps, &(onnx_sink){a, write_to_sink, copy_to_sink});
  } else if (q->output == ANALYZE_DISC) {
    emit_disc_shape(report, fitted.types, &a->uses, out);
  } else {
    refine_graph(fitted.types);
    refine_facts(report);
    graph_json_encode(report->graph, out);
  }
}

static void write_program(analysis *a, shape_run *p, shape_report *report, shape_strbuf *out) {
  const analyze_request *q = a->request;
  shape_graph *g = shape_run_graph(p);
  if (writes_mlir(q->output) && g->format != GRAPH_MLIR) {
    refuse(a, "only MLIR is written back as text; --emit json writes any program");
  } else if (q->output == ANALYZE_ONNX && g->format != GRAPH_ONNX) {
    refuse(a, "only ONNX models are written back as ONNX");
  } else if (shape_run_errors(p) || !report->infer) {
    render_errors(a, report, out);
  } else if (q->output == ANALYZE_SMT2) {
    report_smt(report, out);
  } else if (q->output >= ANALYZE_GUARDS_MLIR && q->output != ANALYZE_ONNX) {
    write_guards(report, q->output, out);
  } else {
    write_types(a, p, report, out);
  }
}

static void write_explanation(analysis *a, shape_report *report, shape_strbuf *out) {
  const analyze_request *q = a->request;
  explanation *e = arena_alloc(report->graph->arena, sizeof *e);
  report_explain(report, q->that, e);
  if (e->run && !q->is_confirmation) {
    const char *claim = arena_strndup(report->graph->arena, e->claim.text, e->claim.length);
    e->confirmed = refute_confirms(q, e->run, claim, report->graph->arena);
    if (e->confirmed) e->answer = SHAPE_NO;
  }
  a->reply->answer = e->answer;
  if (e->error) {
    refuse(a, "'%s', byte %zu: %s", q->that, e->error_at, e->error);
  } else if (q->output == ANALYZE_JSON) {
    json_writer w;
    json_writer_init(&w, out);
    w.big_as_text = q->big_as_text;
    explain_encode(report, q->that, e, &w);
    strbuf_putc(out, '\n');
  } else {
    explain_render(report, q->that, e, &(render_options){q->name, q->colour}, out);
  }
}

static void write_place(analysis *a, shape_run *p, shape_report *report, shape_strbuf *out) {
  const analyze_request *q = a->request;
  at_explanation e;
  uint32_t offset;
  if (!place_offset(report->graph, q->line, q->column, &offset)) {
    refuse(a, "there is no place %u:%u in the text", q->line, q->column);
  } else if (!explain_at(a, p, offset, &e)) {
    refuse(a, "nothing that has sizes stands at %u:%u", q->line, q->column);
  } else if (q->output == ANALYZE_JSON) {
    json_writer w;
    json_writer_init(&w, out);
    explain_at_encode(report, &e, &w);
    strbuf_putc(out, '\n');
  } else {
    explain_at_render(report, &e, &(render_options){q->name, q->colour}, out);
  }
}

static void write_violated(analysis *a, shape_run *p, shape_report *report, shape_strbuf *out) {
  const analyze_request *q = a->request;
  json_writer w;
  if (shape_run_errors(p) || !report->infer) {
    refuse(a, "the program has errors; analyze says which");
    return;
  }
  json_writer_init(&w, out);
  w.big_as_text = q->big_as_text;
  likely_check(likely_new(report, q->points, q->point_count), &w, q->violated);
}

static void write_drawing(analysis *a, shape_run *p, shape_report *report, shape_strbuf *out) {
  if (shape_run_errors(p) || !report->infer) {
    render_errors(a, report, out);
    return;
  }
  const char *problem = draw_graph(report, a->request, out);
  if (problem) refuse(a, "%s", problem);
}

static void write_answer(shape_run *p, void *data) {
  analysis *a = data;
  shape_report *report = shape_run_report(p);
  shape_strbuf out;
  strbuf_init_sink(&out, shape_run_graph(p)->arena, a->sink, a->to);
  // Of a program with errors there is nothing to explain but these.
  if (a->request->output == ANALYZE_VIOLATED) {
    write_violated(a, p, report, &out);
  } else if (a->request->output == ANALYZE_SUMMARY) {
    json_writer w;
    json_writer_init(&w, &out);
    summary_encode(report, &w);
  } else if (a->request->output >= ANALYZE_DRAW_DOT) {
    write_drawing(a, p, report, &out);
  } else if (a->request->output > ANALYZE_TEXT) {
    write_program(a, p, report, &out);
  } else if (a->request->that && report->infer && !shape_run_errors(p)) {
    write_explanation(a, report, &out);
  } else if (a->request->line && report->infer && !shape_run_errors(p)) {
    write_place(a, p, report, &out);
  } else if (a->request->output == ANALYZE_JSON) {
    json_writer w;
    json_writer_init(&w, &out);
    w.big_as_text = a->request->big_as_text;
    const analyze_request *q = a->request;
    bool seen = q->point_count && report->infer;
    report_encode_likely(report, seen ? likely_new(report, q->points, q->point_count) : NULL, &w);
    strbuf_putc(&out, '\n');
  } else {
    report_render(report, &out, &(render_options){a->request->name, a->request->colour});
  }
  strbuf_flush(&out);
}

typedef struct failure {
  analysis *a;
  shape_arena arena;
} failure;

static void write_failure_body(void *data) {
  failure *f = data;
  const analysis *a = f->a;
  shape_strbuf out;
  strbuf_init_sink(&out, &f->arena, a->sink, a->to);
  if (a->request->output == ANALYZE_JSON) {
    json_writer w;
    json_writer_init(&w, &out);
    char code[32];
    const char *name = shape_status_name(a->reply->status);
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof code; n++) {
      code[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] + 32 : name[n]);
    }
    code[n] = 0;
    report_encode_failure(&w, code, 1, 1, a->reply->message);
    strbuf_putc(&out, '\n');
  } else {
    strbuf_printf(&out, "%s: error: %s\n", a->request->name, a->reply->message);
  }
  strbuf_flush(&out);
}

// Even where memory ran out an answer says so: it has an arena of its own.
static void write_failure(analysis *a) {
  failure f = {.a = a};
  if (!*a->reply->message) {
    snprintf(a->reply->message, sizeof a->reply->message, "%s",
             shape_status_message(a->reply->status));
  }
  arena_init(&f.arena, 0);
  arena_protect(&f.arena, write_failure_body, &f);
  arena_destroy(&f.arena);
}

static void count_open(shape_run *p, void *data) {
  analysis *a = data;
  const report_checks *checks = report_checks_make(shape_run_report(p));
  a->reply->open = checks->open_count + shape_run_report(p)->guards.count;
}

bool analysis_run(analysis *a, shape_run *p) {
  const analyze_request *q = a->request;
  analyze_reply *reply = a->reply;
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
  if (status == SHAPE_OK && reply->status == SHAPE_OK) {
    status = shape_run_analyze(p, &a->options);
  }
  if (reply->status == SHAPE_OK) reply->status = status;
  if (reply->status == SHAPE_OK) reply->errors = shape_run_errors(p);
  return reply->status == SHAPE_OK;
}

static void run(analysis *a, shape_run *p) {
  if (!analysis_run(a, p)) return;
  const shape_report *report = shape_run_report(p);
  if (a->reply->errors && a->options.argument_types && report->infer) arg_conflict_report(a, p);
  bool is_text = shape_run_graph(p)->format == GRAPH_MLIR;
  if (a->request->output == ANALYZE_REFINED && is_text && !a->reply->errors && report->infer) {
    refine_stages(a, p);
    return;
  }
  if (a->request->is_confirmation) shape_run_protect(p, count_open, a);
  shape_status status = shape_run_protect(p, write_answer, a);
  if (a->reply->status == SHAPE_OK) a->reply->status = status;
}

void analyze(const analyze_request *request, analyze_sink *sink, void *to, analyze_reply *reply) {
  memset(reply, 0, sizeof *reply);
  analysis a = {.request = request, .reply = reply, .sink = sink, .to = to};
  a.options = (run_options){.assumptions = request->assumptions,
                            .assumption_count = request->assumption_count,
                            .entry = request->entry,
                            .warnings_are_errors = request->werror,
                            .must_be_refinable = request->refinable,
                            .find_bounds = request->dynamism == DYNAMISM_BOUNDED,
                            .certify = request->certify};
  shape_run *p = shape_run_new(request->text, request->length, &request->limits);
  if (p) {
    run(&a, p);
    shape_run_free(p);
  } else {
    reply->status = SHAPE_MEMORY;
  }
  if (reply->status != SHAPE_OK && reply->status != SHAPE_INVALID) write_failure(&a);
}

int analyze_exit_status(const analyze_reply *reply) {
  switch (reply->status) {
  case SHAPE_OK: return reply->errors ? 1 : 0;
  case SHAPE_INVALID: return 2;
  case SHAPE_MEMORY:
  case SHAPE_BUDGET:
  case SHAPE_BITS:
  case SHAPE_DEADLINE: return 4;
  case SHAPE_CANCELLED: return 130;
  default: return 1;
  }
}
