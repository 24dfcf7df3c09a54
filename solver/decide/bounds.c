// SPDX-License-Identifier: Apache-2.0
// Tight bounds of a term under premises.
//
// A bound is exact by interval arithmetic, by periods or by enumeration where the term and the premises are of such a form.
// Else the largest value is asked for on either side: a symbol that equals the term is added to the rows, and the simplex
// lets it rise. That bounds the term over the integers, whatever the magnitude, as far as rows say all; where atoms are
// defined by cases or are products, the search splits them and the bound is that of the cases together. Each model that is
// found rises further, until nothing above it is left, so the number of searches does not depend on the numbers.
#include "solver/decide/query.h"

#include <assert.h>

#include "solver/decide/order.h"
#include "solver/decide/solver.h"

typedef struct side {
  qsolver *s;
  problem *base;
  term_id t;  // the upper bound of t is asked for
  simplex_end end;
  bool any;     // some model is known
  num reached;  // by it
} side;

static bool settled(const side *x) {
  return x->end.has && x->any && num_compare(x->reached, x->end.value) >= 0;
}

// Models of products can square themselves search after search.
static bool soars(const side *x) { return !x->end.has && num_bits(x->reached) > BOUNDS_BITS; }

static void lower_end(side *x, num value) {
  if (!x->end.has || num_compare(value, x->end.value) < 0) x->end = (simplex_end){true, value};
}

static void reach(side *x, num value) {
  if (!x->any || num_compare(value, x->reached) > 0) x->reached = value;
  x->any = true;
}

static void reach_both(side *up, side *down, num value) {
  reach(up, value);
  reach(down, num_neg(up->s->budget, value));
}

// A search whose models report the values of t.
static search_options search_values(term_id t) {
  search_options sought = search_any(QUERY_NODES);
  sought.objective = t;
  return sought;
}

// The same for large ones, from `least` on: a symbol of the solver's denotes t in rows.
static search_options search_large(qsolver *s, term_id t, num least) {
  search_options sought = search_values(t);
  sought.top = term_symbol(s->t);
  sought.least = least;
  return sought;
}

// Is t <= limit proven? A model beyond it moves `reached`.
static verdict try_limit_with(side *x, num limit, search_options sought) {
  qsolver *s = x->s;
  sought.goal = term_sub(s->t, x->t, term_const(s->t, num_add(s->budget, limit, NUM(1))));
  verdict v = query_search(s, x->base, (literal){sought.goal, LITERAL_GE}, &sought);
  if (v == VERDICT_REFUTED) lower_end(x, limit);
  if (v == VERDICT_MODEL) reach(x, s->objective_value);
  return v;
}

static verdict try_limit(side *x, num limit) {
  return try_limit_with(x, limit, search_values(x->t));
}

// Branching need not end where the integers of a face of the polyhedron are sought. There the equality t == end is eliminated
// with what else becomes one.
static void search_at_end(side *x) {
  qsolver *s = x->s;
  for (uint32_t i = 0; i < BOUNDS_ENDS && x->end.has && !settled(x); i++) {
    verdict v = VERDICT_OPEN;
    for (int k = 0; k < 2 && v == VERDICT_OPEN; k++) {
      literal there = {term_sub(s->t, x->t, term_const(s->t, x->end.value)),
                       k ? LITERAL_EQ : LITERAL_GE};
      search_options sought = k ? search_values(x->t) : search_large(s, x->t, x->end.value);
      v = query_search(s, x->base, there, &sought);
    }
    if (v == VERDICT_MODEL) reach(x, s->objective_value);
    if (v != VERDICT_REFUTED) return;
    lower_end(x, num_sub(s->budget, x->end.value, NUM(1)));
  }
}

// From one model to the next, and as far beyond as values count: where that is a model as well, none is sought any more.
static void follow(side *x, const num *from, const num *to) {
  qsolver *s = x->s;
  num far = num_pow(s->budget, NUM(2), BOUNDS_BITS + 1);
  model_reset(x->base);
  for (uint32_t i = 0; i < s->q->symbol_count; i++) {
    uint32_t symbol = term_get(s->t, s->q->symbols[i].symbol)->as.symbol;
    num way = num_mul(s->budget, far, num_sub(s->budget, to[i], from[i]));
    s->env[symbol] = num_add(s->budget, to[i], way);
    s->env_known[symbol] = 1;
  }
  s->sought = search_values(x->t);
  if (model_check(x->base)) reach(x, s->objective_value);
}

