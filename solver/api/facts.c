// SPDX-License-Identifier: Apache-2.0
// The context of an analysis: its store and its terms, with the report's names, and operations as reasons.
#include <assert.h>
#include <stdlib.h>

#include "solver/api/program.h"
#include "solver/report/report.h"

static void print_term(const context_source *source, shape_strbuf *out, term_id t) {
  report_text text = report_term(source->report, t);
  strbuf_add(out, text.text, text.length);
}

static void explain(const context_source *source, const reason *why, shape_reason *out) {
  const shape_report *r = source->report;
  report_because b = report_reason(r, why);
  *out = (shape_reason){.assumption = SHAPE_NO_ID, .origin = b.rule, .text = b.message};
  if (span_is_none(b.span)) return;
  source_position at = graph_position(r->graph, b.span);
  out->line = at.line;
  out->column = at.column;
}

// A context and what it is made from, in one piece.
typedef struct sourced_context {
  shape_context context;
  context_source source;
} sourced_context;

static void take_symbols(shape_context *c, void *data) {
  assert(c->source && !c->symbols.count);
  shape_report *r = data;
  c->given = c->terms->symbol_count;
  arena_init_child(&c->scratch, c->arena);
  arena_alloc(&c->scratch, 16);
  c->empty = arena_get_mark(&c->scratch);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    if (term_kind_of(c->terms, s->term) != TERM_SYMBOL) continue;
    name_id name = intern_add(&c->symbols.names, s->name.text, s->name.length);
    context_take_symbol(c, name, s->term);
  }
}

shape_context *context_of_report(struct shape_report *r, struct shape_budget *budget) {
  sourced_context *both = calloc(1, sizeof *both);
  if (!both) return NULL;
  shape_context *c = &both->context;
  both->source = (context_source){r, print_term, explain};
  c->source = &both->source;
  c->arena = r->graph->arena;
  c->budget = budget;
  c->terms = r->infer->terms;
  c->store = r->infer->store;
  c->steps = CONTEXT_STEPS;
  c->probe = TERM_NONE;
  intern_init(&c->symbols.names, c->arena);
  context_run(c, take_symbols, r);  // where that fails every call on the context does
  return c;
}
