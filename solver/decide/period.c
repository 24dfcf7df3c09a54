// SPDX-License-Identifier: Apache-2.0
// Exact ranges of terms whose symbols are constrained by nothing but their own ranges, one symbol in each monomial.
//
// A function f of one integer is quasi-linear with period L and gain C when f(x + L) == f(x) + C for all x. The symbol has
// (L, C) = (1, 1); sums keep the property at the least common period, floordiv(f, d) has it at the smallest multiple
// of L whose gain d divides, min(f, g) where f and g gain the same. So on each class x == L*k + r every such atom is an
// affine function of k, and a polynomial of degree D in such atoms is one of degree at most D in k: it is affine on the
// class exactly when it agrees with an affine function at D + 1 points. Affine functions take their ends at the ends of
// the class, so L * (D + 1) evaluations give the exact range. mod(a, 5)^2 takes fifteen, where bound propagation would
// have to see that the quotient moves with the symbol. Sums over different symbols add their ranges.
#include <assert.h>

#include "solver/decide/solver.h"

typedef struct gain {
  int64_t period;  // at most PERIOD_POINTS
  num gain;
} gain;

static int64_t lcm(int64_t a, int64_t b) {
  int64_t x = a, y = b;
  while (y) {
    int64_t r = x % y;
    x = y;
    y = r;
  }
  assert(x > 0);
  return a / x * b;
}

static num stretched(shape_budget *b, gain g, int64_t period) {
  assert(period % g.period == 0);
  return num_mul(b, g.gain, NUM(period / g.period));
}

static bool gain_of(qsolver *s, term_id id, uint32_t depth, gain *out);

static bool gain_of_sum(qsolver *s, const term_node *node, uint32_t depth, gain *out) {
  shape_budget *b = s->budget;
  *out = (gain){1, NUM(0)};
  for (uint32_t i = 0; i < node->count; i++) {
    gain g;
    if (node->as.parts[i].monomial == TERM_ONE) continue;
    if (!gain_of(s, node->as.parts[i].monomial, depth, &g)) return false;
    int64_t period = lcm(out->period, g.period);
    if (period > PERIOD_POINTS) return false;
    num more = num_mul(b, node->as.parts[i].coefficient, stretched(b, g, period));
    *out = (gain){period, num_add(b, stretched(b, *out, period), more)};
  }
  return true;
}

static bool gain_of_quotient(qsolver *s, const term_node *node, uint32_t depth, gain *out) {
  shape_budget *b = s->budget;
  num d;
  int64_t times;
  if (!term_const_value(s->t, node->as.args[1], &d) || num_is_zero(d)) return false;
  if (!gain_of(s, node->as.args[0], depth + 1, out)) return false;
  num size = num_abs(b, d);
  if (!num_to_int(num_floordiv(b, size, num_gcd(b, size, out->gain)), &times)) return false;
  if (times > PERIOD_POINTS / out->period) return false;
  out->gain = num_floordiv(b, num_mul(b, out->gain, NUM(times)), d);
  out->period *= times;
  return true;
}

static bool gain_of_extremum(qsolver *s, const term_node *node, uint32_t depth, gain *out) {
  for (uint32_t i = 0; i < node->count; i++) {
    gain g;
    if (!gain_of(s, node->as.args[i], depth + 1, &g)) return false;
    if (i == 0) *out = g;
    int64_t period = lcm(out->period, g.period);
    if (period > PERIOD_POINTS) return false;
    num total = stretched(s->budget, *out, period);
    if (!num_equal(total, stretched(s->budget, g, period))) return false;
    *out = (gain){period, total};
  }
  return node->count > 0;
}

static bool gain_of(qsolver *s, term_id id, uint32_t depth, gain *out) {
  term_node node = *term_get(s->t, id);
  if (depth > PERIOD_DEPTH) return false;
  switch (node.kind) {
  case TERM_CONST: *out = (gain){1, NUM(0)}; return true;
  case TERM_SYMBOL: *out = (gain){1, NUM(1)}; return true;
  case TERM_SUM: return gain_of_sum(s, &node, depth, out);
  case TERM_FLOORDIV: return gain_of_quotient(s, &node, depth, out);
  case TERM_MIN:
  case TERM_MAX: return gain_of_extremum(s, &node, depth, out);
  default: return false;
  }
}

