// SPDX-License-Identifier: Apache-2.0
#include "solver/store/check.h"

#include <string.h>

enum {
  MAX_POINTS = 20000,
  RANDOM_POINTS = 256,
  MAX_VARIABLES = 24,
  MAX_ROWS = 500,
  MAX_LEAVES = 96
};

// --- points

typedef struct point {
  const query *q;
  const num *values;
} point;

static bool value_of(const point *p, term_id id, num *out);

static bool value_of_symbol(const point *p, term_id id, num *out) {
  for (uint32_t i = 0; i < p->q->symbol_count; i++) {
    if (p->q->symbols[i].symbol != id) continue;
    *out = p->values[i];
    return true;
  }
  return false;
}

static bool value_of_atom(const point *p, const term_node *n, num *out) {
  num a, b;
  if (!n->count || !value_of(p, n->as.args[0], &a)) return false;
  switch (n->kind) {
  case TERM_FLOORDIV:
    if (!value_of(p, n->as.args[1], &b) || num_is_zero(b)) return false;
    *out = num_floordiv(p->q->budget, a, b);
    return true;
  case TERM_MIN:
  case TERM_MAX:
    *out = a;
    for (uint32_t i = 1; i < n->count; i++) {
      if (!value_of(p, n->as.args[i], &b)) return false;
      *out = n->kind == TERM_MIN ? num_min(*out, b) : num_max(*out, b);
    }
    return true;
  case TERM_BCAST: return num_is_one(a) ? value_of(p, n->as.args[1], out) : (*out = a, true);
  case TERM_SELECT: return value_of(p, n->as.args[num_is_zero(a) ? 2 : 1], out);
  case TERM_IS_ZERO: *out = NUM(num_is_zero(a)); return true;
  case TERM_IS_NEG: *out = NUM(num_sign(a) < 0); return true;
  case TERM_BIGMUL: *out = a; return n->count == 1;
  default: return false;
  }
}

static bool value_of(const point *p, term_id id, num *out) {
  term_node n = *term_get(p->q->terms, id);
  shape_budget *b = p->q->budget;
  num sum = NUM(n.kind == TERM_PRODUCT), x;
  switch (n.kind) {
  case TERM_CONST: *out = n.as.value; return true;
  case TERM_SYMBOL: return value_of_symbol(p, id, out);
  case TERM_SUM:
    for (uint32_t i = 0; i < n.count; i++) {
      if (!value_of(p, n.as.parts[i].monomial, &x)) return false;
      sum = num_add(b, sum, num_mul(b, n.as.parts[i].coefficient, x));
    }
    *out = sum;
    return true;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < n.count; i++) {
      if (!value_of(p, n.as.powers[i].atom, &x)) return false;
      sum = num_mul(b, sum, num_pow(b, x, n.as.powers[i].exponent));
    }
    *out = sum;
    return true;
  default: return value_of_atom(p, &n, out);
  }
}

static bool truth_of(const point *p, predicate x, bool *out) {
  num a, b;
  if (!value_of(p, x.left, &a) || !value_of(p, x.right, &b)) return false;
  int order = num_compare(a, b);
  switch (x.rel) {
  case REL_EQ: *out = order == 0; return true;
  case REL_NE: *out = order != 0; return true;
  case REL_LT: *out = order < 0; return true;
  case REL_LE: *out = order <= 0; return true;
  case REL_GT: *out = order > 0; return true;
  case REL_GE: *out = order >= 0; return true;
  default:
    if (num_is_zero(b)) return false;
    *out = num_is_zero(num_mod(p->q->budget, a, b));
    return true;
  }
}

bool check_point(const query *q, const num *values, const predicate *question, bool *holds) {
  point p = {q, values};
  bool ok;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const query_symbol *s = &q->symbols[i];
    if (s->range.has_lo && num_compare(values[i], s->range.lo) < 0) return false;
    if (s->range.has_hi && num_compare(values[i], s->range.hi) > 0) return false;
    if (num_sign(s->multiple_of) > 0 && !num_is_zero(num_mod(q->budget, values[i], s->multiple_of)))
      return false;
  }
  for (uint32_t i = 0; i < q->premise_count; i++) {
    if (!truth_of(&p, q->premises[i], &ok) || !ok) return false;
  }
  return !question || truth_of(&p, *question, holds);
}

// How many points the ranges hold; 0: too many.
static uint64_t count_points(const query *q) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const interval *r = &q->symbols[i].range;
    int64_t size;
    if (!r->has_lo || !r->has_hi || !num_to_int(num_sub(q->budget, r->hi, r->lo), &size)) return 0;
    if (size < 0 || size >= MAX_POINTS || (count *= (uint64_t)size + 1) > MAX_POINTS) return 0;
  }
  return count;
}

typedef struct survey {
  bool any, any_true, any_false;
} survey;

