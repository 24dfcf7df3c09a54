// SPDX-License-Identifier: Apache-2.0
// The search: refute a problem or find a model of it, by propagation, the simplex, lemmas, and case splits.
//
// Every case split covers all cases, so a problem is refuted when all its cases are. Cases are copies of the problem with
// one more literal or one more mapped atom; they are solved again from their terms, so that what a case makes equal
// becomes equal inside the atoms too.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

typedef struct split {
  int kind;      // split_kind
  term_id term;  // the atom, symbol or literal to split on
  num from;      // of a range or residue
  uint32_t count;
} split;

enum split_kind {
  SPLIT_NONE,
  SPLIT_NE,
  SPLIT_ATOM,
  SPLIT_DIVISOR,
  SPLIT_FACTOR,
  SPLIT_SIGN,
  SPLIT_RANGE,
  SPLIT_RESIDUE
};

// --- cases

static void add_ge(problem *p, term_id e) { problem_add(p, (literal){e, LITERAL_GE}); }

static void case_extremum(problem *p, term_id atom, uint32_t which) {
  term_table *t = p->s->t;
  term_node node = *term_get(t, atom);
  assert(which < node.count);
  term_id arg = node.as.args[which];
  for (uint32_t i = 0; i < node.count; i++) {
    if (i == which) continue;
    term_id large = node.kind == TERM_MIN ? node.as.args[i] : arg;
    term_id small = node.kind == TERM_MIN ? arg : node.as.args[i];
    add_ge(p, i < which ? term_above(t, large, small) : term_sub(t, large, small));
  }
  problem_map(p, atom, arg);
}

// Adds the `which`-th case of the split on an atom; false when there is none.
static bool case_atom(problem *p, term_id atom, uint32_t which) {
  term_table *t = p->s->t;
  term_node node = *term_get(t, atom);
  if (node.kind == TERM_MIN || node.kind == TERM_MAX) {
    if (which >= node.count) return false;
    case_extremum(p, atom, which);
    return true;
  }
  if (which > 1) return false;
  const term_id *args = node.as.args;
  switch (node.kind) {
  case TERM_BCAST:
    problem_add(p, (literal){term_sub(t, args[0], TERM_ONE), which == 0 ? LITERAL_EQ : LITERAL_NE});
    problem_map(p, atom, which == 0 ? args[1] : args[0]);
    return true;
  case TERM_SELECT:
    problem_add(p, (literal){args[0], which == 0 ? LITERAL_EQ : LITERAL_NE});
    problem_map(p, atom, which == 0 ? args[2] : args[1]);
    return true;
  case TERM_IS_ZERO:
    problem_add(p, (literal){args[0], which == 0 ? LITERAL_EQ : LITERAL_NE});
    problem_map(p, atom, which == 0 ? TERM_ONE : TERM_ZERO);
    return true;
  default:
    assert(node.kind == TERM_IS_NEG);
    add_ge(p, which == 0 ? args[0] : term_above(t, TERM_ZERO, args[0]));
    problem_map(p, atom, which == 0 ? TERM_ZERO : TERM_ONE);
    return true;
  }
}

static bool make_case(problem *p, const split *sp, uint32_t which) {
  qsolver *s = p->s;
  term_table *t = s->t;
  switch (sp->kind) {
  case SPLIT_ATOM: return case_atom(p, sp->term, which);
  case SPLIT_NE:
  case SPLIT_DIVISOR:
    if (which > 1) return false;
    for (uint32_t i = 0; i < p->count && sp->kind == SPLIT_NE; i++) {
      if (p->literals[i].kind != LITERAL_NE || p->literals[i].e != sp->term) continue;
      p->literals[i] = p->literals[--p->count];
      p->clean = 0;
      break;
    }
    add_ge(p, which == 0 ? term_above(t, sp->term, TERM_ZERO) : term_above(t, TERM_ZERO, sp->term));
    return true;
  case SPLIT_FACTOR:  // term == 0 or not
    if (which > 1) return false;
    problem_add(p, (literal){sp->term, which == 0 ? LITERAL_EQ : LITERAL_NE});
    return true;
  case SPLIT_SIGN:
    if (which > 2) return false;
    if (which == 1) {
      problem_add(p, (literal){sp->term, LITERAL_EQ});
    } else {
      add_ge(p,
             which == 0 ? term_above(t, sp->term, TERM_ZERO) : term_above(t, TERM_ZERO, sp->term));
    }
    return true;
  case SPLIT_RANGE: {
    if (which >= sp->count) return false;
    num v = num_add(s->budget, sp->from, NUM(which));
    problem_add(p, (literal){term_sub(t, sp->term, term_const(t, v)), LITERAL_EQ});
    return true;
  }
  case SPLIT_RESIDUE: {
    if (which >= sp->count) return false;
    term_id k = term_symbol(t);
    term_id rest = term_int(t, which);
    term_id value = term_add(t, term_scale(t, k, NUM(sp->count)), rest);
    problem_add(p, (literal){term_sub(t, sp->term, value), LITERAL_EQ});
    return true;
  }
  default: return false;
  }
}