// The only symbol in a term; TERM_ZERO: none, TERM_NONE: more than one, or too deep to say.
static term_id only_symbol(qsolver *s, term_id e, uint32_t depth) {
  const term_node *node = term_get(s->t, e);
  if (node->kind == TERM_CONST) return TERM_ZERO;
  if (node->kind == TERM_SYMBOL) return e;
  if (depth > 2 * PERIOD_DEPTH || node->kind == TERM_APPLY) return TERM_NONE;
  term_id found = TERM_ZERO;
  for (uint32_t i = 0; i < node->count; i++) {
    term_id part = node->kind == TERM_SUM       ? node->as.parts[i].monomial
                   : node->kind == TERM_PRODUCT ? node->as.powers[i].atom
                                                : node->as.args[i];
    term_id x = only_symbol(s, part, depth + 1);
    if (x == TERM_ZERO || x == found) continue;
    if (x == TERM_NONE || found != TERM_ZERO) return TERM_NONE;
    found = x;
  }
  return found;
}

// The parts of a term that hold one symbol.
typedef struct group {
  qsolver *s;
  const term_part *parts;
  const term_id *symbols;  // of each part
  uint32_t count;
  term_id symbol;
  int64_t period;
  uint32_t degree;
  interval range;  // of the symbol
} group;

static bool survey(group *g) {
  qsolver *s = g->s;
  g->period = 1;
  g->degree = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->symbols[i] != g->symbol) continue;
    const term_power *powers;
    term_power room;
    uint32_t n = term_powers(s->t, g->parts[i].monomial, &powers, &room), total = 0;
    for (uint32_t j = 0; j < n; j++) {
      gain of;
      if (powers[j].exponent > PERIOD_DEGREE || !gain_of(s, powers[j].atom, 0, &of)) return false;
      g->period = lcm(g->period, of.period);
      total += powers[j].exponent;
      if (g->period > PERIOD_POINTS || total > PERIOD_DEGREE) return false;
    }
    if (total > g->degree) g->degree = total;
  }
  assert(g->period > 0);
  return g->period * (g->degree + 1) <= PERIOD_POINTS;
}

static bool value_at(group *g, num x, num *out) {
  qsolver *s = g->s;
  uint32_t symbol = term_get(s->t, g->symbol)->as.symbol;
  assert(symbol < s->env_capacity);
  s->env[symbol] = x;
  s->env_known[symbol] = 1;
  *out = NUM(0);
  for (uint32_t i = 0; i < g->count; i++) {
    num v;
    if (g->symbols[i] != g->symbol) continue;
    if (!model_evaluate(s, g->parts[i].monomial, &v)) return false;
    *out = num_add(s->budget, *out, num_mul(s->budget, g->parts[i].coefficient, v));
  }
  return true;
}

// Joins to *out what the group and `constant` give on the class x == base + period*k. *zero: 0 is among the values.
static bool join_class(group *g, num base, num constant, interval *out, bool *any, bool *zero) {
  shape_budget *b = g->s->budget;
  assert(g->degree <= PERIOD_DEGREE);
  num period = NUM(g->period), at[PERIOD_DEGREE + 1];
  for (uint32_t k = 0; k <= g->degree; k++) {
    if (!value_at(g, num_add(b, base, num_mul(b, period, NUM(k))), &at[k])) return false;
  }
  num slope = g->degree ? num_sub(b, at[1], at[0]) : NUM(0), first = num_add(b, at[0], constant);
  for (uint32_t k = 2; k <= g->degree; k++) {
    if (!num_equal(num_sub(b, at[k], at[k - 1]), slope)) return false;
  }
  interval r = g->range, of = {NUM(0), NUM(0), r.has_lo, r.has_hi};
  if (r.has_lo) of.lo = num_ceildiv(b, num_sub(b, r.lo, base), period);
  if (r.has_hi) of.hi = num_floordiv(b, num_sub(b, r.hi, base), period);
  if (of.has_lo && of.has_hi && num_compare(of.lo, of.hi) > 0) return true;
  of = interval_add(b, interval_scale(b, of, slope), interval_point(first));
  *out = *any ? interval_join(*out, of) : of;
  *any = true;
  if (interval_contains(of, NUM(0)) && num_divides(b, slope, first)) *zero = true;
  return true;
}

