// SPDX-License-Identifier: Apache-2.0
// Sums: parts are in order of monomial index, so that adding is a merge.
#include <assert.h>

#include "solver/term/build.h"

enum { INSERTION_SORT = 16 };

term_id term_sum_sorted(term_table *t, const term_part *parts, uint32_t count) {
  if (count == 0) return TERM_ZERO;
  if (count == 1) {
    assert(!num_is_zero(parts[0].coefficient));
    if (parts[0].monomial == TERM_ONE) return term_const(t, parts[0].coefficient);
    if (num_is_one(parts[0].coefficient)) return parts[0].monomial;
  }
  return term_intern_sum(t, parts, count);
}

static void insertion_sort(term_part *parts, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    term_part part = parts[i];
    uint32_t at = i;
    for (; at && parts[at - 1].monomial > part.monomial; at--) parts[at] = parts[at - 1];
    parts[at] = part;
  }
}

static void merge(term_part *to, const term_part *a, uint32_t an, const term_part *b, uint32_t bn) {
  while (an && bn) {
    if (a->monomial <= b->monomial) {
      *to++ = *a++;
      an--;
    } else {
      *to++ = *b++;
      bn--;
    }
  }
  while (an--) *to++ = *a++;
  while (bn--) *to++ = *b++;
}

// Bottom-up merge sort on top of short runs.
static void sort_parts(term_table *t, term_part *parts, uint32_t count) {
  for (uint32_t i = 0; i < count; i += INSERTION_SORT) {
    insertion_sort(parts + i, count - i < INSERTION_SORT ? count - i : INSERTION_SORT);
  }
  if (count <= INSERTION_SORT) return;
  scratch_mark mark = scratch_get(t);
  term_part *from = parts, *to = scratch_parts(t, count);
  for (uint64_t run = INSERTION_SORT; run < count; run *= 2) {
    for (uint64_t i = 0; i < count; i += 2 * run) {
      uint64_t left = count - i < run ? count - i : run;
      uint64_t right = count - i - left < run ? count - i - left : run;
      merge(to + i, from + i, (uint32_t)left, from + i + left, (uint32_t)right);
    }
    term_part *swap = from;
    from = to;
    to = swap;
  }
  if (from != parts) {
    for (uint32_t i = 0; i < count; i++) parts[i] = from[i];
  }
  scratch_release(t, mark);
}

term_id term_sum_loose(term_table *t, term_part *parts, uint32_t count) {
  sort_parts(t, parts, count);
  uint32_t kept = 0;
  while (kept < count && !num_is_zero(parts[kept].coefficient) &&
         (kept + 1 == count || parts[kept].monomial != parts[kept + 1].monomial))
    kept++;  // most have nothing to be added up
  for (uint32_t i = kept; i < count;) {
    term_part part = parts[i++];
    while (i < count && parts[i].monomial == part.monomial) {
      part.coefficient = num_add(t->budget, part.coefficient, parts[i++].coefficient);
    }
    if (!num_is_zero(part.coefficient)) parts[kept++] = part;
  }
  return term_sum_sorted(t, parts, kept);
}

static NUM_RARE num times_large(shape_budget *b, num k, num x) {
  return num_is_one(k) ? x : num_mul(b, k, x);
}

static inline num times(shape_budget *b, num k, num x) {
  int64_t small;
  bool fits = !k.big && !x.big && !__builtin_mul_overflow(k.small, x.small, &small);
  return fits ? NUM(small) : times_large(b, k, x);
}

static inline term_part scaled(shape_budget *b, num k, const term_part *part) {
  return (term_part){times(b, k, part->coefficient), part->monomial};
}

