// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/dynamic.h"

#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/traits.h"

typedef struct dynamic_row {
  const char *name;
  uint32_t length, kind;
} dynamic_row;

static const dynamic_row ROWS[] = {
    {"custom_call", sizeof "custom_call" - 1, DYNAMIC_BY_CALL},
#define X(dynamic, name, kept, shape, lists, form, dropped)                                        \
  {dynamic, sizeof(dynamic) - 1, DYNAMIC_FROM + ((shape) >= 0 ? (shape) : (kept))},
#include "solver/ops/static_forms.def"
#undef X
};

uint32_t op_dynamic_kind(const shape_graph *g, op_id op) {
  const char *name = graph_op_name(g, op), *point = strchr(name, '.');
  if (!point) return DYNAMIC_NEVER;
  uint32_t length = intern_length(&g->names, g->ops[op].name) - (uint32_t)(point + 1 - name);
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const dynamic_row *row = &ROWS[i];
    if (length == row->length && memcmp(point + 1, row->name, length) == 0)
      return op_has(g, op, TRAIT_HLO) ? row->kind : DYNAMIC_NEVER;
  }
  return DYNAMIC_NEVER;
}

bool op_is_dynamic_call(const shape_graph *g, op_id op, uint32_t *first) {
  dynamic_call kind = op_has(g, op, TRAIT_CUSTOM_CALL) ? dynamic_call_of(g, op) : DYNAMIC_CALL_NONE;
  if (kind == DYNAMIC_CALL_NONE) return false;
  *first = kind == DYNAMIC_CALL_WINDOW ? 2 * g->ops[op].result_count : 1;
  return true;
}

bool op_is_dynamic(const shape_graph *g, op_id op, uint32_t *first) {
  uint32_t kind = op_dynamic_kind(g, op);
  if (kind == DYNAMIC_BY_CALL) return op_is_dynamic_call(g, op, first);
  if (kind >= DYNAMIC_FROM) *first = kind - DYNAMIC_FROM;
  return kind >= DYNAMIC_FROM;
}
