// SPDX-License-Identifier: Apache-2.0
// How a term grows along a line, where each symbol is w*x for a weight w of its own and x = 1, 2, .. A term of constants,
// symbols, sums, indicators, quotients by constants above 0 and minima is there s*x + O(1) for one rational s, its slope:
//   a constant or an indicator is bounded, so s = 0; a symbol is w*x; a sum adds up; floordiv(n, k) differs from n/k by less
//   than 1, so s is that of n over k; min(a, ..) differs by no more than its arguments' rests do from min(s_a, ..)*x.
// No such term is undefined anywhere. So one with s < 0 is below any number at some point, and has no lower bound: neither
// has the range that term_static_range finds, which holds at every point, but after it has tried what its minima may be.
//
// Where a range is not looked for, the sums that it tries are not made. No answer depends on them, but minima have their
// arguments in order of index, so that a few large ones are spelled otherwise: hence SMALL.
//
// Slopes are kept as integers around them, rounded outwards, of weights times UNIT.
#include <assert.h>

#include "solver/term/build.h"

enum {
  PAIRS = 2,  // of opposite lines
  LINES = 2 * PAIRS,
  SLOTS = 128,
  FUEL = 256,
  SMALL = 100,  // what weighs less is not asked for
  UNIT = 1 << 16,
  WEIGHTS = 64,
  MAX_COEFFICIENT = 1 << 20,  // products with weights, and sums of as many as parts may be, fit
  MAX_PARTS = 1 << 16
};

typedef struct span {
  int64_t lo, hi;
} span;

// Of an atom or a sum.
struct term_slope {
  term_id id;  // TERM_ZERO: empty
  bool known;
  span along[LINES];
};

static const struct term_slope *slopes_of(term_table *t, term_id id, int *fuel);

// Along the first line of each pair: all are positive, or some are.
static inline void symbol_weights(uint32_t symbol, int64_t *w) {
  uint64_t h = (symbol + 1) * UINT64_C(0x9e3779b97f4a7c15);
  int64_t second = (int64_t)(1 + (h >> 40) % WEIGHTS);
  w[0] = (int64_t)(1 + (h >> 48) % WEIGHTS);
  w[1] = h >> 63 ? second : -second;
}

static bool add_scaled(span *to, span s, int64_t k) {
  int64_t lo, hi;
  assert(s.lo <= s.hi);
  return !__builtin_mul_overflow(k < 0 ? s.hi : s.lo, k, &lo) &&
         !__builtin_mul_overflow(k < 0 ? s.lo : s.hi, k, &hi) &&
         !__builtin_add_overflow(to->lo, lo, &to->lo) &&
         !__builtin_add_overflow(to->hi, hi, &to->hi);
}

static bool add_all(span *to, const struct term_slope *of, int64_t k) {
  for (int i = 0; of && i < LINES; i++) {
    if (!add_scaled(&to[i], of->along[i], k)) return false;
  }
  return of != NULL;
}

static bool sum_slopes(term_table *t, const term_part *parts, uint32_t count, span *to, int *fuel) {
  int64_t linear[PAIRS] = {0}, w[PAIRS];
  if (count > MAX_PARTS) return false;
  for (uint32_t i = 0; i < count; i++) {
    const term_node *node = term_get(t, parts[i].monomial);
    int64_t c = parts[i].coefficient.small;
    if (node->kind == TERM_CONST) continue;
    if (parts[i].coefficient.big || c > MAX_COEFFICIENT || c < -MAX_COEFFICIENT) return false;
    if (node->kind != TERM_SYMBOL) {
      if (!add_all(to, slopes_of(t, parts[i].monomial, fuel), c)) return false;
      continue;
    }
    symbol_weights(node->as.symbol, w);
    for (int p = 0; p < PAIRS; p++) linear[p] += c * w[p];
  }
  for (int i = 0; i < LINES; i++) {
    int64_t slope = (i % 2 ? -UNIT : UNIT) * linear[i / 2];
    if (!add_scaled(&to[i], (span){slope, slope}, 1)) return false;
  }
  return true;
}

static int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static bool quotient_slopes(term_table *t, const term_id *args, span *to, int *fuel) {
  int64_t k;
  if (!term_int_value(t, args[1], &k) || k <= 0) return false;
  const struct term_slope *n = slopes_of(t, args[0], fuel);
  for (int i = 0; n && i < LINES; i++) {
    if (n->along[i].hi == INT64_MIN) return false;
    to[i] = (span){floor_quotient(n->along[i].lo, k), -floor_quotient(-n->along[i].hi, k)};
  }
  return n != NULL;
}

static bool minimum_slopes(term_table *t, const term_id *args, uint32_t count, span *to,
                           int *fuel) {
  for (uint32_t a = 0; a < count; a++) {
    const struct term_slope *s = slopes_of(t, args[a], fuel);
    for (int i = 0; s && i < LINES; i++) {
      if (!a || s->along[i].lo < to[i].lo) to[i].lo = s->along[i].lo;
      if (!a || s->along[i].hi < to[i].hi) to[i].hi = s->along[i].hi;
    }
    if (!s) return false;
  }
  return true;
}

static bool find_slopes(term_table *t, term_id id, span *to, int *fuel) {
  const term_part *parts;
  term_part room;
  const term_node *node = term_get(t, id);
  switch (node->kind) {
  case TERM_CONST: return true;
  case TERM_SYMBOL:
  case TERM_SUM: {
    uint32_t count = term_parts(t, id, &parts, &room);
    return sum_slopes(t, parts, count, to, fuel);
  }
  case TERM_FLOORDIV: return quotient_slopes(t, node->as.args, to, fuel);
  case TERM_MIN: return minimum_slopes(t, node->as.args, node->count, to, fuel);
  default: return term_is_indicator((term_kind)node->kind);
  }
}

// NULL: they are not known. Until the next ones are asked for.
static const struct term_slope *slopes_of(term_table *t, term_id id, int *fuel) {
  struct term_slope *slot = &t->recent.slopes[id % SLOTS];
  if (slot->id != id || id == TERM_ZERO) {
    struct term_slope made = {.id = id};
    if (--*fuel < 0) return NULL;
    made.known = find_slopes(t, id, made.along, fuel);
    if (*fuel < 0) return NULL;
    *slot = made;
  }
  return slot->known ? slot : NULL;
}

bool term_falls(term_table *t, term_id id, bool either) {
  int fuel = FUEL;
  const term_node *node = term_get(t, id);
  bool is_long = node->kind == TERM_SUM && node->count > TERM_MAX_MONOMIALS;  // no range is tried
  if (is_long || term_weight(t, id) < SMALL) return false;
  if (!t->recent.slopes)
    t->recent.slopes = arena_zalloc(t->arena, SLOTS * sizeof *t->recent.slopes);
  const struct term_slope *s = slopes_of(t, id, &fuel);
  for (int i = 0; s && i < LINES; i++) {
    if (s->along[i].hi < 0 || (either && s->along[i].lo > 0)) return true;
  }
  return false;
}
