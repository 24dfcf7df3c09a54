// SPDX-License-Identifier: Apache-2.0
// Questions: each is a pair of problems to refute or satisfy (see query_solver.h).
#include "solver/store/query.h"

#include <string.h>

#include "solver/store/narrate.h"
#include "solver/store/query_order.h"
#include "solver/store/query_solver.h"

// A side on which a model lies further than FAR from 0, and no end is proven, is taken to have none.
enum { NODES_PER_PROBLEM = 160, GALLOP = 24, FAR = 500000 };

static void solver_init(qsolver *s, const query *q) {
  memset(s, 0, sizeof *s);
  s->q = q;
  s->t = q->terms;
  s->arena = q->arena;
  s->budget = q->budget;
  s->stamp = 1;
  s->first_fresh = q->terms->symbol_count;
  s->want = -1;
  s->objective = s->goal = TERM_NONE;
}

bool query_start(qsolver *s, problem *p, const query *q) {
  solver_init(s, q);
  problem_init(p, s);
  p->range_count = s->t->symbol_count;
  p->range = arena_alloc(s->arena, (p->range_count + 1) * sizeof *p->range);
  for (uint32_t i = 0; i < p->range_count; i++) p->range[i] = interval_all();
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const query_symbol *symbol = &q->symbols[i];
    p->range[term_get(s->t, symbol->symbol)->as.symbol] = symbol->range;
    num v;
    if (!num_is_zero(symbol->multiple_of) && !num_is_one(symbol->multiple_of)) {
      term_id k = term_symbol(s->t);
      problem_add(
          p, (literal){term_sub(s->t, symbol->symbol, term_scale(s->t, k, symbol->multiple_of)),
                       LITERAL_EQ});
    } else if (interval_is_point(symbol->range, &v)) {
      problem_add(p, (literal){term_sub(s->t, symbol->symbol, term_const(s->t, v)), LITERAL_EQ});
    }
  }
  for (uint32_t i = 0; i < q->premise_count; i++) problem_add(p, literal_of(s, q->premises[i]));
  return problem_solve(p);
}

static verdict run(qsolver *s, problem *base, literal l, int want) {
  if (lattice_refutes(s, l)) return VERDICT_REFUTED;
  if (base->count == 0 && period_refutes(base, l)) return VERDICT_REFUTED;
  problem p;
  problem_copy(&p, base);
  problem_add(&p, l);
  s->want = want;
  s->nodes_left = NODES_PER_PROBLEM;
  return search_run(s, &p, 0);
}

static verdict run_base(qsolver *s, const problem *base) {
  problem p;
  problem_copy(&p, base);
  s->want = -1;
  s->nodes_left = NODES_PER_PROBLEM;
  return search_run(s, &p, 0);
}

// Does the simplest point, every free symbol at the end of its range next to 0, satisfy the premises?
static bool simple_model(qsolver *s, problem *base) {
  s->want = -1;
  model_reset(base);
  return model_check(base);
}

// Can the terms of the question be undefined somewhere?
static bool may_be_undefined(qsolver *s, term_id id, uint32_t depth) {
  term_node node = *term_get(s->t, id);
  if (depth > 60) return true;
  switch (node.kind) {
  case TERM_CONST:
  case TERM_SYMBOL: return false;
  case TERM_SUM:
    for (uint32_t i = 0; i < node.count; i++) {
      if (may_be_undefined(s, node.as.parts[i].monomial, depth + 1)) return true;
    }
    return false;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++) {
      if (may_be_undefined(s, node.as.powers[i].atom, depth + 1)) return true;
    }
    return false;
  default:
    if (node.kind == TERM_FLOORDIV && term_kind_of(s->t, node.as.args[1]) != TERM_CONST)
      return true;
    for (uint32_t i = 0; i < node.count; i++) {
      if (may_be_undefined(s, node.as.args[i], depth + 1)) return true;
    }
    return false;
  }
}

