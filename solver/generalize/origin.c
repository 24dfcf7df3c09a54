// SPDX-License-Identifier: Apache-2.0
// What symbols of a report are at the original dims, and which of them hold data.
//
// A name denotes a term over older symbols (solver/facts/name.c), which names of other layers are in more than once: what
// is found of each is kept. They are taken in the order of their numbers, so that no chain of them is a chain of calls.
#include "solver/generalize/work.h"

// By symbols, from 0 to `done`, and others that calls met.
typedef struct found_symbols {
  shape_imap of;
  uint32_t done;
} found_symbols;

struct origin_values {
  shape_report *report;
  const original *from;
  found_symbols values;  // of names: a number, or TERM_NONE
  found_symbols data;    // of what denotes a term: 1, it holds data
};

origin_values *origin_values_make(shape_report *report, const original *from) {
  origin_values *v = arena_zalloc(report->graph->arena, sizeof *v);
  v->report = report;
  v->from = from;
  return v;
}

bool origin_of_argument(const infer_result *infer, uint32_t symbol) {
  if (symbol >= infer->origin_count) return false;
  const infer_origin *o = &infer->origins[symbol];
  return o->kind == ORIGIN_ARGUMENT_SIZE && o->frame == 0;
}

typedef uint32_t find_symbol(origin_values *v, term_id meaning);

static uint32_t found_of(origin_values *v, found_symbols *f, uint32_t symbol, term_id meaning,
                         find_symbol *find) {
  uint32_t found;
  if (!imap_get(&f->of, symbol, &found)) {
    found = find(v, meaning);
    imap_put(&f->of, v->report->graph->arena, symbol, found);
  }
  return found;
}

// --- values

static term_id value_of_name(origin_values *v, uint32_t symbol);

typedef struct evaluation {
  origin_values *v;
  bool failed;
} evaluation;

static term_id number_of(void *data, term_id atom) {
  evaluation *e = data;
  const infer_result *infer = e->v->report->infer;
  const term_node *node = term_get(infer->terms, atom);
  if (node->kind != TERM_SYMBOL) return atom;
  uint32_t symbol = node->as.symbol;
  int64_t value = -1;
  if (origin_of_argument(infer, symbol)) {
    const infer_origin *o = &infer->origins[symbol];
    value = original_argument_dim(e->v->from, o->argument, o->axis);
  }
  if (value >= 0) return term_int(infer->terms, value);
  bool named = store_named(infer->store, symbol) != TERM_NONE;
  term_id number = named ? value_of_name(e->v, symbol) : TERM_NONE;
  e->failed |= !named;
  return number == TERM_NONE ? atom : number;
}

bool value_at_origin(origin_values *v, term_id term, int64_t *value) {
  const infer_result *infer = v->report->infer;
  evaluation e = {v, false};
  if (term == TERM_NONE) return false;
  term_id expressed = store_express(infer->store, term);
  term_id found = term_substitute(infer->terms, expressed, number_of, &e, NULL);
  return !e.failed && term_int_value(infer->terms, found, value);
}

static uint32_t find_value(origin_values *v, term_id meaning) {
  int64_t value;
  if (!value_at_origin(v, meaning, &value) || value < 0) return TERM_NONE;
  return term_int(v->report->infer->terms, value);
}

static term_id value_of_name(origin_values *v, uint32_t symbol) {
  shape_store *store = v->report->infer->store;
  while (v->values.done < symbol) {
    uint32_t older = v->values.done++;
    term_id meaning = store_named(store, older);
    if (meaning != TERM_NONE) found_of(v, &v->values, older, meaning, find_value);
  }
  return found_of(v, &v->values, symbol, store_named(store, symbol), find_value);
}

// --- data

static bool is_data(void *data, term_id atom) {
  origin_values *v = data;
  const term_node *node = term_get(v->report->infer->terms, atom);
  return node->kind == TERM_SYMBOL && symbol_is_data(v, node->as.symbol);
}

static uint32_t find_data(origin_values *v, term_id meaning) {
  return term_any_atom(v->report->infer->terms, meaning, is_data, v);
}

// What a symbol of the store's own denotes. TERM_NONE: it is none.
static term_id meaning_of(const origin_values *v, uint32_t symbol) {
  const infer_result *infer = v->report->infer;
  const infer_origin *o = symbol < infer->origin_count ? &infer->origins[symbol] : NULL;
  num divisor;
  if (o && (o->kind == ORIGIN_ARGUMENT_SIZE || o->kind == ORIGIN_DECLARED)) return TERM_NONE;
  term_id meaning = store_named(infer->store, symbol);
  if (meaning == TERM_NONE) store_fresh_meaning(infer->store, symbol, &meaning, &divisor);
  return meaning;
}

bool symbol_is_data(origin_values *v, uint32_t symbol) {
  const infer_result *infer = v->report->infer;
  const infer_origin *o = symbol < infer->origin_count ? &infer->origins[symbol] : NULL;
  if (o && o->kind == ORIGIN_ARGUMENT_SIZE) return o->frame != 0;
  if (o && o->kind == ORIGIN_DECLARED) return false;
  term_id meaning = meaning_of(v, symbol);
  if (meaning == TERM_NONE) return true;
  while (v->data.done < symbol) {
    uint32_t older = v->data.done++;
    term_id other = meaning_of(v, older);
    if (other != TERM_NONE) found_of(v, &v->data, older, other, find_data);
  }
  return found_of(v, &v->data, symbol, meaning, find_data);
}