// x*a + y*b + c, for sorted parts, into `sum` and the element before it, or the first `most` parts of it; x and y are not 0.
// Returns where it begins.
static term_part *merge_into(shape_budget *budget, const term_part *a, uint32_t an, num x,
                             const term_part *b, uint32_t bn, num y, num c, uint32_t most,
                             term_part *sum, uint32_t *count) {
  term_part *to = sum;
  const term_part *a_end = an ? a + an : a, *b_end = bn ? b + bn : b;  // of none: may be NULL
  const term_part *stop = sum + most;
  while (a != a_end && b != b_end && to != stop) {
    if (a->monomial < b->monomial) {
      *to++ = scaled(budget, x, a++);
    } else if (a->monomial > b->monomial) {
      *to++ = scaled(budget, y, b++);
    } else {
      *to = scaled(budget, x, a++);
      to->coefficient = num_add(budget, to->coefficient, times(budget, y, b++->coefficient));
      to += !num_is_zero(to->coefficient);
    }
  }
  while (a != a_end && to != stop) *to++ = scaled(budget, x, a++);
  while (b != b_end && to != stop) *to++ = scaled(budget, y, b++);
  if (!num_is_zero(c)) {  // the constant part comes first
    if (to > sum && sum->monomial == TERM_ONE) c = num_add(budget, c, (sum++)->coefficient);
    if (!num_is_zero(c)) *--sum = (term_part){c, TERM_ONE};
  }
  assert(to >= sum);
  *count = (uint32_t)(to - sum);
  return sum;
}

static inline term_id merge_scaled(term_table *t, const term_part *a, uint32_t an, num x,
                                   const term_part *b, uint32_t bn, num y, num c) {
  scratch_mark mark = scratch_get(t);
  term_part *room = scratch_parts(t, (size_t)an + bn + 1) + 1;
  uint32_t count;
  room = merge_into(t->budget, a, an, x, b, bn, y, c, an + bn, room, &count);
  term_id result = term_sum_sorted(t, room, count);
  scratch_release(t, mark);
  return result;
}

const term_part *term_linear_parts(term_table *t, term_id a, num x, term_id b, num y, num c,
                                   uint32_t most, term_part *room, uint32_t *count) {
  const term_part *as = NULL, *bs = NULL;
  term_part ar, br;
  assert(!num_is_zero(x) && !num_is_zero(y));
  uint32_t an = term_parts(t, a, &as, &ar), bn = term_parts(t, b, &bs, &br);
  if (most > an + bn) most = an + bn;
  return merge_into(t->budget, as, an, x, bs, bn, y, c, most, room + 1, count);
}

// The same where neither is a sum, as of most.
static term_id merge_single(term_table *t, term_id a, term_id b, int sign) {
  const term_node *x = &t->nodes[a], *y = &t->nodes[b];
  term_part two[2] = {{NUM(1), a}, {NUM(1), b}};
  if (x->kind == TERM_CONST) two[0] = (term_part){x->as.value, TERM_ONE};
  if (y->kind == TERM_CONST) two[1] = (term_part){y->as.value, TERM_ONE};
  if (sign < 0) two[1].coefficient = num_neg(t->budget, two[1].coefficient);
  if (two[0].monomial == two[1].monomial) {
    two[0].coefficient = num_add(t->budget, two[0].coefficient, two[1].coefficient);
    return term_sum_sorted(t, two, !num_is_zero(two[0].coefficient));
  }
  if (a == TERM_ZERO) return term_sum_sorted(t, two + 1, 1);
  if (b == TERM_ZERO) return a;
  if (two[0].monomial > two[1].monomial) {
    term_part swap = two[0];
    two[0] = two[1];
    two[1] = swap;
  }
  return term_intern_sum(t, two, 2);
}

