// SPDX-License-Identifier: Apache-2.0
// Products: powers are in order of atom index; products of sums expand up to a limit.
//
// An indicator c is 0 or 1, so c*c == c: its exponent stays 1.
// A product that would expand to more than TERM_MAX_MONOMIALS monomials keeps its sums as atoms:
// BIGMUL(p) denotes the sum p where it is a factor, so that such products still commute and
// associate.
#include <assert.h>

#include "solver/term/build.h"

enum { MAX_EXPANSION = 256 };  // pairs of parts that are multiplied out before they are counted

static term_id finish_powers(term_table *t, const term_power *powers, uint32_t count) {
  if (count == 0) return TERM_ONE;
  if (count == 1 && powers[0].exponent == 1) return powers[0].atom;
  return term_intern_product(t, powers, count);
}

static uint32_t add_exponents(term_table *t, term_id atom, uint32_t x, uint32_t y) {
  if (term_is_indicator(term_kind_of(t, atom))) return 1;
  uint32_t sum;
  if (__builtin_add_overflow(x, y, &sum)) arena_fail(t->arena, SHAPE_BITS);
  return sum;
}

// The powers of the product of two monomials.
static uint32_t multiply_powers(term_table *t, term_id a, term_id b, term_power *to) {
  const term_power *as, *bs;
  term_power ar, br;
  uint32_t an = term_powers(t, a, &as, &ar), bn = term_powers(t, b, &bs, &br), i = 0, j = 0,
           count = 0;
  while (i < an || j < bn) {
    if (j == bn || (i < an && as[i].atom < bs[j].atom)) {
      to[count++] = as[i++];
    } else if (i == an || bs[j].atom < as[i].atom) {
      to[count++] = bs[j++];
    } else {
      to[count] = as[i++];
      to[count].exponent = add_exponents(t, to[count].atom, to[count].exponent, bs[j++].exponent);
      count++;
    }
  }
  return count;
}

static term_power *room_for_powers(term_table *t, term_id a, term_id b) {
  const term_node *x = term_get(t, a), *y = term_get(t, b);
  size_t most = (x->kind == TERM_PRODUCT ? (size_t)x->count : 1) +
                (y->kind == TERM_PRODUCT ? (size_t)y->count : 1);
  return scratch_take(t, most * sizeof(term_power));
}

term_id term_monomial_mul(term_table *t, term_id a, term_id b) {
  if (a == TERM_ONE) return b;
  if (b == TERM_ONE) return a;
  scratch_mark mark = scratch_get(t);
  term_power *to = room_for_powers(t, a, b);
  term_id result = finish_powers(t, to, multiply_powers(t, a, b, to));
  scratch_release(t, mark);
  return result;
}

term_id term_find_product(term_table *t, term_id a, term_id b) {
  if (a == TERM_ONE) return b;
  if (b == TERM_ONE) return a;
  scratch_mark mark = scratch_get(t);
  term_power *to = room_for_powers(t, a, b);
  uint32_t count = multiply_powers(t, a, b, to);
  bool single = count == 1 && to[0].exponent == 1;
  term_id result = single ? to[0].atom : term_known_product(t, to, count);
  scratch_release(t, mark);
  return result;
}

term_id term_monomial_div(term_table *t, term_id a, term_id b) {
  if (b == TERM_ONE) return a;
  if (a == b) return TERM_ONE;
  const term_power *as, *bs;
  term_power ar, br;
  uint32_t an = term_powers(t, a, &as, &ar), bn = term_powers(t, b, &bs, &br), j = 0, count = 0;
  if (bn > an) return TERM_NONE;
  scratch_mark mark = scratch_get(t);
  term_power *to = scratch_take(t, (size_t)an * sizeof *to);
  for (uint32_t i = 0; i < an; i++) {
    to[count] = as[i];
    if (j < bn && bs[j].atom == as[i].atom) {
      if (bs[j].exponent > as[i].exponent) break;
      to[count].exponent -= bs[j++].exponent;
    }
    count += to[count].exponent != 0;
  }
  term_id result = j == bn ? finish_powers(t, to, count) : TERM_NONE;
  scratch_release(t, mark);
  return result;
}

