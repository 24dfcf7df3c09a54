// SPDX-License-Identifier: Apache-2.0
// What problems read of terms: masks of the atoms in them, ranges by interval arithmetic, literals of predicates.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

// --- ranges

static interval range_of_node(const problem *p, term_id id, const term_node *node);

// Most terms are a symbol or a number.
static inline interval range_of(const problem *p, term_id id) {
  const term_node *node = term_get(p->s->t, id);  // no terms are made here
  budget_spend(p->s->budget, 1);
  if (node->kind == TERM_SYMBOL) return problem_symbol_range(p, node->as.symbol);
  return node->kind == TERM_CONST ? interval_point(node->as.value) : range_of_node(p, id, node);
}

static interval atom_range(const problem *p, const term_node *node) {
  shape_budget *b = p->s->budget;
  switch (node->kind) {
  case TERM_FLOORDIV: {
    interval d = range_of(p, node->as.args[1]);
    num zero;
    if (interval_is_point(d, &zero) && num_is_zero(zero)) return interval_all();
    return interval_floordiv(b, range_of(p, node->as.args[0]), d);
  }
  case TERM_MIN:
  case TERM_MAX: {
    interval r = range_of(p, node->as.args[0]);
    for (uint32_t i = 1; i < node->count; i++) {
      interval x = range_of(p, node->as.args[i]);
      r = node->kind == TERM_MIN ? interval_min(r, x) : interval_max(r, x);
    }
    return r;
  }
  case TERM_BCAST:
    return interval_join(range_of(p, node->as.args[0]), range_of(p, node->as.args[1]));
  case TERM_SELECT:
    return interval_join(range_of(p, node->as.args[1]), range_of(p, node->as.args[2]));
  case TERM_IS_ZERO: {
    interval x = range_of(p, node->as.args[0]);
    num v;
    if (interval_excludes_zero(x)) return interval_point(NUM(0));
    return interval_is_point(x, &v) ? interval_point(NUM(1)) : interval_of(0, 1);
  }
  case TERM_IS_NEG: {
    interval x = range_of(p, node->as.args[0]);
    if (interval_is_nonnegative(x)) return interval_point(NUM(0));
    return x.has_hi && num_sign(x.hi) < 0 ? interval_point(NUM(1)) : interval_of(0, 1);
  }
  case TERM_BIGMUL: return node->count == 1 ? range_of(p, node->as.args[0]) : interval_all();
  default: return interval_all();
  }
}

static interval sum_range(const problem *p, const term_node *node) {
  shape_budget *b = p->s->budget;
  assert(node->kind == TERM_SUM && node->count > 0);
  uint32_t i = node->as.parts[0].monomial == TERM_ONE;
  interval r = interval_point(i ? node->as.parts[0].coefficient : NUM(0));
  for (; i < node->count && (r.has_lo || r.has_hi); i++) {
    const term_part *part = &node->as.parts[i];
    const term_node *monomial = term_get(p->s->t, part->monomial);
    bool stored = monomial->kind == TERM_SYMBOL && monomial->as.symbol < p->range_count;
    interval x;
    if (stored) {
      budget_spend(b, 1);
    } else {
      x = range_of(p, part->monomial);
    }
    interval_add_scaled(b, &r, stored ? &p->range[monomial->as.symbol] : &x, part->coefficient);
  }
  return r;
}

static interval product_range(const problem *p, const term_node *node) {
  shape_budget *b = p->s->budget;
  interval r = interval_point(NUM(1));
  for (uint32_t i = 0; i < node->count; i++) {
    interval x = range_of(p, node->as.powers[i].atom);
    uint32_t exponent = node->as.powers[i].exponent;
    if (exponent != 1) x = interval_pow(b, x, exponent);
    r = i ? interval_mul(b, r, x) : x;
  }
  return r;
}

static void remember(const problem *p, term_id id, interval r) {
  qsolver *s = p->s;
  range_memo *m = &s->ranges;
  if (id >= m->capacity) {
    uint32_t old = m->capacity, capacity = old, need = s->t->count + 32u;
    m->range = arena_grow(s->arena, m->range, old, need, &capacity, sizeof *m->range);
    m->stamp = arena_grow(s->arena, m->stamp, old, need, &m->capacity, sizeof *m->stamp);
    if (capacity < m->capacity) m->capacity = capacity;
    memset(m->stamp + old, 0, (m->capacity - old) * sizeof *m->stamp);
  }
  assert(id < m->capacity);
  m->range[id] = r;
  m->stamp[id] = p->range_stamp;
}

static __attribute__((noinline)) interval range_of_node(const problem *p, term_id id,
                                                        const term_node *node) {
  const range_memo *m = &p->s->ranges;
  if (node->kind == TERM_SUM) return sum_range(p, node);
  if (id < m->capacity && m->stamp[id] == p->range_stamp) return m->range[id];
  interval r = node->kind == TERM_PRODUCT ? product_range(p, node) : atom_range(p, node);
  remember(p, id, r);
  return r;
}

interval problem_range(const problem *p, term_id id) { return range_of(p, id); }

// --- literals

literal literal_of(qsolver *s, predicate p) {
  term_table *t = s->t;
  switch (p.rel) {
  case REL_EQ: return (literal){term_sub(t, p.left, p.right), LITERAL_EQ};
  case REL_NE: return (literal){term_sub(t, p.left, p.right), LITERAL_NE};
  case REL_LT: return (literal){term_above(t, p.right, p.left), LITERAL_GE};
  case REL_LE: return (literal){term_sub(t, p.right, p.left), LITERAL_GE};
  case REL_GT: return (literal){term_above(t, p.left, p.right), LITERAL_GE};
  case REL_GE: return (literal){term_sub(t, p.left, p.right), LITERAL_GE};
  default: return (literal){term_mod(t, p.left, p.right), LITERAL_EQ};
  }
}

literal literal_not(qsolver *s, literal l) {
  switch (l.kind) {
  case LITERAL_EQ: return (literal){l.e, LITERAL_NE};
  case LITERAL_NE: return (literal){l.e, LITERAL_EQ};
  default: return (literal){term_above(s->t, TERM_ZERO, l.e), LITERAL_GE};
  }
}

shape_answer problem_quick(const problem *p, literal l) {
  interval r = range_of(p, l.e);
  num v;
  switch (l.kind) {
  case LITERAL_GE:
    return interval_is_nonnegative(r)       ? SHAPE_YES
           : r.has_hi && num_sign(r.hi) < 0 ? SHAPE_NO
                                            : SHAPE_UNKNOWN;
  case LITERAL_EQ:
    if (interval_excludes_zero(r)) return SHAPE_NO;
    return interval_is_point(r, &v) ? SHAPE_YES : SHAPE_UNKNOWN;
  default:
    if (interval_excludes_zero(r)) return SHAPE_YES;
    return interval_is_point(r, &v) ? SHAPE_NO : SHAPE_UNKNOWN;
  }
}
