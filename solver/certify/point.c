// SPDX-License-Identifier: Apache-2.0
// Evaluation at points, exactly: the part of the checker that needs no derivation. See check.h.
#include "solver/certify/point.h"

#include <assert.h>

// --- points

typedef struct point {
  const query *q;
  const num *values;
  const shape_imap *positions;
  uint32_t work;  // left
  bool unknown;   // something has no value that we know: an unknown function, or the work is spent
} point;

static bool value_of(point *p, term_id id, num *out);

// Not the same as undefined: a point where a divisor is 0 is outside the domain, this one may be inside.
static bool unknown(point *p) {
  p->unknown = true;
  return false;
}

static bool value_of_symbol(point *p, term_id id, num *out) {
  uint32_t at;
  if (!imap_get(p->positions, id, &at)) return unknown(p);
  assert(at < p->q->symbol_count);
  *out = p->values[at];
  return true;
}

static bool value_of_atom(point *p, const term_node *n, num *out) {
  num a, b;
  if (n->kind == TERM_APPLY) return unknown(p);
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
  case TERM_BIGMUL: *out = a; return n->count == 1 || unknown(p);
  default: return unknown(p);
  }
}

static bool value_of(point *p, term_id id, num *out) {
  if (p->work == 0) return unknown(p);
  p->work--;
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

static bool truth_of(point *p, predicate x, bool *out) {
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

static point point_at(const query *q, const num *values, const shape_imap *positions) {
  return (point){.q = q, .values = values, .positions = positions, .work = CERTIFY_POINT_WORK};
}

shape_imap check_positions(const query *q) {
  shape_imap positions = {0};
  for (uint32_t i = 0; i < q->symbol_count; i++)
    imap_put(&positions, q->arena, q->symbols[i].symbol, i);
  return positions;
}

static bool in_premises(point *p) {
  const query *q = p->q;
  bool ok;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const query_symbol *s = &q->symbols[i];
    num value = p->values[i];
    if (s->range.has_lo && num_compare(value, s->range.lo) < 0) return false;
    if (s->range.has_hi && num_compare(value, s->range.hi) > 0) return false;
    if (num_sign(s->multiple_of) > 0 && !num_is_zero(num_mod(q->budget, value, s->multiple_of)))
      return false;
  }
  for (uint32_t i = 0; i < q->premise_count; i++) {
    if (!truth_of(p, q->premises[i], &ok) || !ok) return false;
  }
  return true;
}

check_result check_point(const query *q, const num *values, const predicate *goal, bool *holds) {
  shape_imap positions = check_positions(q);
  point p = point_at(q, values, &positions);
  if (in_premises(&p) && (!goal || truth_of(&p, *goal, holds))) return CHECK_CONFIRMED;
  return p.unknown ? CHECK_OPEN : CHECK_WRONG;
}

bool check_value(const query *q, const num *values, term_id t, num *out) {
  shape_imap positions = check_positions(q);
  point p = point_at(q, values, &positions);
  return value_of(&p, t, out);
}

// How many points the ranges hold; 0: more than `most`.
static uint64_t count_points(const query *q, uint64_t most) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    const interval *r = &q->symbols[i].range;
    int64_t size;
    if (!r->has_lo || !r->has_hi || !num_to_int(num_sub(q->budget, r->hi, r->lo), &size)) return 0;
    if (size < 0 || (uint64_t)size >= most || (count *= (uint64_t)size + 1) > most) return 0;
  }
  return count;
}

typedef struct surveying {
  const query *q;
  const predicate *goal;
  shape_imap positions;
  num *values;
  uint32_t work;  // left
  survey out;
} surveying;

// False: enough was inspected.
static bool look(surveying *x) {
  const query *q = x->q;
  survey *out = &x->out;
  point p = point_at(q, x->values, &x->positions);
  bool holds = true, inside = in_premises(&p);
  if (inside) {
    out->any = true;
    if (x->goal && truth_of(&p, *x->goal, &holds)) {
      out->any_true |= holds;
      out->any_false |= !holds;
    }
  }
  assert(p.work <= CERTIFY_POINT_WORK);
  uint32_t spent = CERTIFY_POINT_WORK - p.work + q->premise_count + q->symbol_count + 1;
  bool enough = x->work <= spent;
  if (p.unknown || enough) out->all = false;
  x->work -= enough ? x->work : spent;
  return !enough;
}

static void survey_all(surveying *x) {
  const query *q = x->q;
  num *values = x->values;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    assert(q->symbols[i].range.has_lo && q->symbols[i].range.has_hi);
    values[i] = q->symbols[i].range.lo;
  }
  while (look(x)) {
    uint32_t k = 0;
    while (k < q->symbol_count && num_compare(values[k], q->symbols[k].range.hi) >= 0) {
      values[k] = q->symbols[k].range.lo;
      k++;
    }
    if (k == q->symbol_count) return;
    values[k] = num_add(q->budget, values[k], NUM(1));
  }
}

static void survey_some(surveying *x) {
  const query *q = x->q;
  num *values = x->values;
  uint64_t state = 0x5eed;
  for (uint32_t n = 0; n < CERTIFY_RANDOM_POINTS; n++) {
    for (uint32_t i = 0; i < q->symbol_count; i++) {
      const interval *r = &q->symbols[i].range;
      state = hash_mix(state + 0x9e3779b97f4a7c15u);
      num offset = NUM((int64_t)(state >> 33) % (n < CERTIFY_NEAR_POINTS ? 9 : 200));
      num m = num_sign(q->symbols[i].multiple_of) > 0 ? q->symbols[i].multiple_of : NUM(1);
      num from = r->has_lo ? num_mul(q->budget, num_ceildiv(q->budget, r->lo, m), m) : NUM(0);
      offset = num_mul(q->budget, offset, m);
      values[i] = r->has_lo || !r->has_hi ? num_add(q->budget, from, offset)
                                          : num_sub(q->budget, r->hi, offset);
      if (!r->has_lo && !r->has_hi && (state & 1)) values[i] = num_neg(q->budget, values[i]);
    }
    if (!look(x)) return;
  }
}

// --- one exit

// Values and terms of the checker may be larger than those of the answer: running out of bits or memory ends the check,
// not the request.
bool check_guarded(const query *q, void (*body)(void *data), void *data) {
  shape_arena *arena = q->budget->arena;
  shape_status status = arena_protect(arena, body, data);
  if (status == SHAPE_OK) return true;
  term_table_recover(q->terms);
  if (status != SHAPE_MEMORY && status != SHAPE_BITS) arena_fail(arena, status);
  return false;
}

static void survey_body(void *data) {
  surveying *x = data;
  x->positions = check_positions(x->q);
  x->values = arena_alloc(x->q->arena, (x->q->symbol_count + 1) * sizeof *x->values);
  if (x->out.all) {
    survey_all(x);
  } else {
    survey_some(x);
  }
}

survey check_survey(const query *q, const predicate *goal, uint64_t most) {
  surveying x = {
      .q = q, .goal = goal, .work = CERTIFY_SURVEY_WORK, .out.all = count_points(q, most) != 0};
  // What was seen counts, but it was not all.
  if (!check_guarded(q, survey_body, &x)) x.out.all = false;
  return x.out;
}
