// SPDX-License-Identifier: Apache-2.0
// Quotients. Every identity here holds at all integer points where no divisor is 0.
//
//   by b < 0              floordiv(a, b) = floordiv(-a, -b)
//   whole multiples       floordiv(q*b + r, b) = q + floordiv(r, b)
//   common factor         floordiv(k*a, k*b) = floordiv(a, b), as k*b != 0 implies k != 0
//   constant b > 0 only:
//     content             floordiv(g*x + c, g*b) = floordiv(x + floor(c/g), b)
//     nesting             floordiv(floordiv(a, d) + r, b) = floordiv(a + d*r, b*d), because
//                         floor(floor(y)/b) = floor(y/b)
//     sign                floordiv(x, b) = -floordiv(-x + b - 1, b), so that the lead is positive
//     choice              floordiv(k*c + m, b) = floor(m/b) + c*(floor((k+m)/b) - floor(m/b)) for
//                         c in {0, 1}
//     range               a constant where both ends of the numerator's static range give the same
//                         quotient
//
// Coefficients over a constant b are reduced to the residue of the least magnitude. b/2 and -b/2
// are one residue, but the lead and quotients keep their sign there: to make one form of them would
// write ceildiv(x, 2) as x - floordiv(x, 2), which hides its bounds and what ceilings of ceilings
// have in common. So floordiv(x, 2) + ceildiv(x, 2) == x is not seen here (nor are the other
// identities of Hermite, such as floordiv(x, 4) + floordiv(x + 2, 4) == floordiv(x, 2)).
//
// Whole multiples of a polynomial: with an admissible monomial order and coefficients reduced to 0
// <= c < (lead of b), the remainder is the unique normal form modulo the ideal of b (a single
// polynomial is a strong Groebner basis over Z; Adams and Loustaunau, "An Introduction to Groebner
// Bases", 4.5). The number of steps is bounded; past it, a quotient stays correct and is only less
// canonical.
#include <assert.h>

#include "solver/term/build.h"

enum { MAX_REDUCTIONS = 64, MAX_EXACT_STEPS = 512, MAX_PARTS = 512 };

// --- division of polynomials

static bool part_divide(term_table *t, term_part part, term_part lead, bool exact, term_part *q) {
  assert(!num_is_zero(lead.coefficient));
  q->monomial = term_monomial_div(t, part.monomial, lead.monomial);
  if (q->monomial == TERM_NONE) return false;
  if (exact && !num_divides(t->budget, lead.coefficient, part.coefficient)) return false;
  q->coefficient = num_floordiv(t->budget, part.coefficient, lead.coefficient);
  return !num_is_zero(q->coefficient);
}

static bool is_too_long(const term_table *t, term_id a) {
  const term_node *node = term_get(t, a);
  return node->kind == TERM_SUM && node->count > MAX_PARTS;
}

static bool divide_by_part(term_table *t, term_id a, term_part divisor, term_id *q) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, a, &parts, &room), i = 0;
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  while (i < count && part_divide(t, parts[i], divisor, true, &to[i])) i++;
  if (i == count) *q = term_sum_loose(t, to, count);
  scratch_release(t, mark);
  return i == count;
}

bool term_divide_exact(term_table *t, term_id a, term_id b, term_id *q) {
  const term_part *bs;
  term_part room;
  if (b == TERM_ZERO) return false;
  if (b == TERM_ONE) {
    *q = a;
    return true;
  }
  num k;
  if (term_const_value(t, b, &k) && num_is(k, -1)) {
    *q = term_neg(t, a);
    return true;
  }
  if (term_parts(t, b, &bs, &room) == 1) return divide_by_part(t, a, bs[0], q);
  term_part lead = term_lead(t, b);
  term_id quotient = TERM_ZERO;
  for (int step = 0; a != TERM_ZERO; step++) {
    term_part part;
    if (step == MAX_EXACT_STEPS || is_too_long(t, a)) return false;
    if (!part_divide(t, term_lead(t, a), lead, true, &part)) return false;
    term_id piece = term_sum_sorted(t, &part, 1);
    quotient = term_add(t, quotient, piece);
    a = term_sub(t, a, term_mul(t, piece, b));
  }
  *q = quotient;
  return true;
}

