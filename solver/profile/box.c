// SPDX-License-Identifier: Apache-2.0
// A largest box of legal points round the typical one. See profile.h.
#include <assert.h>

#include "solver/profile/profile.h"

enum { ORDERS = 8, ROUNDS = 64, DIMS_OF_A_TABLE = 8 };

typedef struct box_search {
  legality *l;
  const dim_range *profile;
  uint32_t count;
  uint64_t points;
  // Of a small profile: by point, row by row, how many points before it in every dim are not known to be legal. NULL: large.
  uint32_t *before;
  uint8_t *excluded;  // by point
  uint64_t *row;      // by dim: points from one number of it to the next
  dim_range *box, *best;
  uint64_t best_points;
} box_search;

// --- a table of small profiles

static uint64_t index_of(const box_search *s, const int64_t *point) {
  uint64_t index = 0;
  assert(s->row);
  for (uint32_t i = 0; i < s->count; i++)
    index += (uint64_t)(point[i] - s->profile[i].min) * s->row[i];
  return index;
}

// Sums along one dim after the other.
static void sum_up(box_search *s) {
  assert(s->before && s->points <= LEGALITY_POINTS);
  for (uint64_t i = 0; i < s->points; i++) s->before[i] = s->excluded[i];
  for (uint32_t k = 0; k < s->count; k++) {
    uint64_t length = (uint64_t)(s->profile[k].max - s->profile[k].min) + 1;
    for (uint64_t i = 0; i < s->points; i++) {
      if (i / s->row[k] % length) s->before[i] += s->before[i - s->row[k]];
    }
  }
}

static void make_table(box_search *s) {
  shape_arena *arena = s->l->dims->report->graph->arena;
  int64_t *point = arena_alloc(arena, (s->count + 1) * sizeof *point);
  uint64_t row = 1;
  s->row = arena_alloc(arena, (s->count + 1) * sizeof *s->row);
  for (uint32_t i = s->count; i-- > 0;) {
    s->row[i] = row;
    row *= (uint64_t)(s->profile[i].max - s->profile[i].min) + 1;
    point[i] = s->profile[i].min;
  }
  assert(row == s->points);
  s->excluded = arena_alloc(arena, s->points + 1);
  s->before = arena_alloc(arena, (s->points + 1) * sizeof *s->before);
  for (uint32_t i = 0; i < s->count; i++) point[i] = s->profile[i].min;
  uint64_t at = 0;
  do {
    uint32_t which;
    s->excluded[at++] = conditions_at(s->l->conditions, point, &which) != CONDITIONS_HOLD;
  } while (box_next(s->profile, s->count, point));
  // Without them all points are alike: then every one is run.
  for (uint32_t i = 0; i < s->count; i++) point[i] = s->profile[i].min;
  at = 0;
  bool any = s->l->conditions->complete;
  do {
    if (!any) s->excluded[at] = legality_run(s->l, point, NULL) != POINT_LEGAL;
    at++;
  } while (!any && box_next(s->profile, s->count, point));
  sum_up(s);
}

// How many of its points are not known to be legal, by inclusion and exclusion of corners.
static uint32_t illegal_in(const box_search *s, const dim_range *box) {
  uint32_t sum = 0;
  for (uint32_t corner = 0; corner < 1u << s->count; corner++) {
    uint64_t index = 0;
    bool outside = false, minus = false;
    for (uint32_t i = 0; i < s->count; i++) {
      bool low = corner >> i & 1;
      int64_t at = low ? box[i].min - 1 : box[i].max;
      minus ^= low;
      outside |= at < s->profile[i].min;
      index += (uint64_t)(at - s->profile[i].min) * s->row[i];
    }
    if (!outside) sum += minus ? 0u - s->before[index] : s->before[index];
  }
  return sum;
}

static bool is_legal(box_search *s, const dim_range *box) {
  uint32_t which;
  int64_t *point;
  budget_take(s->l->dims->report->infer->terms->budget, 1);
  if (s->before) return !illegal_in(s, box);
  shape_arena *arena = s->l->dims->report->graph->arena;
  point = arena_alloc(arena, (s->count + 1) * sizeof *point);
  return conditions_over(s->l->conditions, box, &which, point) == CONDITIONS_HOLD;
}

// --- growing one side after the other

static int64_t *side(dim_range *r, bool up) { return up ? &r->max : &r->min; }

// As far as the box stays legal: every smaller box is then legal too.
static void grow_side(box_search *s, uint32_t dim, bool up) {
  int64_t *at = side(&s->box[dim], up), good = *at;
  int64_t end = up ? s->profile[dim].max : s->profile[dim].min;
  *at = end;
  if (good == end || is_legal(s, s->box)) return;
  int64_t illegal = end;
  while (illegal - good > 1 || good - illegal > 1) {
    int64_t middle = good + (illegal - good) / 2;
    *at = middle;
    if (is_legal(s, s->box)) {
      good = middle;
    } else {
      illegal = middle;
    }
  }
  *at = good;
}

