// SPDX-License-Identifier: Apache-2.0
// Exact ranges of polynomials that are linear in each symbol, where the symbols have no constraints but their ranges.
//
// With all symbols but one held, such a polynomial is linear in that one, so that over a box it takes its ends at corners.
// A symbol x with one end is base + d*u with d = 1 or -1 and u >= 0. At a corner of the other symbols the polynomial is one
// in these u, linear in each. If no coefficient but the constant is below 0, the constant is the least value; if one is, it
// has none: with the u that are not in its monomial 0 and the others equal, that monomial outgrows the rest. The coefficients
// are differences of values at the base and one step away, so that 2^n evaluations give all for n symbols.
#include <assert.h>

#include "solver/decide/solver.h"

typedef struct corners {
  qsolver *s;
  uint32_t count, endless;  // endless: bits of the symbols that have one end
  term_id symbol[BOX_SYMBOLS];
  num base[BOX_SYMBOLS], other[BOX_SYMBOLS];
} corners;

static uint32_t index_of(const corners *x, term_id symbol) {
  uint32_t at = 0;
  while (at < x->count && x->symbol[at] != symbol) at++;
  return at;
}

static bool add_symbol(corners *x, const problem *p, term_id symbol) {
  shape_budget *b = x->s->budget;
  uint32_t at = index_of(x, symbol);
  if (at < x->count) return true;
  interval r = problem_symbol_range(p, term_get(x->s->t, symbol)->as.symbol);
  if (at == BOX_SYMBOLS || !(r.has_lo || r.has_hi)) return false;
  bool both = r.has_lo && r.has_hi;
  if (both && num_compare(r.lo, r.hi) > 0) return false;
  x->count++;
  x->symbol[at] = symbol;
  x->base[at] = r.has_lo ? r.lo : r.hi;
  x->other[at] = both ? r.hi : num_add(b, x->base[at], NUM(r.has_lo ? 1 : -1));
  if (!both) x->endless |= 1u << at;
  return true;
}

static bool open_corners(corners *x, const problem *p, const term_part *parts, uint32_t count) {
  term_table *t = x->s->t;
  for (uint32_t i = 0; i < count; i++) {
    const term_power *powers;
    term_power room;
    uint32_t n = term_powers(t, parts[i].monomial, &powers, &room);
    for (uint32_t j = 0; j < n; j++) {
      if (powers[j].exponent != 1 || !add_symbol(x, p, powers[j].atom)) return false;
    }
  }
  return x->count > 0;
}

// Where the symbols whose bits are set are at `other`, and the others at `base`.
static num value_at(const corners *x, const term_part *parts, uint32_t count, uint32_t set) {
  shape_budget *b = x->s->budget;
  num sum = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    const term_power *powers;
    term_power room;
    uint32_t n = term_powers(x->s->t, parts[i].monomial, &powers, &room);
    num product = parts[i].coefficient;
    for (uint32_t j = 0; j < n; j++) {
      uint32_t at = index_of(x, powers[j].atom);
      product = num_mul(b, product, set >> at & 1 ? x->other[at] : x->base[at]);
    }
    sum = num_add(b, sum, product);
  }
  return sum;
}

bool corner_range(const problem *p, term_id e, interval *out) {
  qsolver *s = p->s;
  corners x = {.s = s};
  num value[1 << BOX_SYMBOLS];
  const term_part *parts;
  term_part one;
  if (p->count || term_get(s->t, e)->degree < 2 || term_kinds(s->t, e) != KIND_BIT(TERM_SYMBOL))
    return false;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  if (count > TERM_MAX_MONOMIALS || !open_corners(&x, p, parts, count)) return false;
  uint32_t sets = 1u << x.count;
  if (!budget_spend(s->budget, (uint64_t)count * sets)) return false;
  for (uint32_t set = 0; set < sets; set++) value[set] = value_at(&x, parts, count, set);
  for (uint32_t i = 0; i < x.count; i++) {
    if (!(x.endless >> i & 1)) continue;
    for (uint32_t set = 0; set < sets; set++) {
      if (set >> i & 1) value[set] = num_sub(s->budget, value[set], value[set ^ 1u << i]);
    }
  }
  bool up = false, down = false;
  interval r = interval_point(value[0]);
  for (uint32_t set = 1; set < sets; set++) {
    int sign = num_sign(value[set]);
    if (set & x.endless) {
      up |= sign > 0;
      down |= sign < 0;
    } else {
      r = interval_join(r, interval_point(value[set]));
    }
  }
  assert(num_compare(r.lo, r.hi) <= 0);
  r.has_lo = !down;
  r.has_hi = !up;
  *out = r;
  return true;
}

bool corners_refute(const problem *p, literal l) {
  interval r;
  if (!corner_range(p, l.e, &r)) return false;
  if (l.kind == LITERAL_GE) return r.has_hi && num_sign(r.hi) < 0;
  return l.kind == LITERAL_EQ && interval_excludes_zero(r);
}
