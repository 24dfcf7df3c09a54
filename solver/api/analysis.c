// SPDX-License-Identifier: Apache-2.0
#include "solver/api/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/analysis/arg_conflict.h"
#include "solver/graph/address.h"
#include "solver/report/report.h"

// --- making

// Identifiers are those of building where parts were added in the order of a text.
static bool is_in_order(const shape_analysis *a) {
  const shape_graph *from = a->program->graph, *to = a->report->graph;
  if (!a->program->built) return true;
  bool same = from->op_count == to->op_count && from->value_count == to->value_count;
  for (op_id i = 0; same && i < from->op_count; i++) {
    const graph_op *x = &from->ops[i], *y = &to->ops[i];
    same = x->result_count == y->result_count && x->operand_count == y->operand_count &&
           (!x->result_count || x->results == y->results) &&
           strcmp(graph_op_name(from, i), graph_op_name(to, i)) == 0;
  }
  return same;
}

static void end_analysis(shape_analysis *a) {
  a->report = a->core.program ? shape_run_report(a->core.program) : NULL;
  a->program->excess = a->reply.excess;
  assert(a->reply.status != SHAPE_OK || a->report);
  if (a->reply.status != SHAPE_OK) {
    api_fail_with(&a->error, a->reply.status, a->reply.message);
    a->report = NULL;
  } else if (!a->report->infer) {
    shape_diagnostic d = {.message = "the program could not be read"};
    for (uint32_t i = 0; i < a->report->diag_count; i++) {
      shape_analysis_diagnostic(a, i, &d);
      if (d.severity == SHAPE_SEVERITY_ERROR) break;
    }
    api_fail(&a->error, SHAPE_SYNTAX, "%s", d.message);
    a->error.line = d.line;
    a->error.column = d.column;
  } else if (!is_in_order(a)) {
    api_fail(&a->error, SHAPE_INVALID, "parts were not added in the order of the program");
    a->report = NULL;
  }
}

static void run_analysis(shape_analysis *a, const shape_options *o) {
  shape_program *p = a->program;
  if (!program_has_bytes(p)) {
    a->error = p->error;
    return;
  }
  // A copy of everything: emitters may analyse again.
  shape_status status = program_request(p, o, &a->texts, &a->request);
  if (status == SHAPE_OK) {
    if (analysis_open_later(&a->core, &a->request, o->keep_spans, &a->reply))
      arg_conflict_report(&a->core);
    end_analysis(a);
  } else {
    api_fail_with(&a->error, status, "");
  }
}

shape_analysis *shape_program_analyze(shape_program *p, const shape_options *given) {
  shape_options o;
  api_read_struct(&o, sizeof o, given);
  shape_analysis *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->program = p;
  arena_init(&a->texts, p->limits.memory);
  run_analysis(a, &o);
  a->request.name = p->name;  // also where there is no request
  a->outcome = a->error;
  return a;
}

void shape_analysis_free(shape_analysis *a) {
  if (!a) return;
  analysis_close(&a->core);
  asked_free(a);
  free(a->context);  // after the arena of the analysis, which ends the context's scratch memory
  arena_destroy(&a->texts);
  free(a);
}

const shape_error *shape_analysis_error(const shape_analysis *a) { return &a->error; }

shape_context *shape_analysis_context(shape_analysis *a) {
  if (!a->context && a->report && a->report->infer)
    a->context = context_of_report(a->report, shape_run_budget(a->core.program));
  return a->context;
}

// --- what there is

static const shape_graph *graph_of(const shape_analysis *a) {
  return a->report ? a->report->graph : NULL;
}

static program_location location_of(const shape_analysis *a, source_span span) {
  const shape_program *p = a->program;
  if (span_is_none(span)) return (program_location){0, 0};
  if (p->built) {
    op_id op = graph_op_at(graph_of(a), span.begin);
    return op < p->location_count ? p->locations[op] : (program_location){0, 0};
  }
  source_position at = graph_position_unprotected(graph_of(a), span);
  return (program_location){at.line, at.column};
}

uint32_t shape_analysis_diagnostic_count(const shape_analysis *a) {
  return a->report ? a->report->diag_count : 0;
}

