// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/diag.h"

#include <assert.h>

enum { DIAG_LIMIT = 100 };

void diag_init(diag_list *list, shape_arena *arena) {
  memset(list, 0, sizeof *list);
  list->arena = arena;
  list->limit = DIAG_LIMIT;
}

diag *diag_add(diag_list *list, diag_severity severity, const char *code, source_span span,
               const char *format, ...) {
  // An error counts even when it is not kept: what decides the exit status must not depend on the limit.
  if (severity == DIAG_ERROR) list->errors++;
  if (list->count >= list->limit) {
    list->dropped++;
    return NULL;
  }
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(list->arena, format, args);
  va_end(args);
  list->items = arena_grow(list->arena, list->items, list->count, (size_t)list->count + 1,
                           &list->capacity, sizeof *list->items);
  diag *added = &list->items[list->count++];
  *added = (diag){.severity = severity,
                  .code = code,
                  .span = span,
                  .inner = span,
                  .part = SPAN_NONE,
                  .message = message,
                  .no_rule = NAME_NONE};
  assert(list->errors <= list->count + list->dropped);
  return added;
}

void diag_relate(diag_list *list, diag *to, source_span span, const char *format, ...) {
  if (!to) return;
  assert(to >= list->items && to < list->items + list->count);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(list->arena, format, args);
  va_end(args);
  to->related =
      arena_grow(list->arena, to->related, to->related_count, (size_t)to->related_count + 1,
                 &to->related_capacity, sizeof *to->related);
  to->related[to->related_count++] = (diag_related){span, message};
}

const char *diag_severity_name(diag_severity severity) {
  switch (severity) {
  case DIAG_ERROR: return "error";
  case DIAG_WARNING: return "warning";
  case DIAG_NOTE: return "note";
  case DIAG_HINT: return "hint";
  }
  return "error";
}
