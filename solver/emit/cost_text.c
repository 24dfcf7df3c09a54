// SPDX-License-Identifier: Apache-2.0
// Memory and work of a program as text for people, in 80 columns, and as a table of its operations (CSV).
#include "solver/emit/cost_answer.h"
#include "solver/emit/wrapped.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/report/cell.h"
#include "solver/report/render.h"

enum { LABEL = 20, NUMBER = 32 };

static void pad(shape_strbuf *out, uint32_t from, uint32_t width) {
  while (out->length - from < width) strbuf_putc(out, ' ');
}

static void put_label(shape_strbuf *out, const char *label) {
  uint32_t from = out->length;
  strbuf_puts(out, "  ");
  strbuf_puts(out, label);
  pad(out, from, LABEL);
}

static void put_number(shape_strbuf *out, const cost_view *v, const cost_function *f,
                       cost_number which, const char *label) {
  shape_strbuf text;
  int64_t value, bounds[2];
  strbuf_init(&text, v->report->graph->arena);
  cost_number_text(v, f, which, &text);
  if (!text.length) strbuf_puts(&text, "not known");
  if (cost_number_at(v, f, which, &value)) {
    char number[NUMBER];
    snprintf(number, sizeof number, "%lld", (long long)value);
    // A number says the same alone.
    if (text.length != strlen(number) || memcmp(text.data, number, text.length) != 0)
      strbuf_printf(&text, " = %s", number);
  }
  if (cost_number_over(v, f, which, bounds) && bounds[0] != bounds[1])
    strbuf_printf(&text, " in [%lld, %lld]", (long long)bounds[0], (long long)bounds[1]);
  put_label(out, label);
  emit_wrapped(out, text.data, text.length, LABEL);
  strbuf_putc(out, '\n');
}

static void put_peak_ops(shape_strbuf *out, const cost_view *v, const cost_function *f) {
  const shape_graph *g = v->report->graph;
  for (uint32_t i = 0; i < f->peak.count; i++) {
    const cost_member *m = &f->peak.items[i];
    if (m->op == ID_NONE) continue;
    put_label(out, i ? "" : "  live at");
    if (graph_is_text(g))
      strbuf_printf(out, "line %u  ", graph_position(g, g->ops[m->op].span).line);
    graph_print_op(g, m->op, out);
    strbuf_putc(out, '\n');
  }
  overwrite *candidates;
  uint32_t count = reuse_overwrites(v->answer, f, &candidates);
  for (uint32_t i = 0; i < count; i++) {
    report_text bytes = report_term(v->report, candidates[i].bytes);
    put_label(out, "  could write");
    graph_print_op(g, candidates[i].op, out);
    strbuf_puts(out, " over ");
    cell_print_value(g, out, candidates[i].operand);
    strbuf_puts(out, ": ");
    render_safe(out, bytes.text, bytes.length);
    strbuf_puts(out, " less\n");
  }
}

static void put_kinds(shape_strbuf *out, const cost_view *v, const cost_function *f) {
  cost_kind *kinds;
  uint32_t count = cost_kinds(v, f, &kinds), shown = 0;
  for (uint32_t i = 0; i < count; i++) {
    const cost_kind *k = &kinds[i];
    const char *name = intern_text(&v->report->graph->names, k->name);
    term_id done = sizes_add(v->report->infer->terms, k->work.flops, k->work.transcendentals);
    if (done == TERM_ZERO) continue;
    if (!shown++) strbuf_puts(out, "  flops and transcendentals by operation\n");
    uint32_t from = out->length;
    strbuf_printf(out, "    %ux ", k->count);
    render_safe(out, name, strlen(name));
    pad(out, from, LABEL + 16);
    report_text text =
        done == TERM_NONE ? (report_text){"not known", 9} : report_term(v->report, done);
    if (out->length - from > LABEL + 16) strbuf_putc(out, ' ');
    emit_wrapped(out, text.text, text.length, out->length - from);
    strbuf_putc(out, '\n');
  }
}

static void put_share(shape_strbuf *out, const cost_view *v, const cost_function *f) {
  double intensity;
  const char *bound = cost_bound(v, f);
  if (cost_intensity_at(v, f, &intensity)) {
    put_label(out, "intensity");
    strbuf_printf(out, "%.4g operations per byte\n", intensity);
  }
  if (v->options->flops_per_byte <= 0) return;
  put_label(out, "bound by");
  strbuf_puts(out, bound ? bound : "not the same at all points");
  strbuf_putc(out, '\n');
}

static void put_buffers(shape_strbuf *out, const cost_view *v, const cost_function *f) {
  const reuse_answer *r = reuse_make(v->answer, f);
  strbuf_printf(out, "  buffers: %u", r->count);
  if (r->bytes != TERM_NONE) {
    report_text all = report_term(v->report, r->bytes);
    strbuf_puts(out, ", together ");
    emit_wrapped(out, all.text, all.length, LABEL);
  }
  strbuf_putc(out, '\n');
  for (uint32_t i = 0; i < r->count; i++) {
    const reuse_buffer *b = &r->buffers[i];
    report_text bytes = report_term(v->report, b->bytes);
    shape_strbuf text;
    strbuf_init(&text, v->report->graph->arena);
    for (uint32_t k = 0; k < b->count; k++) {
      if (k) strbuf_putc(&text, ' ');
      cell_print_value(v->report->graph, &text, b->values[k]);
    }
    uint32_t from = out->length;
    strbuf_puts(out, "    ");
    render_safe(out, bytes.text, bytes.length);
    pad(out, from, LABEL + 4);
    strbuf_puts(out, "  ");
    emit_wrapped(out, text.data, text.length, out->length - from);
    strbuf_putc(out, '\n');
  }
}

