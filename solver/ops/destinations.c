// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/destinations.h"

#include "solver/ops/absent.h"

bool destination_is_tensor(const type_table *types, type_id type) {
  return type_is_tensor(types, type) && type_get(types, type)->container == CONTAINER_TENSOR;
}

bool destinations_fit(const type_table *types, const type_id *destinations, uint32_t count,
                      const type_id *results, uint32_t result_count) {
  uint32_t tied = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (destinations[i] == TYPE_NONE) return false;
    if (!destination_is_tensor(types, destinations[i])) continue;
    if (tied == result_count || results[tied] != destinations[i]) return false;
    tied++;
  }
  for (uint32_t i = tied; i < result_count; i++) {
    if (results[i] == TYPE_NONE || destination_is_tensor(types, results[i])) return false;
  }
  assert(tied <= count);
  return tied > 0;
}

static type_id type_of(const shape_graph *g, value_id value) {
  return value == VALUE_NONE ? TYPE_NONE : g->values[value].type;
}

uint32_t op_destinations(const shape_graph *g, op_id op) {
  const graph_op *o = &g->ops[op];
  attr_id attr = o->attr_count ? graph_attr_named(g, op, DESTINATIONS_ATTR) : ATTR_NONE;
  int64_t count;
  if (attr == ATTR_NONE || !graph_attr_int(g, attr, &count) || !op_is_unknown(g, op)) return 0;
  if (count < 1 || count > o->operand_count) return 0;
  type_id *types = arena_alloc(g->arena, ((size_t)count + o->result_count) * sizeof *types);
  type_id *results = types + count;
  for (uint32_t i = 0; i < count; i++)
    types[i] = type_of(g, graph_operand(g, op, o->operand_count - (uint32_t)count + i));
  for (uint32_t i = 0; i < o->result_count; i++) results[i] = type_of(g, graph_result(g, op, i));
  bool fits = destinations_fit(&g->types, types, (uint32_t)count, results, o->result_count);
  return fits ? (uint32_t)count : 0;
}
