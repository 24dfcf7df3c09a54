// SPDX-License-Identifier: Apache-2.0
// The answer form of terms.
//
// The store solves "4 divides S0" as S0 := 4*q with a fresh quotient q, and a reshape of S0 to ?x4 makes q as well. An
// answer speaks of S0, which its reader knows. So for each such q that is in the canonical form of a symbol s as s == m*q + rest, q is written with s again:
//   k*q == (k div m)*(s - rest) + (k mod m)*floordiv(s - rest, m)
// Two canonical terms are the same polynomial exactly when their answer forms are: the replacement is a function of the
// polynomial, and undoing it (s := m*q + rest) gives the polynomial back. So equal dims still have equal texts.
#include <assert.h>

#include "solver/report/people.h"
#include "solver/report/work.h"

enum {
  ROUNDS = 4
};  // chains of quotients that define one another are no deeper in practice; the rest get names

// A name that an exporter gave to a dim of a result, or of a value: it says nothing that the dims of arguments do not.
static bool is_of_results(const shape_report *r, uint32_t number) {
  const infer_origin *o = &r->infer->origins[number];
  return r->work->quotient.of_arguments && o->kind == ORIGIN_DECLARED &&
         !r->work->quotient.of_arguments[o->graph_symbol];
}

// A symbol that no reader knows: the store's quotients, dims that an operation made, and names of results.
static bool is_open(const shape_report *r, term_id t) {
  const term_node *node = term_get(r->infer->terms, t);
  if (node->kind != TERM_SYMBOL) return false;
  uint32_t number = node->as.symbol, ignored;
  if (number < r->infer->origin_count) {
    origin_kind kind = r->infer->origins[number].kind;
    if (kind != ORIGIN_FRESH && kind != ORIGIN_OPAQUE && !is_of_results(r, number)) return false;
  }
  return !imap_get(&r->work->quotient.of, t, &ignored);
}

typedef struct open_search {
  const shape_report *r;
  uint32_t open;
} open_search;

static void count_open(void *data, term_id atom) {
  open_search *s = data;
  if (is_open(s->r, atom)) s->open++;
}

static bool is_name_of_results(const shape_report *r, term_id symbol) {
  uint32_t number = term_get(r->infer->terms, symbol)->as.symbol;
  return number < r->infer->origin_count && is_of_results(r, number);
}

// Of a dim that an operation made, a name of results is the best that there is.
static bool is_made(const shape_report *r, term_id symbol) {
  uint32_t number = term_get(r->infer->terms, symbol)->as.symbol;
  return number < r->infer->origin_count && r->infer->origins[number].kind == ORIGIN_OPAQUE;
}

// The only open quotient of `canon`, when it is there once, as a part of its own.
static term_id open_part(shape_report *r, term_id canon, num *factor) {
  term_table *t = r->infer->terms;
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(t, canon, &parts, &room);
  term_id found = TERM_NONE;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_open(r, parts[i].monomial)) continue;
    if (found != TERM_NONE) return TERM_NONE;
    found = parts[i].monomial;
    *factor = parts[i].coefficient;
  }
  if (found == TERM_NONE) return TERM_NONE;
  open_search search = {r, 0};
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial != TERM_ONE) term_visit_atoms(t, parts[i].monomial, count_open, &search);
  }
  return search.open == 1 ? found : TERM_NONE;
}

// Answers that were given before may hold what is written otherwise from now on.
static bool add_quotient(report_work *w, term_id of, quotient made) {
  w->quotient.items = arena_grow(w->arena, w->quotient.items, w->quotient.count,
                                 (size_t)w->quotient.count + 1, &w->quotient.cap, sizeof made);
  imap_put(&w->quotient.of, w->arena, of, w->quotient.count);
  w->quotient.items[w->quotient.count++] = made;
  imap_clear(&w->answers);
  return true;
}

