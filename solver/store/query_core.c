// SPDX-License-Identifier: Apache-2.0
// Irreducible sets of premises: what a derivation used, then shrunk by asking again. See query.h.
//
// Cost: about 2*n questions for n parts that the derivation used, in the worst case; parts are left out in runs while
// there are many, so that a small core of a large set costs about size*log(n).
#include <string.h>

#include "solver/store/check.h"
#include "solver/store/query.h"

enum { MOST_PASSES = 4 };

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
static bool follows(core_search *c) {
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

// Leaves out runs of `size` parts that are not needed; true when something went.
static bool leave_out(core_search *c, uint32_t size) {
  uint32_t count = c->parts->part_count, *run;
  bool changed = false;
  run = arena_alloc(c->q->arena, (size + 1) * sizeof *run);
  for (uint32_t end = count; end > 0;) {
    uint32_t n = 0;
    while (end > 0 && n < size) {
      if (c->keep[--end]) run[n++] = end;
    }
    if (n == 0) break;
    for (uint32_t i = 0; i < n; i++) c->keep[run[i]] = 0;
    if (follows(c)) {
      changed = true;
      continue;
    }
    for (uint32_t i = 0; i < n; i++) c->keep[run[i]] = 1;
  }
  return changed;
}

static uint32_t kept(const core_search *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->parts->part_count; i++) n += c->keep[i];
  return n;
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
  for (uint32_t size = kept(&c) / 4; size > 1; size /= 4) leave_out(&c, size);
  for (uint32_t pass = 0; pass < MOST_PASSES && leave_out(&c, 1); pass++) {}
  return true;
}
