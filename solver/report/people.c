// SPDX-License-Identifier: Apache-2.0
#include "solver/report/people.h"

#include <assert.h>

#include "solver/report/suggest.h"

typedef void term_taker(void *data, term_id term);

static void each_dim(const term_id *dims, uint32_t rank, term_taker *take, void *data) {
  assert(dims || !rank);
  for (uint32_t i = 0; i < rank; i++) {
    if (dims[i] != TERM_NONE) take(data, dims[i]);
  }
}

// Dims and integers of the signature, of one side of it.
static void each_value(const shape_report *r, uint32_t shape, const report_elements *values,
                       term_taker *take, void *data) {
  enum { SHOWN_ELEMENTS = 8 };
  if (shape == ID_NONE) return;
  assert(shape < r->shape_count);
  if (r->shapes[shape].ranked) each_dim(r->shapes[shape].dims, r->shapes[shape].rank, take, data);
  if (values && values->items && values->count <= SHOWN_ELEMENTS)
    each_dim(values->items, values->count, take, data);
}

static void each_in_signature(shape_report *r, term_taker *take, void *data) {
  if (!r->function_count) return;
  const report_function *f = &r->functions[0];
  for (uint32_t i = 0; i < f->argument_count; i++)
    each_value(r, r->value_shapes[f->arguments + i],
               f->argument_values ? &f->argument_values[i] : NULL, take, data);
  const report_suggestion *s = r->ok ? report_suggest(r) : NULL;
  for (uint32_t i = 0; i < f->result_count; i++) {
    uint32_t shape = f->result_shapes[i];
    each_value(r, shape, f->result_values ? &f->result_values[i] : NULL, take, data);
    if (s && shape != ID_NONE && s->results[i])
      each_dim(s->results[i], r->shapes[shape].rank, take, data);
  }
}

// --- symbols

typedef struct meeting {
  shape_report *report;
  bool *met;  // by symbol, or one for all
} meeting;

static void meet(void *data, term_id term);

static void meet_atom(void *data, term_id atom) {
  meeting *m = data;
  const report_symbol *s = report_symbol_of(m->report, atom);
  if (!s) return;
  uint32_t index = (uint32_t)(s - m->report->symbols);
  assert(index < m->report->symbol_count);
  m->met[index] = true;
}

static void meet(void *data, term_id term) {
  meeting *m = data;
  const report_symbol *s = report_symbol_of(m->report, term);
  assert(term != TERM_NONE);
  if (s) m->met[s - m->report->symbols] = true;
  term_visit_atoms(m->report->infer->terms, term, meet_atom, m);
}

// The author's names of dims of the entry's arguments, and of what a caller fixes or assumes by them.
static bool is_given(const shape_report *r, const report_symbol *s) {
  return s->declared && s->function != ID_NONE && s->argument != ID_NONE && r->function_count &&
         s->function == r->functions[0].id;
}

const bool *people_of_arguments(const shape_report *r) {
  const shape_graph *g = r->graph;
  bool *has = arena_zalloc(g->arena, g->declared.symbol_count + 1);
  const report_function *f = r->function_count ? &r->functions[0] : NULL;
  for (uint32_t i = 0; i < g->declared.symbol_count; i++)
    has[i] = g->declared.symbols[i].in_attribute;
  for (uint32_t i = 0; f && i < f->argument_count; i++) {
    const graph_type *type = graph_value_type(g, f->arguments + i);
    for (uint32_t k = 0; type && type->kind == TYPE_TENSOR && k < type->rank; k++) {
      if (!dim_is_symbol(type->dims[k])) continue;
      assert(dim_symbol(type->dims[k]) < g->declared.symbol_count);
      has[dim_symbol(type->dims[k])] = true;
    }
  }
  return has;
}

// An exporter names the dims of results and of values within, and all that a name says is what it equals.
static bool is_of_results(const shape_report *r, const report_symbol *s, const bool *given) {
  return s->declared && r->function_count && !graph_is_text(r->graph) && !is_given(r, s) &&
         !given[s->declared - r->graph->declared.symbols];
}

static bool is_hidden(const shape_report *r, const report_symbol *s, const bool *given) {
  bool here = r->function_count && s->function == r->functions[0].id;
  return is_of_results(r, s, given) || (!s->declared && (s->origin != FROM_ARGUMENT_SIZE || !here));
}

