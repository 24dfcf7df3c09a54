// SPDX-License-Identifier: Apache-2.0
// What the full queries to a store share; private to solver/decide.
#ifndef SHAPE_DECIDE_COMPONENT_H
#define SHAPE_DECIDE_COMPONENT_H

#include "solver/decide/query.h"
#include "solver/decide/store_query.h"
#include "solver/facts/core.h"

// --- cache.c
// The answer that was given when the same was asked under the same premises. Without witnesses.
bool answer_cache_get(const shape_store *s, const query *q, predicate p, query_result *out);
void answer_cache_put(shape_store *s, const query *q, predicate p, const query_result *r);
// Are the symbols, their ranges and the premises the same?
bool same_facts(const query *a, const query *b);
// Queries with large numbers are not kept: the limbs of these may be scratch.
bool has_small_numbers(const query *q);

// --- near.c
// Room for the points of a query about t, with those that are known. Premises and symbols are those of the component.
query_points *near_points_of(near_points **near, shape_arena *arena, const query *q, term_id t);
// Keeps those that were found.
void near_points_keep(near_points *near, query_points *points);

// --- component.c
// As store_ask; where `proof` is not NULL and the answer is not UNKNOWN, or there is a conflict, joins its proof: what a
// derivation of the checker in at most `steps` used, or all that was asked about.
store_answer component_ask(shape_store *s, predicate p, proof_id *proof, uint64_t steps);

#endif