static void look(const query *q, const num *values, const predicate *question, survey *out) {
  bool holds = true;
  if (!check_point(q, values, NULL, &holds)) return;
  out->any = true;
  if (!question || !check_point(q, values, question, &holds)) return;
  out->any_true |= holds;
  out->any_false |= !holds;
}

static void survey_all(const query *q, const predicate *question, survey *out) {
  num *values = arena_alloc(q->arena, (q->symbol_count + 1) * sizeof *values);
  for (uint32_t i = 0; i < q->symbol_count; i++) values[i] = q->symbols[i].range.lo;
  for (;;) {
    look(q, values, question, out);
    uint32_t k = 0;
    while (k < q->symbol_count && num_compare(values[k], q->symbols[k].range.hi) >= 0) {
      values[k] = q->symbols[k].range.lo;
      k++;
    }
    if (k == q->symbol_count) return;
    values[k] = num_add(q->budget, values[k], NUM(1));
  }
}

static void survey_some(const query *q, const predicate *question, survey *out) {
  num *values = arena_alloc(q->arena, (q->symbol_count + 1) * sizeof *values);
  uint64_t state = 0x5eed;
  for (uint32_t n = 0; n < RANDOM_POINTS; n++) {
    for (uint32_t i = 0; i < q->symbol_count; i++) {
      const interval *r = &q->symbols[i].range;
      state = hash_mix(state + 0x9e3779b97f4a7c15u);
      num offset = NUM((int64_t)(state >> 33) % (n < 128 ? 9 : 200));
      num m = num_sign(q->symbols[i].multiple_of) > 0 ? q->symbols[i].multiple_of : NUM(1);
      num from = r->has_lo ? num_mul(q->budget, num_ceildiv(q->budget, r->lo, m), m) : NUM(0);
      offset = num_mul(q->budget, offset, m);
      values[i] = r->has_lo || !r->has_hi ? num_add(q->budget, from, offset)
                                          : num_sub(q->budget, r->hi, offset);
      if (!r->has_lo && !r->has_hi && (state & 1)) values[i] = num_neg(q->budget, values[i]);
    }
    look(q, values, question, out);
  }
}

// --- elimination

typedef struct linear {  // sum k[i]*variable[i] + c >= 0, or == 0
  num k[MAX_VARIABLES], c;
  bool eq;
} linear;

typedef struct system {
  const query *q;
  term_id variable[MAX_VARIABLES];
  uint32_t variables, defined;
  linear *rows;
  uint32_t count;
  bool full;  // something did not fit: what is there is still sound
  bool refuted;
} system_of_rows;

static uint32_t variable_of(system_of_rows *s, term_id monomial) {
  for (uint32_t i = 0; i < s->variables; i++) {
    if (s->variable[i] == monomial) return i;
  }
  if (s->variables == MAX_VARIABLES) return MAX_VARIABLES;
  s->variable[s->variables] = monomial;
  return s->variables++;
}

// Divides by the gcd and rounds. False: the row says nothing.
static bool reduce(system_of_rows *s, linear *r) {
  shape_budget *b = s->q->budget;
  num g = NUM(0);
  for (uint32_t i = 0; i < MAX_VARIABLES; i++) g = num_gcd(b, g, r->k[i]);
  if (num_is_zero(g)) {
    if (r->eq ? !num_is_zero(r->c) : num_sign(r->c) < 0) s->refuted = true;
    return false;
  }
  if (r->eq && !num_is_zero(num_mod(b, r->c, g))) s->refuted = true;
  for (uint32_t i = 0; i < MAX_VARIABLES; i++) r->k[i] = num_floordiv(b, r->k[i], g);
  r->c = num_floordiv(b, r->c, g);
  return true;
}

static void push(system_of_rows *s, linear r) {
  if (!reduce(s, &r)) return;
  for (uint32_t i = 0; i < s->count; i++) {
    bool same = s->rows[i].eq == r.eq;
    for (uint32_t k = 0; k < s->variables && same; k++) same = num_equal(s->rows[i].k[k], r.k[k]);
    if (!same || r.eq) continue;
    if (num_compare(r.c, s->rows[i].c) < 0) s->rows[i].c = r.c;
    return;
  }
  if (s->count == MAX_ROWS) {
    s->full = true;
    return;
  }
  s->rows[s->count++] = r;
}

static void push_term(system_of_rows *s, term_id e, bool eq) {
  linear r = {.c = NUM(0), .eq = eq};
  for (uint32_t i = 0; i < MAX_VARIABLES; i++) r.k[i] = NUM(0);
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->q->terms, e, &parts, &one);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) {
      r.c = parts[i].coefficient;
      continue;
    }
    uint32_t v = variable_of(s, parts[i].monomial);
    if (v == MAX_VARIABLES) {
      s->full = true;
      return;
    }
    r.k[v] = parts[i].coefficient;
  }
  push(s, r);
}

