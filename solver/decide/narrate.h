// SPDX-License-Identifier: Apache-2.0
// What the decision procedure writes to a trace (solver/base/trace.def), for callers that found it wanted.
#ifndef SHAPE_DECIDE_NARRATE_H
#define SHAPE_DECIDE_NARRATE_H

#include "solver/base/trace_line.h"
#include "solver/term/query.h"

void narrate_query(const query *q, predicate goal, const query_result *result, uint64_t steps);

#endif
