// SPDX-License-Identifier: Apache-2.0
#include "solver/report/witness.h"

#include <stdio.h>

#include "solver/certify/check.h"
#include "solver/report/uses.h"
#include "solver/report/work.h"

// Programs with more facts get only those that speak of the predicate's symbols, that many rounds of neighbours away.
enum { FACTS = 400, ROUNDS = 8, STEPS = 4000000 };

typedef struct search {
  shape_report *r;
  term_id *symbols;  // of the main table, in the order in which they were met
  uint32_t symbol_count, symbol_capacity;
  shape_imap seen;
  predicate *premises;
  uint32_t premise_count, premise_capacity;
  uint8_t *taken;  // by fact
  bool touches;
} search;

static void add_symbol(void *data, term_id atom) {
  search *s = data;
  uint32_t known;
  if (term_kind_of(s->r->infer->terms, atom) != TERM_SYMBOL || imap_get(&s->seen, atom, &known)) {
    return;
  }
  imap_put(&s->seen, &s->r->work->scratch, atom, 1);
  s->symbols = arena_grow(&s->r->work->scratch, s->symbols, s->symbol_count,
                          (size_t)s->symbol_count + 1, &s->symbol_capacity, sizeof atom);
  s->symbols[s->symbol_count++] = atom;
}

static void add_predicate(search *s, predicate p) {
  const term_table *t = s->r->infer->terms;
  term_visit_atoms((term_table *)t, p.left, add_symbol, s);
  term_visit_atoms((term_table *)t, p.right, add_symbol, s);
}

static void touch(void *data, term_id atom) {
  search *s = data;
  uint32_t known;
  s->touches |= imap_get(&s->seen, atom, &known);
}

static bool is_near(search *s, predicate p) {
  s->touches = false;
  term_visit_atoms(s->r->infer->terms, p.left, touch, s);
  term_visit_atoms(s->r->infer->terms, p.right, touch, s);
  return s->touches;
}

static void take_fact(search *s, fact_id id) {
  predicate p = store_fact(s->r->infer->store, id)->p;
  s->taken[id] = 1;
  s->premises = arena_grow(&s->r->work->scratch, s->premises, s->premise_count,
                           (size_t)s->premise_count + 1, &s->premise_capacity, sizeof p);
  s->premises[s->premise_count++] = p;
  add_predicate(s, p);
}

static void gather(search *s) {
  shape_store *store = s->r->infer->store;
  uint32_t count = store_fact_count(store);
  s->taken = arena_zalloc(&s->r->work->scratch, count + 1u);
  bool all = count <= FACTS, more = true;
  for (uint32_t round = 0; round < (all ? 1 : ROUNDS) && more; round++) {
    more = false;
    for (fact_id i = 0; i < count && s->premise_count < FACTS; i++) {
      const fact *f = store_fact(store, i);
      if (f->scope != 0 || s->taken[i] || (!all && !is_near(s, f->p))) continue;
      take_fact(s, i);
      more = true;
    }
  }
}

// The symbols of the entry's arguments get a value even where no fact speaks of them.
static void add_arguments(search *s) {
  const infer_result *infer = s->r->infer;
  for (uint32_t i = 0; i < infer->origin_count && i < s->r->work->symbol_term_count; i++) {
    const infer_origin *o = &infer->origins[i];
    bool argument = o->kind == ORIGIN_ARGUMENT_SIZE || o->kind == ORIGIN_ARGUMENT_VALUE;
    if (!argument || o->frame != 0 || s->r->work->symbol_terms[i] == TERM_NONE) continue;
    add_symbol(s, s->r->work->symbol_terms[i]);
  }
}

static const infer_origin *origin_of(const shape_report *r, term_id symbol) {
  uint32_t number = term_get(r->infer->terms, symbol)->as.symbol;
  return number < r->infer->origin_count ? &r->infer->origins[number] : NULL;
}

