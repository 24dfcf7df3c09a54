// SPDX-License-Identifier: Apache-2.0
// Values of expressions at one point that satisfies what is assumed. The decision procedure evaluates the premises at each
// point that it returns; it returns two for a predicate that is open, and a symbol of which nothing is known makes one.
#include <string.h>

#include "solver/api/gather.h"

typedef struct model_call {
  const shape_expr *exprs;
  uint32_t count;
  int64_t *values;
  shape_answer answer;
} model_call;

typedef struct pointed {
  const gathering *g;
  const num *values;
} pointed;

static term_id value_of(void *data, term_id atom) {
  const pointed *at = data;
  uint32_t index;
  if (!imap_get(&at->g->indices, atom, &index)) return atom;
  return term_const(at->g->context->terms, at->values[index]);
}

static bool evaluate(gathering *g, const model_call *x, const num *values) {
  term_table *terms = g->context->terms;
  pointed at = {g, values};
  for (uint32_t i = 0; i < x->count; i++) {
    term_id value = term_substitute(terms, x->exprs[i], value_of, &at, NULL);
    if (!term_int_value(terms, value, &x->values[i])) return false;
  }
  return true;
}

static void model_body(shape_context *c, void *data) {
  model_call *x = data;
  gathering g = {.context = c};
  divisor_list divisors = {.context = c, .arena = &c->scratch};
  gathering_connected(&g, x->exprs, x->count);
  for (uint32_t i = 0; i < x->count; i++) divisors_of(&divisors, x->exprs[i]);
  for (uint32_t i = 0; i < divisors.count; i++) {
    gathering_premise(&g, predicate_make(REL_NE, divisors.items[i], TERM_ZERO));
  }
  if (c->probe == TERM_NONE) c->probe = term_symbol(c->terms);
  gathering_atom(&g, c->probe);
  g.symbols[g.symbol_count - 1].range = interval_of(0, 1);
  query q = gathering_query(&g);
  query_result found = query_ask(&q, predicate_make(REL_EQ, c->probe, TERM_ZERO));
  const num *values = found.witness_true ? found.witness_true : found.witness_false;
  if (values && evaluate(&g, x, values)) x->answer = SHAPE_YES;
  if (found.conflict && divisors.count == 0) x->answer = SHAPE_CONTRADICTION;
}

shape_answer shape_context_model(shape_context *c, const shape_expr *exprs, uint32_t count,
                                 int64_t *values) {
  model_call x = {exprs, count, values, SHAPE_UNKNOWN};
  for (uint32_t i = 0; i < count; i++) {
    if (context_has(c, exprs[i])) continue;
    context_invalid(c, "no expression of this context");
    return SHAPE_UNKNOWN;
  }
  return context_run(c, model_body, &x) ? x.answer : SHAPE_UNKNOWN;
}
