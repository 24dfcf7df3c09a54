// SPDX-License-Identifier: Apache-2.0
// The theory of sums == 0: integer elimination to the solved form.
//
// A symbol with coefficient 1 or -1 that is nowhere else in the equation is solved for. Without one, a change of
// variables by a fresh symbol makes the smallest coefficient divide less (Knuth, TAOCP 2, 4.5.2; Pugh, The Omega test,
// 1991), which ends in a unit coefficient because the gcd was divided out; with a gcd that does not divide the constant
// there is no integer point. Where no symbol can be solved for, an atom with a unit coefficient gets a definition.
//
// A size of an argument is never solved for in terms of dims that only a run can determine (open symbols) where those would
// hide it: with arg := x*y, a check of arg at the start of a run could not be written any more. Such an equation is
// left to the open symbols, or becomes a rule for their product (factor.c).
#include <assert.h>

#include "solver/facts/core.h"

// An equation sum == 0 with content 1, and the marks of what is inside its monomials.
typedef struct equation {
  term_id sum;
  proof_id proof;
  uint32_t inner;
  bool open;  // only open symbols may be solved for
} equation;

static term_part part_of(const shape_store *s, term_id sum, uint32_t i) {
  const term_part *parts;
  term_part room;
  term_parts(s->terms, sum, &parts, &room);
  return parts[i];
}

static uint32_t part_count(const shape_store *s, term_id sum) {
  const term_part *parts;
  term_part room;
  return term_parts(s->terms, sum, &parts, &room);
}

static bool is_unit(num x) { return num_is(x, 1) || num_is(x, -1); }

// A symbol that is in the equation once, linearly.
static bool is_candidate(shape_store *s, const equation *e, term_part part) {
  return term_kind_of(s->terms, part.monomial) == TERM_SYMBOL &&
         (!e->open || store_is_open(s, part.monomial)) &&
         !canon_is_marked(s, part.monomial, e->inner);
}

// One open symbol that is alone can be expressed by the rest, or by a quotient of it; not so two, or one inside.
static bool hides_symbols(shape_store *s, term_id sum) {
  uint32_t alone = 0, count = part_count(s, sum);
  bool inside = false;
  for (uint32_t i = 0; i < count && !inside; i++) {
    term_part part = part_of(s, sum, i);
    if (term_kind_of(s->terms, part.monomial) == TERM_SYMBOL) {
      alone += store_is_open(s, part.monomial);
    } else {
      inside = store_speaks_open(s, part.monomial);
    }
  }
  return inside || alone > 1;
}

// What `part` is equal to by the equation; its coefficient is a unit.
static term_id solve_for(shape_store *s, term_id sum, term_part part) {
  assert(is_unit(part.coefficient));
  term_id rest = term_sub(s->terms, sum, term_scale(s->terms, part.monomial, part.coefficient));
  return num_is_one(part.coefficient) ? term_neg(s->terms, rest) : rest;
}

static bool solve_symbol(shape_store *s, const equation *e) {
  term_part best = {NUM(0), TERM_NONE};
  uint32_t count = part_count(s, e->sum);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (!is_unit(part.coefficient) || !is_candidate(s, e, part)) continue;
    if (best.monomial == TERM_NONE || equality_goes_first(s, part.monomial, best.monomial)) {
      best = part;
    }
  }
  if (best.monomial == TERM_NONE) return false;
  canon_define(s, best.monomial, solve_for(s, e->sum, best), e->proof);
  return true;
}

static num candidates_gcd(shape_store *s, const equation *e) {
  num g = NUM(0);
  uint32_t count = part_count(s, e->sum);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (is_candidate(s, e, part)) g = num_gcd(s->budget, g, part.coefficient);
  }
  return g;
}