// NULL where no caller can bind it.
static const char *bind_name(const shape_report *r, term_id symbol) {
  const infer_origin *o = origin_of(r, symbol);
  const shape_graph *g = r->graph;
  char text[48];
  if (!o || o->frame != 0) return NULL;
  if (o->kind == ORIGIN_ARGUMENT_SIZE) {
    snprintf(text, sizeof text, "arg%u.%u", o->argument, o->axis);
  } else if (o->kind == ORIGIN_ARGUMENT_VALUE) {
    const report_function *f = &r->functions[0];
    const graph_type *type = graph_value_type(g, f->arguments + o->argument);
    if (!type) return NULL;
    snprintf(text, sizeof text, type->rank ? "arg%u[%u]" : "arg%u", o->argument, o->axis);
  } else if (o->kind == ORIGIN_DECLARED) {
    return intern_text(&g->names, g->declared.symbols[o->graph_symbol].name);
  } else {
    return NULL;
  }
  return arena_strndup(g->arena, text, strlen(text));
}

// least: dims are at least this large; examples with empty tensors are the last resort.
static bool ask(search *s, predicate p, int64_t least, report_witness *out) {
  shape_report *r = s->r;
  small_query small;
  small_query_open(&small, r, STEPS);
  query_symbol *symbols = arena_alloc(&r->work->scratch, (s->symbol_count + 1) * sizeof *symbols);
  predicate *premises = arena_alloc(&r->work->scratch, (s->premise_count + 1) * sizeof *premises);
  for (uint32_t i = 0; i < s->symbol_count; i++) {
    const symbol_info *info =
        store_symbol_info(r->infer->store, term_get(r->infer->terms, s->symbols[i])->as.symbol);
    symbols[i] = (query_symbol){extract_term(&small.from, s->symbols[i]), interval_all(), NUM(1)};
    if (!info) continue;
    symbols[i].range = info->range;
    symbols[i].multiple_of = info->multiple_of;
    const infer_origin *o = origin_of(r, s->symbols[i]);
    bool is_size = o && (o->kind == ORIGIN_ARGUMENT_SIZE || o->kind == ORIGIN_DECLARED);
    interval raised;
    if (is_size && least && interval_meet(info->range, interval_at_least(NUM(least)), &raised)) {
      symbols[i].range = raised;
    }
  }
  for (uint32_t i = 0; i < s->premise_count; i++)
    premises[i] = extract_predicate(&small.from, s->premises[i]);
  predicate asked = extract_predicate(&small.from, p);
  query q = {.arena = &r->work->scratch,
             .terms = &small.terms,
             .budget = &small.allowance,
             .symbols = symbols,
             .symbol_count = s->symbol_count,
             .premises = premises,
             .premise_count = s->premise_count};
  query_result result = query_ask(&q, asked);
  budget_count(r->work->budget, small.allowance.steps_used);
  bool holds = true;
  if (result.conflict || !result.witness_false) return false;
  if (check_point(&q, result.witness_false, &asked, &holds) != CHECK_CONFIRMED || holds)
    return false;
  out->count = 0;
  for (uint32_t i = 0; i < s->symbol_count && out->count < WITNESS_MAX; i++) {
    int64_t value;
    const char *name = bind_name(r, s->symbols[i]);
    if (!name) continue;
    if (!num_to_int(result.witness_false[i], &value)) return false;
    out->items[out->count].name = name;
    out->items[out->count++].value = value;
  }
  return true;
}

bool report_find_witness(shape_report *r, predicate p, report_witness *out) {
  arena_mark mark = arena_get_mark(&r->work->scratch);
  search s = {.r = r};
  out->count = 0;
  add_arguments(&s);
  add_predicate(&s, p);
  gather(&s);
  bool found = false;
  for (int64_t least = 2; least >= 0 && !found; least--) found = ask(&s, p, least, out);
  arena_rewind(&r->work->scratch, mark);
  return found;
}

bool report_witness_value(const shape_report *r, const report_witness *w, term_id term,
                          int64_t *value) {
  if (term == TERM_NONE) return false;
  if (term_int_value(r->infer->terms, term, value)) return true;
  if (term_kind_of(r->infer->terms, term) != TERM_SYMBOL) return false;
  const char *name = bind_name(r, term);
  for (uint32_t i = 0; name && i < w->count; i++) {
    if (strcmp(w->items[i].name, name) != 0) continue;
    *value = w->items[i].value;
    return true;
  }
  return false;
}
