// SPDX-License-Identifier: Apache-2.0
// What would settle an open query: "it would follow if mod(H, 8) == 0".
//
// Candidates are short predicates over the symbols of the query: divisibility by the divisors that occur in it or in
// the premises, being at least 1, and order and equality of two symbols. Each is added to the premises and the query is
// solved again; only what makes it true, leaves a solution and leaves its own symbols more than one value is offered,
// weakest first within its kind. Cost: at most SUGGEST_TRIES queries, each with its share of the budget.
#ifndef SHAPE_DECIDE_SUGGEST_H
#define SHAPE_DECIDE_SUGGEST_H

#include "solver/decide/query.h"

// Writes at most `room` suggestions; returns how many.
uint32_t query_suggest(const query *q, predicate goal, predicate *out, uint32_t room);

#endif
