// SPDX-License-Identifier: Apache-2.0
// Which dims of a reshape's result are which dims of its operand: by products from the left that are equal at the
// original dims, and inside of such a group by equal numbers from the left. What is then left of the operand's elements
// goes to one dim of the group, so that their number stays the same whatever the dims are.
#include <assert.h>

#include "solver/generalize/work.h"

typedef struct factors {
  match_dim items[MATCH_MAX];
  bool used[MATCH_MAX];
  uint32_t count;
} factors;

static bool is_number(const term_table *t, term_id term) {
  int64_t value;
  return term_int_value(t, term, &value);
}

static void add_factor(factors *f, term_id term, int64_t number) {
  assert(f->count <= MATCH_MAX && term != TERM_NONE);
  if (f->count < MATCH_MAX) f->items[f->count++] = (match_dim){.term = term, .number = number};
}

static term_id rest_of(term_table *t, const factors *f) {
  term_id rest = TERM_ONE;
  for (uint32_t i = 0; i < f->count; i++) {
    if (!f->used[i]) rest = term_mul(t, rest, f->items[i].term);
  }
  return rest;
}

static bool has_rest(const term_table *t, const factors *f) {
  for (uint32_t i = 0; i < f->count; i++) {
    if (!f->used[i] && !is_number(t, f->items[i].term)) return true;
  }
  return false;
}

// The atoms of a product, each with its number at the original dims where `of` is what the others leave. A sum is one
// factor.
static void split_factor(term_table *t, match_dim of, factors *f,
                         bool (*value)(void *data, term_id term, int64_t *out), void *data) {
  const term_part *parts;
  term_part room;
  const term_power *powers;
  term_power one;
  int64_t number;
  if (is_number(t, of.term) || term_parts(t, of.term, &parts, &room) != 1) {
    add_factor(f, of.term, of.number);
    return;
  }
  const num coefficient = parts[0].coefficient;
  uint32_t count = term_powers(t, parts[0].monomial, &powers, &one);
  if (!num_is_one(coefficient) && num_to_int(coefficient, &number))
    add_factor(f, term_const(t, coefficient), number);
  for (uint32_t i = 0; i < count; i++) {
    const term_power power = powers[i];
    for (uint32_t k = 0; k < power.exponent; k++) {
      if (value(data, power.atom, &number)) add_factor(f, power.atom, number);
    }
  }
}

static void take_equal(term_table *t, factors *f, match_dim *to, uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    for (uint32_t i = 0; i < f->count && to[j].term == TERM_NONE; i++) {
      if (f->used[i] || f->items[i].number != to[j].number || is_number(t, f->items[i].term))
        continue;
      f->used[i] = to[j].taken = true;
      to[j].term = f->items[i].term;
    }
  }
}

// Dims that are decided already take what they are.
static void take_decided(factors *f, match_dim *to, uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    for (uint32_t i = 0; to[j].term != TERM_NONE && i < f->count; i++) {
      if (f->used[i] || f->items[i].term != to[j].term) continue;
      f->used[i] = to[j].taken = true;
      break;
    }
  }
}

static void give_rest(term_table *t, factors *f, match_dim *to, uint32_t count) {
  uint32_t open = 0, first = count;
  for (uint32_t j = count; j-- > 0;) {
    if (to[j].term != TERM_NONE) continue;
    open++;
    if (to[j].number > 1 || first == count) first = j;
  }
  for (uint32_t j = 0; j < count; j++) {
    if (to[j].takes_rest && to[j].term == TERM_NONE) first = j;
  }
  bool rest = has_rest(t, f);
  assert(!open || first < count);
  if (!open && rest && count) {
    to[0].term = term_mul(t, to[0].term, rest_of(t, f));
    return;
  }
  term_id others = TERM_ONE;
  for (uint32_t j = 0; j < count; j++) {
    if (to[j].taken || (rest && j == first)) continue;
    if (to[j].term == TERM_NONE) to[j].term = term_int(t, to[j].number);
    others = term_mul(t, others, to[j].term);
  }
  if (rest && open && others != TERM_ZERO) {
    term_id whole = rest_of(t, f), exact;
    to[first].term =
        term_divide_exact(t, whole, others, &exact) ? exact : term_floordiv(t, whole, others);
  }
}

static void match_group(term_table *t, const match_dim *from, uint32_t from_count, match_dim *to,
                        uint32_t to_count, bool (*value)(void *, term_id, int64_t *), void *data) {
  factors f = {.count = 0};
  assert(from_count <= MATCH_MAX && to_count <= MATCH_MAX);
  if (to_count == 1 && to[0].term == TERM_NONE) {
    to[0].term = TERM_ONE;
    for (uint32_t i = 0; i < from_count; i++) to[0].term = term_mul(t, to[0].term, from[i].term);
    return;
  }
  for (uint32_t i = 0; i < from_count; i++) {
    if (from_count > 1) {
      add_factor(&f, from[i].term, from[i].number);
    } else {
      split_factor(t, from[i], &f, value, data);
    }
  }
  take_decided(&f, to, to_count);
  take_equal(t, &f, to, to_count);
  if (from_count > 1 && has_rest(t, &f)) {  // once more, with the parts of what is left
    factors parts = {.count = 0};
    for (uint32_t i = 0; i < f.count; i++) {
      if (!f.used[i]) split_factor(t, f.items[i], &parts, value, data);
    }
    take_equal(t, &parts, to, to_count);
    f = parts;
  }
  give_rest(t, &f, to, to_count);
}

// The end of the shortest group that begins at (i, j) and has equal products. False: there is none.
static bool find_group(const match_dim *from, uint32_t from_count, const match_dim *to,
                       uint32_t to_count, uint32_t *i, uint32_t *j) {
  __int128 p = from[(*i)++].number, q = to[(*j)++].number;
  const __int128 most = (__int128)1 << 100;
  while (p != q) {
    bool left = p < q;
    if (!p || !q || p > most || q > most || (left ? *i == from_count : *j == to_count))
      return false;
    if (left) {
      p *= from[(*i)++].number;
    } else {
      q *= to[(*j)++].number;
    }
  }
  return p != 0;
}

void match_reshape(term_table *t, const match_dim *from, uint32_t from_count, match_dim *to,
                   uint32_t to_count, bool (*value)(void *data, term_id term, int64_t *out),
                   void *data) {
  uint32_t i = 0, j = 0;
  while (i < from_count && j < to_count) {
    uint32_t i0 = i, j0 = j;
    assert(from[i].term != TERM_NONE && from[i].number >= 0);
    bool found = find_group(from, from_count, to, to_count, &i, &j);
    bool tail = true;  // ones at the end belong to the last group
    for (uint32_t k = i; k < from_count; k++) tail &= from[k].number == 1;
    for (uint32_t k = j; k < to_count; k++) tail &= to[k].number == 1;
    if (!found || (tail && (i == from_count || j == to_count))) i = from_count, j = to_count;
    match_group(t, from + i0, i - i0, to + j0, j - j0, value, data);
  }
  // The shape of one element, on either side.
  for (; j < to_count; j++) {
    if (to[j].term == TERM_NONE) to[j].term = term_int(t, to[j].number);
  }
}
