// SPDX-License-Identifier: Apache-2.0
// Minima and maxima of a few symbols: under each order of the symbols every min is one of its arguments, so that a literal
// becomes linear. Refuted under all orders, it has no solution. Ties need no order of their own: they belong to both.
#include <assert.h>

#include "solver/decide/solver.h"

typedef struct form {
  int64_t k[LATTICE_SYMBOLS], c;
} form;

typedef struct lattice_order {
  const term_table *t;
  term_id symbol[LATTICE_SYMBOLS];
  uint32_t rank[LATTICE_SYMBOLS];  // rank[i]: the symbol in place i, smallest first
  uint32_t count;
} lattice_order;

// Is everything in the term a symbol, or a min or max of such sums? Collects the symbols.
static bool collect(lattice_order *o, term_id id, uint32_t depth) {
  const term_node *node = term_get(o->t, id);
  if (depth > LATTICE_NESTING || !term_is_atom(o->t, id)) {
    if (depth > LATTICE_NESTING || node->kind == TERM_PRODUCT) return false;
    if (node->kind == TERM_CONST) return true;
    for (uint32_t i = 0; i < node->count; i++) {
      term_part part = node->as.parts[i];
      int64_t k;
      if (!num_to_int(part.coefficient, &k) || k > LATTICE_COEFFICIENT || k < -LATTICE_COEFFICIENT)
        return false;
      if (part.monomial != TERM_ONE && !collect(o, part.monomial, depth + 1)) return false;
    }
    return true;
  }
  if (node->kind == TERM_SYMBOL) {
    for (uint32_t i = 0; i < o->count; i++) {
      if (o->symbol[i] == id) return true;
    }
    if (o->count == LATTICE_SYMBOLS) return false;
    o->symbol[o->count++] = id;
    return true;
  }
  if (node->kind != TERM_MIN && node->kind != TERM_MAX) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    if (!collect(o, node->as.args[i], depth + 1)) return false;
  }
  return true;
}

// Is f - g >= 0 wherever the symbols are in this order? The sum over the symbols must be that of differences of
// neighbours, each taken a non-negative number of times.
static bool never_less(const lattice_order *o, const form *f, const form *g) {
  int64_t above = 0;
  if (f->c < g->c) return false;
  for (uint32_t i = o->count; i-- > 0;) {
    above += f->k[o->rank[i]] - g->k[o->rank[i]];
    if (above < 0) return false;
  }
  return above == 0;
}

static bool add_scaled(form *to, const form *from, int64_t by) {
  const int64_t limit = LATTICE_COEFFICIENT;
  for (uint32_t i = 0; i < LATTICE_SYMBOLS; i++) {
    to->k[i] += by * from->k[i];
    if (to->k[i] > limit || to->k[i] < -limit) return false;
  }
  to->c += by * from->c;
  return to->c <= limit && to->c >= -limit;
}

// The term as a linear form under the order. False: it is not one.
static bool form_of(const lattice_order *o, term_id id, form *out) {
  const term_node *node = term_get(o->t, id);
  *out = (form){.c = 0};
  form x;
  if (node->kind == TERM_SYMBOL) {
    for (uint32_t i = 0; i < o->count; i++) out->k[i] = o->symbol[i] == id;
    return true;
  }
  if (node->kind == TERM_CONST)
    return num_to_int(node->as.value, &out->c) && out->c <= LATTICE_COEFFICIENT &&
           out->c >= -LATTICE_COEFFICIENT;
  if (node->kind == TERM_SUM) {
    for (uint32_t i = 0; i < node->count; i++) {
      int64_t k;
      if (!num_to_int(node->as.parts[i].coefficient, &k)) return false;
      if (!form_of(o, node->as.parts[i].monomial, &x) || !add_scaled(out, &x, k)) return false;
    }
    return true;
  }
  assert(node->kind == TERM_MIN || node->kind == TERM_MAX);
  bool min = node->kind == TERM_MIN;
  for (uint32_t i = 0; i < node->count; i++) {
    if (!form_of(o, node->as.args[i], &x)) return false;
    bool first = i == 0, larger = first || never_less(o, &x, out);
    if (!first && !larger && !never_less(o, out, &x)) return false;
    if (first || larger != min) *out = x;
  }
  return node->count > 0;
}

static bool refuted_in(const lattice_order *o, literal l) {
  assert(o->count <= LATTICE_SYMBOLS);
  static const form NOTHING = {.c = 0}, BELOW = {.c = -1}, ABOVE = {.c = 1};
  form f;
  if (!form_of(o, l.e, &f)) return false;
  if (l.kind == LITERAL_NE) return never_less(o, &f, &NOTHING) && never_less(o, &NOTHING, &f);
  if (never_less(o, &BELOW, &f)) return true;
  return l.kind == LITERAL_EQ && never_less(o, &f, &ABOVE);
}

// Every order of the symbols from position `at` on.
static bool refuted_from(lattice_order *o, literal l, uint32_t at) {
  assert(o->count >= 2 && o->count <= LATTICE_SYMBOLS);
  if (at + 1 >= o->count) return refuted_in(o, l);
  for (uint32_t i = at; i < o->count; i++) {
    uint32_t held = o->rank[at];
    o->rank[at] = o->rank[i];
    o->rank[i] = held;
    bool ok = refuted_from(o, l, at + 1);
    held = o->rank[at];
    o->rank[at] = o->rank[i];
    o->rank[i] = held;
    if (!ok) return false;
  }
  return true;
}

bool lattice_refutes(qsolver *s, literal l) {
  if (!(term_kinds(s->t, l.e) & (KIND_BIT(TERM_MIN) | KIND_BIT(TERM_MAX)))) return false;
  lattice_order o = {.t = s->t};
  for (uint32_t i = 0; i < LATTICE_SYMBOLS; i++) o.rank[i] = i;
  if (!collect(&o, l.e, 0) || o.count < 2) return false;
  if (!budget_spend(s->budget, 24)) return false;
  return refuted_from(&o, l, 0);
}
