// SPDX-License-Identifier: Apache-2.0
// What the form of a term says of its value whatever its symbols are. Most terms hold a bare symbol
// and have no bounds; that is found at once.
#include <assert.h>

#include "solver/term/build.h"

// Nested choices multiply; the work per query is bounded.
enum { RANGE_DEPTH = 6, RANGE_FUEL = 128, RANGE_CACHE = 1024 };

static interval range_at(term_table *t, term_id id, int depth, bool is_closed, int *fuel);

uint32_t term_expand_min(term_table *t, term_id id, uint32_t at, term_id *out, bool *is_max) {
  const term_part *parts;
  term_part room;
  term_parts(t, id, &parts, &room);
  term_part part = parts[at];
  assert(term_kind_of(t, part.monomial) == TERM_MIN);
  const term_id *args = term_get(t, part.monomial)->as.args;
  uint32_t count = term_get(t, part.monomial)->count;
  term_id rest = term_add_scaled(t, id, part.monomial, num_neg(t->budget, part.coefficient));
  for (uint32_t i = 0; i < count; i++) out[i] = term_add_scaled(t, rest, args[i], part.coefficient);
  *is_max = num_sign(part.coefficient) < 0;
  return count;
}

static bool is_joint(term_kind kind) {
  return kind == TERM_MIN || kind == TERM_SELECT || kind == TERM_BCAST || kind == TERM_FLOORDIV;
}

// Does the sum hold a symbol that occurs in no part which an alternative may replace, nor in what replaces the part `at`?
// It stays then whatever is chosen, and the sum has no bounds.
static bool has_free_symbol(const term_table *t, const term_part *parts, uint32_t count,
                            uint32_t at, uint64_t mask) {
  for (uint32_t i = 0; i < count; i++) {
    if (i != at && is_joint(term_kind_of(t, parts[i].monomial)))
      mask |= term_mask(t, parts[i].monomial);
  }
  for (uint32_t i = 0; i < count; i++) {
    term_id monomial = parts[i].monomial;
    if (term_kind_of(t, monomial) == TERM_SYMBOL && !(term_mask(t, monomial) & mask)) return true;
  }
  return false;
}

bool term_differ_freely(term_table *t, term_id a, term_id b) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, a, &parts, &room);
  count += term_parts(t, b, &parts, &room);
  scratch_mark mark = scratch_get(t);
  term_part *sum = scratch_parts(t, (size_t)count + 1);
  parts = term_linear_parts(t, a, NUM(1), b, NUM(-1), NUM(0), UINT32_MAX, sum, &count);
  bool is_free = has_free_symbol(t, parts, count, count, 0);
  scratch_release(t, mark);
  return is_free;
}

// A part of a sum, for which others are put.
typedef struct position {
  term_id id;  // the sum
  uint32_t at;
  term_part part;
} position;

static position position_of(const term_table *t, term_id id, uint32_t at) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  assert(at < count);
  (void)count;
  return (position){id, at, parts[at]};
}

// Of the sum with k*other for its part. `other` is of the part's arguments, so that the part itself is not in it.
// Most such sums have no bounds: those are not made.
static interval range_with(term_table *t, const position *w, term_id other, num k, int depth,
                           int *fuel) {
  const term_part *parts;
  term_part room, other_room;
  uint32_t count = term_parts(t, w->id, &parts, &room), kept = 0;
  if (has_free_symbol(t, parts, count, w->at, term_mask(t, other))) {
    --*fuel;
    return interval_all();
  }
  count += term_parts(t, other, &parts, &other_room);
  scratch_mark mark = scratch_get(t);
  term_part *sum = scratch_parts(t, (size_t)count + 2);
  parts = term_linear_parts(t, w->id, NUM(1), other, k, NUM(0), UINT32_MAX, sum, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial != w->part.monomial) sum[kept++] = parts[i];
  }
  assert(kept + 1 == count);
  bool is_large = kept > TERM_MAX_MONOMIALS;
  bool is_open = is_large || has_free_symbol(t, sum, kept, kept, 0);
  if (is_open && !is_large && depth > 0) --*fuel;
  term_id id = is_open ? TERM_NONE : term_sum_sorted(t, sum, kept);
  scratch_release(t, mark);
  return is_open ? interval_all() : range_at(t, id, depth, true, fuel);
}

