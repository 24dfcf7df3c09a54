// SPDX-License-Identifier: Apache-2.0
// Problems with few points: where every symbol of the literals and of the query has few values, all of them are
// tried. That is exact whatever the terms are: mod(a, b) over 13 divisors, sums of quotients whose common period is long.
// The literals are those of the problem in solved form, so mapped symbols take no part. Points at which a literal or the
// query divides by 0 are outside the domain.
#include <assert.h>

#include "solver/decide/solver.h"

typedef struct box {
  problem *p;
  uint32_t count, nodes, points;
  uint32_t symbol[BOX_SYMBOLS], size[BOX_SYMBOLS], at[BOX_SYMBOLS];
  num low[BOX_SYMBOLS];
} box;

static bool add_symbol(box *x, uint32_t symbol) {
  shape_budget *b = x->p->s->budget;
  for (uint32_t i = 0; i < x->count; i++) {
    if (x->symbol[i] == symbol) return true;
  }
  assert(x->count <= BOX_SYMBOLS && x->points > 0);
  interval r = problem_symbol_range(x->p, symbol);
  int64_t wide;
  if (x->count == BOX_SYMBOLS || !r.has_lo || !r.has_hi) return false;
  if (!num_to_int(num_sub(b, r.hi, r.lo), &wide) || wide < 0) return false;
  if (wide >= BOX_POINTS / x->points) return false;
  x->symbol[x->count] = symbol;
  x->low[x->count] = r.lo;
  x->size[x->count++] = (uint32_t)wide + 1;
  x->points *= (uint32_t)wide + 1;
  return true;
}

static bool add_term(box *x, term_id id) {
  const term_node *node = term_get(x->p->s->t, id);  // no terms are made here
  if (++x->nodes * x->points > BOX_WORK || node->kind == TERM_APPLY) return false;
  if (node->kind == TERM_CONST) return true;
  if (node->kind == TERM_SYMBOL) return add_symbol(x, node->as.symbol);
  for (uint32_t i = 0; i < node->count; i++) {
    if (!add_term(x, node->kind == TERM_SUM       ? node->as.parts[i].monomial
                     : node->kind == TERM_PRODUCT ? node->as.powers[i].atom
                                                  : node->as.args[i]))
      return false;
  }
  return true;
}

static bool open_box(box *x, problem *p, term_id e) {
  *x = (box){.p = p, .points = 1};
  if (!add_term(x, e)) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!add_term(x, p->literals[i].e)) return false;
  }
  assert(x->points <= BOX_POINTS);
  return budget_spend(p->s->budget, x->nodes * x->points / 4 + 1);
}

// Sets the symbols to the next point; false after the last one, where they are at the first again.
static bool next_point(box *x) {
  for (uint32_t i = 0; i < x->count; i++) {
    if (++x->at[i] < x->size[i]) return true;
    x->at[i] = 0;
  }
  return false;
}

static void set_point(box *x) {
  qsolver *s = x->p->s;
  for (uint32_t i = 0; i < x->count; i++) {
    assert(x->symbol[i] < s->env_capacity);
    s->env[x->symbol[i]] = num_add(s->budget, x->low[i], NUM(x->at[i]));
    s->env_known[x->symbol[i]] = 1;
  }
}

static bool satisfies(const box *x) {
  num v;
  for (uint32_t i = 0; i < x->p->count; i++) {
    literal l = x->p->literals[i];
    if (!model_evaluate(x->p->s, l.e, &v)) return false;
    int sign = num_sign(v);
    if (l.kind == LITERAL_EQ ? sign != 0 : l.kind == LITERAL_NE ? sign == 0 : sign < 0)
      return false;
  }
  return true;
}

// Evaluating costs steps. Where none are left, points may have been passed over that satisfy all.
static bool saw_all(const box *x) { return budget_left(x->p->s->budget) > 0; }

bool box_range(problem *p, term_id e, interval *out) {
  box x;
  interval all = interval_all();
  num v;
  bool any = false;
  if (!open_box(&x, p, e)) return false;
  model_reset(p);
  do {
    set_point(&x);
    if (!satisfies(&x) || !model_evaluate(p->s, e, &v)) continue;
    all = any ? interval_join(all, interval_point(v)) : interval_point(v);
    any = true;
  } while (next_point(&x));
  if (!any || !saw_all(&x)) return false;
  *out = all;
  return true;
}

verdict box_check(problem *p) {
  box x;
  if (!p->count || !open_box(&x, p, TERM_ZERO)) return VERDICT_OPEN;
  model_reset(p);
  do {
    set_point(&x);
    if (!satisfies(&x)) continue;
    model_reset(p);
    set_point(&x);
    return model_check(p) ? VERDICT_MODEL : VERDICT_OPEN;
  } while (next_point(&x));
  if (saw_all(&x)) return VERDICT_REFUTED;
  p->s->spent = true;
  return VERDICT_OPEN;
}