// a + sign*b, sign 1 or -1: the most frequent merge.
static term_id merge_signed(term_table *t, term_id a, term_id b, int sign) {
  if (term_kind_of(t, a) != TERM_SUM && term_kind_of(t, b) != TERM_SUM)
    return merge_single(t, a, b, sign);
  const term_part *as, *bs;
  term_part ar, br;
  uint32_t an = term_parts(t, a, &as, &ar), bn = term_parts(t, b, &bs, &br);
  const term_part *a_end = as + an, *b_end = bs + bn;
  assert(sign == 1 || sign == -1);
  shape_budget *budget = t->budget;
  scratch_mark mark = scratch_get(t);
  term_part *sum = scratch_parts(t, (size_t)an + bn), *to = sum;
  while (as != a_end && bs != b_end) {
    if (as->monomial < bs->monomial) {
      *to++ = *as++;
    } else if (as->monomial > bs->monomial) {
      num k = bs->coefficient;
      *to++ = (term_part){sign > 0 ? k : num_neg(budget, k), bs++->monomial};
    } else {
      num k = bs++->coefficient, x = as->coefficient;
      *to = (term_part){sign > 0 ? num_add(budget, x, k) : num_sub(budget, x, k), as++->monomial};
      to += !num_is_zero(to->coefficient);
    }
  }
  while (as != a_end) *to++ = *as++;
  for (; bs != b_end; bs++) {
    num k = bs->coefficient;
    *to++ = (term_part){sign > 0 ? k : num_neg(budget, k), bs->monomial};
  }
  term_id result = term_sum_sorted(t, sum, (uint32_t)(to - sum));
  scratch_release(t, mark);
  return result;
}

term_id term_linear(term_table *t, term_id a, num x, term_id b, num y, num c) {
  const term_part *as = NULL, *bs = NULL;
  term_part ar, br;
  uint32_t an = num_is_zero(x) ? 0 : term_parts(t, a, &as, &ar);
  uint32_t bn = num_is_zero(y) ? 0 : term_parts(t, b, &bs, &br);
  return merge_scaled(t, as, an, x, bs, bn, y, c);
}

term_id term_add_scaled(term_table *t, term_id a, term_id b, num k) {
  if (num_is_zero(k)) return a;
  const term_part *as, *bs;
  term_part ar, br;
  uint32_t an = term_parts(t, a, &as, &ar), bn = term_parts(t, b, &bs, &br);
  return merge_scaled(t, as, an, NUM(1), bs, bn, k, NUM(0));
}

term_id term_add(term_table *t, term_id a, term_id b) {
  if (a == TERM_ZERO) return b;
  return b == TERM_ZERO ? a : merge_signed(t, a, b, 1);
}

term_id term_sub(term_table *t, term_id a, term_id b) {
  if (a == b) return TERM_ZERO;
  return b == TERM_ZERO ? a : merge_signed(t, a, b, -1);
}

term_id term_neg(term_table *t, term_id a) { return merge_signed(t, TERM_ZERO, a, -1); }

term_id term_scale(term_table *t, term_id a, num k) {
  const term_part *parts;
  term_part room;
  if (num_is_one(k)) return a;
  if (num_is_zero(k)) return TERM_ZERO;
  uint32_t count = term_parts(t, a, &parts, &room);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++)
    to[i] = (term_part){num_mul(t->budget, k, parts[i].coefficient), parts[i].monomial};
  term_id result = term_sum_sorted(t, to, count);
  scratch_release(t, mark);
  return result;
}

term_id term_add_const(term_table *t, term_id a, num c) {
  const term_part *parts;
  term_part room;
  if (num_is_zero(c)) return a;
  uint32_t count = term_parts(t, a, &parts, &room);
  bool has_constant = count && parts[0].monomial == TERM_ONE;
  if (has_constant) c = num_add(t->budget, c, parts[0].coefficient);
  scratch_mark mark = scratch_get(t);
  term_part *sum = scratch_parts(t, (size_t)count + 1), *to = sum;
  if (!num_is_zero(c)) *to++ = (term_part){c, TERM_ONE};
  for (uint32_t i = has_constant; i < count; i++) *to++ = parts[i];
  term_id result = term_sum_sorted(t, sum, (uint32_t)(to - sum));
  scratch_release(t, mark);
  return result;
}

term_id term_divide_num(term_table *t, term_id a, num k) {
  const term_part *parts;
  term_part room;
  if (num_is_one(k)) return a;
  uint32_t count = term_parts(t, a, &parts, &room);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) {
    assert(num_divides(t->budget, k, parts[i].coefficient));
    to[i] = (term_part){num_truncdiv(t->budget, parts[i].coefficient, k), parts[i].monomial};
  }
  term_id result = term_sum_sorted(t, to, count);
  scratch_release(t, mark);
  return result;
}