bool shape_analysis_diagnostic(const shape_analysis *a, uint32_t index, shape_diagnostic *out) {
  if (index >= shape_analysis_diagnostic_count(a)) return false;
  const diag *d = a->report->diags[index];
  program_location at = location_of(a, d->span);
  op_id op = span_is_none(d->span) ? SHAPE_NO_ID : graph_op_at(graph_of(a), d->span.begin);
  if (op != SHAPE_NO_ID && d->span.begin >= graph_of(a)->ops[op].span.end) op = SHAPE_NO_ID;
  *out =
      (shape_diagnostic){(shape_severity)d->severity, d->code, d->message, at.line, at.column, op};
  return true;
}

uint32_t shape_analysis_error_count(const shape_analysis *a) {
  return a->report ? shape_run_errors(a->core.program) : 0;
}

uint32_t shape_analysis_function_count(const shape_analysis *a) {
  return a->report ? graph_of(a)->func_count : 0;
}
uint32_t shape_analysis_op_count(const shape_analysis *a) {
  return a->report ? graph_of(a)->op_count : 0;
}
uint32_t shape_analysis_value_count(const shape_analysis *a) {
  return a->report ? graph_of(a)->value_count : 0;
}

static const report_function *function_of(const shape_analysis *a, shape_function f) {
  for (uint32_t i = 0; a->report && i < a->report->function_count; i++) {
    if (a->report->functions[i].id == f) return &a->report->functions[i];
  }
  return NULL;
}

bool shape_analysis_function(const shape_analysis *a, shape_function f, shape_function_info *out) {
  const report_function *r = function_of(a, f);
  if (!r) return false;
  *out = (shape_function_info){graph_func_name(graph_of(a), f), r->arguments, r->argument_count,
                               r->result_count, a->report->infer && a->report->infer->entry == f};
  return true;
}

shape_value shape_analysis_function_result(const shape_analysis *a, shape_function f,
                                           uint32_t index) {
  const report_function *r = function_of(a, f);
  return r && r->results && index < r->result_count ? r->results[index] : SHAPE_NO_ID;
}

bool shape_analysis_op(const shape_analysis *a, shape_op op, shape_op_info *out) {
  if (op >= shape_analysis_op_count(a)) return false;
  const graph_op *o = &graph_of(a)->ops[op];
  program_location at = location_of(a, o->span);
  *out = (shape_op_info){graph_op_name(graph_of(a), op),
                         o->operand_count,
                         o->results,
                         o->result_count,
                         at.line,
                         at.column};
  return true;
}

shape_value shape_analysis_operand(const shape_analysis *a, shape_op op, uint32_t index) {
  return op < shape_analysis_op_count(a) ? graph_operand(graph_of(a), op, index) : SHAPE_NO_ID;
}

shape_value program_find(const shape_graph *g, const char *function, const char *name,
                         shape_value from) {
  size_t length = strlen(name += *name == '%');
  for (uint32_t i = from; i < g->value_count; i++) {
    uint32_t have;
    const char *text = graph_value_text(g, i, &have);
    if (have != length || memcmp(text, name, length) != 0) continue;
    func_id f = graph_value_func(g, i);
    if (!function || strcmp(graph_func_name(g, f), function) == 0) return i;
  }
  return SHAPE_NO_ID;
}

shape_value shape_analysis_find(const shape_analysis *a, const char *function, const char *name) {
  return a->report ? program_find(graph_of(a), function, name, 0) : SHAPE_NO_ID;
}

// --- shapes

static const report_shape *shape_of(const shape_analysis *a, shape_value value) {
  if (!a->report || !a->report->infer || value >= graph_of(a)->value_count) return NULL;
  return &a->report->shapes[a->report->value_shapes[value]];
}

typedef struct text_call {
  shape_analysis *analysis;
  const report_shape *shape;
  const char *out;
} text_call;

static void write_type(shape_run *run, void *data) {
  text_call *x = data;
  shape_strbuf out;
  strbuf_init(&out, shape_run_graph(run)->arena);
  assert(x->shape->type != TYPE_NONE);
  type_print(&shape_run_graph(run)->types, &out, x->shape->type);
  x->out = strbuf_text(&out);
}