// One step of Euclid's algorithm on the candidates' coefficients: with c*y the smallest, y becomes
// t - sum of trunc(c_i / c) * x_i, so that c*t and smaller coefficients are left.
static void change_variables(shape_store *s, const equation *e) {
  shape_budget *b = s->budget;
  term_part least = {NUM(0), TERM_NONE};
  uint32_t count = part_count(s, e->sum);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (!is_candidate(s, e, part)) continue;
    int order = least.monomial == TERM_NONE
                    ? -1
                    : num_compare(num_abs(b, part.coefficient), num_abs(b, least.coefficient));
    if (order < 0 || (order == 0 && equality_goes_first(s, part.monomial, least.monomial))) {
      least = part;
    }
  }
  assert(least.monomial != TERM_NONE);
  term_id whole = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (part.monomial == least.monomial) continue;
    if (part.monomial != TERM_ONE && !is_candidate(s, e, part)) continue;
    num q = num_truncdiv(b, part.coefficient, least.coefficient);
    whole = term_add(s->terms, whole, term_scale(s->terms, part.monomial, q));
  }
  term_id fresh = store_fresh(s, term_add(s->terms, least.monomial, whole), NUM(1));
  // True by what the fresh symbol denotes: no proof.
  canon_define(s, least.monomial, term_sub(s->terms, fresh, whole), PROOF_NONE);
  store_post(s, EVENT_EQ, e->sum, e->proof);
}

// p - m*floordiv(p, m) == r says that p has the residue r.
static bool solve_remainder(shape_store *s, const equation *e) {
  uint32_t count = part_count(s, e->sum);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (term_kind_of(s->terms, part.monomial) != TERM_FLOORDIV) continue;
    term_id dividend = term_get(s->terms, part.monomial)->as.args[0];
    num m, r;
    if (!term_const_value(s->terms, term_get(s->terms, part.monomial)->as.args[1], &m)) continue;
    if (num_sign(m) <= 0) continue;
    if (!num_equal(num_abs(s->budget, part.coefficient), m)) continue;
    term_id remainder = term_sub(s->terms, dividend, term_scale(s->terms, part.monomial, m));
    bool negative = num_sign(part.coefficient) < 0;  // then sum is remainder - r
    term_id rest =
        negative ? term_sub(s->terms, remainder, e->sum) : term_add(s->terms, remainder, e->sum);
    if (!term_const_value(s->terms, rest, &r)) continue;
    if (num_sign(r) < 0 || num_compare(r, m) >= 0) {
      store_report_conflict(s, e->proof);
    } else if (num_is_one(m)) {
      return true;
    } else {
      store_post_divides(s, m, term_sub(s->terms, dividend, term_const(s->terms, r)), e->proof);
    }
    return true;
  }
  return false;
}

// What the definition of an atom says about its arguments: d*q <= a < d*q + d for a quotient, and so on.
static void post_arguments(shape_store *s, term_id atom, term_id value, proof_id proof) {
  assert(term_is_atom(s->terms, atom) && term_kind_of(s->terms, atom) != TERM_SYMBOL);
  const term_node *node = term_get(s->terms, atom);
  uint32_t count = node->count;
  term_kind kind = node->kind;
  num m, v;
  if (kind == TERM_IS_ZERO || kind == TERM_IS_NEG) {
    store_post(s, EVENT_GE, value, proof);
    store_post(s, EVENT_GE, term_sub(s->terms, TERM_ONE, value), proof);
  }
  if (kind == TERM_FLOORDIV) {
    term_id dividend = node->as.args[0];
    if (!term_const_value(s->terms, node->as.args[1], &m) || num_sign(m) <= 0) return;
    term_id remainder = term_sub(s->terms, dividend, term_scale(s->terms, value, m));
    store_post(s, EVENT_GE, remainder, proof);
    term_id last = term_const(s->terms, num_sub(s->budget, m, NUM(1)));
    store_post(s, EVENT_GE, term_sub(s->terms, last, remainder), proof);
  } else if (kind == TERM_MIN || kind == TERM_MAX) {
    for (uint32_t i = 0; i < count; i++) {
      term_id d = term_sub(s->terms, term_get(s->terms, atom)->as.args[i], value);
      store_post(s, EVENT_GE, kind == TERM_MIN ? d : term_neg(s->terms, d), proof);
    }
  } else if (kind == TERM_IS_ZERO && term_const_value(s->terms, value, &v)) {
    store_post(s, num_is_zero(v) ? EVENT_NE : EVENT_EQ, node->as.args[0], proof);
  } else if (kind == TERM_IS_NEG && term_const_value(s->terms, value, &v)) {
    term_id x = node->as.args[0];
    bool negative = !num_is_zero(v);
    if (negative) x = term_sub(s->terms, term_int(s->terms, -1), x);
    store_post(s, EVENT_GE, x, proof);
  }
}

