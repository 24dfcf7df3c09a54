// SPDX-License-Identifier: Apache-2.0
// What the store writes to a trace (solver/base/trace.def), for callers that found it wanted.
#ifndef SHAPE_FACTS_NARRATE_H
#define SHAPE_FACTS_NARRATE_H

#include "solver/base/trace_line.h"
#include "solver/facts/store.h"

void narrate_predicate(shape_strbuf *out, const term_table *terms, predicate p);
void narrate_fact(shape_store *s, predicate p, reason why, add_result result);

#endif
