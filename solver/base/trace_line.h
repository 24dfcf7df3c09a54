// SPDX-License-Identifier: Apache-2.0
// Writing a trace: `if (trace_wants(b, TRACE_op)) { shape_strbuf *out = trace_begin(b, TRACE_op); ...; trace_end(b); }`.
// Text goes out piece by piece, so a trace of any length holds one buffer of the job's arena, of 64 KiB; a piece is
// shorter than half of that: writers cut names (TRACE_NAME).
#ifndef SHAPE_BASE_TRACE_LINE_H
#define SHAPE_BASE_TRACE_LINE_H

#include "solver/base/budget.h"
#include "solver/base/strbuf.h"

#define TRACE_NAME "%.200s"

// Begins a trace (NULL: none), before anything in the arena that is rewound later.
void trace_open(shape_budget *budget, const shape_trace *trace);
void trace_share(shape_budget *budget, const shape_budget *from);  // of an allowance within a job
static inline bool trace_wants(const shape_budget *budget, trace_tag tag) {
  return budget->trace && (budget->trace->tags >> tag & 1);
}
shape_strbuf *trace_begin(shape_budget *budget, trace_tag tag);
void trace_end(shape_budget *budget);
// A whole line, where it is wanted.
void trace_say(shape_budget *budget, trace_tag tag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