// Do values in this range, which all occur, show that the literal has a solution? alone: they are of the whole term.
static bool shows_solution(uint8_t kind, bool alone, interval of, bool zero) {
  num v;
  switch (kind) {
  case LITERAL_GE: return !of.has_hi || (alone && num_sign(of.hi) >= 0);
  case LITERAL_EQ: return alone && zero;
  default: return !interval_is_point(of, &v) || (alone && !num_is_zero(v));
  }
}

// refuting: NULL, or the literal that is not refuted where this returns false.
static bool add_group(group *g, num constant, const literal *refuting, interval *out, bool *zero) {
  shape_budget *b = g->s->budget;
  if (!survey(g) || !budget_spend(b, (uint32_t)g->period * (g->degree + 1))) return false;
  interval of = interval_all();
  bool any = false, alone = true;
  num base = g->range.has_lo ? g->range.lo : NUM(0);
  for (uint32_t i = 0; i < g->count; i++)
    alone &= g->symbols[i] == g->symbol || g->symbols[i] == TERM_ZERO;
  for (int64_t r = 0; r < g->period; r++) {
    if (!join_class(g, num_add(b, base, NUM(r)), constant, &of, &any, zero) ||
        (refuting && any && shows_solution(refuting->kind, alone, of, *zero)))
      return false;
  }
  *out = interval_add(b, *out, of);
  return any;
}

static bool find_range(problem *p, term_id e, const literal *refuting, interval *out, bool *zero) {
  qsolver *s = p->s;
  const term_part *parts;
  term_part one;
  term_id symbols[PERIOD_PARTS];
  uint32_t count = term_parts(s->t, e, &parts, &one), groups = 0;
  if (p->count || count > PERIOD_PARTS) return false;
  for (uint32_t i = 0; i < count; i++) {
    symbols[i] = only_symbol(s, parts[i].monomial, 0);
    if (symbols[i] == TERM_NONE) return false;
  }
  model_reset(p);
  num constant = term_constant_part(s->t, e);
  *out = interval_point(NUM(0));
  *zero = false;
  for (uint32_t i = 0; i < count; i++) {
    bool seen = parts[i].monomial == TERM_ONE;
    for (uint32_t k = 0; k < i && !seen; k++) seen = symbols[k] == symbols[i];
    if (seen) continue;
    uint32_t symbol = term_get(s->t, symbols[i])->as.symbol;
    group g = {.s = s,
               .parts = parts,
               .symbols = symbols,
               .count = count,
               .symbol = symbols[i],
               .range = problem_symbol_range(p, symbol)};
    if (!add_group(&g, groups == 0 ? constant : NUM(0), refuting, out, zero)) return false;
    groups++;
  }
  if (groups != 1) *zero = interval_contains(*out, NUM(0));
  return groups > 0;
}

bool period_range(problem *p, term_id e, interval *out, bool *zero) {
  return find_range(p, e, NULL, out, zero);
}

bool period_refutes(problem *p, literal l) {
  interval range;
  bool zero;
  num v;
  l.e = problem_resolve(p, l.e);
  if (term_get(p->s->t, l.e)->depth < 2 || !find_range(p, l.e, &l, &range, &zero)) return false;
  switch (l.kind) {
  case LITERAL_GE: return range.has_hi && num_sign(range.hi) < 0;
  case LITERAL_EQ: return !zero;
  default: return interval_is_point(range, &v) && num_is_zero(v);
  }
}
