// SPDX-License-Identifier: Apache-2.0
// What is assumed about some expressions, as it was stated: the premises of a query that the solved form of the store does
// not rewrite. Models are points of these premises, and simplification may choose any symbol in them.
#ifndef SHAPE_API_GATHER_H
#define SHAPE_API_GATHER_H

#include "solver/api/context.h"
#include "solver/decide/query.h"

// In scratch memory of the context.
typedef struct gathering {
  shape_context *context;
  query_symbol *symbols;
  uint32_t symbol_count, symbol_capacity;
  predicate *premises;
  uint32_t premise_count, premise_capacity;
  uint32_t *owners;  // of the premises: numbers of assumptions; QUERY_ALWAYS: of none
  uint32_t owner_capacity;
  shape_imap indices;  // symbol term -> index in symbols
} gathering;

// The facts that have symbols in common with the expressions, directly or through others; by masks, so some more.
// exprs NULL: all facts.
void gathering_connected(gathering *g, const shape_expr *exprs, uint32_t count);
void gathering_premise(gathering *g, predicate p);
void gathering_atom(void *data, term_id atom);  // adds it where it is a symbol
query gathering_query(const gathering *g);

#endif