static query_result ask(const query *q, predicate question) {
  qsolver s;
  query_result result = {.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_INCOMPLETE};
  problem base;
  if (!query_start(&s, &base, q)) {
    result.conflict = true;
    result.reason = UNKNOWN_NOT;
    return result;
  }
  s.question = &question;
  literal yes = literal_of(&s, question), no = literal_negated(&s, question);
  verdict against = run(&s, &base, no, 0);
  result.witness_false = against == VERDICT_MODEL ? s.model : NULL;
  // The premises have a solution, so that the other side need not be looked at: it can tell a conflict only.
  bool free = against == VERDICT_REFUTED && (base.count == 0 || simple_model(&s, &base));
  verdict with = free ? VERDICT_OPEN : run(&s, &base, yes, 1);
  result.witness_true = with == VERDICT_MODEL ? s.model : NULL;
  if (against == VERDICT_REFUTED && with == VERDICT_REFUTED) {
    bool partial =
        may_be_undefined(&s, question.left, 0) || may_be_undefined(&s, question.right, 0) ||
        (question.rel == REL_DIVISIBLE && term_kind_of(s.t, question.right) != TERM_CONST);
    result.conflict = !partial || run_base(&s, &base) == VERDICT_REFUTED;
    if (!result.conflict) result.answer = SHAPE_YES;  // at no point of its domain
    result.reason = UNKNOWN_NOT;
  } else if (against == VERDICT_REFUTED) {
    result.answer = SHAPE_YES;
    result.reason = UNKNOWN_NOT;
  } else if (with == VERDICT_REFUTED) {
    result.answer = SHAPE_NO;
    result.reason = UNKNOWN_NOT;
  } else if (against == VERDICT_MODEL && with == VERDICT_MODEL) {
    result.reason = UNKNOWN_CONTINGENT;
  } else if (s.spent) {
    result.reason = UNKNOWN_BUDGET;
  }
  return result;
}

query_result query_ask(const query *q, predicate question) {
  query_order o;
  uint64_t before = q->budget->steps_used;
  bool ordered = query_order_make(&o, q, question.left, question.right);
  query_result result =
      ordered ? ask(&o.q, predicate_make(question.rel, o.left, o.right)) : ask(q, question);
  if (trace_wants(q->budget, TRACE_query)) {
    narrate_query(q, question, &result, q->budget->steps_used - before);
  }
  if (!ordered) return result;
  result.witness_true = query_order_values(&o, result.witness_true);
  result.witness_false = query_order_values(&o, result.witness_false);
  return result;
}

// --- bounds

typedef struct side {
  qsolver *s;
  problem *base;
  term_id t;    // the upper bound of t is asked for
  bool proven;  // t <= bound is
  num bound;
  num reached;  // by a model
} side;

// Is t <= limit proven? A model beyond it moves `reached`.
static verdict try_limit(side *x, num limit) {
  qsolver *s = x->s;
  x->s->objective = x->t;
  term_id e = term_sub(s->t, x->t, term_const(s->t, num_add(s->budget, limit, NUM(1))));
  s->goal = e;
  verdict v = run(s, x->base, (literal){e, LITERAL_GE}, -1);
  s->goal = TERM_NONE;
  if (v == VERDICT_REFUTED && (!x->proven || num_compare(limit, x->bound) < 0)) {
    x->proven = true;
    x->bound = limit;
  }
  if (v == VERDICT_MODEL && num_compare(s->objective_value, x->reached) > 0)
    x->reached = s->objective_value;
  return v;
}

// Is there nothing left for tighten_side to do?
static bool side_settled(bool proven, num bound, num reached) {
  return proven ? num_compare(reached, bound) >= 0 : num_compare(reached, NUM(FAR)) > 0;
}

// Where propagation alone leaves t, and what some models give. False: no solution. *found counts the models.
static bool first_range(qsolver *s, const problem *base, term_id t, interval *out, interval *seen,
                        uint32_t *found) {
  problem p;
  problem_copy(&p, base);
  context c;
  context_init(&c, &p);
  *found = 0;
  for (uint32_t i = 0; i < p.count; i++) {
    if (p.literals[i].kind == LITERAL_NE) continue;
    if (!context_add(&c, p.literals[i].e, p.literals[i].kind == LITERAL_EQ)) return false;
  }
  term_id z = term_symbol(s->t);
  uint32_t var = c.skip = context_var(&c, z);
  if (!context_add(&c, term_sub(s->t, z, t), true) || !context_define(&c) || !context_propagate(&c))
    return false;
  if (!interval_meet(*out, c.range[var], out)) return false;
  static const uint8_t ATTEMPTS[] = {0, 3, 2, 4};
  num v;
  if (interval_is_point(*out, &v)) return true;
  for (uint32_t i = 0; i < sizeof ATTEMPTS; i++) {
    if (!model_search(&c, ATTEMPTS[i], 1)) continue;
    interval at = interval_point(s->objective_value);
    *seen = *found ? interval_join(*seen, at) : at;
    ++*found;
    if (side_settled(out->has_hi, out->hi, seen->hi) &&
        side_settled(out->has_lo, num_neg(s->budget, out->lo), num_neg(s->budget, seen->lo)))
      break;
  }
  return true;
}

