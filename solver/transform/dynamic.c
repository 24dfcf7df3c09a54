// SPDX-License-Identifier: Apache-2.0
// What stays dynamic, with the reasons of the report.
#include "solver/report/render.h"
#include "solver/transform/types.h"

static bool is_dynamic(const shape_graph *g, type_id id) {
  if (id == TYPE_NONE) return true;
  const graph_type *type = type_get(&g->types, id);
  if (type->kind == TYPE_UNRANKED) return true;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return true;
  }
  return false;
}

static bool is_dynamic_value(const refined_types *r, value_id value, source_span span,
                             dynamic_value *out) {
  shape_graph *g = r->graph;
  type_id type = refined_value(r, value);
  if (!is_dynamic(g, type)) return false;
  const graph_value *v = &g->values[value];
  shape_strbuf what, printed, why;
  strbuf_init(&what, g->arena);
  strbuf_init(&printed, g->arena);
  strbuf_init(&why, g->arena);
  const char *name = "";
  uint32_t length = 0;
  if (v->is_argument) {
    strbuf_printf(&what, "argument %u", graph_value_index(g, value));
    if (!graph_is_text(g)) name = graph_value_text(g, value, &length);
  } else {
    strbuf_printf(&what, "result %u of %s", graph_value_index(g, value), graph_op_name(g, v->def));
    name = graph_node_name(g, v->def, &length);
  }
  if (length) strbuf_printf(&what, " \"%.*s\"", (int)length, name);
  type_print(&g->types, &printed, type);
  const report_shape *known = &r->report->shapes[r->report->value_shapes[value]];
  if (is_dynamic(g, known->type)) {
    report_dynamic_reason(r->report, known, &why);
  } else {
    strbuf_puts(&why, "not all uses of its type agree");
  }
  const source_position none = {0, 0}, at = graph_is_text(g) ? graph_position(g, span) : none;
  *out = (dynamic_value){at.line,           at.column, strbuf_text(&what), strbuf_text(&printed),
                         strbuf_text(&why), false};
  return true;
}

// Functions that the entry's runs reach; of others the arguments are not given.
static bool *find_reached(const shape_report *report) {
  const infer_result *infer = report->infer;
  bool *reached = arena_zalloc(report->graph->arena, report->graph->func_count + 1);
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    uint32_t root = i;
    while (infer->frames[root].parent != ID_NONE) root = infer->frames[root].parent;
    if (infer->frames[root].func == infer->entry) reached[infer->frames[i].func] = true;
  }
  return reached;
}

uint32_t refine_each_dynamic(const refined_types *r, dynamic_taker *take, void *to) {
  const shape_report *report = r->report;
  const shape_graph *g = r->graph;
  const bool *reached = find_reached(report);
  dynamic_value found;
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->function_count; i++) {
    const report_function *f = &report->functions[i];
    if (!reached[f->id]) continue;
    for (uint32_t k = 0; k < f->argument_count; k++) {
      if (!is_dynamic_value(r, f->arguments + k, g->funcs[f->id].name_span, &found)) continue;
      take(to, &found);
      count++;
    }
    for (op_id op = f->first_op; op < f->end_op; op++) {
      for (uint32_t k = 0; k < g->ops[op].result_count; k++) {
        if (!is_dynamic_value(r, g->ops[op].results + k, g->ops[op].name_span, &found)) continue;
        take(to, &found);
        count++;
      }
    }
  }
  return count;
}

void refine_put_dynamic(void *to, const dynamic_value *v) {
  const dynamic_errors *list = to;
  strbuf_puts(list->out, list->name);
  if (v->line) strbuf_printf(list->out, ":%u:%u", v->line, v->column);
  strbuf_puts(list->out, ": error: ");
  render_safe(list->out, v->what, strlen(v->what));
  strbuf_puts(list->out, v->is_op ? " stays dynamic" : " stays ");
  if (!v->is_op) render_safe(list->out, v->type, strlen(v->type));
  strbuf_puts(list->out, ": ");
  render_safe(list->out, v->reason, strlen(v->reason));
  strbuf_putc(list->out, '\n');
}

uint32_t refine_list_dynamic(const refined_types *r, const char *name, shape_strbuf *out) {
  return refine_each_dynamic(r, refine_put_dynamic, &(dynamic_errors){name, out});
}