static const query_symbol *symbol_of(const query *q, term_id id) {
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    if (q->symbols[i].symbol == id) return &q->symbols[i];
  }
  return NULL;
}

static void define(system_of_rows *s, term_id id) {
  term_table *t = s->q->terms;
  term_node n = *term_get(t, id);
  if (n.kind == TERM_SYMBOL) {
    const query_symbol *x = symbol_of(s->q, id);
    if (x && x->range.has_lo) push_term(s, term_sub(t, id, term_const(t, x->range.lo)), false);
    if (x && x->range.has_hi) push_term(s, term_sub(t, term_const(t, x->range.hi), id), false);
  } else if (n.kind == TERM_FLOORDIV) {
    num d;
    if (!term_const_value(t, n.as.args[1], &d) || num_sign(d) <= 0) return;
    term_id r = term_sub(t, n.as.args[0], term_scale(t, id, d));
    push_term(s, r, false);
    push_term(s, term_sub(t, term_const(t, num_sub(s->q->budget, d, NUM(1))), r), false);
  } else if (n.kind == TERM_MIN || n.kind == TERM_MAX) {
    for (uint32_t i = 0; i < n.count; i++) {
      term_id x = n.as.args[i];
      push_term(s, n.kind == TERM_MIN ? term_sub(t, x, id) : term_sub(t, id, x), false);
    }
  } else if (n.kind == TERM_PRODUCT && n.count == 2 && n.as.powers[0].exponent == 1 &&
             n.as.powers[1].exponent == 1) {
    const query_symbol *x = symbol_of(s->q, n.as.powers[0].atom),
                       *y = symbol_of(s->q, n.as.powers[1].atom);
    if (!x || !y || !x->range.has_lo || !y->range.has_lo) return;
    push_term(s,
              term_mul(t, term_sub(t, x->symbol, term_const(t, x->range.lo)),
                       term_sub(t, y->symbol, term_const(t, y->range.lo))),
              false);
  }
}

static linear combine(shape_budget *b, const linear *x, num fx, const linear *y, num fy) {
  linear r = {.eq = x->eq && y->eq};
  for (uint32_t i = 0; i < MAX_VARIABLES; i++)
    r.k[i] = num_add(b, num_mul(b, x->k[i], fx), num_mul(b, y->k[i], fy));
  r.c = num_add(b, num_mul(b, x->c, fx), num_mul(b, y->c, fy));
  return r;
}

// Removes variable v: by an equality that holds it, else by pairs of a lower and an upper bound.
static void eliminate(system_of_rows *s, uint32_t v) {
  shape_budget *b = s->q->budget;
  linear *old = s->rows;
  uint32_t count = s->count, with = count;
  s->rows = arena_alloc(s->q->arena, MAX_ROWS * sizeof *s->rows);
  s->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (old[i].eq && !num_is_zero(old[i].k[v])) with = i;
  }
  for (uint32_t i = 0; i < count && !s->refuted; i++) {
    num k = old[i].k[v];
    if (num_is_zero(k)) {
      push(s, old[i]);
    } else if (with < count) {
      if (i == with) continue;
      num a = num_abs(b, old[with].k[v]);  // a*row - (k*sign)*equality
      num f = num_sign(old[with].k[v]) > 0 ? num_neg(b, k) : k;
      linear r = combine(b, &old[i], a, &old[with], f);
      r.eq = old[i].eq;
      push(s, r);
    } else if (num_sign(k) > 0) {
      for (uint32_t j = 0; j < count && !s->refuted; j++) {
        if (num_sign(old[j].k[v]) < 0)
          push(s, combine(b, &old[i], num_neg(b, old[j].k[v]), &old[j], k));
      }
    }
  }
}

static bool eliminate_all(system_of_rows *s) {
  for (uint32_t left = s->variables; left > 0 && !s->refuted; left--) {
    uint32_t best = s->variables;
    uint64_t cost = UINT64_MAX;
    for (uint32_t v = 0; v < s->variables; v++) {
      uint64_t up = 0, down = 0, equal = 0;
      for (uint32_t i = 0; i < s->count; i++) {
        int sign = num_sign(s->rows[i].k[v]);
        equal += sign && s->rows[i].eq;
        up += sign > 0;
        down += sign < 0;
      }
      if (up + down == 0) continue;
      uint64_t here = equal ? 0 : up * down;
      if (here < cost) {
        best = v;
        cost = here;
      }
    }
    if (best == s->variables || !budget_spend(s->q->budget, s->count + 1)) break;
    eliminate(s, best);
  }
  return s->refuted;
}

typedef struct split_list {
  predicate *literals;  // a conjunction
  uint32_t count;
  uint32_t leaves;
} split_list;

static bool refute(const query *q, split_list *list);

