// SPDX-License-Identifier: Apache-2.0
// Traces: lines that report the steps of an analysis, for developers. When tracing is off, a trace point costs one test of
// a pointer; trace points are visits of operations, facts, scopes and queries, never the terms below them. Tracing
// takes no steps, and changes no answer.
#ifndef SHAPE_BASE_TRACE_H
#define SHAPE_BASE_TRACE_H

#include <stddef.h>
#include <stdint.h>

typedef enum trace_tag {
#define X(tag, what) TRACE_##tag,
#include "solver/base/trace.def"
#undef X
  TRACE_COUNT
} trace_tag;

typedef struct shape_trace {
  uint32_t tags;                                               // bit 1 << tag: its lines are wanted
  void (*write)(void *data, const char *text, size_t length);  // lines, in pieces of any length
  void *data;
} shape_trace;

// "fact,op" or "all" as bits; 0 where a name is none of the table.
uint32_t trace_parse(const char *names);

#endif
