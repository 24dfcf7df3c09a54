// SPDX-License-Identifier: Apache-2.0
#include "solver/profile/profile.h"

#include <assert.h>

typedef struct profile_search {
  legality *l;
  const dim_range *ranges;
  uint32_t count;
  dim_range *box;   // that is inspected
  int64_t *point;   // of it
  bool all_proven;  // no subset was left open
} profile_search;

static int64_t *typical_point(const profile_search *s) {
  int64_t *point = arena_alloc(s->l->dims->report->graph->arena, (s->count + 1) * sizeof *point);
  for (uint32_t i = 0; i < s->count; i++) point[i] = s->ranges[i].typical;
  return point;
}

// --- a counterexample

// Dims of the set range over the profile, all others are typical.
static bool illegal_with(profile_search *s, const uint32_t *set, uint32_t size) {
  for (uint32_t i = 0; i < s->count; i++) {
    int64_t typical = s->ranges[i].typical;
    s->box[i] = (dim_range){typical, typical, typical};
  }
  for (uint32_t i = 0; i < size; i++) {
    const dim_range *r = &s->ranges[set[i]];
    assert(set[i] < s->count && r->min <= r->typical && r->typical <= r->max);
    if (r->min == r->max) return false;  // a smaller set says the same
    s->box[set[i]] = *r;
  }
  point_answer answer = legality_over(s->l, s->box, s->point);
  s->all_proven &= answer != POINT_UNKNOWN;
  return answer == POINT_ILLEGAL;
}

// Sets of one size in the order of the dims.
static bool next_set(uint32_t *set, uint32_t size, uint32_t count) {
  for (uint32_t i = size; i-- > 0;) {
    if (set[i] + size - i >= count) continue;
    set[i]++;
    for (uint32_t k = i + 1; k < size; k++) set[k] = set[k - 1] + 1;
    return true;
  }
  return false;
}

static bool illegal_among(profile_search *s, uint32_t size) {
  uint32_t *set = arena_alloc(s->l->dims->report->graph->arena, (size + 1) * sizeof *set);
  for (uint32_t i = 0; i < size; i++) set[i] = i;
  do {
    if (illegal_with(s, set, size)) return true;
  } while (next_set(set, size, s->count));
  return false;
}

// Nearer to the typical size, as long as it is illegal; by halving, so a nearer one may be there where it is so for every other number.
static void move_nearer(profile_search *s, uint32_t i) {
  assert(s->point[i] != s->ranges[i].typical);
  int64_t typical = s->ranges[i].typical, far = s->point[i];
  for (int64_t step = (far - typical) / 2; step; step /= 2) {
    s->point[i] = far - step;
    if (legality_at(s->l, s->point, NULL) == POINT_ILLEGAL) far = s->point[i];
  }
  s->point[i] = far;
}

// One dim after the other goes back to its typical size where the point stays illegal.
static void put_back(profile_search *s) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < s->count; i++) {
      int64_t was = s->point[i];
      if (was == s->ranges[i].typical) continue;
      s->point[i] = s->ranges[i].typical;
      if (legality_at(s->l, s->point, NULL) == POINT_ILLEGAL) {
        changed = true;
      } else {
        s->point[i] = was;
      }
    }
  }
}

static void make_minimal(profile_search *s) {
  put_back(s);
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->point[i] != s->ranges[i].typical) move_nearer(s, i);
  }
  put_back(s);  // where one is nearer another may not be needed any more
}

static shape_answer search(profile_search *s) {
  s->all_proven = true;
  bool found = false;
  memcpy(s->box, s->ranges, s->count * sizeof *s->box);
  point_answer whole = box_points(s->ranges, s->count) > LEGALITY_POINTS
                           ? legality_over(s->l, s->box, s->point)
                           : POINT_UNKNOWN;
  if (whole == POINT_LEGAL) return SHAPE_YES;
  int64_t *first = typical_point(s);
  memcpy(first, s->point, s->count * sizeof *first);
  uint32_t together = s->count < PROFILE_TOGETHER ? s->count : PROFILE_TOGETHER;
  for (uint32_t size = 1; size <= together && !found; size++) found = illegal_among(s, size);
  bool proven = s->all_proven && together == s->count;
  if (!found && together < s->count) {
    memcpy(s->box, s->ranges, s->count * sizeof *s->box);
    point_answer answer = legality_over(s->l, s->box, s->point);
    found = answer == POINT_ILLEGAL;
    proven = answer == POINT_LEGAL;
  }
  if (!found && whole == POINT_ILLEGAL) {
    memcpy(s->point, first, s->count * sizeof *first);
    found = true;
  }
  if (!found) return proven ? SHAPE_YES : SHAPE_UNKNOWN;
  make_minimal(s);
  return SHAPE_NO;
}

// --- what is violated there

static void explain(profile_search *s, profile_answer *out) {
  conditions *c = s->l->conditions;
  uint32_t which;
  assert(out->legal == SHAPE_NO);
  out->counterexample = s->point;
  legality_run(s->l, s->point, &out->error);
  if (c && conditions_at(c, s->point, &which) == CONDITIONS_VIOLATED)
    out->breaks = conditions_text(c, &c->items[which]);
}

profile_answer *profile_check(const analysis *a, const free_dims *dims, const dim_range *ranges) {
  shape_arena *arena = dims->report->graph->arena;
  profile_answer *out = arena_zalloc(arena, sizeof *out);
  profile_search s = {.ranges = ranges, .count = dims->count};
  *out = (profile_answer){.dims = dims, .ranges = ranges, .legal = SHAPE_UNKNOWN};
  s.l = legality_of(a, dims);
  out->conditions = s.l->conditions;
  s.box = arena_alloc(arena, (s.count + 1) * sizeof *s.box);
  s.point = typical_point(&s);
  point_answer typical = legality_at(s.l, s.point, NULL);
  if (typical == POINT_ILLEGAL) {
    out->legal = SHAPE_NO;
    explain(&s, out);
  }
  if (typical != POINT_LEGAL || !s.l->conditions) return out;
  out->legal = search(&s);
  if (out->legal == SHAPE_NO) explain(&s, out);
  if (out->legal == SHAPE_YES) {
    out->box = ranges;
    out->maximal = true;
  } else {
    out->box = box_largest(s.l, ranges, &out->maximal);
  }
  return out;
}