// The greatest part of a that can still be reduced by the lead of b.
static bool find_reducible(term_table *t, term_id a, term_part lead, term_part *q) {
  const term_part *parts;
  term_part room, piece;
  uint32_t count = term_parts(t, a, &parts, &room);
  term_id top = TERM_NONE;
  for (uint32_t i = 0; i < count; i++) {
    if (!part_divide(t, parts[i], lead, false, &piece)) continue;
    if (top != TERM_NONE && term_order(t, parts[i].monomial, top) < 0) continue;
    top = parts[i].monomial;
    *q = piece;
  }
  return top != TERM_NONE;
}

// a == q*b + r with r in normal form; the lead of b is positive.
static void reduce(term_table *t, term_id a, term_id b, term_id *q, term_id *r) {
  term_part lead = term_lead(t, b), part;
  *q = TERM_ZERO;
  *r = a;
  for (int step = 0; step < MAX_REDUCTIONS && !is_too_long(t, *r); step++) {
    if (!find_reducible(t, *r, lead, &part)) return;
    term_id piece = term_sum_sorted(t, &part, 1);
    *q = term_add(t, *q, piece);
    *r = term_sub(t, *r, term_mul(t, piece, b));
  }
}

// --- constant divisors

// Splits off the parts that b divides: a == b*q + r.
static void split_multiples(term_table *t, term_id a, num b, term_id *q, term_id *r) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, a, &parts, &room), qn = 0, rn = 0, first = 0;
  assert(num_compare(b, NUM(1)) > 0);
  while (first < count && !num_divides(t->budget, b, parts[first].coefficient)) first++;
  if (first == count) {  // most have none
    *q = TERM_ZERO;
    *r = a;
    return;
  }
  scratch_mark mark = scratch_get(t);
  term_part *qs = scratch_parts(t, count), *rs = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) {
    num c = parts[i].coefficient;
    if (num_divides(t->budget, b, c)) {
      qs[qn++] = (term_part){num_floordiv(t->budget, c, b), parts[i].monomial};
    } else {
      rs[rn++] = parts[i];
    }
  }
  *q = term_sum_sorted(t, qs, qn);
  *r = term_sum_sorted(t, rs, rn);
  scratch_release(t, mark);
}

// Would split leave the sum as it is? Each coefficient is 1, and the constant below b.
static bool is_split(const term_part *parts, uint32_t count, num b) {
  uint32_t i = count && parts[0].monomial == TERM_ONE;
  if (b.big) return false;
  if (i && (parts[0].coefficient.big || parts[0].coefficient.small < 0 ||
            parts[0].coefficient.small >= b.small))
    return false;
  while (i < count && num_is_one(parts[i].coefficient)) i++;
  return i == count;
}

// The quotient of a coefficient for which the remainder has the least magnitude; on a tie it keeps
// its sign or, if that is not wanted, is positive.
static num nearest_quotient(term_table *t, num c, num b, bool keep_sign) {
  assert(num_sign(b) > 0);
  num low = num_floordiv(t->budget, c, b), rest = num_mod(t->budget, c, b);
  int side = num_compare(num_add(t->budget, rest, rest), b);
  bool up = side > 0 || (side == 0 && keep_sign && num_sign(c) < 0);
  return up ? num_add(t->budget, low, NUM(1)) : low;
}

// a == b*q + r with the least coefficients in r and a constant in [0, b). b divides no part of a as
// a whole.
static void split(term_table *t, term_id a, num b, term_id *q, term_id *r) {
  const term_part *parts;
  term_part room, lead = {NUM(0), TERM_NONE};
  uint32_t count = term_parts(t, a, &parts, &room), qn = 0, rn = 0;
  if (is_split(parts, count, b)) {
    *q = TERM_ZERO;
    *r = a;
    return;
  }
  scratch_mark mark = scratch_get(t);
  term_part *qs = scratch_parts(t, count), *rs = scratch_parts(t, count);
  term_lead_variable(t, a, &lead);
  for (uint32_t i = 0; i < count; i++) {
    num c = parts[i].coefficient;
    term_id m = parts[i].monomial;
    bool keep_sign = m == lead.monomial || term_kind_of(t, m) == TERM_FLOORDIV;
    num d = m == TERM_ONE ? num_floordiv(t->budget, c, b) : nearest_quotient(t, c, b, keep_sign);
    num rest = num_sub(t->budget, c, num_mul(t->budget, b, d));
    if (!num_is_zero(d)) qs[qn++] = (term_part){d, m};
    if (!num_is_zero(rest)) rs[rn++] = (term_part){rest, m};
  }
  *q = term_sum_sorted(t, qs, qn);
  *r = term_sum_sorted(t, rs, rn);
  scratch_release(t, mark);
}