const bool *people_symbols(shape_report *r) {
  meeting m = {r, arena_zalloc(r->graph->arena, r->symbol_count + 1)};
  if (!r->infer) return m.met;
  const bool *given = people_of_arguments(r);
  each_in_signature(r, meet, &m);
  for (uint32_t i = 0; i < r->guards.count; i++) {
    meet(&m, r->guards.items[i].p.left);
    if (r->guards.items[i].p.right != TERM_NONE) meet(&m, r->guards.items[i].p.right);
  }
  for (uint32_t i = r->symbol_count; i-- > 0;) {
    const report_symbol *s = &r->symbols[i];
    m.met[i] |= !is_hidden(r, s, given);
    if (m.met[i] && s->meaning != TERM_NONE && !people_is_long(s)) meet(&m, s->meaning);
  }
  return m.met;
}

// --- broadcasts

static const term_node *bcast_of(const shape_report *r, term_id t) {
  const term_node *node = t == TERM_NONE ? NULL : term_get(r->infer->terms, t);
  return node && node->kind == TERM_BCAST ? node : NULL;
}

static bool has_bcast(const shape_report *r, term_id t) {
  return t != TERM_NONE && term_kinds(r->infer->terms, t) & KIND_BIT(TERM_BCAST);
}

static report_text put(shape_report *r, const char *format, term_id a, term_id b) {
  shape_strbuf out;
  report_text x = report_term(r, a), y = report_term(r, b);
  strbuf_init(&out, r->graph->arena);
  for (const char *at = format; *at; at++) {
    if (*at != '$') {
      strbuf_putc(&out, *at);
    } else {
      at++;
      strbuf_add(&out, *at == 'a' ? x.text : y.text, *at == 'a' ? x.length : y.length);
    }
  }
  const char *text = strbuf_text(&out);
  return (report_text){text, out.length};
}

// a == n, or it is 1. Of a sum, x + 1 == 17: x == 16, or it is 0.
static report_text put_or_one(shape_report *r, term_id a, num n) {
  term_table *t = r->infer->terms;
  shape_budget *b = t->budget;
  num k = term_constant_part(t, a);
  shape_strbuf out;
  report_text x = report_term(r, term_sub(t, a, term_const(t, k)));
  strbuf_init(&out, r->graph->arena);
  strbuf_add(&out, x.text, x.length);
  strbuf_puts(&out, " == ");
  num_print(&out, num_sub(b, n, k));
  strbuf_puts(&out, ", or it is ");
  num_print(&out, num_sub(b, NUM(1), k));
  return (report_text){strbuf_text(&out), out.length};
}

// bcast(a, b) is b where a is 1, else a.
report_text people_predicate(shape_report *r, predicate p) {
  const report_text none = {NULL, 0};
  if (p.rel != REL_EQ || !r->infer) return none;
  const term_node *left = bcast_of(r, p.left), *right = bcast_of(r, p.right);
  num value;
  if (left && right) {
    const term_id *x = left->as.args, *y = right->as.args;
    assert(left->count == 2 && right->count == 2);
    if (x[0] != y[1] || x[1] != y[0]) return none;
    return put(r, "$a == $b, or one of them is 1", x[0], x[1]);
  }
  const term_node *joined = left ? left : right;
  if (!joined) return none;
  term_id a = joined->as.args[0], b = joined->as.args[1], other = left ? p.right : p.left;
  if (other == b && report_constant(r, b, &value)) return put_or_one(r, a, value);
  if (other == b) return put(r, "$a == $b, or $a is 1", a, b);
  if (other == a) return put(r, "$b == 1 where $a is 1", a, b);
  return none;
}

static void meet_bcast(void *data, term_id term) {
  meeting *m = data;
  *m->met |= has_bcast(m->report, term);
}

bool people_see_bcast(shape_report *r) {
  if (!r->infer) return false;
  bool found = false;
  each_in_signature(r, meet_bcast, &(meeting){r, &found});
  for (uint32_t i = 0; i < r->guards.count && !found; i++) {
    predicate p = r->guards.items[i].p;
    if (!people_predicate(r, p).length) found = has_bcast(r, p.left) || has_bcast(r, p.right);
  }
  return found;
}