// --- choosing

static bool splits_by_definition(term_kind kind) {
  return kind == TERM_MIN || kind == TERM_MAX || kind == TERM_BCAST || kind == TERM_SELECT ||
         kind == TERM_IS_ZERO || kind == TERM_IS_NEG;
}

// The innermost atom that is defined by cases.
static bool choose_atom(context *c, split *out) {
  term_table *t = c->s->t;
  uint32_t best = UINT32_MAX;
  if (!c->split_count) return false;
  for (uint32_t i = 0; i < c->var_count; i++) {
    if (!splits_by_definition(term_kind_of(t, c->term[i]))) continue;
    if (best == UINT32_MAX || term_get(t, c->term[i])->depth < term_get(t, c->term[best])->depth)
      best = i;
  }
  if (best == UINT32_MAX) return false;
  *out = (split){.kind = SPLIT_ATOM, .term = c->term[best]};
  return true;
}

// The only disequality, and the newest literal: that of the query. Both sides are inspected right away.
static bool asked_unequal(problem *p, split *out) {
  uint32_t unequal = 0;
  for (uint32_t i = 0; i < p->count; i++) unequal += p->literals[i].kind == LITERAL_NE;
  if (unequal != 1 || p->literals[p->count - 1].kind != LITERAL_NE) return false;
  *out = (split){.kind = SPLIT_NE, .term = p->literals[p->count - 1].e};
  return true;
}

static bool choose_literal(problem *p, split *out) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->literals[i].kind != LITERAL_NE) continue;
    *out = (split){.kind = SPLIT_NE, .term = p->literals[i].e};
    return true;
  }
  return false;
}

// Is the sign of the term given by a literal?
static bool sign_is_given(const problem *p, term_id e) {
  term_table *t = p->s->t;
  term_id above = term_above(t, e, TERM_ZERO), below = term_above(t, TERM_ZERO, e);
  for (uint32_t i = 0; i < p->count; i++) {
    literal l = p->literals[i];
    if (l.kind == LITERAL_GE && (l.e == above || l.e == below)) return true;
  }
  return false;
}

static bool choose_divisor(context *c, split *out) {
  term_table *t = c->s->t;
  for (uint32_t i = 0; i < c->special_count; i++) {
    term_id id = c->term[c->special[i]];
    if (term_kind_of(t, id) != TERM_FLOORDIV) continue;
    term_id d = term_get(t, id)->as.args[1];
    if (interval_excludes_zero(problem_range(c->p, d))) continue;
    *out = (split){.kind = SPLIT_DIVISOR, .term = d};
    return true;
  }
  return false;
}

// An equality x*rest == 0.
static bool choose_factor(context *c, split *out) {
  problem *p = c->p;
  term_table *t = c->s->t;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->literals[i].kind == LITERAL_GE) continue;
    if (!num_is_zero(term_constant_part(t, p->literals[i].e))) continue;
    term_id factor = term_common_factor(t, p->literals[i].e);
    const term_part *parts;
    term_part one;
    if (term_parts(t, factor, &parts, &one) != 1 || parts[0].monomial == TERM_ONE) continue;
    const term_power *powers;
    term_power room;
    term_powers(t, parts[0].monomial, &powers, &room);
    *out = (split){.kind = SPLIT_FACTOR, .term = powers[0].atom};
    return true;
  }
  return false;
}