static void tighten_side(side *x) {
  shape_budget *b = x->s->budget;
  num step = NUM(1000003);
  if (!x->proven) {  // is there an end at all?
    if (side_settled(false, NUM(0), x->reached)) return;
    if (try_limit(x, num_add(b, x->reached, step)) == VERDICT_MODEL) return;
  } else if (num_compare(x->reached, x->bound) < 0) {
    if (try_limit(x, num_sub(b, x->bound, NUM(1))) == VERDICT_MODEL) return;
  }
  step = NUM(1);
  for (uint32_t i = 0; i < GALLOP; i++) {
    if (x->proven && num_compare(x->reached, x->bound) >= 0) return;
    verdict v = try_limit(x, x->reached);
    if (v == VERDICT_REFUTED) return;
    if (v == VERDICT_OPEN) break;
    num far = num_add(b, x->reached, step);
    if (x->proven && num_compare(far, x->bound) >= 0)
      far = num_floordiv(b, num_add(b, x->reached, x->bound), NUM(2));
    if (num_compare(far, x->reached) > 0) try_limit(x, far);
    step = num_mul(b, step, NUM(64));
  }
  // Not decided at the point reached: the best bound that can be proven above it.
  num low = x->reached;
  step = NUM(1);
  for (uint32_t i = 0; i < 8 && !x->proven; i++) {
    if (try_limit(x, num_add(b, low, step)) == VERDICT_MODEL) low = x->reached;
    step = num_mul(b, step, NUM(16));
  }
  for (uint32_t i = 0; i < 12 && x->proven; i++) {
    num gap = num_sub(b, x->bound, low);
    if (num_compare(gap, NUM(1)) <= 0) break;
    num middle = num_add(b, low, num_floordiv(b, gap, NUM(2)));
    if (try_limit(x, middle) != VERDICT_REFUTED) low = middle;
  }
}

// Does each symbol stand once, under operations whose ends are reached at the ends of their arguments? Then interval
// arithmetic over a box is exact.
static bool reads_once(qsolver *s, term_id id, uint64_t *seen) {
  term_node node = *term_get(s->t, id);
  switch (node.kind) {
  case TERM_CONST: return true;
  case TERM_SYMBOL: {
    uint64_t bit = 1ull << (node.as.symbol & 63);
    if (node.as.symbol > 63 || (*seen & bit)) return false;
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

static bool bounds(const query *q, term_id t, interval *out) {
  qsolver s;
  problem base;
  if (!query_start(&s, &base, q)) return false;
  t = problem_resolve(&base, t);
  s.objective = t;
  *out = problem_range(&base, t);
  num v;
  uint64_t read = 0;
  if (base.count == 0 && reads_once(&s, t, &read)) return true;
  interval seen;
  bool zero;
  if (period_range(&base, t, &seen, &zero)) {
    *out = seen;
    return true;
  }
  if (box_range(&base, t, out)) return true;
  uint32_t found = 0;
  bool possible = first_range(&s, &base, t, out, &seen, &found);
  if (!found) {
    verdict any = possible ? run_base(&s, &base) : VERDICT_REFUTED;
    if (any == VERDICT_REFUTED) return false;
    if (any != VERDICT_MODEL || interval_is_point(*out, &v)) return true;
    seen = interval_point(s.objective_value);
  }
  if (interval_is_point(*out, &v)) return true;
  side up = {&s, &base, t, out->has_hi, out->hi, seen.hi};
  tighten_side(&up);
  side down = {&s, &base, term_neg(s.t, t), out->has_lo, NUM(0), num_neg(s.budget, seen.lo)};
  if (out->has_lo) down.bound = num_neg(s.budget, out->lo);
  tighten_side(&down);
  out->has_hi = up.proven;
  out->hi = up.bound;
  out->has_lo = down.proven;
  if (down.proven) out->lo = num_neg(s.budget, down.bound);
  return true;
}

bool query_bounds(const query *q, term_id t, interval *out) {
  query_order o;
  return query_order_make(&o, q, t, TERM_ZERO) ? bounds(&o.q, o.left, out) : bounds(q, t, out);
}