static interval extremum_range(term_table *t, term_id id, uint32_t at, int depth, int *fuel) {
  position w = position_of(t, id, at);
  const term_id *args = term_get(t, w.part.monomial)->as.args;
  uint32_t count = term_get(t, w.part.monomial)->count;
  bool is_max = num_sign(w.part.coefficient) < 0;
  assert(term_kind_of(t, w.part.monomial) == TERM_MIN);
  interval range = range_with(t, &w, args[0], w.part.coefficient, depth, fuel);
  for (uint32_t i = 1; i < count; i++) {
    interval other = range_with(t, &w, args[i], w.part.coefficient, depth, fuel);
    range = is_max ? interval_max(range, other) : interval_min(range, other);
  }
  return range;
}

// rest + k*(one of the last two arguments)
static interval choice_range(term_table *t, term_id id, uint32_t at, int depth, int *fuel) {
  position w = position_of(t, id, at);
  const term_node *node = term_get(t, w.part.monomial);
  assert(node->kind == TERM_SELECT || node->kind == TERM_BCAST);
  term_id x = node->as.args[node->count - 2], y = node->as.args[node->count - 1];
  interval first = range_with(t, &w, x, w.part.coefficient, depth, fuel);
  if (!first.has_lo && !first.has_hi) return first;
  return interval_join(first, range_with(t, &w, y, w.part.coefficient, depth, fuel));
}

// k*floordiv(n, b) with k == -j*b is j*mod(n, b) - j*n.
static interval mod_range(term_table *t, term_id id, uint32_t at, int depth, int *fuel) {
  position w = position_of(t, id, at);
  term_part part = w.part;
  const term_node *node = term_get(t, part.monomial);
  assert(node->kind == TERM_FLOORDIV);
  term_id n = node->as.args[0];
  num b;
  if (!term_const_value(t, node->as.args[1], &b) || !num_divides(t->budget, b, part.coefficient) ||
      num_is_zero(b)) {
    return interval_all();
  }
  num j = num_neg(t->budget, num_floordiv(t->budget, part.coefficient, b));
  interval others = range_with(t, &w, n, num_neg(t->budget, j), depth, fuel);
  if (!others.has_lo && !others.has_hi) return others;
  interval mod = {NUM(0), num_sub(t->budget, b, NUM(1)), true, true};
  return interval_add(t->budget, others, interval_scale(t->budget, mod, j));
}

static bool is_indicator_product(const term_table *t, term_id monomial) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, monomial, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (!term_is_indicator(term_kind_of(t, powers[i].atom))) return false;
  }
  return true;
}

static bool is_even_power(const term_table *t, term_id monomial) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, monomial, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (powers[i].exponent % 2 && !term_is_indicator(term_kind_of(t, powers[i].atom))) return false;
  }
  return true;
}

static interval floordiv_range(term_table *t, term_part part, int depth, int *fuel) {
  const term_node *node = term_get(t, part.monomial);
  assert(node->kind == TERM_FLOORDIV);
  num b;
  if (!term_const_value(t, node->as.args[1], &b) || num_is_zero(b)) return interval_all();
  interval n = range_at(t, node->as.args[0], depth, false, fuel);
  return interval_scale(t->budget, interval_floordiv(t->budget, n, interval_point(b)),
                        part.coefficient);
}

static interval monomial_range(term_table *t, term_part part, int depth, int *fuel) {
  term_kind kind = term_kind_of(t, part.monomial);
  interval range = interval_all();
  if (part.monomial == TERM_ONE) return interval_point(part.coefficient);
  if (kind == TERM_FLOORDIV) return floordiv_range(t, part, depth, fuel);
  if (kind == TERM_MIN || kind == TERM_SELECT || kind == TERM_BCAST) {
    term_id alone = term_sum_sorted(t, &part, 1);
    return kind == TERM_MIN ? extremum_range(t, alone, 0, depth, fuel)
                            : choice_range(t, alone, 0, depth, fuel);
  }
  if (is_indicator_product(t, part.monomial)) range = interval_of(0, 1);
  if (is_even_power(t, part.monomial) && !range.has_lo) range = interval_at_least(NUM(0));
  return interval_scale(t->budget, range, part.coefficient);
}

