// SPDX-License-Identifier: Apache-2.0
// Candidates from ranges and from equalities (see simplify.h).
//
// Over small ranges a remainder or a quotient may be a sum of multiples of its symbols: the values at one corner of the
// ranges and one step along each symbol give the coefficients, a proof says whether they are right. Parts of a dividend that
// are too small together to reach the next multiple change no quotient. An equality of the premises between a symbol and a
// sum gives that sum a name.
#include <assert.h>
#include <string.h>

#include "solver/decide/simplify.h"

// Values at the corner at which all symbols are least, and with one of them (or none) one larger.
static bool corner_value(simplifier *x, term_id id, uint32_t moved, num *out) {
  qsolver *s = x->s;
  assert(moved == UINT32_MAX || moved < s->q->symbol_count);
  model_reset(x->base);
  for (uint32_t i = 0; i < s->q->symbol_count; i++) {
    uint32_t symbol = term_get(s->t, s->q->symbols[i].symbol)->as.symbol;
    interval r = problem_symbol_range(x->base, symbol);
    num v = r.has_lo ? r.lo : r.has_hi ? num_sub(s->budget, r.hi, NUM(1)) : NUM(0);
    s->env[symbol] = i == moved ? num_add(s->budget, v, NUM(1)) : v;
    s->env_known[symbol] = 1;
  }
  return model_evaluate(s, id, out);
}

term_id simplify_affine(simplifier *x, term_id id) {
  qsolver *s = x->s;
  term_id sum = TERM_ZERO;
  uint32_t count = 0;
  num first, value, at_corner = NUM(0);
  if (x->base->count || x->base->order_count || !corner_value(x, id, UINT32_MAX, &first))
    return TERM_NONE;
  for (uint32_t i = 0; i < s->q->symbol_count; i++) {
    term_id symbol = s->q->symbols[i].symbol;
    if (!term_mentions(s->t, id, symbol)) continue;
    interval r = problem_symbol_range(x->base, term_get(s->t, symbol)->as.symbol);
    num only;
    if (++count > AFFINE_SYMBOLS || !num_is_one(s->q->symbols[i].multiple_of)) return TERM_NONE;
    if (interval_is_point(r, &only)) continue;
    if (!corner_value(x, id, i, &value)) return TERM_NONE;
    num step = num_sub(s->budget, value, first);
    sum = term_add(s->t, sum, term_scale(s->t, symbol, step));
  }
  if (!corner_value(x, sum, UINT32_MAX, &at_corner)) return TERM_NONE;
  sum = term_add(s->t, sum, term_const(s->t, num_sub(s->budget, first, at_corner)));
  return sum == id || simplify_equal(x, id, sum) ? sum : TERM_NONE;
}

// Is the sum at least 0, and below g?
static bool is_below(simplifier *x, term_id sum, num g) {
  interval r = problem_range(x->base, problem_resolve(x->base, sum));
  return r.has_lo && r.has_hi && num_sign(r.lo) >= 0 && num_compare(r.hi, g) < 0;
}

// Where g divides d and e is g*rest + low with low in [0, g), floordiv(e, d) is floordiv(rest, d/g).
bool simplify_drops(simplifier *x, term_id e, term_part part, term_id d) {
  qsolver *s = x->s;
  const term_part *parts;
  term_part one, copy[SIMPLIFY_DIVIDEND], low[SIMPLIFY_DIVIDEND];
  num divisor;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  if (!term_const_value(s->t, d, &divisor) || num_sign(divisor) <= 0 || count > SIMPLIFY_DIVIDEND)
    return false;
  memcpy(copy, parts, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) {
    num g = num_gcd(s->budget, copy[i].coefficient, divisor);
    uint32_t n = 0;
    if (num_divides(s->budget, g, part.coefficient)) continue;  // it is none of the low ones
    for (uint32_t j = 0; j < count; j++) {
      if (!num_divides(s->budget, g, copy[j].coefficient)) low[n++] = copy[j];
    }
    term_id all = term_sum_loose(s->t, low, n);
    term_id others = term_sub(s->t, all, term_scale(s->t, part.monomial, part.coefficient));
    if (is_below(x, all, g) && is_below(x, others, g)) return true;
  }
  return false;
}

// id with k*(name - sum) added, where that takes the last part of the sum out of it.
static term_id renamed(simplifier *x, term_id id, term_id name, term_id sum) {
  qsolver *s = x->s;
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(s->t, sum, &parts, &room);
  assert(count);
  term_part last = parts[count - 1];
  if (last.monomial == TERM_ONE) return id;
  count = term_parts(s->t, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    num c = parts[i].coefficient;
    if (parts[i].monomial != last.monomial || !num_divides(s->budget, last.coefficient, c))
      continue;
    num k = num_floordiv(s->budget, c, last.coefficient);
    return term_add(s->t, id, term_scale(s->t, term_sub(s->t, name, sum), k));
  }
  return id;
}

term_id simplify_declared(simplifier *x, term_id id) {
  qsolver *s = x->s;
  for (uint32_t i = 0; i < s->q->premise_count && i < SIMPLIFY_NAMES; i++) {
    predicate p = s->q->premises[i];
    if (p.rel != REL_EQ) continue;
    for (uint32_t side = 0; side < 2; side++) {
      term_id name = side ? p.left : p.right, sum = side ? p.right : p.left;
      if (term_kind_of(s->t, name) != TERM_SYMBOL || term_kind_of(s->t, sum) == TERM_CONST ||
          term_mentions(s->t, sum, name))
        continue;
      term_id other = renamed(x, id, name, sum);
      if (other != id && simplify_size(s, other) < simplify_size(s, id)) id = other;
    }
  }
  return id;
}