// Where the cases of the problem are linear: each search finds the largest value of a case, or that nothing is left.
static void search_cases(side *x) {
  assert(x->any);
  qsolver *s = x->s;
  const num *before = NULL;
  for (uint32_t i = 0; i < BOUNDS_SEARCHES && !settled(x) && !soars(x); i++) {
    num least = num_add(s->budget, x->reached, NUM(1));
    verdict v = try_limit_with(x, x->reached, search_large(s, x->t, least));
    if (v == VERDICT_OPEN && s->ceiling.has) lower_end(x, s->ceiling.value);
    if (v == VERDICT_OPEN) search_at_end(x);
    if (v != VERDICT_MODEL || s->endless) return;
    const num *model = s->model;
    if (before && !x->end.has) follow(x, before, model);
    before = model;
  }
}

// Not decided at the point reached: the least bound that can be proven above it.
static void search_above(side *x) {
  assert(x->any);
  shape_budget *b = x->s->budget;
  num low = x->reached, step = NUM(1);
  for (uint32_t i = 0; i < BOUNDS_CLIMBS && !x->end.has && !soars(x); i++) {
    if (try_limit(x, num_add(b, low, step)) == VERDICT_MODEL) low = x->reached;
    step = num_mul(b, step, NUM(16));
  }
  for (uint32_t i = 0; i < BOUNDS_HALVINGS && x->end.has; i++) {
    num gap = num_sub(b, x->end.value, low);
    if (num_compare(gap, NUM(1)) <= 0) break;
    num middle = num_add(b, low, num_floordiv(b, gap, NUM(2)));
    if (try_limit(x, middle) != VERDICT_REFUTED) low = middle;
  }
}

// Where there are products, no row says how far a model may rise: limits are tried. Such bounds are sound, not always tight.
static void search_limits(side *x) {
  assert(x->any);
  shape_budget *b = x->s->budget;
  num step = NUM(1);
  num first =
      x->end.has ? num_sub(b, x->end.value, NUM(1)) : num_add(b, x->reached, NUM(BOUNDS_FAR));
  if (try_limit(x, first) == VERDICT_MODEL) return;  // at the end, or as far as is looked for one
  for (uint32_t i = 0; i < BOUNDS_GALLOPS && !settled(x) && !soars(x); i++) {
    verdict v = try_limit(x, x->reached);
    if (v == VERDICT_REFUTED) return;
    if (v == VERDICT_OPEN) {
      search_above(x);
      return;
    }
    num far = num_add(b, x->reached, step);
    if (x->end.has && num_compare(far, x->end.value) >= 0)
      far = num_floordiv(b, num_add(b, x->reached, x->end.value), NUM(2));
    if (num_compare(far, x->reached) > 0) try_limit(x, far);
    step = num_mul(b, step, NUM(64));
  }
}

// What the rows say of the end. True: that is all there is to say.
static bool end_of_rows(side *x, context *c, uint32_t var) {
  qsolver *s = x->s;
  assert(var < c->var_count);
  num *values = arena_alloc(s->arena, (c->var_count + 1) * sizeof *values);
  simplex_end end;
  verdict v = simplex_maximum(c, var, values, &end);
  if (end.has) lower_end(x, end.value);
  s->sought = search_values(x->t);
  if (v == VERDICT_MODEL && model_from_values(c, values)) reach(x, s->objective_value);
  return v == VERDICT_MODEL && !end.has && context_is_linear(c);
}

