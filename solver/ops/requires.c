// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/requires.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/absent.h"
#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"
#include "solver/ops/rules/torch/torch.h"

static bool is_shaped(const shape_graph *g, value_id v) {
  const graph_type *t = v == VALUE_NONE ? NULL : graph_value_type(g, v);
  return t && (t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED || t->kind == TYPE_SHAPE ||
               t->kind == TYPE_SIZE);
}

// These may require something where neither operands nor results have shapes: conditions, indices, trips.
static bool checks_scalars(const op_row *row) {
  static rule_function *const rules[] = {rule_extent,     rule_assert,       rule_torch_assert,
                                         rule_assume_int, rule_delinearize,  rule_linearize,
                                         rule_loop,       rule_torch_list_op};
  for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (row->rule == rules[i]) return true;
  }
  return false;
}

// Whether an operation may require something of shapes. What a call requires depends on the function.
static bool may_require(const shape_graph *g, op_id op) {
  const graph_op *o = &g->ops[op];
  if (op_is_unknown(g, op)) return false;
  const char *name = graph_op_name(g, op);
  const op_row *row = registry_find(name, strlen(name), 0);
  if (row->structure == OP_CALL || checks_scalars(row)) return true;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    if (is_shaped(g, graph_operand(g, op, i))) return true;
  }
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (is_shaped(g, graph_result(g, op, i))) return true;
  }
  return false;
}

bool regions_may_require(const shape_graph *g, op_id op) {
  assert(op < g->op_count);
  for (uint32_t i = 0; i < g->ops[op].region_count; i++) {
    const graph_region *r = &g->regions[g->ops[op].regions + i];
    for (uint32_t k = 0; k < r->block_count; k++) {
      for (op_id o = g->blocks[r->first_block + k].first; o != ID_NONE; o = g->ops[o].next) {
        if (may_require(g, o) || regions_may_require(g, o)) return true;
      }
    }
  }
  return false;
}
