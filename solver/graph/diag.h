// SPDX-License-Identifier: Apache-2.0
// Diagnostics: what is wrong, where, and the locations that explain it. Collected, never printed, by the library.
#ifndef SHAPE_GRAPH_DIAG_H
#define SHAPE_GRAPH_DIAG_H

#include "solver/base/intern.h"
#include "solver/base/strbuf.h"
#include "solver/graph/loc.h"

typedef enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE, DIAG_HINT } diag_severity;

typedef struct diag_related {
  source_span span;
  const char *message;
} diag_related;

typedef struct diag {
  diag_severity severity;
  const char *code;  // a stable word for machines: "syntax", "shape-mismatch", ...; static storage
  source_span span;
  source_span
      inner;  // of the operation that found it, where `span` is a call around it; else `span`
  source_span part;  // what in `span` it is about, for editors; SPAN_NONE: all of it
  const char *message;
  diag_related *related;
  uint32_t related_count, related_capacity;
  name_id no_rule;  // of the note that operations of a name have no rule: that name; else NAME_NONE
} diag;

typedef struct diag_list {
  shape_arena *arena;
  diag *items;
  uint32_t count, capacity;
  uint32_t errors;  // of severity DIAG_ERROR
  uint32_t limit;   // beyond it diagnostics are counted in `dropped` only
  uint32_t dropped;
} diag_list;

void diag_init(diag_list *list, shape_arena *arena);
// Adds one; returns it so that related locations can be added (valid until the next one), or NULL beyond the limit.
__attribute__((cold)) diag *diag_add(diag_list *list, diag_severity severity, const char *code,
                                     source_span span, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
__attribute__((cold)) void diag_relate(diag_list *list, diag *to, source_span span,
                                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const char *diag_severity_name(diag_severity severity);

#endif
