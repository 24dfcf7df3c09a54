// SPDX-License-Identifier: Apache-2.0
#include "tests/support/session_find.h"

#include <string.h>

#include "solver/session/state.h"

value_id session_find_value(const session_core *s, const char *function, const char *name) {
  name_id f = intern_find(&s->doc.graph.names, function, strlen(function));
  name_id n = intern_find(&s->doc.graph.names, name, strlen(name));
  for (func_id i = 0; i < s->doc.graph.func_count; i++) {
    if (f != NAME_NONE && s->doc.graph.funcs[i].name == f) return document_find(&s->doc, i, n);
  }
  return VALUE_NONE;
}