static bool refute_with(const query *q, split_list *list, predicate p) {
  list->literals[list->count++] = p;
  bool done = refute(q, list);
  list->count--;
  return done;
}

// One case for each side of a disequality or each argument of a min; true when all are refuted.
static bool refute(const query *q, split_list *list) {
  term_table *t = q->terms;
  if (list->leaves == 0 || list->count > 40) return false;
  list->leaves--;
  system_of_rows s = {.q = q, .rows = arena_alloc(q->arena, MAX_ROWS * sizeof(linear))};
  uint32_t unequal = UINT32_MAX;
  for (uint32_t i = 0; i < list->count; i++) {
    predicate p = list->literals[i];
    term_id e =
        p.rel == REL_DIVISIBLE ? term_mod(t, p.left, p.right) : term_sub(t, p.left, p.right);
    switch (p.rel) {
    case REL_EQ:
    case REL_DIVISIBLE: push_term(&s, e, true); break;
    case REL_NE: unequal = num_is_zero(term_content(t, e)) ? (s.refuted = true, unequal) : i; break;
    case REL_LT: push_term(&s, term_sub(t, term_neg(t, e), TERM_ONE), false); break;
    case REL_LE: push_term(&s, term_neg(t, e), false); break;
    case REL_GT: push_term(&s, term_sub(t, e, TERM_ONE), false); break;
    default: push_term(&s, e, false);
    }
  }
  for (; s.defined < s.variables; s.defined++) define(&s, s.variable[s.defined]);
  term_id cases = TERM_NONE;
  for (uint32_t i = 0; i < s.variables && cases == TERM_NONE; i++) {
    term_node n = *term_get(t, s.variable[i]);
    bool settled = n.kind != TERM_MIN && n.kind != TERM_MAX;
    for (uint32_t k = 0; k < list->count && !settled; k++) {
      settled = list->literals[k].rel == REL_EQ && list->literals[k].left == s.variable[i];
    }
    if (!settled) cases = s.variable[i];
  }
  if (s.refuted || eliminate_all(&s)) return true;
  if (unequal != UINT32_MAX) {
    predicate p = list->literals[unequal];
    list->literals[unequal] = predicate_make(REL_LT, p.left, p.right);
    bool done = refute(q, list);
    list->literals[unequal] = predicate_make(REL_GT, p.left, p.right);
    done = done && refute(q, list);
    list->literals[unequal] = p;
    return done;
  }
  if (cases == TERM_NONE) return false;
  term_node n = *term_get(t, cases);
  for (uint32_t i = 0; i < n.count; i++) {
    if (!refute_with(q, list, predicate_make(REL_EQ, cases, n.as.args[i]))) return false;
  }
  return true;
}

static predicate negation(term_table *t, predicate p) {
  static const relation NOT[] = {REL_NE, REL_EQ, REL_GE, REL_GT, REL_LE, REL_LT};
  if (p.rel == REL_DIVISIBLE)
    return predicate_make(REL_NE, term_mod(t, p.left, p.right), TERM_ZERO);
  return predicate_make(NOT[p.rel], p.left, p.right);
}

static bool refuted_with(const query *q, const predicate *extra) {
  split_list list = {.leaves = MAX_LEAVES};
  list.literals = arena_alloc(q->arena, ((size_t)q->premise_count + 48) * sizeof *list.literals);
  if (q->premise_count > 32) return false;
  for (uint32_t i = 0; i < q->premise_count; i++) list.literals[list.count++] = q->premises[i];
  if (extra) list.literals[list.count++] = *extra;
  return refute(q, &list);
}

check_result check_answer(const query *q, predicate question, const query_result *result) {
  bool holds;
  if (!result->conflict && result->answer == SHAPE_UNKNOWN) {
    if (!result->witness_true || !result->witness_false) return CHECK_OPEN;
    if (!check_point(q, result->witness_true, &question, &holds) || !holds) return CHECK_WRONG;
    if (!check_point(q, result->witness_false, &question, &holds) || holds) return CHECK_WRONG;
    return CHECK_CONFIRMED;
  }
  survey seen = {0};
  bool all = count_points(q) != 0;
  if (all) {
    survey_all(q, &question, &seen);
  } else {
    survey_some(q, &question, &seen);
  }
  bool wrong = result->conflict              ? seen.any
               : result->answer == SHAPE_YES ? seen.any_false
                                             : seen.any_true;
  if (wrong) return CHECK_WRONG;
  if (all) return CHECK_CONFIRMED;
  if (result->conflict) return refuted_with(q, NULL) ? CHECK_CONFIRMED : CHECK_OPEN;
  predicate other = result->answer == SHAPE_YES ? negation(q->terms, question) : question;
  return refuted_with(q, &other) ? CHECK_CONFIRMED : CHECK_OPEN;
}
