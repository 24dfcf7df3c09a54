// SPDX-License-Identifier: Apache-2.0
// Irreducible sets of premises: what a derivation used, then shrunk by asking again. See query.h.
#include <string.h>

#include "solver/store/check.h"
#include "solver/store/query.h"
#include "solver/store/shrink.h"

typedef struct core_search {
  const query *q;
  const predicate *question;  // NULL: the conflict
  const query_parts *parts;
  predicate claim;  // the question, or its negation where the answer is NO
  predicate *some;  // room for a subset of the premises
  uint8_t *keep, *in;
} core_search;

static query subset(core_search *c) {
  query part = *c->q;
  memset(c->in, 0, c->q->premise_count);
  for (uint32_t i = 0; i < c->parts->link_count; i++) {
    query_link link = c->parts->links[i];
    if (link.part == QUERY_ALWAYS || c->keep[link.part]) c->in[link.premise] = 1;
  }
  part.premises = c->some;
  part.premise_count = 0;
  for (uint32_t i = 0; i < c->q->premise_count; i++) {
    if (c->in[i]) c->some[part.premise_count++] = c->q->premises[i];
  }
  return part;
}

// What the procedure leaves open, the checker may derive: a set is only irreducible where neither finds a way.
static bool follows(void *data) {
  core_search *c = data;
  query part = subset(c);
  predicate trivial = predicate_make(REL_EQ, TERM_ZERO, TERM_ZERO);
  query_result got = query_ask(&part, c->question ? c->claim : trivial);
  if (got.conflict || (c->question && got.answer == SHAPE_YES)) return true;
  if (got.answer != SHAPE_UNKNOWN || got.reason == UNKNOWN_CONTINGENT) return false;
  return (c->question ? check_implied(&part, c->claim, NULL) : check_conflict(&part, NULL)) ==
         CHECK_CONFIRMED;
}

// Begins with what the checker's derivation rests on, where there is one.
static void begin(core_search *c) {
  uint8_t *used = arena_zalloc(c->q->arena, c->q->premise_count + 1u);
  check_result r = c->question ? check_implied(c->q, c->claim, used) : check_conflict(c->q, used);
  if (r == CHECK_CONFIRMED) {
    memset(c->keep, 0, c->parts->part_count);
    for (uint32_t i = 0; i < c->parts->link_count; i++) {
      query_link link = c->parts->links[i];
      if (link.part != QUERY_ALWAYS && used[link.premise]) c->keep[link.part] = 1;
    }
    if (follows(c)) return;
  }
  memset(c->keep, 1, c->parts->part_count);
}

bool query_core(const query *q, const predicate *question, const query_parts *parts,
                uint8_t *keep) {
  core_search c = {.q = q, .question = question, .parts = parts, .keep = keep};
  c.some = arena_alloc(q->arena, (q->premise_count + 1) * sizeof *c.some);
  c.in = arena_alloc(q->arena, q->premise_count + 1u);
  memset(keep, 1, parts->part_count);
  if (question) {
    c.claim = *question;
    if (!follows(&c)) c.claim = check_negation(q->terms, *question);
  }
  if (!follows(&c)) return false;
  begin(&c);
  shrink_set(q->arena, keep, parts->part_count, follows, &c);
  return true;
}
