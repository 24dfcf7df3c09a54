// SPDX-License-Identifier: Apache-2.0
// Queries of a context. What a predicate divides by is not 0 while it is asked about.
#include <assert.h>
#include <string.h>

#include "solver/api/gather.h"
#include "solver/decide/order.h"
#include "solver/decide/store_query.h"

bool context_enter(shape_context *c, const divisor_list *divisors, bool *opened) {
  assert(divisors->context == c);
  reason why = {.kind = REASON_NONE};
  *opened = false;
  for (uint32_t i = 0; i < divisors->count; i++) {
    predicate p = predicate_make(REL_NE, divisors->items[i], TERM_ZERO);
    if (store_holds(c->store, p) == SHAPE_YES) continue;
    if (!*opened) store_push(c->store, CONTEXT_SCOPE);
    *opened = true;
    if (store_add(c->store, p, why) == ADD_CONFLICT) return false;
  }
  return true;
}

void context_leave(shape_context *c, bool opened) {
  if (opened) store_pop(c->store);
}

bool context_conflicts(shape_context *c, bool opened) {
  return !opened || store_consistent(c->store) == SHAPE_NO;
}

typedef struct prove_call {
  predicate p;
  const char *text;  // NULL: `p` is the predicate
  bool full;
  bool spent;
  shape_answer answer;
} prove_call;

shape_answer context_ask(shape_context *c, predicate p, const divisor_list *divisors, bool *spent) {
  bool opened;
  store_answer found = {.answer = SHAPE_UNKNOWN};
  assert(context_has(c, p.left) && context_has(c, p.right));
  if (context_enter(c, divisors, &opened)) found = store_ask(c->store, p);
  context_leave(c, opened);
  *spent = found.budget;
  if (!found.conflict) return found.answer;
  return context_conflicts(c, opened) ? SHAPE_CONTRADICTION : SHAPE_UNKNOWN;
}

static void prove_body(shape_context *c, void *data) {
  prove_call *x = data;
  divisor_list divisors = {.context = c, .arena = &c->scratch};
  if (x->text && !context_read_predicate(c, x->text, &x->p, &divisors)) return;
  x->answer = store_holds(c->store, x->p);
  if (x->answer != SHAPE_UNKNOWN || !x->full) return;
  divisors_of_predicate(&divisors, x->p);
  x->answer = context_ask(c, x->p, &divisors, &x->spent);
}

static shape_answer prove(shape_context *c, prove_call *x) {
  if (!context_run(c, prove_body, x)) return SHAPE_UNKNOWN;
  if (x->spent) {
    api_fail(&c->error, SHAPE_BUDGET, "%s", shape_status_message(SHAPE_BUDGET));
  }
  return x->answer;
}

bool context_is_predicate(shape_context *c, shape_relation rel, shape_expr a, shape_expr b) {
  if (context_has(c, a) && context_has(c, b) && (unsigned)rel <= SHAPE_DIVISIBLE) return true;
  return context_invalid(c, "an operand is no expression of this context");
}

shape_answer shape_context_prove(shape_context *c, shape_relation rel, shape_expr a, shape_expr b) {
  prove_call x = {.p = {(enum relation)rel, a, b}, .full = true, .answer = SHAPE_UNKNOWN};
  return context_is_predicate(c, rel, a, b) ? prove(c, &x) : SHAPE_UNKNOWN;
}

shape_answer shape_context_prove_cheap(shape_context *c, shape_relation rel, shape_expr a,
                                       shape_expr b) {
  prove_call x = {.p = {(enum relation)rel, a, b}, .answer = SHAPE_UNKNOWN};
  return context_is_predicate(c, rel, a, b) ? prove(c, &x) : SHAPE_UNKNOWN;
}

shape_answer shape_context_prove_text(shape_context *c, const char *text) {
  prove_call x = {.text = text, .full = true, .answer = SHAPE_UNKNOWN};
  return prove(c, &x);
}

static void consistent_body(shape_context *c, void *data) {
  shape_answer *answer = data;
  *answer = store_consistent(c->store);
  if (*answer == SHAPE_NO) *answer = SHAPE_CONTRADICTION;
}

shape_answer shape_context_consistent(shape_context *c) {
  shape_answer answer = SHAPE_UNKNOWN;
  return context_run(c, consistent_body, &answer) ? answer : SHAPE_UNKNOWN;
}

// --- forms and bounds

typedef struct term_call {
  term_id e, out;
  shape_bounds bounds;
  residue res;
} term_call;