static void write_shape(shape_run *run, void *data) {
  text_call *x = data;
  shape_strbuf out;
  strbuf_init(&out, shape_run_graph(run)->arena);
  assert(x->shape->ranked && (x->shape->dims || !x->shape->rank));
  strbuf_putc(&out, '[');
  for (uint32_t i = 0; i < x->shape->rank; i++) {
    if (i) strbuf_puts(&out, ", ");
    if (x->shape->dims[i] == TERM_NONE) {
      strbuf_putc(&out, '?');
    } else {
      report_text text = report_term(x->analysis->report, x->shape->dims[i]);
      strbuf_add(&out, text.text, text.length);
    }
  }
  strbuf_putc(&out, ']');
  x->out = strbuf_text(&out);
}

static const char *text_of(shape_analysis *a, text_call *x,
                           void (*body)(shape_run *run, void *data)) {
  shape_status status = shape_run_protect(a->core.program, body, x);
  if (status == SHAPE_OK) return x->out;
  api_fail(&a->error, status, "%s", shape_status_message(status));
  return NULL;
}

typedef struct name_call {
  shape_value value;
  const char *out;
} name_call;

static void write_name(shape_run *run, void *data) {
  name_call *x = data;
  const shape_graph *g = shape_run_graph(run);
  uint32_t length;
  assert(x->value < g->value_count);
  const char *text = graph_value_text(g, x->value, &length);
  x->out = arena_strndup(g->arena, text ? text : "", length);
}

const char *shape_analysis_value_name(shape_analysis *a, shape_value value) {
  name_call x = {value, NULL};
  if (value >= shape_analysis_value_count(a)) return NULL;
  return shape_run_protect(a->core.program, write_name, &x) == SHAPE_OK ? x.out : NULL;
}

const char *shape_analysis_type(shape_analysis *a, shape_value value) {
  text_call x = {a, shape_of(a, value), NULL};
  return x.shape && x.shape->type != TYPE_NONE ? text_of(a, &x, write_type) : NULL;
}

const char *shape_analysis_shape(shape_analysis *a, shape_value value) {
  text_call x = {a, shape_of(a, value), NULL};
  return x.shape && x.shape->ranked ? text_of(a, &x, write_shape) : NULL;
}

bool shape_analysis_rank(const shape_analysis *a, shape_value value, uint32_t *rank) {
  const report_shape *s = shape_of(a, value);
  if (!s || !s->ranked) return false;
  *rank = s->rank;
  return true;
}

shape_expr shape_analysis_dim(const shape_analysis *a, shape_value value, uint32_t axis) {
  const report_shape *s = shape_of(a, value);
  return s && s->ranked && axis < s->rank ? s->dims[axis] : SHAPE_NO_EXPR;
}

shape_expr shape_analysis_element_count(shape_analysis *a, shape_value value) {
  const report_shape *s = shape_of(a, value);
  shape_context *context = shape_analysis_context(a);
  if (!s || !s->ranked || !context) return SHAPE_NO_EXPR;
  return shape_context_product(context, s->dims, s->rank);
}

shape_answer shape_analysis_same_shape(shape_analysis *a, shape_value x, shape_value y) {
  const report_shape *s = shape_of(a, x), *t = shape_of(a, y);
  shape_context *context = shape_analysis_context(a);
  asked_begin(a);
  if (!s || !t || !s->ranked || !t->ranked || !context) return SHAPE_UNKNOWN;
  if (s->rank != t->rank) return SHAPE_NO;
  shape_answer all = SHAPE_YES;
  for (uint32_t i = 0; i < s->rank; i++) {
    if (s->dims[i] == TERM_NONE || t->dims[i] == TERM_NONE) {
      all = SHAPE_UNKNOWN;
      continue;
    }
    shape_answer one = asked_equal(a, x, s->dims[i], y, t->dims[i]);
    if (one == SHAPE_NO || one == SHAPE_CONTRADICTION) {
      asked_last(a);
      return asked_end(a, one);
    }
    if (one == SHAPE_UNKNOWN) all = one;
  }
  return asked_end(a, all);
}

shape_answer shape_analysis_same_element_count(shape_analysis *a, shape_value x, shape_value y) {
  shape_expr s = shape_analysis_element_count(a, x), t = shape_analysis_element_count(a, y);
  asked_begin(a);
  if (s == SHAPE_NO_EXPR || t == SHAPE_NO_EXPR) return SHAPE_UNKNOWN;
  return asked_end(a, asked_equal(a, x, s, y, t));
}
