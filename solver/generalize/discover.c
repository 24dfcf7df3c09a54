// SPDX-License-Identifier: Apache-2.0
// The program with free dims, written from what an analysis of the program without its dims finds out.
#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/reform.h"
#include "solver/generalize/state.h"
#include "solver/report/cell.h"

typedef struct discovery {
  generalization *g;
  loosening loose;
  analysis a;
} discovery;

static const char *copy_text(generalization *g, const char *text, size_t length) {
  return arena_strndup(&g->arena, text, length);
}

static model_location site_location(generalization *g, const shape_graph *graph,
                                    const literal_site *s) {
  uint32_t length;
  const char *node = graph_node_name(graph, s->op, &length);
  return (model_location){s->row->name, copy_text(g, node ? node : "", node ? length : 0),
                          graph_line(graph, graph->ops[s->op].name_span)};
}

static void list_rewritten(discovery *d, const resolving *x) {
  generalization *g = d->g;
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->loose.sites.count; i++) count += d->loose.sites.items[i].rank;
  g->rewritten = arena_alloc(&g->arena, (count + 1) * sizeof *g->rewritten);
  g->rewritten_count = 0;
  for (uint32_t i = 0; i < d->loose.sites.count; i++) {
    const literal_site *s = &d->loose.sites.items[i];
    for (uint32_t k = 0; s->changed && k < s->rank; k++) {
      int64_t number;
      if (s->stays[k] || term_int_value(x->terms, s->now[k], &number)) continue;
      report_text now = cell_term_text(x->report->infer, s->now[k]);
      g->rewritten[g->rewritten_count++] =
          (rewritten_literal){site_location(g, x->graph, s), s->row->operand, k, s->was[k],
                              copy_text(g, now.text, now.length)};
    }
  }
}

static uint32_t lines_in(const char *text, uint32_t length) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < length; i++) count += text[i] == '\n';
  return count;
}

// Which edits, in their order in the text, put lines in front of others.
static void count_lines(generalization *g, const shape_graph *graph, const text_edits *edits) {
  assert(graph_is_text(graph) && g->from.entry < graph->func_count);
  g->added = arena_alloc(&g->arena, (edits->count + 1) * sizeof *g->added);
  for (uint32_t i = 0; i < edits->count; i++) {
    const text_edit *e = &edits->items[i];
    uint32_t lines = lines_in(e->text, e->length);
    if (!lines || e->span.begin < e->span.end) continue;
    g->added[g->added_count++] = (added_lines){graph_position(graph, e->span).line, lines};
  }
}

static void write_new(void *to, const char *data, size_t length) {
  strbuf_add(&((model_bytes *)to)->text, data, length);
}

static void write_old(void *to, size_t begin, size_t end) {
  model_bytes *m = to;
  assert(begin <= end);
  if (m->made) {
    strbuf_add(&m->text, m->base + begin, end - begin);
    return;
  }
  m->pieces = arena_grow(m->text.arena, m->pieces, m->piece_count, (size_t)m->piece_count + 1,
                         &m->piece_capacity, sizeof *m->pieces);
  m->pieces[m->piece_count++] = (model_piece){m->text.length, begin, end - begin};
  strbuf_add(&m->text, m->base + begin, end - begin);
}

static void write_body(shape_run *p, void *data) {
  discovery *d = data;
  generalization *g = d->g;
  shape_report *report = shape_run_report(p);
  shape_graph *graph = shape_run_graph(p);
  const resolving x = resolve_literals(report, &d->loose);
  list_rewritten(d, &x);
  g->model = (model_bytes){.base = graph->source.text,
                           .made = graph->source.text != g->request->program->text};
  strbuf_init(&g->model.text, &g->arena);
  g->added_count = 0;
  if (graph->format == GRAPH_ONNX) {
    rewrite_onnx_model(&x, &(onnx_sink){&g->model, write_new, write_old});
  } else if (graph->format == GRAPH_FX) {
    const text_edits edits = rewrite_fx_text(&x, &g->model.text);
    count_lines(g, graph, &edits);
  } else {
    const text_edits edits = rewrite_mlir_text(&x, &g->model.text);
    count_lines(g, graph, &edits);
  }
}

static void find_tracked(shape_run *p, void *data) {
  discovery *d = data;
  const infer_result *infer = shape_run_report(p)->infer;
  const infer_frame *entry = &infer->frames[0];
  bool *tracked = arena_zalloc(&d->g->arena, shape_run_graph(p)->value_count + 1);
  for (value_id v = entry->value_base; v < entry->value_end; v++)
    tracked[v] = entry->values[v - entry->value_base].elements != NULL;
  d->g->from.tracked = tracked;
}

// Analyses the program without its dims, and its literals as `how` says; body: what is asked of it.
static bool analyze_loose(discovery *d, loosening how, void (*body)(shape_run *p, void *data)) {
  generalization *g = d->g;
  const shape_graph *graph = shape_run_graph(g->from.a.program);
  analysis_reply reply = {0};
  analysis_request request = *g->request->program;
  d->loose = how;
  d->loose.from = &g->from;
  d->loose.uses = &d->a.uses;
  d->loose.statements = &d->a.statements;
  if (graph->format == GRAPH_ONNX) d->loose.nodes = onnx_graph_span(graph);
  generalize_assumptions(g, &request);
  request.mode.prepare = loosen;
  request.mode.prepare_data = &d->loose;
  request.werror = request.refinable = request.certify = false;
  bool ok = analysis_open(&d->a, &request, generalize_has_spans(graph), &reply);
  // Its own errors are of forms that are not valid by themselves.
  if (ok && shape_run_report(d->a.program)->infer) {
    reply.status = shape_run_protect(d->a.program, body, d);
  } else if (ok) {
    reply.status = SHAPE_INTERNAL;
  }
  analysis_close(&d->a);
  if (reply.status != SHAPE_OK) *g->reply = reply;
  return reply.status == SHAPE_OK;
}

bool generalize_discover(generalization *g) {
  discovery d = {.g = g};
  if (!g->writable) return true;
  if (!g->from.tracked && !analyze_loose(&d, (loosening){.drops_literals = true}, find_tracked))
    return false;
  return analyze_loose(&d, (loosening){.rewrites = !g->keeps_literals}, write_body);
}