static bool try_owner(shape_report *r, term_id symbol) {
  assert(term_kind_of(r->infer->terms, symbol) == TERM_SYMBOL);
  report_work *w = r->work;
  term_table *t = r->infer->terms;
  term_id canon = store_canon(r->infer->store, symbol);
  if (canon == symbol) return false;
  num factor;
  term_id q = open_part(r, canon, &factor);
  if (q == TERM_NONE || (is_made(r, symbol) && is_name_of_results(r, q))) return false;
  term_id rest = answer_of_canon(r, term_sub(t, canon, term_scale(t, q, factor)));
  term_id owner = term_sub(t, symbol, rest);
  if (num_sign(factor) < 0) owner = term_neg(t, owner);
  quotient made = {
      .owner = owner, .factor = num_abs(w->budget, factor), .symbol = symbol, .rest = rest};
  num constant;
  bool within = term_const_value(t, rest, &constant) && num_sign(factor) > 0 &&
                num_sign(constant) >= 0 && num_compare(constant, factor) < 0;
  // floor((s - c)/m) == floor(s/m) for 0 <= c < m where m divides s - c.
  made.value = term_floordiv(t, within ? symbol : owner, term_const(t, made.factor));
  return add_quotient(w, q, made);
}

static bool is_of_a_swap(const shape_report *r, term_id symbol) {
  const report_work *w = r->work;
  for (uint32_t i = 0; i < w->quotient.count; i++) {
    quotient q = w->quotient.items[i];
    if (num_is_one(q.factor) &&
        (q.symbol == symbol || term_mentions(r->infer->terms, q.rest, symbol)))
      return true;
  }
  return false;
}

// P where the store solved A == T + P for it, as A - T: an answer speaks of P, and A is T + P there. `sum` is a symbol of
// coefficient 1 without which nothing but differences is left; the replacement can be undone like that of quotients.
static bool try_swap(shape_report *r, term_id symbol) {
  report_work *w = r->work;
  term_table *t = r->infer->terms;
  term_id canon = store_canon(r->infer->store, symbol), sum = TERM_NONE;
  if (canon == symbol || term_kind_of(t, canon) != TERM_SUM || is_of_a_swap(r, symbol))
    return false;
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, canon, &parts, &room), ignored, differences = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    if (term_kind_of(t, parts[i].monomial) != TERM_SYMBOL) return false;
    if (imap_get(&w->quotient.of, parts[i].monomial, &ignored)) return false;
    if (num_sign(parts[i].coefficient) < 0) {
      differences++;
    } else if (sum != TERM_NONE || !num_is_one(parts[i].coefficient)) {
      return false;
    } else {
      sum = parts[i].monomial;
    }
  }
  if (sum == TERM_NONE || !differences || is_open(r, sum) || is_of_a_swap(r, sum)) return false;
  term_id rest = term_sub(t, canon, sum);
  assert(!term_mentions(r->infer->terms, rest, symbol) &&
         !term_mentions(r->infer->terms, rest, sum));
  quotient made = {.owner = term_sub(t, symbol, rest),
                   .value = TERM_ZERO,
                   .factor = NUM(1),
                   .symbol = symbol,
                   .rest = rest};
  return add_quotient(w, sum, made);
}

// The symbols that the store has solved for, each with its number. Of the others there is nothing to write otherwise.
static uint32_t *list_solved(shape_report *r, uint32_t known, uint32_t *count) {
  report_work *w = r->work;
  uint32_t *solved = NULL;
  assert(known <= w->symbol_term_count && known <= r->infer->origin_count);
  *count = 0;
  for (uint32_t i = 0; i < known; i++) {
    term_id symbol = w->symbol_terms[i];
    if (symbol == TERM_NONE || r->infer->origins[i].kind == ORIGIN_FRESH) continue;
    if (store_canon(r->infer->store, symbol) == symbol) continue;
    if (!solved) solved = arena_alloc(w->arena, known * sizeof *solved);
    solved[(*count)++] = i;
  }
  return solved;
}