static bool range_quotient(term_table *t, term_id a, num b, term_id *quotient) {
  if (term_falls(t, a, true)) return false;
  interval range = term_static_range(t, a);
  if (!range.has_lo || !range.has_hi) return false;
  num low = num_floordiv(t->budget, range.lo, b), high = num_floordiv(t->budget, range.hi, b);
  if (!num_equal(low, high)) return false;
  *quotient = term_const(t, low);
  return true;
}

// r == k*c + m for an indicator c (or a product of them) takes two values, and so does its
// quotient.
static bool choice_quotient(term_table *t, term_id r, num b, term_id *quotient) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, r, &parts, &room);
  assert(count > 0);
  term_part part = parts[count - 1];
  if (count > 2 || (count == 2 && parts[0].monomial != TERM_ONE)) return false;
  if (term_kind_of(t, part.monomial) == TERM_SYMBOL) return false;
  interval range = term_static_range(t, part.monomial);
  if (!range.has_lo || !range.has_hi || !num_is_zero(range.lo) || !num_is_one(range.hi))
    return false;
  num m = term_constant_part(t, r), low = num_floordiv(t->budget, m, b);
  num high = num_floordiv(t->budget, num_add(t->budget, m, part.coefficient), b);
  *quotient = term_add_const(t, term_scale(t, part.monomial, num_sub(t->budget, high, low)), low);
  return true;
}

// The only part of r that is floordiv(a, d) or, with constant d, -floordiv(a, d); false: none, or
// several.
static bool find_nested(const term_table *t, term_id r, term_part *found) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, r, &parts, &room), candidates = 0;
  for (uint32_t i = 0; i < count; i++) {
    const term_node *node = term_get(t, parts[i].monomial);
    if (node->kind != TERM_FLOORDIV) continue;
    bool constant = term_kind_of(t, node->as.args[1]) == TERM_CONST;
    if (!num_is_one(parts[i].coefficient) && !(constant && num_is(parts[i].coefficient, -1)))
      continue;
    *found = parts[i];
    candidates++;
  }
  return candidates == 1;
}

// The flat form of floordiv(r, b) where r holds one quotient. -floordiv(a, d) == floordiv(-a + d -
// 1, d) for d > 0.
static bool flatten(term_table *t, term_id r, num b, term_id *result) {
  term_part found;
  if (!find_nested(t, r, &found)) return false;
  const term_node *node = term_get(t, found.monomial);
  term_id a = node->as.args[0], d = node->as.args[1];
  term_id rest = term_add_scaled(t, r, found.monomial, num_neg(t->budget, found.coefficient));
  if (term_kind_of(t, d) != TERM_CONST && term_kind_of(t, rest) == TERM_SUM) return false;
  if (!num_is_one(found.coefficient)) a = term_add_const(t, term_sub(t, d, a), NUM(-1));
  term_id divisor = term_scale(t, d, b);
  *result = term_floordiv(t, term_add(t, a, term_mul(t, d, rest)), divisor);
  return true;
}

static term_id floordiv_by_const(term_table *t, term_id a, num b) {
  term_id q, more, r, whole, inner;
  if (num_sign(b) < 0) {
    a = term_neg(t, a);
    b = num_neg(t->budget, b);
  }
  assert(num_sign(b) > 0);
  if (num_is_one(b)) return a;
  if (term_kind_of(t, a) == TERM_SYMBOL)  // nothing below applies
    return term_intern_atom(t, TERM_FLOORDIV, (term_id[2]){a, term_const(t, b)}, 2);
  split_multiples(t, a, b, &q, &whole);
  if (range_quotient(t, whole, b, &inner)) return term_add(t, q, inner);
  split(t, whole, b, &more, &r);
  q = term_add(t, q, more);
  num g = num_gcd(t->budget, term_content_without_constant(t, r), b);
  if (num_equal(g, b)) return q;  // only a constant below b is left (its content is 0)
  if (!num_is_one(g)) {
    num c = term_constant_part(t, r), down = num_mod(t->budget, c, g);
    r = term_divide_num(t, term_add_const(t, r, num_neg(t->budget, down)), g);
    b = num_floordiv(t->budget, b, g);
  }
  if (r != whole && range_quotient(t, r, b, &inner)) return term_add(t, q, inner);
  if (choice_quotient(t, r, b, &inner)) return term_add(t, q, inner);
  if (flatten(t, r, b, &inner)) return term_add(t, q, inner);
  term_part lead;
  if (term_lead_variable(t, r, &lead) && num_sign(lead.coefficient) < 0) {
    term_id mirror = term_add_const(t, term_neg(t, r), num_sub(t->budget, b, NUM(1)));
    return term_sub(t, q, floordiv_by_const(t, mirror, b));
  }
  assert(term_kind_of(t, r) != TERM_CONST && num_compare(b, NUM(1)) > 0);
  return term_add(t, q, term_intern_atom(t, TERM_FLOORDIV, (term_id[2]){r, term_const(t, b)}, 2));
}