// A part that may give more together with the rest of the sum than alone.
static interval joint_range(term_table *t, term_id id, uint32_t at, term_id monomial, int depth,
                            int *fuel) {
  switch (term_kind_of(t, monomial)) {
  case TERM_MIN: return extremum_range(t, id, at, depth, fuel);
  case TERM_SELECT:
  case TERM_BCAST: return choice_range(t, id, at, depth, fuel);
  case TERM_FLOORDIV: return mod_range(t, id, at, depth, fuel);
  default: return interval_all();
  }
}

// is_closed: no symbol is free in it.
static interval range_of_parts(term_table *t, term_id id, int depth, bool is_closed, int *fuel) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  if (!is_closed && has_free_symbol(t, parts, count, count, 0)) return interval_all();
  interval range = interval_point(NUM(0));
  for (uint32_t i = 0; i < count && (range.has_lo || range.has_hi); i++) {
    range = interval_add(t->budget, range, monomial_range(t, parts[i], depth - 1, fuel));
  }
  for (uint32_t i = 0; i < count && count > 1 && !(range.has_lo && range.has_hi); i++) {
    interval joint = joint_range(t, id, i, parts[i].monomial, depth - 1, fuel);
    interval_meet(range, joint, &range);  // never empty: both hold the value at any point
  }
  assert(!range.has_lo || !range.has_hi || num_compare(range.lo, range.hi) <= 0);
  return range;
}

// The range of a term at a depth.
struct term_bounded {
  term_id id;  // TERM_ZERO: empty
  uint8_t depth;
  bool ran_out;   // it holds for that much fuel only
  int16_t spent;  // fuel
  interval range;
};

static term_bounded *slot_of(term_table *t, term_id id, int depth) {
  if (t->count <= TERM_CACHE_SMALL) return NULL;
  if (!t->recent.bounded)
    t->recent.bounded = arena_zalloc(t->arena, RANGE_CACHE * sizeof *t->recent.bounded);
  return &t->recent.bounded[(id * RANGE_DEPTH + (uint32_t)depth) % RANGE_CACHE];
}

// The cases of a proof build the same large terms again and again, and of two choices in a sum the second is made within the
// first as well as the first within the second. A kept range is taken where finding it would spend as much fuel, and that is
// spent: it makes no difference whether it is there.
static interval range_at(term_table *t, term_id id, int depth, bool is_closed, int *fuel) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  if (count == 0) return interval_point(NUM(0));
  if (count == 1 && parts[0].monomial == TERM_ONE) return interval_point(parts[0].coefficient);
  if (depth == 0 || count > TERM_MAX_MONOMIALS) return interval_all();
  term_bounded *slot = slot_of(t, id, depth);
  if (slot && slot->id == id && slot->depth == depth &&
      (slot->ran_out ? slot->spent == *fuel : slot->spent <= *fuel)) {
    *fuel = slot->ran_out ? -1 : *fuel - slot->spent;
    return slot->range;
  }
  int before = *fuel;
  if (--*fuel < 0) return interval_all();
  interval range = range_of_parts(t, id, depth, is_closed, fuel);
  bool ran_out = *fuel < 0;
  assert(before <= RANGE_FUEL && depth <= RANGE_DEPTH);
  if (slot)
    *slot = (term_bounded){id, (uint8_t)depth, ran_out,
                           (int16_t)(ran_out ? before : before - *fuel), range};
  return range;
}

interval term_static_range(term_table *t, term_id id) {
  int fuel = RANGE_FUEL;
  return range_at(t, id, RANGE_DEPTH, false, &fuel);
}