// Does each symbol occur once, under operations whose ends are reached at the ends of their arguments? Then interval
// arithmetic over a box is exact.
static bool reads_once(qsolver *s, term_id id, uint64_t *seen) {
  term_node node = *term_get(s->t, id);
  switch (node.kind) {
  case TERM_CONST: return true;
  case TERM_SYMBOL: {
    uint64_t bit = 1ull << (node.as.symbol & 63);
    if ((node.as.symbol & ~63u) || (*seen & bit)) return false;
    *seen |= bit;
    return true;
  }
  case TERM_SUM:
    for (uint32_t i = 0; i < node.count; i++) {
      if (!reads_once(s, node.as.parts[i].monomial, seen)) return false;
    }
    return true;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++) {
      if (!reads_once(s, node.as.powers[i].atom, seen)) return false;
      // the ends of an even power through 0 are reached, but not at the ends: harmless, 0 is in the range
    }
    return true;
  case TERM_FLOORDIV:
    if (term_kind_of(s->t, node.as.args[1]) != TERM_CONST) return false;
    return reads_once(s, node.as.args[0], seen);
  case TERM_MIN:
  case TERM_MAX:
    for (uint32_t i = 0; i < node.count; i++) {
      if (!reads_once(s, node.as.args[i], seen)) return false;
    }
    return true;
  default: return false;
  }
}

// Of a sum, the parts that share symbols with others, as one sum; the ranges of those that do not are added to *out. False:
// some part reads a symbol twice, or one that was read.
static bool shared_parts(qsolver *s, const problem *p, term_id id, uint64_t *seen, term_id *shared,
                         interval *out) {
  const term_part *parts;
  term_part one, kept[BOUNDS_PARTS];
  uint32_t count = term_parts(s->t, id, &parts, &one), n = 0;
  if (count > BOUNDS_PARTS) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t others = 0;
    for (uint32_t j = 0; j < count; j++) {
      if (j != i) others |= term_mask(s->t, parts[j].monomial);
    }
    if (term_mask(s->t, parts[i].monomial) & others) {
      kept[n++] = parts[i];
      continue;
    }
    if (!reads_once(s, parts[i].monomial, seen)) return false;
    interval x = problem_range(p, parts[i].monomial);
    interval_add_scaled(s->budget, out, &x, parts[i].coefficient);
  }
  *shared = term_sum(s->t, kept, n);
  return true;
}

// The exact range of a term that reads each symbol once, as does an extremum whose arguments take up the rest of the sum:
// a + b - min(a, b) is max(a, b), b - min(a, b) is max(b - a, 0). False: it does not.
static bool extremum_range(qsolver *s, const problem *p, term_id id, uint64_t *seen,
                           interval *out) {
  uint64_t before = *seen;
  term_id shared, of[BOUNDS_PARTS];
  bool is_max;
  *out = interval_point(NUM(0));
  if (reads_once(s, id, seen)) {
    *out = problem_range(p, id);
    return true;
  }
  *seen = before;
  if (!(term_kinds(s->t, id) & KIND_BIT(TERM_MIN)) || !shared_parts(s, p, id, seen, &shared, out))
    return false;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, shared, &parts, &one), at = 0;
  while (at < count && term_kind_of(s->t, parts[at].monomial) != TERM_MIN) at++;
  if (at == count || term_get(s->t, parts[at].monomial)->count > BOUNDS_PARTS) return false;
  count = term_expand_min(s->t, shared, at, of, &is_max);
  interval r = interval_all(), x;
  for (uint32_t i = 0; i < count; i++) {
    if (!extremum_range(s, p, of[i], seen, &x)) return false;
    r = i == 0 ? x : is_max ? interval_max(r, x) : interval_min(r, x);
  }
  *out = interval_add(s->budget, *out, r);
  return true;
}

// Where the premises are ranges: the exact range of a term that reads each symbol once. False: it does not.
static bool box_ends(qsolver *s, const problem *base, term_id t, interval *out) {
  uint64_t seen = 0;
  interval exact;
  if (base->count != 0 || !extremum_range(s, base, t, &seen, &exact)) return false;
  *out = exact;
  return true;
}

// The rows of the problem and of a symbol that equals t. False: no solution.
static bool open_rows(context *c, problem *p, const problem *base, term_id t) {
  qsolver *s = base->s;
  problem_copy(p, base);
  context_init(c, p);
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->literals[i].kind == LITERAL_NE) continue;
    if (!context_add(c, p->literals[i].e, p->literals[i].kind == LITERAL_EQ)) return false;
  }
  term_id z = term_symbol(s->t);
  c->top = context_var(c, z);
  return context_add(c, term_sub(s->t, z, t), true) && context_define(c) && context_propagate(c);
}