term_id term_floor_parts(term_table *t, term_id a, num k) {
  const term_part *parts;
  term_part room;
  assert(!num_is_zero(k));
  uint32_t count = term_parts(t, a, &parts, &room), kept = 0;
  bool flip = num_is(k, -1);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) {
    num c = parts[i].coefficient;
    to[kept] = (term_part){flip ? num_neg(t->budget, c) : num_floordiv(t->budget, c, k),
                           parts[i].monomial};
    kept += !num_is_zero(to[kept].coefficient);
  }
  term_id result = term_sum_sorted(t, to, kept);
  scratch_release(t, mark);
  return result;
}

// Writes k * (a term) as loose parts; returns their number.
static uint32_t put_scaled(term_table *t, term_part *to, term_id id, num k) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    to[i] = (term_part){num_mul(t->budget, k, parts[i].coefficient), parts[i].monomial};
  }
  return count;
}

static size_t part_count(const term_table *t, term_id id) {
  const term_node *node = term_get(t, id);
  return node->kind == TERM_SUM ? node->count : 1;
}

term_id term_sum(term_table *t, const term_part *parts, uint32_t count) {
  size_t total = 0;
  for (uint32_t i = 0; i < count; i++) total += part_count(t, parts[i].monomial);
  if (total > UINT32_MAX) arena_fail(t->arena, SHAPE_SIZE);
  scratch_mark mark = scratch_get(t);
  term_part *loose = scratch_parts(t, total);
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    used += put_scaled(t, loose + used, parts[i].monomial, parts[i].coefficient);
  }
  assert(used <= total);
  term_id result = term_sum_loose(t, loose, used);
  scratch_release(t, mark);
  return result;
}

term_id term_sum_of(term_table *t, const term_id *terms, uint32_t count) {
  if (count == 1) return terms[0];
  if (count == 2) return term_add(t, terms[0], terms[1]);
  scratch_mark mark = scratch_get(t);
  term_part *parts = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) parts[i] = (term_part){NUM(1), terms[i]};
  term_id result = term_sum(t, parts, count);
  scratch_release(t, mark);
  return result;
}

static term_id bound_parts(term_table *t, term_id a, term_id b, num (*choose)(num, num)) {
  const term_part *as, *bs;
  term_part ar, br;
  uint32_t an = term_parts(t, a, &as, &ar), bn = term_parts(t, b, &bs, &br);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, (size_t)an + bn);
  uint32_t kept = 0, i = 0, j = 0;
  while (i < an || j < bn) {
    bool left = i < an && (j == bn || as[i].monomial <= bs[j].monomial);
    bool right = j < bn && (i == an || bs[j].monomial <= as[i].monomial);
    term_id monomial = left ? as[i].monomial : bs[j].monomial;
    num x = left ? as[i++].coefficient : NUM(0), y = right ? bs[j++].coefficient : NUM(0);
    to[kept] = (term_part){choose(x, y), monomial};
    kept += !num_is_zero(to[kept].coefficient);
  }
  term_id result = term_sum_sorted(t, to, kept);
  scratch_release(t, mark);
  return result;
}

term_id term_lower_part(term_table *t, term_id a, term_id b) {
  return bound_parts(t, a, b, num_min);
}
term_id term_upper_part(term_table *t, term_id a, term_id b) {
  return bound_parts(t, a, b, num_max);
}

static num gcd_of_parts(term_table *t, term_id a, bool with_constant) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, a, &parts, &room);
  num g = NUM(0);
  for (uint32_t i = 0; i < count && !num_is_one(g); i++) {
    if (with_constant || parts[i].monomial != TERM_ONE)
      g = num_gcd(t->budget, g, parts[i].coefficient);
  }
  assert(num_sign(g) >= 0);
  return g;
}

num term_content(term_table *t, term_id id) { return gcd_of_parts(t, id, true); }
num term_content_without_constant(term_table *t, term_id a) { return gcd_of_parts(t, a, false); }