static void put_function(shape_strbuf *out, const cost_view *v, const cost_function *f) {
  assert(v->answer && v->options);
  static const char *const LABELS[COST_NUMBERS] = {
      "arguments", "results", "constants", "peak", "flops", "transcendentals", "integer", "moved"};
  report_text name = report_function_name(v->report, f->id);
  strbuf_puts(out, "\nfunction @");
  render_safe(out, name.text, name.length);
  strbuf_puts(out, "\n  bytes\n");
  for (unsigned i = 0; i < COST_NUMBERS; i++) {
    if (i == COST_FLOPS) strbuf_puts(out, "  operations, and bytes that they move\n");
    char label[NUMBER];
    snprintf(label, sizeof label, "  %s", LABELS[i]);
    put_number(out, v, f, (cost_number)i, label);
    if (i == COST_PEAK) put_peak_ops(out, v, f);
  }
  put_share(out, v, f);
  put_kinds(out, v, f);
  for (uint32_t i = 0; i < f->uncounted_count; i++) {
    const char *op = intern_text(&v->report->graph->names, f->uncounted[i]);
    put_label(out, i ? "" : "not counted");
    render_safe(out, op, strlen(op));
    strbuf_putc(out, '\n');
  }
  if (f->unknown) {
    strbuf_puts(out, "  not known: ");
    emit_wrapped(out, f->unknown, strlen(f->unknown), 13);
    strbuf_putc(out, '\n');
  }
  if (v->options->reuse) put_buffers(out, v, f);
}

static void put_symbols(shape_strbuf *out, shape_report *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    if (s->function == ID_NONE || s->axis == ID_NONE || s->origin == FROM_OPAQUE) continue;
    if (!any) strbuf_puts(out, "\nsymbols\n");
    any = true;
    uint32_t from = out->length;
    strbuf_puts(out, "  ");
    render_safe(out, s->name.text, s->name.length);
    pad(out, from, LABEL);
    strbuf_printf(out, "%s %u of ", s->origin == FROM_ARGUMENT_VALUE ? "element" : "dim", s->axis);
    render_argument(r, out, s);
    strbuf_putc(out, '\n');
  }
}

void emit_cost(const emission *e) {
  cost_view v;
  shape_strbuf text, *out = &text;  // columns are counted in it, so it goes out whole
  if (!cost_view_open(e, &v)) return;
  strbuf_init(&text, e->report->graph->arena);
  render_safe(out, e->a->request->name, strlen(e->a->request->name));
  strbuf_printf(out, ": %u function%s", v.answer->function_count,
                v.answer->function_count == 1 ? "" : "s");
  if (v.point) {
    strbuf_puts(out, ", at ");
    render_safe(out, v.options->at, strlen(v.options->at));
    if (v.legal == SHAPE_NO) strbuf_puts(out, ", which is illegal");
  }
  strbuf_putc(out, '\n');
  for (uint32_t i = 0; i < v.answer->function_count; i++)
    put_function(out, &v, &v.answer->functions[i]);
  put_symbols(out, v.report);
  strbuf_add(e->out, text.data, text.length);
}

// --- CSV

static void put_cell(shape_strbuf *out, const char *text, size_t length) {
  bool plain = !memchr(text, ',', length) && !memchr(text, '"', length) &&
               !memchr(text, '\n', length) && !memchr(text, '\r', length);
  if (!plain) strbuf_putc(out, '"');
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"') strbuf_putc(out, '"');
    strbuf_putc(out, text[i]);
  }
  if (!plain) strbuf_putc(out, '"');
}

static void put_term_cell(shape_strbuf *out, shape_report *r, term_id term) {
  strbuf_putc(out, ',');
  if (term == TERM_NONE) return;
  report_text text = report_term(r, term);
  put_cell(out, text.text, text.length);
}

static void put_row(shape_strbuf *out, shape_report *r, const cost_function *f, const cost_op *o) {
  assert(o->op < r->graph->op_count);
  const shape_graph *g = r->graph;
  uint32_t length;
  const char *name = graph_op_name(g, o->op), *node = graph_node_name(g, o->op, &length);
  report_text function = report_function_name(r, f->id);
  put_cell(out, function.text, function.length);
  strbuf_putc(out, ',');
  if (graph_is_text(g)) strbuf_printf(out, "%u", graph_line(g, g->ops[o->op].span));
  strbuf_putc(out, ',');
  put_cell(out, node, length);
  strbuf_putc(out, ',');
  put_cell(out, name, strlen(name));
  put_term_cell(out, r, o->result_bytes);
  put_term_cell(out, r, o->work.flops);
  put_term_cell(out, r, o->work.transcendentals);
  put_term_cell(out, r, o->work.int_ops);
  put_term_cell(out, r, o->work.moved);
  strbuf_putc(out, '\n');
}

void emit_cost_csv(const emission *e) {
  cost_view v;
  if (!cost_view_open(e, &v)) return;
  strbuf_puts(e->out, "function,line,node,name,result_bytes,flops,transcendentals,int_ops,"
                      "moved_bytes\n");
  for (uint32_t i = 0; i < v.answer->function_count; i++) {
    const cost_function *f = &v.answer->functions[i];
    for (uint32_t k = 0; k < f->op_count; k++) put_row(e->out, v.report, f, &f->ops[k]);
  }
}
