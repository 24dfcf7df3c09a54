// SPDX-License-Identifier: Apache-2.0
// What is known of the arguments, as constraints of the graph: so that a JSON graph keeps facts whose types have become
// numbers, and requirements whatever happens to the operations that state them.
#include "solver/report/cell.h"
#include "solver/term/parse.h"
#include "solver/transform/types.h"

typedef struct fact_writer {
  shape_report *report;
  shape_graph *graph;
  bool nameable;
  shape_intern listed;  // texts of the assumptions of the graph
} fact_writer;

// Only what a constraint can name: dims and numbers that arguments of the entry are, and declared symbols.
static void check_atom(void *data, term_id atom) {
  fact_writer *w = data;
  const infer_result *infer = w->report->infer;
  const term_node *node = term_get(infer->terms, atom);
  shape_cell c;
  if (node->kind != TERM_SYMBOL) return;
  if (!cell_of_symbol(infer, node->as.symbol, &c)) {
    w->nameable = false;
  } else if (c.value != VALUE_NONE) {
    const graph_type *type = graph_value_type(w->graph, c.value);
    bool argument = infer->origins[node->as.symbol].kind != ORIGIN_OPAQUE && c.frame == 0;
    w->nameable &= argument && !(c.element && (!type || type->rank));
  }
}

static term_id any_name(void *data, const char *name, size_t length) {
  (void)data, (void)name, (void)length;
  return TERM_ONE;
}

static bool is_listed(fact_writer *w, const char *text, size_t length) {
  uint32_t known = w->listed.count;
  return intern_add(&w->listed, text, length) < known;
}

static void add(fact_writer *w, const report_constraint *c) {
  shape_graph *g = w->graph;
  const infer_result *infer = w->report->infer;
  w->nameable = true;
  term_visit_atoms(infer->terms, c->p.left, check_atom, w);
  term_visit_atoms(infer->terms, c->p.right, check_atom, w);
  if (!w->nameable) return;
  report_text text = cell_predicate_text(infer, c->p);
  term_parser parser = {.terms = infer->terms, .symbol = any_name};
  predicate ignored;
  bool readable = term_parse_predicate(&parser, text.text, text.length, &ignored.rel, &ignored.left,
                                       &ignored.right);
  if (!readable || is_listed(w, text.text, text.length)) return;
  graph_add_assumption(g, (graph_assumption){.text = text.text,
                                             .length = text.length,
                                             .span = SPAN_NONE,
                                             .found = true,
                                             .required = c->required});
}

void refine_facts(shape_report *report) {
  const shape_graph *g = report->graph;
  fact_writer w = {.report = report, .graph = report->graph};
  intern_init(&w.listed, g->arena);
  for (uint32_t i = 0; i < g->declared.assumption_count; i++) {
    const graph_assumption *a = &g->declared.assumptions[i];
    intern_add(&w.listed, a->text, a->length);
  }
  for (uint32_t i = 0; i < report->guards.count; i++) add(&w, &report->guards.items[i]);
  for (uint32_t i = 0; i < report->constraints.count; i++) add(&w, &report->constraints.items[i]);
}