// An atom of unknown sign in a product.
static bool choose_sign(context *c, split *out) {
  term_table *t = c->s->t;
  for (uint32_t i = 0; i < c->special_count; i++) {
    term_node node = *term_get(t, c->term[c->special[i]]);
    if (node.kind != TERM_PRODUCT) continue;
    for (uint32_t j = 0; j < node.count; j++) {
      uint32_t var = context_find(c, node.as.powers[j].atom);
      if (var == UINT32_MAX) continue;
      interval r = c->range[var];
      bool low = !r.has_lo || num_sign(r.lo) < 0, high = !r.has_hi || num_sign(r.hi) > 0;
      if (!low || !high) continue;
      *out = (split){.kind = SPLIT_SIGN, .term = node.as.powers[j].atom};
      return true;
    }
  }
  return false;
}

// Does the term hold `atom` in a position that is not linear?
static bool hard_position(qsolver *s, term_id atom, term_id monomial) {
  return monomial != atom && term_mentions(s->t, monomial, atom);
}

// A symbol with few values; those in nonlinear positions only.
static bool choose_range(context *c, split *out, uint32_t limit) {
  qsolver *s = c->s;
  uint32_t best = UINT32_MAX;
  int64_t best_size = 0;
  for (uint32_t i = 0; i < c->var_count; i++) {
    if (term_kind_of(s->t, c->term[i]) != TERM_SYMBOL) continue;
    interval r = c->range[i];
    int64_t size;
    if (!r.has_lo || !r.has_hi || !num_to_int(num_sub(s->budget, r.hi, r.lo), &size)) continue;
    if (size < 1 || size >= (int64_t)limit || (best != UINT32_MAX && size >= best_size)) continue;
    bool hard = false;
    for (uint32_t j = 0; j < c->var_count && !hard; j++)
      hard = hard_position(s, c->term[i], c->term[j]);
    if (!hard) continue;
    best = i;
    best_size = size;
  }
  if (best == UINT32_MAX) return false;
  *out = (split){.kind = SPLIT_RANGE,
                 .term = c->term[best],
                 .from = c->range[best].lo,
                 .count = (uint32_t)best_size + 1};
  return true;
}

// A symbol under constant divisors whose common multiple is small.
static bool choose_residue(context *c, split *out) {
  qsolver *s = c->s;
  for (uint32_t i = 0; i < c->var_count; i++) {
    if (term_kind_of(s->t, c->term[i]) != TERM_SYMBOL) continue;
    num lcm = NUM(1);
    for (uint32_t j = 0; j < c->var_count; j++) {
      const term_node *node = term_get(s->t, c->term[j]);
      num d;
      if (node->kind != TERM_FLOORDIV || !term_const_value(s->t, node->as.args[1], &d)) continue;
      if (term_mentions(s->t, node->as.args[0], c->term[i])) lcm = num_lcm(s->budget, lcm, d);
    }
    int64_t count;
    if (!num_to_int(lcm, &count) || count < 2 || count > SEARCH_RESIDUES) continue;
    *out = (split){.kind = SPLIT_RESIDUE, .term = c->term[i], .count = (uint32_t)count};
    return true;
  }
  return false;
}

// --- the search

static verdict search_run(qsolver *s, problem *p, uint32_t depth);

// Where all cases were inspected, the objective ends where it does in those that were left open.
static verdict run_cases(qsolver *s, problem *p, const split *sp, uint32_t depth) {
  verdict all = VERDICT_REFUTED;
  simplex_end ceiling = {.has = false};
  assert(sp->kind != SPLIT_NONE);
  for (uint32_t which = 0; which < SEARCH_CASES; which++) {
    problem child;
    problem_copy(&child, p);
    if (!make_case(&child, sp, which)) {
      s->ceiling = ceiling;
      return all;
    }
    verdict v = search_run(s, &child, depth + 1);
    if (v == VERDICT_MODEL) return v;
    if (v == VERDICT_OPEN) {
      bool first = all != VERDICT_OPEN;
      ceiling.has = s->ceiling.has && (first || ceiling.has);
      if (ceiling.has)
        ceiling.value = first ? s->ceiling.value : num_max(ceiling.value, s->ceiling.value);
      all = VERDICT_OPEN;
      s->ceiling.has = false;
      if (depth > 2 || s->nodes_left == 0) return all;
    }
  }
  s->ceiling.has = false;
  return VERDICT_OPEN;
}