// --- symbolic divisors

// Divides a and b by a common factor; false when none is found.
static bool cancel(term_table *t, term_id *a, term_id *b) {
  term_id fa = term_common_factor(t, *a), fb = term_common_factor(t, *b), q, r;
  assert(*a != TERM_ZERO && *b != TERM_ZERO);
  term_part pa = term_lead(t, fa), pb = term_lead(t, fb);
  num g = num_gcd(t->budget, pa.coefficient, pb.coefficient);
  term_id common = term_scale(t, term_monomial_gcd(t, pa.monomial, pb.monomial), g);
  bool found = common != TERM_ONE;
  if (found) {
    if (!term_divide_exact(t, *a, common, &q) || !term_divide_exact(t, *b, common, &r))
      return false;
    *a = q;
    *b = r;
  }
  // A polynomial factor: all of b but its monomial, or all of a but its monomial.
  fa = term_common_factor(t, *a);
  fb = term_common_factor(t, *b);
  term_id rest, qa, qb;
  term_id sides[2] = {*b, *a}, factors[2] = {fb, fa};
  for (int i = 0; i < 2; i++) {
    if (!term_divide_exact(t, sides[i], factors[i], &rest) || term_kind_of(t, rest) != TERM_SUM)
      continue;
    if (term_get(t, rest)->count < 2) continue;
    if (!term_divide_exact(t, *a, rest, &qa) || !term_divide_exact(t, *b, rest, &qb)) continue;
    *a = qa;
    *b = qb;
    return true;
  }
  return found;
}

static term_id floordiv_by_term(term_table *t, term_id a, term_id b) {
  term_id q, r, total = TERM_ZERO;
  if (num_sign(term_lead(t, b).coefficient) < 0) {
    a = term_neg(t, a);
    b = term_neg(t, b);
  }
  reduce(t, a, b, &q, &r);
  total = term_add(t, total, q);
  if (r == TERM_ZERO) return total;
  if (cancel(t, &r, &b)) return term_add(t, total, term_floordiv(t, r, b));
  term_id args[2] = {r, b};
  return term_add(t, total, term_intern_atom(t, TERM_FLOORDIV, args, 2));
}

term_id term_floordiv(term_table *t, term_id a, term_id b) {
  num k;
  if (b == TERM_ZERO) {  // outside the domain everywhere: nothing is said about it
    term_id args[2] = {a, b};
    return term_intern_atom(t, TERM_FLOORDIV, args, 2);
  }
  if (a == TERM_ZERO) return TERM_ZERO;
  if (a == b) return TERM_ONE;
  term_id result;
  num value;
  if (term_cache_get(t, TERM_FLOORDIV, a, b, &result)) return result;
  if (!term_const_value(t, b, &k)) {
    result = floordiv_by_term(t, a, b);
  } else if (term_const_value(t, a, &value)) {
    result = term_const(t, num_floordiv(t->budget, value, k));
  } else {
    result = floordiv_by_const(t, a, k);
  }
  return term_cache_put(t, TERM_FLOORDIV, a, b, result);
}

term_id term_ceildiv(term_table *t, term_id a, term_id b) {
  return term_neg(t, term_floordiv(t, term_neg(t, a), b));
}

term_id term_mod(term_table *t, term_id a, term_id b) {
  num k;
  if (term_const_value(t, b, &k) && !num_is_zero(k))
    return term_linear(t, a, NUM(1), term_floordiv(t, a, b), num_neg(t->budget, k), NUM(0));
  return term_sub(t, a, term_mul(t, b, term_floordiv(t, a, b)));
}