static void find_foreign(void *data, term_id atom) {
  const shape_context **c = data;
  uint32_t index;
  if (!*c || term_kind_of((*c)->terms, atom) != TERM_SYMBOL) return;
  if (!imap_get(&(*c)->symbols.by_number, term_get((*c)->terms, atom)->as.symbol, &index))
    *c = NULL;
}

// Every symbol in it is one that the caller declared.
static bool is_spoken(const shape_context *c, term_id t) {
  const shape_context *found = c;
  term_visit_atoms(c->terms, t, find_foreign, &found);
  return found != NULL;
}

static uint32_t text_length(shape_context *c, term_id t) {
  shape_strbuf out;
  arena_mark mark = arena_get_mark(&c->scratch);
  strbuf_init(&out, &c->scratch);
  context_print(c, &out, t);
  arena_rewind(&c->scratch, mark);
  return out.length;
}

// The shortest form under the premises as they were stated; the solved form has lost the symbols that it eliminated.
static term_id simplest(shape_context *c, term_id e, const divisor_list *divisors) {
  gathering g = {.context = c};
  query_order o;
  gathering_connected(&g, &e, 1);
  for (uint32_t i = 0; i < divisors->count; i++) {
    gathering_premise(&g, predicate_make(REL_NE, divisors->items[i], TERM_ZERO));
  }
  query q = gathering_query(&g);
  simplify_options options = {.spell = NULL};
  if (!query_order_make(&o, &q, e, TERM_ZERO)) return query_simplify(&q, e, &options).term;
  query_simple found = query_simplify(&o.q, o.left, &options);
  term_id simple = found.term == o.left ? e : query_order_back(&o, found.term);
  return simple == TERM_NONE || found.conflict ? e : simple;
}

static void simplify_body(shape_context *c, void *data) {
  term_call *x = data;
  divisor_list divisors = {.context = c, .arena = &c->scratch};
  divisors_of(&divisors, x->e);
  // The facts of a program are many: only the component of the expression is asked.
  term_id simple = c->source ? store_express(c->store, store_simplify(c->store, x->e))
                             : simplest(c, x->e, &divisors);
  bool taken = simple != x->e && (c->source || is_spoken(c, simple)) && budget_left(c->budget) &&
               text_length(c, simple) <= text_length(c, x->e);
  x->out = taken ? simple : x->e;
  assert(context_has(c, x->out));
}

shape_expr shape_context_simplify(shape_context *c, shape_expr e) {
  term_call x = {.e = e, .out = SHAPE_NO_EXPR};
  if (e == SHAPE_NO_EXPR) return e;
  if (!context_has(c, e)) {
    context_invalid(c, "no expression of this context");
  } else {
    context_run(c, simplify_body, &x);
  }
  return x.out;
}

static void bounds_body(shape_context *c, void *data) {
  term_call *x = data;
  divisor_list divisors = {.context = c, .arena = &c->scratch};
  bool opened, possible = true;
  interval range = interval_all();
  divisors_of(&divisors, x->e);
  bool defined = context_enter(c, &divisors, &opened);
  if (defined) possible = store_bounds(c->store, x->e, &range);
  context_leave(c, opened);
  if (!possible) {
    x->bounds.contradiction = context_conflicts(c, opened);
    return;
  }
  x->bounds.has_min = range.has_lo && num_to_int(range.lo, &x->bounds.min);
  x->bounds.has_max = range.has_hi && num_to_int(range.hi, &x->bounds.max);
}

shape_status shape_context_bounds(shape_context *c, shape_expr e, shape_bounds *bounds) {
  term_call x = {.e = e};
  *bounds = x.bounds;
  if (!context_has(c, e)) {
    context_invalid(c, "no expression of this context");
    return SHAPE_INVALID;
  }
  if (!context_run(c, bounds_body, &x)) return c->error.status;
  *bounds = x.bounds;
  return SHAPE_OK;
}

static void residue_body(shape_context *c, void *data) {
  term_call *x = data;
  x->res = store_residue(c->store, x->e);
}

shape_status shape_context_residue(shape_context *c, shape_expr e, int64_t *divisor,
                                   int64_t *remainder) {
  term_call x = {.e = e};
  *divisor = 1;
  *remainder = 0;
  if (!context_has(c, e)) {
    context_invalid(c, "no expression of this context");
    return SHAPE_INVALID;
  }
  if (!context_run(c, residue_body, &x)) return c->error.status;
  int64_t m, r;
  if (!num_to_int(x.res.m, &m) || !num_to_int(x.res.r, &r)) return SHAPE_OK;
  *divisor = m;
  *remainder = r;
  return SHAPE_OK;
}
