// SPDX-License-Identifier: Apache-2.0
// Queries: each is a pair of problems to refute or satisfy (see solver.h).
#include "solver/decide/query.h"

#include <assert.h>
#include <string.h>

#include "solver/decide/narrate.h"
#include "solver/decide/order.h"
#include "solver/decide/solver.h"

static void solver_init(qsolver *s, const query *q) {
  memset(s, 0, sizeof *s);
  s->q = q;
  s->t = q->terms;
  s->arena = q->arena;
  s->budget = q->budget;
  s->stamp = 1;
  s->first_fresh = q->terms->symbol_count;
  s->sought = search_any(0);
}

bool query_start(qsolver *s, problem *p, const query *q) {
  solver_init(s, q);
  problem_init(p, s);
  p->range_count = s->t->symbol_count;
  p->range = arena_alloc(s->arena, (p->range_count + 1) * sizeof *p->range);
  for (uint32_t i = 0; i < p->range_count; i++) p->range[i] = interval_all();
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const query_symbol *symbol = &q->symbols[i];
    assert(term_kind_of(s->t, symbol->symbol) == TERM_SYMBOL);
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

// Where the range of the literal does not say it all.
static verdict search_beyond_range(qsolver *s, problem *base, literal l,
                                   const search_options *sought) {
  if (lattice_refutes(s, l)) return VERDICT_REFUTED;
  if (base->count == 0 && (period_refutes(base, l) || corners_refute(base, l)))
    return VERDICT_REFUTED;
  problem p;
  problem_copy(&p, base);
  problem_add(&p, l);
  return search_problem(s, &p, sought);
}

static shape_answer quick_answer(problem *base, literal l) {
  return problem_quick(base, (literal){problem_resolve(base, l.e), l.kind});
}

// An equality is solved before its range counts.
static bool range_counts(problem *base, literal l) {
  return l.kind != LITERAL_EQ || term_kind_of(base->s->t, problem_resolve(base, l.e)) == TERM_CONST;
}

verdict query_search(qsolver *s, problem *base, literal l, const search_options *sought) {
  if (range_counts(base, l) && quick_answer(base, l) == SHAPE_NO) return VERDICT_REFUTED;
  return search_beyond_range(s, base, l, sought);
}

// The same where it is known what the range of the literal says.
static verdict search_with(qsolver *s, problem *base, literal l, shape_answer quick,
                           const search_options *sought) {
  if (quick == SHAPE_NO && range_counts(base, l)) return VERDICT_REFUTED;
  return search_beyond_range(s, base, l, sought);
}

// The same of the opposite of the literal, which is not made where the range of the literal says that it holds.
static verdict search_against(qsolver *s, problem *base, literal l, shape_answer quick,
                              const search_options *sought) {
  if (l.kind == LITERAL_NE) return query_search(s, base, literal_not(s, l), sought);
  if (quick == SHAPE_YES) return VERDICT_REFUTED;
  return search_beyond_range(s, base, literal_not(s, l), sought);
}

// Can the terms of the query be undefined somewhere?
static bool may_be_undefined(qsolver *s, term_id id, uint32_t depth) {
  term_node node = *term_get(s->t, id);
  if (depth > QUERY_DOMAIN_DEPTH) return true;
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

static query_result ask(const query *q, predicate asked) {
  qsolver s;
  query_result result = {.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_INCOMPLETE};
  problem base;
  if (!query_start(&s, &base, q)) {
    result.conflict = true;
    result.reason = UNKNOWN_NOT;
    return result;
  }
  literal yes = literal_of(&s, asked);
  search_options any = search_any(QUERY_NODES), one = any, other = any;
  one.asked = other.asked = &asked;
  one.holds = true;
  shape_answer quick = quick_answer(&base, yes);
  verdict against = search_against(&s, &base, yes, quick, &other);
  result.witness_false = against == VERDICT_MODEL ? s.model : NULL;
  if (q->only_yes && against != VERDICT_REFUTED) return result;
  // The premises have a solution, so that the other side need not be searched: it can only find a conflict.
  bool moved = false,
       free = against == VERDICT_REFUTED && (base.count == 0 || model_repair(&base, &one, &moved));
  verdict with = !free   ? search_with(&s, &base, yes, quick, &one)
                 : moved ? VERDICT_MODEL
                         : VERDICT_OPEN;
  result.witness_true = with == VERDICT_MODEL ? s.model : NULL;
  if (against == VERDICT_REFUTED && with == VERDICT_REFUTED) {
    bool partial = may_be_undefined(&s, asked.left, 0) || may_be_undefined(&s, asked.right, 0) ||
                   (asked.rel == REL_DIVISIBLE && term_kind_of(s.t, asked.right) != TERM_CONST);
    result.conflict = !partial || search_problem(&s, &base, &any) == VERDICT_REFUTED;
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
  assert(!result.conflict || result.answer == SHAPE_UNKNOWN);
  return result;
}

query_result query_ask(const query *q, predicate asked) {
  query_order o;
  uint64_t before = q->budget->steps_used;
  bool ordered = query_order_make(&o, q, asked.left, asked.right);
  query_result result =
      ordered ? ask(&o.q, predicate_make(asked.rel, o.left, o.right)) : ask(q, asked);
  if (trace_wants(q->budget, TRACE_query)) {
    narrate_query(q, asked, &result, q->budget->steps_used - before);
  }
  if (!ordered) return result;
  result.witness_true = query_order_values(&o, result.witness_true);
  result.witness_false = query_order_values(&o, result.witness_false);
  return result;
}