void answer_find_quotients(shape_report *r) {
  static const origin_kind order[] = {ORIGIN_DECLARED, ORIGIN_ARGUMENT_SIZE, ORIGIN_ARGUMENT_VALUE,
                                      ORIGIN_OPAQUE};
  report_work *w = r->work;
  bool has_entry = r->function_count && r->functions[0].id == r->infer->entry;
  w->quotient.of_arguments =
      has_entry && r->graph->format == GRAPH_ONNX ? people_of_arguments(r) : NULL;
  uint32_t known = r->infer->origin_count;
  if (known > w->symbol_term_count) known = w->symbol_term_count;
  uint32_t count;
  const uint32_t *solved = list_solved(r, known, &count);
  bool more = count > 0;
  for (int round = 0; round < ROUNDS && more; round++) {
    more = false;
    for (uint32_t k = 0; k < sizeof order / sizeof *order; k++) {
      for (uint32_t i = 0; i < count; i++) {
        if (r->infer->origins[solved[i]].kind != order[k] || is_of_results(r, solved[i])) continue;
        more |= try_owner(r, w->symbol_terms[solved[i]]);
      }
    }
  }
  for (uint32_t k = 0; k < sizeof order / sizeof *order; k++) {
    for (uint32_t i = 0; i < count && order[k] != ORIGIN_OPAQUE; i++) {
      if (r->infer->origins[solved[i]].kind == order[k]) try_swap(r, w->symbol_terms[solved[i]]);
    }
  }
}

static term_id answer_atom(shape_report *r, term_id atom) {
  assert(term_is_atom(r->infer->terms, atom));
  report_work *w = r->work;
  term_table *t = r->infer->terms;
  const term_node *node = term_get(t, atom);
  if (node->kind == TERM_SYMBOL) return atom;
  uint32_t count = node->count;
  const term_id *old = node->as.args;
  term_id *args = arena_alloc(w->arena, count * sizeof *args);
  bool same = true;
  for (uint32_t i = 0; i < count; i++) {
    args[i] = answer_of_canon(r, old[i]);
    same &= args[i] == old[i];
  }
  return same ? atom : term_rebuild(t, atom, args);
}

// k * (the powers from `from` on), each quotient written with its symbol.
static term_id answer_powers(shape_report *r, num k, term_power *powers, uint32_t from,
                             uint32_t count) {
  assert(from <= count);
  report_work *w = r->work;
  term_table *t = r->infer->terms;
  if (num_is_zero(k)) return TERM_ZERO;
  if (from == count) return term_const(t, k);
  uint32_t index;
  if (!imap_get(&w->quotient.of, powers[from].atom, &index)) {
    term_id atom = answer_atom(r, powers[from].atom);
    term_id power = term_pow(t, atom, powers[from].exponent);
    return term_mul(t, power, answer_powers(r, k, powers, from + 1, count));
  }
  const quotient q = w->quotient.items[index];
  uint32_t exponent = powers[from].exponent--;
  uint32_t next = exponent == 1 ? from + 1 : from;
  num whole = num_floordiv(w->budget, k, q.factor), left = num_mod(w->budget, k, q.factor);
  term_id a = term_mul(t, q.owner, answer_powers(r, whole, powers, next, count));
  powers[from].exponent = exponent - 1;
  term_id b = term_mul(t, q.value, answer_powers(r, left, powers, next, count));
  powers[from].exponent = exponent;
  return term_add(t, a, b);
}

static term_id answer_part(shape_report *r, term_part part) {
  term_table *t = r->infer->terms;
  if (part.monomial == TERM_ONE) return term_const(t, part.coefficient);
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(t, part.monomial, &powers, &room);
  term_power *copy = arena_alloc(r->work->arena, count * sizeof *copy);
  memcpy(copy, powers, count * sizeof *copy);
  return answer_powers(r, part.coefficient, copy, 0, count);
}

term_id answer_by_quotients(shape_report *r, term_id canon) {
  report_work *w = r->work;
  if (canon == TERM_NONE) return canon;
  term_table *t = r->infer->terms;
  if (term_kind_of(t, canon) == TERM_CONST) return canon;
  uint32_t known;
  if (imap_get(&w->answers, canon, &known)) return known;
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(t, canon, &parts, &room);
  term_part *copy = arena_alloc(w->arena, count * sizeof *copy);
  memcpy(copy, parts, count * sizeof *copy);
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) sum = term_add(t, sum, answer_part(r, copy[i]));
  imap_put(&w->answers, w->arena, canon, sum);
  return sum;
}

term_id report_answer(shape_report *r, term_id term) { return answer_term(r, term); }