// Both sides from the rows of one problem, whose variable c->top is up->t. *left: which sides the rows leave open.
static bool ends_of_rows(side *up, side *down, context *c, bool *up_left, bool *down_left) {
  qsolver *s = up->s;
  assert(c->top < c->var_count);
  interval r = c->range[c->top];
  if (r.has_hi) lower_end(up, r.hi);
  if (r.has_lo) lower_end(down, num_neg(s->budget, r.lo));
  s->sought = search_values(up->t);
  if (model_search(c, 0, 1)) reach_both(up, down, s->objective_value);
  *up_left = !settled(up) && !end_of_rows(up, c, c->top) && !settled(up);
  if (up->any) reach(down, num_neg(s->budget, up->reached));
  *down_left = !settled(down);
  if (!*down_left) return true;
  term_id w = term_symbol(s->t);
  uint32_t var = context_var(c, w);
  if (!context_add(c, term_add(s->t, w, c->term[c->top]), true) || !context_propagate(c))
    return false;
  *down_left = !end_of_rows(down, c, var) && !settled(down);
  if (down->any) reach(up, num_neg(s->budget, down->reached));
  return true;
}

// False: no solution.
static bool bounds_of_search(qsolver *s, problem *base, term_id t, interval *out) {
  problem p;
  context c;
  bool up_left, down_left;
  side up = {.s = s, .base = base, .t = t, .end = {out->has_hi, out->hi}};
  side down = {.s = s, .base = base, .t = term_neg(s->t, t), .end = {out->has_lo, NUM(0)}};
  if (out->has_lo) down.end.value = num_neg(s->budget, out->lo);
  if (!open_rows(&c, &p, base, t)) return false;
  verdict v = difference_range(&c, t, out);
  if (v != VERDICT_OPEN) return v == VERDICT_MODEL;
  if (!ends_of_rows(&up, &down, &c, &up_left, &down_left)) return false;
  if (!up.any && !down.any) {
    search_options sought = search_values(t);
    problem_copy(&p, base);
    verdict any = search_problem(s, &p, &sought);
    if (any == VERDICT_REFUTED) return false;
    if (any == VERDICT_OPEN) up_left = down_left = false;
    if (any == VERDICT_MODEL) reach_both(&up, &down, s->objective_value);
  }
  void (*search)(side *) = c.special_count ? search_limits : search_cases;
  assert(up.any == down.any);
  if (up_left) search(&up);
  if (down_left) search(&down);
  assert(!down.any || !down.end.has || num_compare(down.reached, down.end.value) <= 0);
  assert(!up.any || !up.end.has || num_compare(up.reached, up.end.value) <= 0);
  *out = (interval){.has_hi = up.end.has, .hi = up.end.value, .has_lo = down.end.has};
  if (down.end.has) out->lo = num_neg(s->budget, down.end.value);
  return true;
}

// The same of t == g*rest + c by the bounds of the rest, which are integers.
static bool bounds_of_primitive(qsolver *s, problem *base, term_id t, interval *out) {
  num c = term_constant_part(s->t, t);
  term_id rest = term_sub(s->t, t, term_const(s->t, c));
  num g = term_content(s->t, rest);
  if (rest == TERM_ZERO || (num_is_one(g) && num_is_zero(c)))
    return bounds_of_search(s, base, t, out);
  bool divides = term_divide_exact(s->t, rest, term_const(s->t, g), &rest);
  assert(divides && num_sign(g) > 0);
  (void)divides;
  interval r = problem_range(base, rest);
  if (!bounds_of_search(s, base, rest, &r)) return false;
  r = interval_add(s->budget, interval_scale(s->budget, r, g), interval_point(c));
  return interval_meet(*out, r, out);
}

static bool bounds(const query *q, term_id t, interval *out) {
  qsolver s;
  problem base;
  if (!query_start(&s, &base, q)) return false;
  t = problem_resolve(&base, t);
  *out = problem_range(&base, t);
  if (box_ends(&s, &base, t, out) || corner_range(&base, t, out)) return true;
  interval exact;
  bool zero;
  if (period_range(&base, t, &exact, &zero)) {
    *out = exact;
    return true;
  }
  return box_range(&base, t, out) || bounds_of_primitive(&s, &base, t, out);
}

bool query_bounds(const query *q, term_id t, interval *out) {
  query_order o;
  return query_order_make(&o, q, t, TERM_ZERO) ? bounds(&o.q, o.left, out) : bounds(q, t, out);
}
