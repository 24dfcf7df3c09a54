// SPDX-License-Identifier: Apache-2.0
// Indicators, choices and the rest of the atoms. (Quotients: divide.c; min and max: extremum.c;
// products: product.c.) Every identity holds at all integer points:
//
//   is_zero(k*x) = is_zero(x); is_zero(x*x) = is_zero(x); 0 where the gcd of the coefficients does
//   not divide the constant
//   is_zero(c) = 1 - c for c in {0, 1}
//   is_neg(g*x + c) = is_neg(x + floor(c/g)) for g > 0; is_neg(-x) = 1 - is_neg(x - 1);
//   is_neg(c - 1) = 1 - c for c in {0, 1}
//   bcast(1, b) = b, bcast(a, 1) = a, bcast(a, b) = a where a cannot be 1; associative; a repeated
//   argument adds nothing
//   select(c, a + u, b + u) = select(c, a, b) + u; select(c, g*a, g*b) = g*select(c, a, b);
//   select(1 - c, a, b) = select(c, b, a); select(c, a, b) = b + c*(a - b) for constant a - b;
//   select(c, a, b) + select(c, b, a) is left alone, so that a plain select stays one atom
#include <assert.h>
#include <string.h>

#include "solver/term/build.h"

// --- indicators

static bool is_bit(interval range) {
  return range.has_lo && range.has_hi && num_sign(range.lo) >= 0 &&
         num_compare(range.hi, NUM(1)) <= 0;
}

// A monomial with every exponent 1: it is zero at the same points.
static term_id radical(term_table *t, term_id monomial) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, monomial, &powers, &room);
  term_id result = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) result = term_monomial_mul(t, result, powers[i].atom);
  return result;
}

term_id term_is_zero(term_table *t, term_id a) {
  if (term_kind_of(t, a) == TERM_CONST) return a == TERM_ZERO ? TERM_ONE : TERM_ZERO;
  num g = term_content_without_constant(t, a);
  if (!num_divides(t->budget, g, term_constant_part(t, a))) return TERM_ZERO;
  assert(num_sign(g) > 0);
  if (num_sign(term_lead(t, a).coefficient) < 0) g = num_neg(t->budget, g);
  a = term_divide_num(t, a, g);
  interval range = term_static_range(t, a);
  if (interval_excludes_zero(range)) return TERM_ZERO;
  if (is_bit(range)) return term_sub(t, TERM_ONE, a);
  if (term_kind_of(t, a) == TERM_PRODUCT) a = radical(t, a);
  return term_intern_atom(t, TERM_IS_ZERO, &a, 1);
}

term_id term_is_neg(term_table *t, term_id a) {
  num c;
  if (term_const_value(t, a, &c)) return num_sign(c) < 0 ? TERM_ONE : TERM_ZERO;
  num g = term_content_without_constant(t, a);
  c = term_constant_part(t, a);
  assert(num_sign(g) > 0);
  num down = num_mod(t->budget, c, g);
  a = term_divide_num(t, term_add_const(t, a, num_neg(t->budget, down)), g);
  term_part lead;
  bool mirrored = term_lead_variable(t, a, &lead) && num_sign(lead.coefficient) < 0;
  if (mirrored) a = term_add_const(t, term_neg(t, a), NUM(-1));
  interval range = term_static_range(t, a);
  term_id result;
  if (interval_is_nonnegative(range)) {
    result = TERM_ZERO;
  } else if (range.has_hi && num_sign(range.hi) < 0) {
    result = TERM_ONE;
  } else if (range.has_lo && range.has_hi && num_is(range.lo, -1) && num_is_zero(range.hi)) {
    result = term_neg(t, a);
  } else {
    result = term_intern_atom(t, TERM_IS_NEG, &a, 1);
  }
  return mirrored ? term_sub(t, TERM_ONE, result) : result;
}

term_id term_eq(term_table *t, term_id a, term_id b) { return term_is_zero(t, term_sub(t, a, b)); }
term_id term_lt(term_table *t, term_id a, term_id b) { return term_is_neg(t, term_sub(t, a, b)); }
term_id term_le(term_table *t, term_id a, term_id b) { return term_not(t, term_lt(t, b, a)); }
term_id term_not(term_table *t, term_id c) { return term_sub(t, TERM_ONE, c); }

// --- bcast

// bcast(a, b, ..) is the first argument that is not 1, or 1: a list. Kept nested to the right, as
// in bcast(a, bcast(b, c)).
enum { MAX_BCAST = 32 };

typedef struct bcast_list {
  term_id ids[MAX_BCAST];
  uint32_t count;
  bool closed;    // an argument was never 1: nothing after it counts
  uint64_t bits;  // of the ids, modulo 64: most that are added are new
} bcast_list;

static bool is_never_one(term_table *t, term_id a) {
  if (term_kind_of(t, a) == TERM_SYMBOL) return false;
  num g = term_content_without_constant(t, a),
      c = num_sub(t->budget, term_constant_part(t, a), NUM(1));
  if (!num_divides(t->budget, g, c)) return true;
  interval range = term_static_range(t, a);
  return (range.has_lo && num_compare(range.lo, NUM(1)) > 0) ||
         (range.has_hi && num_sign(range.hi) <= 0);
}

static uint64_t id_bit(term_id id) { return UINT64_C(1) << (id % 64); }