static bool has_big_factor(const term_table *t, term_id monomial) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, monomial, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(t, powers[i].atom) == TERM_BIGMUL) return true;
  }
  return false;
}

// A sum as factor * BIGMUL(rest), where the rest has no common factor and a positive lead.
static term_id as_big_factor(term_table *t, term_id sum) {
  term_id factor = term_common_factor(t, sum), rest;
  if (!term_divide_exact(t, sum, factor, &rest)) rest = sum, factor = TERM_ONE;
  if (num_sign(term_lead(t, rest).coefficient) < 0) {
    rest = term_neg(t, rest);
    factor = term_neg(t, factor);
  }
  if (term_kind_of(t, rest) != TERM_SUM) return term_mul(t, factor, rest);
  return term_mul(t, factor, term_intern_atom(t, TERM_BIGMUL, &rest, 1));
}

static term_id mul_monomial(term_table *t, term_part k, const term_part *parts, uint32_t count) {
  assert(count > 1);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) {
    to[i].coefficient = num_mul(t->budget, k.coefficient, parts[i].coefficient);
    to[i].monomial = term_monomial_mul(t, k.monomial, parts[i].monomial);
  }
  term_id result = term_sum_loose(t, to, count);
  scratch_release(t, mark);
  return result;
}

static term_id mul_big(term_table *t, term_id a, term_id b) {
  b = as_big_factor(t, b);
  return term_mul(t, as_big_factor(t, a), b);
}

static term_id mul_expanded(term_table *t, term_id a, term_id b) {
  assert(term_kind_of(t, a) == TERM_SUM && term_kind_of(t, b) == TERM_SUM);
  const term_part *as = term_get(t, a)->as.parts, *bs = term_get(t, b)->as.parts;
  uint64_t an = term_get(t, a)->count, bn = term_get(t, b)->count;
  if (an * bn > MAX_EXPANSION) return mul_big(t, a, b);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, an * bn), *next = to;
  for (uint64_t i = 0; i < an; i++) {
    for (uint64_t j = 0; j < bn; j++) {
      next->coefficient = num_mul(t->budget, as[i].coefficient, bs[j].coefficient);
      next++->monomial = term_monomial_mul(t, as[i].monomial, bs[j].monomial);
    }
  }
  term_id result = term_sum_loose(t, to, (uint32_t)(next - to));
  scratch_release(t, mark);
  const term_node *node = term_get(t, result);
  return node->kind == TERM_SUM && node->count > TERM_MAX_MONOMIALS ? mul_big(t, a, b) : result;
}

static term_id mul_sums(term_table *t, term_id a, term_id b) {
  term_id result;
  if (term_cache_get(t, TERM_BIGMUL, a, b, &result)) return result;
  return term_cache_put(t, TERM_BIGMUL, a, b, mul_expanded(t, a, b));
}

term_id term_mul(term_table *t, term_id a, term_id b) {
  if (a == TERM_ONE) return b;
  if (b == TERM_ONE) return a;
  if (a == TERM_ZERO || b == TERM_ZERO) return TERM_ZERO;
  const term_part *as, *bs;
  term_part ar, br;
  uint32_t an = term_parts(t, a, &as, &ar), bn = term_parts(t, b, &bs, &br);
  if (an > 1 && bn > 1) return mul_sums(t, a, b);
  if (an > 1) return term_mul(t, b, a);
  assert(an == 1);
  term_part factor = as[0];
  if (bn == 1) {  // most: a dim by a dim, again and again
    bool scales = factor.monomial == TERM_ONE || bs[0].monomial == TERM_ONE;
    term_id result;
    if (!scales && term_cache_get(t, TERM_PRODUCT, a, b, &result)) return result;
    term_part product = {num_mul(t->budget, factor.coefficient, bs[0].coefficient),
                         term_monomial_mul(t, factor.monomial, bs[0].monomial)};
    result = term_sum_sorted(t, &product, 1);
    return scales ? result : term_cache_put(t, TERM_PRODUCT, a, b, result);
  }
  if (factor.monomial == TERM_ONE) return term_scale(t, b, factor.coefficient);
  if (has_big_factor(t, factor.monomial)) return term_mul(t, a, as_big_factor(t, b));
  return mul_monomial(t, factor, bs, bn);
}

