// SPDX-License-Identifier: Apache-2.0
// Why a query has its answer, and what an assumption that was rejected contradicts.
#include <assert.h>

#include "solver/api/gather.h"
#include "solver/decide/store_query.h"

typedef struct reasons_call {
  predicate p;
  shape_answer answer;
  shape_reason *reasons;
  uint32_t room, count;
} reasons_call;

static shape_reason reason_of(shape_context *c, uint32_t index) {
  assert(index < c->assumption_count);
  context_assumption *a = &c->assumptions[index];
  if (!a->text) a->text = context_predicate_text(c, a->p);
  return (shape_reason){.assumption = index, .origin = a->origin, .text = a->text};
}

static void write_kept(shape_context *c, reasons_call *x, const uint8_t *kept) {
  x->count = 0;
  for (uint32_t i = 0; i < c->assumption_count; i++) {
    if (!kept[i]) continue;
    if (x->count < x->room) x->reasons[x->count] = reason_of(c, i);
    x->count++;
  }
}

static bool is_assumption(const shape_context *c, const reason *why) {
  return why->kind == REASON_ASSUMPTION && why->frame == CONTEXT_FRAME &&
         why->subject < c->assumption_count;
}

// The assumptions that facts rest on, each once and in their order; then the facts of the program.
static void write_reasons(shape_context *c, reasons_call *x, const fact_id *facts, uint32_t count) {
  uint8_t *named = arena_zalloc(&c->scratch, c->assumption_count + 1u);
  for (uint32_t i = 0; i < count; i++) {
    const reason *why = &store_fact(c->store, facts[i])->why;
    if (is_assumption(c, why)) named[why->subject] = 1;
  }
  write_kept(c, x, named);
  for (uint32_t i = 0; c->source && i < count; i++) {
    const reason why = store_fact(c->store, facts[i])->why;
    if (is_assumption(c, &why) || why.kind == REASON_NONE) continue;
    shape_reason found;
    c->source->explain(c->source, &why, &found);
    if (x->count < x->room) x->reasons[x->count] = found;
    x->count++;
  }
}

static predicate negation(shape_context *c, predicate p) {
  if (p.rel == REL_DIVISIBLE) {
    return predicate_make(REL_NE, term_mod(c->terms, p.left, p.right), TERM_ZERO);
  }
  return predicate_make(relation_not(p.rel), p.left, p.right);
}

// Why the premises have no solution; false: not found within the budget.
static bool conflict_of(shape_context *c, reasons_call *x, const shape_expr *exprs,
                        uint32_t count) {
  gathering g = {.context = c};
  gathering_connected(&g, exprs, count);
  uint32_t parts = c->assumption_count;
  query_link *links = arena_alloc(&c->scratch, (g.premise_count + 1) * sizeof *links);
  uint8_t *keep = arena_zalloc(&c->scratch, parts + 1u);
  for (uint32_t i = 0; i < g.premise_count; i++) links[i] = (query_link){i, g.owners[i]};
  query q = gathering_query(&g);
  query_parts all = {links, g.premise_count, parts};
  bool reduced;
  if (!query_core(&q, NULL, &all, keep, &reduced)) return false;
  write_kept(c, x, keep);
  return true;
}

static void reasons_body(shape_context *c, void *data) {
  reasons_call *x = data;
  divisor_list divisors = {.context = c, .arena = &c->scratch};
  bool opened, spent;
  divisors_of_predicate(&divisors, x->p);
  x->answer = store_holds(c->store, x->p);
  if (x->answer == SHAPE_UNKNOWN) x->answer = context_ask(c, x->p, &divisors, &spent);
  if (x->answer == SHAPE_UNKNOWN) return;
  if (x->answer == SHAPE_CONTRADICTION) {
    shape_expr both[] = {x->p.left, x->p.right};
    if (!conflict_of(c, x, both, 2) && !conflict_of(c, x, NULL, 0)) x->answer = SHAPE_UNKNOWN;
    return;
  }
  uint32_t room = store_live_count(c->store) + divisors.count + 1, count = 0;
  fact_id *facts = arena_alloc(&c->scratch, room * sizeof *facts);
  predicate p = x->answer == SHAPE_NO ? negation(c, x->p) : x->p;
  bool found =
      context_enter(c, &divisors, &opened) && store_explain(c->store, p, facts, room, &count);
  context_leave(c, opened);
  if (found) {
    write_reasons(c, x, facts, count);
  } else {
    x->answer = SHAPE_UNKNOWN;
  }
}

bool context_reasons(shape_context *c, predicate p, shape_reason *reasons, uint32_t room,
                     uint32_t *count) {
  reasons_call x = {.p = p, .answer = SHAPE_UNKNOWN, .reasons = reasons, .room = room};
  reasons_body(c, &x);
  *count = x.count;
  return x.answer != SHAPE_UNKNOWN;
}

shape_status shape_context_reasons(shape_context *c, shape_relation rel, shape_expr a, shape_expr b,
                                   shape_reason *reasons, uint32_t room, uint32_t *count) {
  reasons_call x = {
      .p = {(enum relation)rel, a, b}, .answer = SHAPE_UNKNOWN, .reasons = reasons, .room = room};
  *count = 0;
  if (!context_is_predicate(c, rel, a, b)) return SHAPE_INVALID;
  if (!context_run(c, reasons_body, &x)) return c->error.status;
  *count = x.count;
  if (x.answer != SHAPE_UNKNOWN) return SHAPE_OK;
  context_invalid(c, "neither the predicate nor its negation is proven");
  return SHAPE_INVALID;
}

static void conflict_body(shape_context *c, void *data) {
  reasons_call *x = data;
  bool truncated;
  uint32_t room = store_live_count(c->store) + 1;
  fact_id *facts = arena_alloc(&c->scratch, room * sizeof *facts);
  uint32_t count = store_conflict_core(c->store, c->rejected, facts, room, &truncated);
  assert(count <= room);
  write_reasons(c, x, facts, count);
}

shape_status shape_context_conflict(shape_context *c, shape_reason *reasons, uint32_t room,
                                    uint32_t *count) {
  reasons_call x = {.reasons = reasons, .room = room};
  *count = 0;
  if (!c->has_conflict) return SHAPE_OK;
  if (!context_run(c, conflict_body, &x)) return c->error.status;
  *count = x.count;
  return SHAPE_OK;
}
