// SPDX-License-Identifier: Apache-2.0
// What the store tells a trace (solver/base/trace.def), for callers that found it wanted.
#ifndef SHAPE_STORE_NARRATE_H
#define SHAPE_STORE_NARRATE_H

#include "solver/base/trace_line.h"
#include "solver/store/query.h"
#include "solver/store/store.h"

void narrate_predicate(shape_strbuf *out, const term_table *terms, predicate p);
void narrate_fact(shape_store *s, predicate p, reason why, add_result result);
void narrate_query(const query *q, predicate question, const query_result *result, uint64_t steps);

#endif