static term_id pow_monomial(term_table *t, term_part part, uint32_t exponent) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, part.monomial, &powers, &room);
  scratch_mark mark = scratch_get(t);
  term_power *to = scratch_take(t, (size_t)count * sizeof *to);
  for (uint32_t i = 0; i < count; i++) {
    to[i] = powers[i];
    if (term_is_indicator(term_kind_of(t, powers[i].atom))) continue;
    if (__builtin_mul_overflow(powers[i].exponent, exponent, &to[i].exponent))
      arena_fail(t->arena, SHAPE_BITS);
  }
  term_part power = {num_pow(t->budget, part.coefficient, exponent), finish_powers(t, to, count)};
  scratch_release(t, mark);
  return term_sum_sorted(t, &power, !num_is_zero(power.coefficient));
}

term_id term_pow(term_table *t, term_id a, uint32_t exponent) {
  const term_part *parts;
  term_part room;
  if (exponent == 0) return TERM_ONE;
  if (a == TERM_ZERO || exponent == 1) return a;
  if (term_parts(t, a, &parts, &room) == 1) return pow_monomial(t, parts[0], exponent);
  term_id result = TERM_ONE, square = a;
  while (exponent) {
    if (exponent & 1) result = term_mul(t, result, square);
    exponent >>= 1;
    if (exponent) square = term_mul(t, square, square);
  }
  return result;
}

static void sort_ids(term_id *ids, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    term_id id = ids[i];
    uint32_t at = i;
    for (; at && ids[at - 1] > id; at--) ids[at] = ids[at - 1];
    ids[at] = id;
  }
}

// Halves, so that a long product of symbols costs n log n; short ones in one canonical order,
// because whether an intermediate product expands may depend on it.
term_id term_product_of(term_table *t, const term_id *terms, uint32_t count) {
  if (count == 0) return TERM_ONE;
  if (count == 1) return terms[0];
  if (count == 2)
    return terms[0] < terms[1] ? term_mul(t, terms[0], terms[1]) : term_mul(t, terms[1], terms[0]);
  if (count > 32) {
    term_id left = term_product_of(t, terms, count / 2);
    return term_mul(t, left, term_product_of(t, terms + count / 2, count - count / 2));
  }
  term_id sorted[32], result = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) sorted[i] = terms[i];
  sort_ids(sorted, count);
  for (uint32_t i = 0; i < count; i++) result = term_mul(t, result, sorted[i]);
  return result;
}

term_id term_monomial_gcd(term_table *t, term_id a, term_id b) {
  const term_power *as, *bs;
  term_power ar, br;
  uint32_t an = term_powers(t, a, &as, &ar), bn = term_powers(t, b, &bs, &br), j = 0, count = 0;
  scratch_mark mark = scratch_get(t);
  term_power *to = scratch_take(t, (size_t)an * sizeof *to);
  for (uint32_t i = 0; i < an; i++) {
    while (j < bn && bs[j].atom < as[i].atom) j++;
    if (j == bn || bs[j].atom != as[i].atom) continue;
    to[count++] = as[i].exponent < bs[j].exponent ? as[i] : bs[j];
  }
  term_id result = finish_powers(t, to, count);
  scratch_release(t, mark);
  return result;
}

term_id term_common_factor(term_table *t, term_id a) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, a, &parts, &room);
  if (count == 0) return TERM_ONE;
  term_part factor = {term_content(t, a), parts[0].monomial};
  for (uint32_t i = 1; i < count && factor.monomial != TERM_ONE; i++) {
    factor.monomial = term_monomial_gcd(t, factor.monomial, parts[i].monomial);
  }
  assert(num_sign(factor.coefficient) > 0);
  return term_sum_sorted(t, &factor, 1);
}
