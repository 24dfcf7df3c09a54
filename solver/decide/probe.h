// SPDX-License-Identifier: Apache-2.0
// Points that speak against claims, found by evaluation alone: far cheaper than a search, and most claims that do not
// follow have one nearby. Nothing is derived here: a point counts where all that is to hold there was evaluated, in
// int64, and holds. What overflows, divides by 0 or has no value that is known has no value, and counts as not holding.
//
// A probe is at one point. It moves symbols one at a time: to ends of their ranges, to numbers that the predicates speak
// of, to where the sides of one become equal.
#ifndef SHAPE_DECIDE_PROBE_H
#define SHAPE_DECIDE_PROBE_H

#include "solver/term/query.h"

// What is declared of a symbol.
typedef query_symbol probe_symbol(void *data, term_id symbol);

typedef struct probe probe;

// Lives in `arena`, which is not rewound while more is added. Terms are of the table; none are made.
probe *probe_new(shape_arena *arena, const term_table *terms, shape_budget *budget,
                 probe_symbol *symbol, void *data);

enum { PROBE_NONE = UINT32_MAX };

// What is evaluated; PROBE_NONE: it has no value, as it is nested too deep or holds what has none. O(size) the first time.
uint32_t probe_term(probe *p, term_id term);
uint32_t probe_claim(probe *p, predicate claim);

// Whether there is a point where claim `self` is false and all those held are true, in their declared ranges. False: none
// was found. PROBE_NONE among them is never true. Counts steps; O(PROBE_TRIES * count) evaluations at most.
bool probe_refutes(probe *p, uint32_t self, const uint32_t *held, uint32_t count);

// Moves all symbols, to one of many points that differ in the magnitude of symbols and lie near numbers of the claim.
void probe_scatter(probe *p, uint32_t claim, uint32_t attempt);
bool probe_value(probe *p, uint32_t term, int64_t *out);  // at the point; false: none
bool probe_holds(probe *p, uint32_t claim, bool *out);

#endif