// False when the list is full.
static bool add_choice(term_table *t, bcast_list *list, term_id id) {
  while (!list->closed) {
    assert(list->count <= MAX_BCAST);
    const term_node *node = term_get(t, id);
    term_id first = node->kind == TERM_BCAST ? node->as.args[0] : id;
    term_id rest = node->kind == TERM_BCAST ? node->as.args[1] : TERM_NONE;
    bool repeated = first == TERM_ONE;
    if (list->bits & id_bit(first)) {
      for (uint32_t i = 0; i < list->count; i++) repeated |= list->ids[i] == first;
    }
    if (!repeated) {
      if (list->count == MAX_BCAST) return false;
      list->bits |= id_bit(first);
      list->ids[list->count++] = first;
      list->closed = is_never_one(t, first);
    }
    if (rest == TERM_NONE) return true;
    id = rest;
  }
  return true;
}

// The arguments of a chain of at most MAX_BCAST, none of which is a chain: then they differ, none is 1, and only the last
// may be never 1, as this is how chains are made. Otherwise 0.
static uint32_t short_chain(const term_table *t, term_id id, term_id *ids) {
  for (uint32_t count = 0; count < MAX_BCAST;) {
    const term_node *node = term_get(t, id);
    bool is_last = node->kind != TERM_BCAST;
    ids[count++] = is_last ? id : node->as.args[0];
    if (is_last) return count;
    if (term_kind_of(t, node->as.args[0]) == TERM_BCAST) return 0;
    id = node->as.args[1];
  }
  return 0;
}

// Is bcast(a, b) an atom as it is, as most are?
static bool is_plain_bcast(term_table *t, term_id a, term_id b) {
  term_id ids[MAX_BCAST];
  if (term_kind_of(t, a) == TERM_BCAST || is_never_one(t, a)) return false;
  uint32_t count = short_chain(t, b, ids);
  for (uint32_t i = 0; i < count; i++) {
    if (ids[i] == a) return false;
  }
  return count > 0;
}

static bool add_chain(term_table *t, bcast_list *list, term_id id) {
  assert(list->count == 0 && !list->closed);
  list->count = short_chain(t, id, list->ids);
  if (list->count == 0) return add_choice(t, list, id);
  for (uint32_t i = 0; i < list->count; i++) list->bits |= id_bit(list->ids[i]);
  list->closed = is_never_one(t, list->ids[list->count - 1]);
  return true;
}

term_id term_bcast(term_table *t, term_id a, term_id b) {
  bcast_list list;
  if (a == b || b == TERM_ONE) return a;
  if (a == TERM_ONE) return b;
  if (is_plain_bcast(t, a, b)) return term_intern_atom(t, TERM_BCAST, (term_id[2]){a, b}, 2);
  list.count = 0;
  list.closed = false;
  list.bits = 0;
  if (!add_chain(t, &list, a) || !add_choice(t, &list, b)) {
    return term_intern_atom(t, TERM_BCAST, (term_id[2]){a, b}, 2);
  }
  if (list.count == 0) return TERM_ONE;
  term_id result = list.ids[list.count - 1];
  for (uint32_t i = list.count - 1; i-- > 0;) {
    result = term_intern_atom(t, TERM_BCAST, (term_id[2]){list.ids[i], result}, 2);
  }
  return result;
}

// --- select

term_id term_select(term_table *t, term_id c, term_id a, term_id b) {
  if (a == b) return a;
  if (term_kind_of(t, c) == TERM_CONST) return c == TERM_ZERO ? b : a;
  if (!is_bit(term_static_range(t, c))) c = term_not(t, term_is_zero(t, c));
  if (term_kind_of(t, c) == TERM_CONST) return c == TERM_ZERO ? b : a;
  term_id gap = term_sub(t, a, b);
  if (term_kind_of(t, gap) == TERM_CONST) return term_add(t, b, term_mul(t, c, gap));
  term_part lead;
  if (term_lead_variable(t, c, &lead) && num_sign(lead.coefficient) < 0) {
    c = term_not(t, c);
    term_id swap = a;
    a = b;
    b = swap;
  }
  term_id lower = term_lower_part(t, a, b);
  a = term_sub(t, a, lower);
  b = term_sub(t, b, lower);
  num content = term_content(t, b), g = num_gcd(t->budget, term_content(t, a), content);
  assert(num_sign(g) > 0);
  a = term_divide_num(t, a, g);
  b = term_divide_num(t, b, g);
  term_id atom = term_intern_atom(t, TERM_SELECT, (term_id[3]){c, a, b}, 3);
  return term_add_scaled(t, lower, atom, g);
}

// --- the rest

term_id term_apply(term_table *t, name_id function, const term_id *args, uint32_t count) {
  return term_intern_apply(t, function, args, count);
}

term_id term_rebuild(term_table *t, term_id atom, const term_id *args) {
  const term_node *node = term_get(t, atom);
  assert(term_is_atom(t, atom));
  switch ((term_kind)node->kind) {
  case TERM_FLOORDIV: return term_floordiv(t, args[0], args[1]);
  case TERM_MIN: return term_min_of(t, args, node->count);
  case TERM_MAX: return term_max_of(t, args, node->count);
  case TERM_BCAST: return term_bcast(t, args[0], args[1]);
  case TERM_SELECT: return term_select(t, args[0], args[1], args[2]);
  case TERM_IS_ZERO: return term_is_zero(t, args[0]);
  case TERM_IS_NEG: return term_is_neg(t, args[0]);
  case TERM_APPLY: return term_apply(t, node->as.args[-1], args, node->count);
  case TERM_BIGMUL: return term_product_of(t, args, node->count);
  default: return atom;
  }
}