static void begin(box_search *s) {
  assert(s->box && s->best);
  for (uint32_t i = 0; i < s->count; i++) {
    int64_t typical = s->profile[i].typical;
    s->box[i] = (dim_range){typical, typical, typical};
  }
}

static void keep_best(box_search *s) {
  for (uint32_t i = 0; i < s->count; i++)
    assert(s->box[i].min <= s->profile[i].typical && s->profile[i].typical <= s->box[i].max);
  uint64_t points = box_points(s->box, s->count);
  if (points <= s->best_points) return;
  s->best_points = points;
  memcpy(s->best, s->box, s->count * sizeof *s->box);
}

static void grow_in_orders(box_search *s) {
  uint32_t orders = 2 * s->count < ORDERS ? 2 * s->count : ORDERS;
  for (uint32_t order = 0; order < orders; order++) {
    begin(s);
    for (uint32_t i = 0; i < s->count; i++) {
      uint32_t from = order / 2, k = (i + from) % s->count;
      uint32_t dim = order % 2 ? s->count - 1 - k : k;
      grow_side(s, dim, false);
      grow_side(s, dim, true);
    }
    keep_best(s);
  }
}

// --- all boxes of a small profile

// How many the dims but the last have.
static uint64_t boxes_of(const box_search *s) {
  uint64_t all = 1;
  for (uint32_t i = 0; i + 1 < s->count; i++) {
    const dim_range *r = &s->profile[i];
    uint64_t one = (uint64_t)(r->typical - r->min + 1) * (uint64_t)(r->max - r->typical + 1);
    if (__builtin_mul_overflow(all, one, &all)) return UINT64_MAX;
  }
  return all;
}

// Ranges of the dims from `dim` on; those before are chosen. Sides of the last one do not depend on one another.
static void try_all(box_search *s, uint32_t dim) {
  assert(dim < s->count);
  const dim_range *r = &s->profile[dim];
  dim_range *mine = &s->box[dim];
  mine->min = mine->max = r->typical;
  if (dim + 1 == s->count) {
    grow_side(s, dim, false);
    grow_side(s, dim, true);
    keep_best(s);
    mine->min = mine->max = r->typical;
    return;
  }
  for (mine->min = r->typical; mine->min >= r->min; mine->min--) {
    mine->max = r->typical;
    if (!is_legal(s, s->box)) break;
    for (; mine->max <= r->max && is_legal(s, s->box); mine->max++) try_all(s, dim + 1);
  }
  mine->min = mine->max = r->typical;
}

// --- whether it is maximal

// An illegal point beyond a side, where there is room. False: none was found. *changed: a point is legal after all.
static bool is_blocked(box_search *s, uint32_t dim, bool up, bool *changed) {
  int64_t at = *side(&s->best[dim], up), end = *side((dim_range *)&s->profile[dim], up);
  if (at == end) return true;
  memcpy(s->box, s->best, s->count * sizeof *s->box);
  int64_t next = up ? at + 1 : at - 1;
  s->box[dim] = (dim_range){next, next, next};
  for (uint32_t i = 0; i < s->count; i++) {
    if (i != dim) s->box[i].typical = s->profile[i].typical;
  }
  int64_t *point = arena_alloc(s->l->dims->report->graph->arena, (s->count + 1) * sizeof *point);
  if (!s->before) return legality_over(s->l, s->box, point) == POINT_ILLEGAL;
  for (uint32_t i = 0; i < s->count; i++) point[i] = s->box[i].min;
  do {
    if (!s->excluded[index_of(s, point)]) continue;
    point_answer answer = legality_run(s->l, point, NULL);
    if (answer == POINT_ILLEGAL) return true;
    if (answer == POINT_LEGAL) s->excluded[index_of(s, point)] = 0, *changed = true;
  } while (box_next(s->box, s->count, point));
  return false;
}

static bool confirm(box_search *s, bool *changed) {
  bool maximal = true;
  *changed = false;
  for (uint32_t i = 0; i < s->count; i++) {
    maximal &= is_blocked(s, i, false, changed);
    maximal &= is_blocked(s, i, true, changed);
  }
  return maximal;
}

dim_range *box_largest(legality *l, const dim_range *profile, bool *maximal) {
  shape_arena *arena = l->dims->report->graph->arena;
  uint32_t count = l->dims->count;
  box_search s = {.l = l, .profile = profile, .count = count};
  bool changed = false;
  s.box = arena_alloc(arena, (count + 1) * sizeof *s.box);
  s.best = arena_alloc(arena, (count + 1) * sizeof *s.best);
  s.points = box_points(profile, count);
  if (s.points <= LEGALITY_POINTS && count <= DIMS_OF_A_TABLE) make_table(&s);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    begin(&s);
    s.best_points = 0;
    keep_best(&s);
    if (s.before && boxes_of(&s) <= PROFILE_BOXES) {
      begin(&s);
      try_all(&s, 0);
    } else {
      grow_in_orders(&s);
    }
    *maximal = confirm(&s, &changed);
    if (*maximal || !changed || !s.before) break;
    sum_up(&s);
  }
  for (uint32_t i = 0; i < count; i++) s.best[i].typical = profile[i].typical;
  return s.best;
}