static void add_symbols(context *c, term_id id) {
  qsolver *s = c->s;
  for (uint32_t i = 0; i < s->q->symbol_count; i++) {
    term_id symbol = s->q->symbols[i].symbol;
    if (!term_mentions(s->t, id, symbol)) continue;
    symbol = problem_resolve(c->p, symbol);
    const term_part *parts;
    term_part one;
    uint32_t count = term_parts(s->t, symbol, &parts, &one);
    for (uint32_t k = 0; k < count; k++) {
      term_parts(s->t, symbol, &parts, &one);
      if (parts[k].monomial != TERM_ONE) context_var(c, parts[k].monomial);
    }
  }
}

static bool load(context *c, problem *p) {
  context_init(c, p);
  if (p->s->sought.sampling) add_symbols(c, p->s->sought.objective);
  for (uint32_t i = 0; i < p->count; i++) {
    literal l = p->literals[i];
    if (l.kind == LITERAL_NE) {
      const term_part *parts;
      term_part one;
      uint32_t count = term_parts(p->s->t, l.e, &parts, &one);
      for (uint32_t k = 0; k < count; k++) {
        if (parts[k].monomial != TERM_ONE) context_var(c, parts[k].monomial);
        term_parts(p->s->t, l.e, &parts, &one);
      }
      continue;
    }
    if (!context_add(c, l.e, l.kind == LITERAL_EQ)) return false;
  }
  // Lemmas would multiply the row of the objective, too: where there are products, the search does without it.
  if (p->s->sought.top != TERM_NONE && c->special_count == 0) {
    c->top = context_var(c, p->s->sought.top);
    if (!context_add(
            c, term_sub(p->s->t, p->s->sought.top, problem_resolve(p, p->s->sought.objective)),
            true) ||
        !context_narrow(c, c->top, interval_at_least(p->s->sought.least)))
      return false;
  }
  return context_define(c) && context_propagate(c);
}

// Puts what propagation found about symbols back into the problem.
static bool learn(context *c) {
  problem *p = c->p;
  qsolver *s = c->s;
  bool fixed = false, moved = false;
  for (uint32_t i = 0; i < c->var_count; i++) {
    const term_node *node = term_get(s->t, c->term[i]);
    if (node->kind != TERM_SYMBOL || node->as.symbol >= p->range_count) continue;
    interval old = p->range[node->as.symbol];
    num v;
    interval_meet(old, c->range[i], &p->range[node->as.symbol]);
    moved |= !interval_equal(old, p->range[node->as.symbol]);
    if (interval_is_point(c->range[i], &v)) {
      problem_add(p, (literal){term_sub(s->t, c->term[i], term_const(s->t, v)), LITERAL_EQ});
      fixed = true;
    }
  }
  if (moved) problem_ranges_changed(p);
  return fixed;
}

// Rows and ranges only; products and the like are not inspected.
static verdict check_linear(context *c, num *values) {
  verdict v = difference_check(c, values);
  if (v == VERDICT_REFUTED || (v == VERDICT_MODEL && c->top == UINT32_MAX)) return v;
  if (c->top == UINT32_MAX) return simplex_check(c, values);
  simplex_end end;
  v = simplex_maximum(c, c->top, values, &end);
  c->s->endless = v == VERDICT_MODEL && !end.has && context_is_linear(c);
  if (end.has && !context_narrow(c, c->top, interval_at_most(end.value))) return VERDICT_REFUTED;
  return v;
}

// A model of the rows, or as many as are wanted, each by the next attempt: false where one finds none.
static bool sample_rows(context *c) {
  qsolver *s = c->s;
  while (model_search(c, s->sought.attempt, 1)) {
    if (s->sampled_count + 1 >= s->sought.samples) return true;
    s->sampled[s->sampled_count++] = s->model;
    s->sought.attempt++;
  }
  return false;
}

