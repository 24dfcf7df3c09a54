// SPDX-License-Identifier: Apache-2.0
// The program back, with refined types or with checks of its arguments, in the forms that one analysis can write; MLIR
// with refined types takes several (refined.c).
#include "solver/analysis/analysis.h"

#include <assert.h>
#include "solver/emit/disc_shape.h"
#include "solver/emit/emitter.h"
#include "solver/emit/smt.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/onnx/refine.h"
#include "solver/transform/fit.h"
#include "solver/transform/scaffold.h"

// Types that verify in `format`. False: there are none, or some stay dynamic that may not, and `out` has the errors.
static bool fit(const emission *e, graph_format format, fit_result *fitted) {
  const analysis_request *q = e->a->request;
  const program_options *o = e->options;
  const shape_graph *g = e->report->graph;
  mlir_uses none = {0};
  fit_request request = {.report = e->report,
                         .uses = format == GRAPH_MLIR ? &e->a->uses : &none,
                         .format = format,
                         .entry = q->entry,
                         .steps = q->limits.steps ? q->limits.steps : SHAPE_STEPS_DEFAULT,
                         .budget = shape_run_budget(e->a->program),
                         .specialised = q->argument_types || q->binding_count || q->bound_count};
  *fitted = fit_types(&request);
  if (!fitted->refused) {
    if (o->require_static)
      e->a->reply->errors = refine_list_dynamic(fitted->types, q->name, e->out);
    return !e->a->reply->errors;
  }
  assert(fitted->op == ID_NONE || fitted->op < g->op_count);
  source_position at = {1, 1};
  if (fitted->op != ID_NONE) at = graph_position(g, g->ops[fitted->op].name_span);
  strbuf_printf(e->out, "%s:%u:%u: error: the refined program would have an error: %s\n", q->name,
                at.line, at.column, fitted->refused);
  e->a->reply->errors = 1;
  return false;
}

static void take_likely(const emission *e) {
  const program_options *o = e->options;
  if (e->report->infer) likely_take(likely_new(e->report, o->points, o->point_count));
}

void emit_graph(const emission *e) {
  fit_result fitted;
  if (!fit(e, GRAPH_JSON, &fitted)) return;
  take_likely(e);
  refine_graph(fitted.types);
  refine_facts(e->report);
  graph_json_encode(e->report->graph, e->out);
}

void emit_disc_shape(const emission *e) {
  fit_result fitted;
  if (!fit(e, GRAPH_MLIR, &fitted)) return;
  take_likely(e);
  write_disc_shape(e->report, fitted.types, &e->a->uses, e->out);
}

static void copy_to_sink(void *to, size_t begin, size_t end) {
  const emission *e = to;
  const program_options *o = e->options;
  const char *source = e->report->graph->source.text;
  if (o->copy && source == e->a->request->text) {  // else the bytes were made of a text
    o->copy(e->to, begin, end);
  } else {
    e->sink(e->to, source + begin, end - begin);
  }
}

static void write_to_sink(void *to, const char *data, size_t length) {
  const emission *e = to;
  e->sink(e->to, data, length);
}

void emit_onnx(const emission *e) {
  fit_result fitted;
  if (!fit(e, GRAPH_ONNX, &fitted)) return;
  const bool *keeps = fitted.kept ? fit_kept_values(e->report->graph, fitted.kept) : NULL;
  const program_options *o = e->options;
  const onnx_changes *changes = o->cleanup ? scaffold_changes(e->report) : NULL;
  onnx_refine(e->report, keeps, changes, &(onnx_sink){(void *)e, write_to_sink, copy_to_sink});
}

void emit_smt2(const emission *e) { report_smt(e->report, e->out); }
