// SPDX-License-Identifier: Apache-2.0
// Irreducible sets of premises: what a derivation used, then shrunk by asking again. See query.h.
#include <assert.h>
#include <string.h>

#include "solver/certify/point.h"
#include "solver/decide/query.h"
#include "solver/decide/shrink.h"
#include "solver/term/limits.h"

typedef struct core_search {
  const query *q;
  const predicate *goal;  // NULL: the conflict
  const query_parts *parts;
  predicate claim;  // the query, or its negation where the answer is NO
  predicate *some;  // room for a subset of the premises
  uint8_t *keep, *in;
  uint8_t *enough;  // what was known to be enough before it was shrunk
  uint64_t room;    // steps that the checker may still take
  bool found, reduced;
} core_search;

static query subset(core_search *c) {
  query part = *c->q;
  memset(c->in, 0, c->q->premise_count);
  for (uint32_t i = 0; i < c->parts->link_count; i++) {
    query_link link = c->parts->links[i];
    assert(link.part == QUERY_ALWAYS || link.part < c->parts->part_count);
    assert(link.premise < c->q->premise_count);
    if (link.part == QUERY_ALWAYS || c->keep[link.part]) c->in[link.premise] = 1;
  }
  part.premises = c->some;
  part.premise_count = 0;
  for (uint32_t i = 0; i < c->q->premise_count; i++) {
    if (c->in[i]) c->some[part.premise_count++] = c->q->premises[i];
  }
  return part;
}

static bool derives(core_search *c, const query *part, uint64_t steps, uint8_t *used) {
  predicate against = check_negation(part->terms, c->claim);
  uint64_t before = part->budget->steps_used;
  bool done = check_derive(part, c->goal ? &against : NULL, steps, used);
  uint64_t spent = part->budget->steps_used - before;
  c->room -= spent < c->room ? spent : c->room;
  return done;
}

// What the procedure leaves open, the checker may derive: a set is only irreducible where neither finds a way.
static bool follows(void *data) {
  core_search *c = data;
  query part = subset(c);
  predicate trivial = predicate_make(REL_EQ, TERM_ZERO, TERM_ZERO);
  query_result got = query_ask(&part, c->goal ? c->claim : trivial);
  if (got.conflict || (c->goal && got.answer == SHAPE_YES)) return true;
  if (got.answer != SHAPE_UNKNOWN || got.reason == UNKNOWN_CONTINGENT) return false;
  if (derives(c, &part, c->room < CORE_STEPS_EACH ? c->room : CORE_STEPS_EACH, NULL)) return true;
  survey seen = check_survey(&part, c->goal ? &c->claim : NULL, CORE_POINTS);
  return seen.all && (c->goal ? !seen.any_false : !seen.any);
}

// Begins with what a derivation of the checker rests on; else with everything, where that is enough.
static bool begin(core_search *c) {
  uint8_t *used = arena_zalloc(c->q->arena, c->q->premise_count + 1u);
  memset(c->keep, 1, c->parts->part_count);
  if (!derives(c, c->q, CERTIFY_STEPS, used)) return follows(c);
  memset(c->keep, 0, c->parts->part_count);
  for (uint32_t i = 0; i < c->parts->link_count; i++) {
    query_link link = c->parts->links[i];
    if (link.part != QUERY_ALWAYS && used[link.premise]) c->keep[link.part] = 1;
  }
  return true;
}

// Which of query and negation it is; where the procedure does not decide, the checker may.
static bool settle(core_search *c) {
  if (!c->goal) return begin(c);
  query_result got = query_ask(c->q, *c->goal);
  predicate no = check_negation(c->q->terms, *c->goal);
  bool is_no = !got.conflict && got.answer == SHAPE_NO;
  c->claim = is_no ? no : *c->goal;
  if (begin(c)) return true;
  c->claim = no;
  return !is_no && begin(c);
}

static void search(void *data) {
  core_search *c = data;
  uint32_t kept = 0;
  c->found = settle(c);
  for (uint32_t i = 0; c->found && i < c->parts->part_count; i++) kept += c->keep[i];
  if (!c->found || kept > CORE_MEMBERS) return;
  memcpy(c->enough, c->keep, c->parts->part_count);
  shrink_set(c->q->arena, c->keep, c->parts->part_count, follows, c);
  c->reduced = true;
}

bool query_core(const query *q, const predicate *goal, const query_parts *parts, uint8_t *keep,
                bool *reduced) {
  core_search c = {.q = q, .goal = goal, .parts = parts, .keep = keep, .room = CORE_STEPS};
  c.some = arena_alloc(q->arena, (q->premise_count + 1) * sizeof *c.some);
  c.in = arena_alloc(q->arena, q->premise_count + 1u);
  c.enough = arena_alloc(q->arena, parts->part_count + 1u);
  memset(c.enough, 1, parts->part_count);
  // A set that was tried when memory ran out need not be enough.
  if (!check_guarded(q, search, &c)) memcpy(keep, c.enough, parts->part_count);
  *reduced = c.reduced;
  return c.found;
}
