// SPDX-License-Identifier: Apache-2.0
// A query and its answer, as the decision procedure and the independent checker both see them.
//
// A query is: symbols with ranges and multiples, a conjunction of premises, and one predicate. All values are mathematical
// integers of any size; points where a divisor is 0 are outside the domain.
#ifndef SHAPE_TERM_QUERY_H
#define SHAPE_TERM_QUERY_H

#include "solver/num/interval.h"
#include "solver/term/predicate.h"

typedef struct query_symbol {
  term_id symbol;
  interval range;
  num multiple_of;
} query_symbol;

typedef struct query {
  shape_arena *arena;  // scratch: callers rewind it
  term_table *terms;
  shape_budget *budget;
  const query_symbol *symbols;
  uint32_t symbol_count;
  const predicate *premises;
  uint32_t premise_count;
  // The caller numbers symbols, orders premises and makes terms in an order that does not depend on how the query was
  // put together. Where it is false the query is put in such an order first (solver/decide/order.h).
  bool in_order;
  // Only a YES counts: where it is excluded the answer is UNKNOWN at once, without the other side.
  bool only_yes;
} query;

typedef enum unknown_reason {
  UNKNOWN_NOT,
  UNKNOWN_CONTINGENT,
  UNKNOWN_BUDGET,
  UNKNOWN_INCOMPLETE,
  UNKNOWN_UNCONFIRMED  // there was an answer, but the checker could not confirm it
} unknown_reason;

typedef struct query_result {
  shape_answer answer;
  bool conflict;  // the premises have no solution
  unknown_reason reason;
  // CONTINGENT: values of the symbols (in their order) at a point where the query holds and one where it does not.
  const num *witness_true, *witness_false;
} query_result;

#endif
