// SPDX-License-Identifier: Apache-2.0
// Assumptions and checkpoints of a context.
//
// An assumption that divides opens a scope of the store of its own: that a divisor is not 0 and the assumption itself are
// stated together or not at all. A checkpoint is a scope, too; a rollback closes all that were opened since.
#include <assert.h>
#include <string.h>

#include "solver/api/context.h"

static bool excludes_zero(shape_context *c, term_id divisor) {
  return store_holds(c->store, predicate_make(REL_NE, divisor, TERM_ZERO)) == SHAPE_YES;
}

add_result context_state(shape_context *c, predicate p, const divisor_list *divisors,
                         uint32_t index) {
  reason why = {.kind = REASON_ASSUMPTION, .subject = index, .frame = CONTEXT_FRAME};
  assert(divisors->context == c && index <= c->assumption_count);
  bool opened = false;
  add_result result = ADD_NEW;
  for (uint32_t i = 0; i < divisors->count && result != ADD_CONFLICT; i++) {
    if (excludes_zero(c, divisors->items[i])) continue;
    if (!opened) store_push(c->store, CONTEXT_SCOPE);
    opened = true;
    c->rejected = predicate_make(REL_NE, divisors->items[i], TERM_ZERO);
    result = store_add(c->store, c->rejected, why);
  }
  if (result != ADD_CONFLICT) {
    c->rejected = p;
    result = store_add(c->store, p, why);
  }
  c->has_conflict = result == ADD_CONFLICT;
  if (!opened) return result;
  if (result == ADD_CONFLICT) {
    // The conflict is that of the assumption as a whole: its own divisors are no reason.
    store_pop(c->store);
    return result;
  }
  c->scopes++;
  return ADD_NEW;
}

typedef struct assume_call {
  predicate p;
  const char *text;  // NULL: `p` is the predicate
  const char *origin;
  shape_answer outcome;
  bool ok;
} assume_call;

static void record(shape_context *c, const assume_call *x, const divisor_list *divisors) {
  assert(c->assumption_count < c->assumption_capacity);
  const char *origin = NULL;
  if (x->origin) {
    origin =
        intern_text(&c->symbols.names, intern_add(&c->symbols.names, x->origin, strlen(x->origin)));
  }
  c->assumptions[c->assumption_count++] =
      (context_assumption){x->p, divisors->items, divisors->count, c->scopes, origin, NULL};
}

static void assume_body(shape_context *c, void *data) {
  assume_call *x = data;
  divisor_list divisors = {.context = c, .arena = c->arena};
  if (x->text && !context_read_predicate(c, x->text, &x->p, &divisors)) return;
  divisors_of_predicate(&divisors, x->p);
  x->ok = true;
  c->changes++;
  for (uint32_t i = 0; i < divisors.count; i++) {
    if (divisors.items[i] != TERM_ZERO) continue;
    x->ok = context_invalid(c, "division by 0");
    return;
  }
  c->assumptions =
      arena_grow(c->arena, c->assumptions, c->assumption_count, c->assumption_count + 1u,
                 &c->assumption_capacity, sizeof *c->assumptions);
  switch (context_state(c, x->p, &divisors, c->assumption_count)) {
  case ADD_CONFLICT: x->outcome = SHAPE_CONTRADICTION; return;
  case ADD_KNOWN: x->outcome = SHAPE_YES; break;
  case ADD_NEW: x->outcome = SHAPE_UNKNOWN; break;
  }
  record(c, x, &divisors);
}

static shape_status assume(shape_context *c, assume_call *x, shape_answer *outcome) {
  if (outcome) *outcome = SHAPE_UNKNOWN;
  if (!context_run(c, assume_body, x) || !x->ok) return c->error.status;
  if (outcome) *outcome = x->outcome;
  return SHAPE_OK;
}

shape_status shape_context_assume(shape_context *c, shape_relation rel, shape_expr a, shape_expr b,
                                  const char *origin, shape_answer *outcome) {
  assume_call x = {.p = {(enum relation)rel, a, b}, .origin = origin};
  if (outcome) *outcome = SHAPE_UNKNOWN;
  if (!context_has(c, a) || !context_has(c, b) || (unsigned)rel > SHAPE_DIVISIBLE) {
    context_invalid(c, "an operand is no expression of this context");
    return SHAPE_INVALID;
  }
  return assume(c, &x, outcome);
}

shape_status shape_context_unify(shape_context *c, shape_expr a, shape_expr b, const char *origin,
                                 shape_answer *outcome) {
  return shape_context_assume(c, SHAPE_EQ, a, b, origin, outcome);
}

shape_status shape_context_assume_text(shape_context *c, const char *text, const char *origin,
                                       shape_answer *outcome) {
  assume_call x = {.text = text, .origin = origin};
  return assume(c, &x, outcome);
}

uint32_t shape_context_assumption_count(const shape_context *c) { return c->assumption_count; }

// --- checkpoints

static void checkpoint_body(shape_context *c, void *data) {
  (void)data;
  c->marks = arena_grow(c->arena, c->marks, c->mark_count, c->mark_count + 1u, &c->mark_capacity,
                        sizeof *c->marks);
  assert(c->mark_count < c->mark_capacity);
  store_push(c->store, CONTEXT_SCOPE);
  c->marks[c->mark_count++] = (context_mark){c->assumption_count, c->scopes++};
}

shape_checkpoint shape_context_checkpoint(shape_context *c) {
  return context_run(c, checkpoint_body, NULL) ? c->mark_count - 1 : SHAPE_NO_ID;
}

// What the declaration of a symbol implies is true whatever is assumed; a scope that it was declared in took it along.
static void declare_again(shape_context *c, void *data) {
  (void)data;
  reason why = {.kind = REASON_SYMBOL};
  for (uint32_t i = 0; i < c->symbols.count; i++) {
    context_symbol *s = &c->symbols.items[i];
    if (!s->scoped) continue;
    if (s->min == s->max) {
      store_add(c->store, predicate_make(REL_EQ, s->term, term_int(c->terms, s->min)), why);
    } else if (s->multiple_of > 1) {
      term_id divisor = term_int(c->terms, s->multiple_of);
      store_add(c->store, predicate_make(REL_DIVISIBLE, s->term, divisor), why);
    }
    s->scoped = c->scopes > 0;
  }
}

shape_status shape_context_rollback(shape_context *c, shape_checkpoint checkpoint) {
  if (checkpoint >= c->mark_count) {
    context_invalid(c, "there is no such checkpoint");
    return SHAPE_INVALID;
  }
  context_mark mark = c->marks[checkpoint];
  assert(mark.assumptions <= c->assumption_count);
  c->mark_count = checkpoint;
  c->changes++;
  c->assumption_count = mark.assumptions;
  c->has_conflict = false;
  if (c->stale) return SHAPE_OK;  // the next call states what is left
  assert(c->scopes >= mark.scopes);
  while (c->scopes > mark.scopes) {
    store_pop(c->store);
    c->scopes--;
  }
  return context_run(c, declare_again, NULL) ? SHAPE_OK : c->error.status;
}
