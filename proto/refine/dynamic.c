// SPDX-License-Identifier: Apache-2.0
// What stays dynamic, and why: from the symbols that its sizes are made of, and where those come from.
#include <string.h>

#include "proto/refine/types.h"
#include "solver/ops/registry.h"

static bool is_dynamic(const shape_graph *g, type_id id) {
  if (id == TYPE_NONE) return true;
  const graph_type *type = type_get(&g->types, id);
  if (type->kind == TYPE_UNRANKED) return true;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return true;
  }
  return false;
}

// What a size depends on, the least helpful first: the last kind that is found is said.
typedef enum source_kind { FROM_NOTHING, FROM_ARGUMENT, FROM_DATA, FROM_UNKNOWN } source_kind;

typedef struct source {
  const shape_report *report;
  source_kind kind;
  const infer_origin *origin;
} source;

static bool is_known_op(const shape_graph *g, op_id op) {
  const char *name = graph_op_name(g, op), *point = strchr(name, '.');
  if (point && strcmp(point, ".custom_call") == 0) return false;
  return registry_find(name, intern_length(&g->names, g->ops[op].name), g->onnx_opset) != NULL;
}

static void look(void *data, term_id atom) {
  source *s = data;
  const infer_result *infer = s->report->infer;
  const term_node *node = term_get(infer->terms, atom);
  if (node->kind != TERM_SYMBOL || node->as.symbol >= infer->origin_count) return;
  const infer_origin *origin = &infer->origins[node->as.symbol];
  source_kind kind = FROM_DATA;
  if (origin->kind == ORIGIN_ARGUMENT_SIZE || origin->kind == ORIGIN_ARGUMENT_VALUE ||
      origin->kind == ORIGIN_DECLARED) {
    kind = FROM_ARGUMENT;
  } else if (origin->op != ID_NONE && !is_known_op(s->report->graph, origin->op)) {
    kind = FROM_UNKNOWN;
  }
  if (kind <= s->kind) return;
  s->kind = kind;
  s->origin = origin;
}

static source find_source(const refined_types *r, const report_shape *known) {
  source s = {.report = r->report};
  for (uint32_t i = 0; known->ranked && known->dims && i < known->rank; i++) {
    if (known->dims[i] != TERM_NONE)
      term_visit_atoms(r->report->infer->terms, known->dims[i], look, &s);
  }
  return s;
}

static void print_argument(const refined_types *r, const infer_origin *from, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  if (from->kind == ORIGIN_DECLARED) {
    strbuf_printf(out, "%s is not given",
                  intern_text(&g->names, g->symbols[from->graph_symbol].name));
    return;
  }
  if (from->kind == ORIGIN_ARGUMENT_SIZE) strbuf_printf(out, "size %u of ", (unsigned)from->axis);
  report_text name = report_function_name(r->report, r->report->infer->frames[from->frame].func);
  strbuf_printf(out, "argument %u of @%.*s is not given", (unsigned)from->argument,
                (int)name.length, name.text);
}

static void print_reason(const refined_types *r, const report_shape *known, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  if (!is_dynamic(g, known->type)) {
    strbuf_puts(out, "not all places that share its type agree");
    return;
  }
  source s = find_source(r, known);
  if (s.kind == FROM_ARGUMENT) {
    print_argument(r, s.origin, out);
  } else if (s.kind == FROM_NOTHING || s.origin->op == ID_NONE) {
    strbuf_puts(out, known->ranked && known->dims
                         ? "calls of its function hand over different sizes"
                         : "nothing says its size");
  } else {
    const char *name = graph_op_name(g, s.origin->op);
    uint32_t line = graph_position(g, g->ops[s.origin->op].name_span).line;
    strbuf_printf(out,
                  s.kind == FROM_DATA ? "it depends on the data that %s reads in line %u"
                                      : "what %s in line %u makes is not known",
                  name, line);
  }
}

static bool list_one(const refined_types *r, const char *name, bool as_error, value_id value,
                     source_span span, shape_strbuf *out) {
  shape_graph *g = r->graph;
  type_id type = refined_value(r, value);
  if (!is_dynamic(g, type)) return false;
  const graph_value *v = &g->values[value];
  source_position at = graph_position(g, span);
  strbuf_printf(out, "%s:%u:%u: %s: ", name, at.line, at.column, as_error ? "error" : "note");
  if (v->is_argument) {
    strbuf_printf(out, "argument %u", (unsigned)v->index);
  } else {
    strbuf_printf(out, "result %u of %s", (unsigned)v->index, graph_op_name(g, v->def));
  }
  strbuf_puts(out, " stays ");
  type_print(&g->types, out, type);
  strbuf_puts(out, ": ");
  print_reason(r, &r->report->shapes[r->report->value_shapes[value]], out);
  strbuf_putc(out, '\n');
  return true;
}

// Functions that the entry's runs reach; of others nobody gives the arguments.
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

uint32_t refine_list_dynamic(const refined_types *r, const char *name, bool as_errors,
                             shape_strbuf *out) {
  const shape_report *report = r->report;
  const shape_graph *g = r->graph;
  const bool *reached = find_reached(report);
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->function_count; i++) {
    const report_function *f = &report->functions[i];
    if (!reached[f->id]) continue;
    for (uint32_t k = 0; k < f->argument_count; k++) {
      count += list_one(r, name, as_errors, f->arguments + k, g->funcs[f->id].name_span, out);
    }
    for (op_id op = f->first_op; op < f->end_op; op++) {
      for (uint32_t k = 0; k < g->ops[op].result_count; k++) {
        count += list_one(r, name, as_errors, g->ops[op].results + k, g->ops[op].name_span, out);
      }
    }
  }
  return count;
}
