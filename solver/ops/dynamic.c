// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/dynamic.h"

#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/traits.h"

typedef struct dynamic_row {
  const char *name;
  uint32_t first;
} dynamic_row;

static const dynamic_row ROWS[] = {
#define X(dynamic, name, kept, shape, lists, form, dropped)                                        \
  {dynamic, (shape) >= 0 ? (shape) : (kept)},
#include "solver/ops/static_forms.def"
#undef X
};

bool op_is_dynamic_call(const shape_graph *g, op_id op, uint32_t *first) {
  dynamic_call kind = op_has(g, op, TRAIT_CUSTOM_CALL) ? dynamic_call_of(g, op) : DYNAMIC_CALL_NONE;
  if (kind == DYNAMIC_CALL_NONE) return false;
  *first = kind == DYNAMIC_CALL_WINDOW ? 2 * g->ops[op].result_count : 1;
  return true;
}

bool op_is_dynamic(const shape_graph *g, op_id op, uint32_t *first) {
  if (!op_has(g, op, TRAIT_HLO)) return false;
  const char *point = strchr(graph_op_name(g, op), '.');
  for (unsigned i = 0; point && i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, point + 1) != 0) continue;
    *first = ROWS[i].first;
    return true;
  }
  return op_is_dynamic_call(g, op, first);
}