// `last`: the rows that were seen last.
static verdict search_node(qsolver *s, problem *p, uint32_t depth, context *last) {
  assert(depth <= SEARCH_DEPTH);
  if (s->nodes_left == 0) {
    s->spent = true;
    return VERDICT_OPEN;
  }
  s->nodes_left--;
  split sp;
  for (uint32_t round = 0;; round++) {
    if (!problem_solve(p)) return VERDICT_REFUTED;
    if (depth == 0 && s->sought.attempt == 0 && asked_unequal(p, &sp))
      return run_cases(s, p, &sp, depth);
    bool simple = s->sought.attempt == 0 && s->sought.top == TERM_NONE && !s->sought.sampling;
    if (round == 0 && simple && model_at_lower_ends(p)) return VERDICT_MODEL;
    if (!load(last, p)) return VERDICT_REFUTED;
    if (round + 1 >= SEARCH_LEARNS || !learn(last)) break;
  }
  bool structural = choose_literal(p, &sp) || choose_atom(last, &sp) || choose_divisor(last, &sp);
  // Where cases are still to be split, the simplex seldom refutes what the difference constraints do not.
  bool full = !structural || (depth == 0 && sp.kind != SPLIT_NE);
  num *values = arena_alloc(s->arena, (last->var_count + 64) * sizeof *values);
  verdict v = full ? check_linear(last, values) : difference_check(last, values);
  if (v == VERDICT_REFUTED) return v;
  if (v == VERDICT_MODEL && s->sought.attempt == 0 && model_from_values(last, values)) return v;
  // A model that is to be large is sought in the cases.
  bool in_cases = structural && last->top != UINT32_MAX;
  if ((depth == 0 || !structural) && !in_cases) {
    if (depth == 0 ? sample_rows(last) : model_search(last, s->sought.attempt, 1))
      return VERDICT_MODEL;
  }
  if (depth < SEARCH_SHALLOW && !in_cases) {
    v = box_check(p);
    if (v != VERDICT_OPEN) return v;
  }
  if (depth >= SEARCH_DEPTH || !budget_spend(s->budget, 32)) {
    s->spent = true;
    return VERDICT_OPEN;
  }
  // Where ranges do not show the sign that a case gives to a divisor, it would be split again and again.
  if (structural && sp.kind == SPLIT_DIVISOR && sign_is_given(p, sp.term)) {
    s->spent = true;
    return VERDICT_OPEN;
  }
  if (structural) return run_cases(s, p, &sp, depth);
  for (uint32_t round = 0; round < LEMMA_ROUNDS; round++) {
    uint32_t added = 0;
    if (!lemmas_add(last, round, &added)) return VERDICT_REFUTED;
    if (!added) break;
    if (!context_define(last) || !context_propagate(last)) return VERDICT_REFUTED;
    values = arena_alloc(s->arena, (last->var_count + 64) * sizeof *values);
    v = check_linear(last, values);
    if (v == VERDICT_REFUTED) return v;
    if (v == VERDICT_MODEL && model_from_values(last, values)) return v;
  }
  if (depth < SEARCH_SHALLOW && model_search(last, s->sought.attempt + 1, depth == 0 ? 2 : 1))
    return VERDICT_MODEL;
  if (depth == 0 && model_search(last, 4, SEARCH_MODELS)) return VERDICT_MODEL;
  if (choose_factor(last, &sp) ||
      choose_range(last, &sp, depth < SEARCH_SHALLOW ? SEARCH_RANGE : SEARCH_RANGE_DEEP) ||
      choose_sign(last, &sp) || (depth < SEARCH_SHALLOW && choose_residue(last, &sp))) {
    v = run_cases(s, p, &sp, depth);
    if (v != VERDICT_OPEN) return v;
  }
  return depth == 0 && model_search(last, 8, SEARCH_LAST_MODELS) ? VERDICT_MODEL : VERDICT_OPEN;
}

static verdict search_run(qsolver *s, problem *p, uint32_t depth) {
  context last = {.top = UINT32_MAX};
  s->ceiling.has = false;
  verdict v = search_node(s, p, depth, &last);
  if (v != VERDICT_OPEN || last.top == UINT32_MAX || last.top >= last.var_count ||
      !last.range[last.top].has_hi)
    return v;
  num hi = last.range[last.top].hi;
  s->ceiling = (simplex_end){true, s->ceiling.has ? num_min(s->ceiling.value, hi) : hi};
  return v;
}

verdict search_problem(qsolver *s, problem *p, const search_options *sought) {
  s->sought = *sought;
  s->nodes_left = sought->nodes;
  s->endless = false;
  s->sampled_count = 0;
  return search_run(s, p, 0);
}