// Which of two atoms is to be expressed by the other: the deeper one, the one with the larger divisor. The other way
// round, floordiv(x, 2) == floordiv(x, 4) would make floordiv(x, 2^k) of ever larger k.
static bool is_heavier(shape_store *s, term_id a, term_id b) {
  const term_node *x = term_get(s->terms, a), *y = term_get(s->terms, b);
  if (x->depth != y->depth) return x->depth > y->depth;
  num m, n;
  if (x->kind == TERM_FLOORDIV && y->kind == TERM_FLOORDIV &&
      term_const_value(s->terms, x->as.args[1], &m) &&
      term_const_value(s->terms, y->as.args[1], &n) && !num_equal(m, n)) {
    return num_compare(m, n) > 0;
  }
  return term_order(s->terms, a, b) > 0;
}

static bool solve_atom(shape_store *s, const equation *e) {
  if (s->bus.credit < FACTS_ATOM_COST) return false;
  term_part best = {NUM(0), TERM_NONE};
  uint32_t count = part_count(s, e->sum), inner = e->inner;
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (!is_unit(part.coefficient) || !term_is_atom(s->terms, part.monomial)) continue;
    if (term_kind_of(s->terms, part.monomial) == TERM_SYMBOL) continue;
    if (canon_is_marked(s, part.monomial, inner)) continue;
    if (e->open) {
      bool open = store_speaks_open(s, part.monomial);
      inner = canon_mark_inner(s, e->sum);  // walks share their marks
      if (!open) continue;
    }
    if (best.monomial == TERM_NONE || is_heavier(s, part.monomial, best.monomial)) {
      best = part;
    }
  }
  if (best.monomial == TERM_NONE) return false;
  s->bus.credit -= FACTS_ATOM_COST;
  term_id value = solve_for(s, e->sum, best);
  canon_define(s, best.monomial, value, e->proof);
  post_arguments(s, best.monomial, value, e->proof);
  return true;
}

// The candidates' coefficients have a common factor g: it divides the rest of the sum.
static void post_rest(shape_store *s, const equation *e, num g) {
  assert(num_sign(g) > 0);
  term_id rest = e->sum;
  bool news = false;
  uint32_t count = part_count(s, e->sum);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = part_of(s, e->sum, i);
    if (!is_candidate(s, e, part)) continue;
    rest = term_sub(s->terms, rest, term_scale(s->terms, part.monomial, part.coefficient));
    news |= store_symbol_record(s, term_get(s->terms, part.monomial)->as.symbol)->info.rank !=
            SYMBOL_FRESH;
  }
  // Where all of them are the store's own, the equation is what a divisibility was turned into.
  if (news) store_post_divides(s, g, rest, e->proof);
}

static theory_result notify(shape_store *s, const store_event *event) {
  if (event->kind != EVENT_EQ) return THEORY_PASS;
  num scale, offset;
  equation e = {.sum = event->term, .proof = event->proof};
  term_id base = form_split(s, e.sum, &scale, &offset);
  if (!num_divides(s->budget, scale, offset)) {
    store_report_conflict(s, e.proof);
    return THEORY_CONFLICT;
  }
  if (!is_unit(scale)) {
    num value = num_floordiv(s->budget, offset, scale);
    e.sum = term_add(s->terms, base, term_const(s->terms, value));
  }
  e.open = hides_symbols(s, e.sum);
  e.inner = canon_mark_inner(s, e.sum);
  if (solve_symbol(s, &e)) return THEORY_DONE;
  num g = candidates_gcd(s, &e);
  if (num_is_one(g) && s->bus.credit >= FACTS_VARIABLE_COST) {
    s->bus.credit -= FACTS_VARIABLE_COST;
    change_variables(s, &e);
    return THEORY_DONE;
  }
  if (solve_remainder(s, &e)) return s->conflict.found ? THEORY_CONFLICT : THEORY_DONE;
  if (solve_atom(s, &e)) return THEORY_DONE;
  if (!num_is_zero(g)) post_rest(s, &e, g);
  return THEORY_PASS;
}

const theory linear_theory = {.notify = notify};
