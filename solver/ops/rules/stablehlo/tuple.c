// SPDX-License-Identifier: Apache-2.0
// tuple, get_tuple_element, optimization_barrier, tokens.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

// StableHLO spec, tuple (C1).
rule_status rule_tuple(rule_context *c) {
  uint32_t count = rule_operand_count(c);
  const graph_type *t = rule_result_type(c, 0);
  if (t && t->kind == TYPE_TUPLE && t->param_count != count)
    rule_error(c, "tuple", "%u operands make a tuple of %u elements", count, t->param_count);
  value_info *parts = arena_zalloc(c->arena, (count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < count; i++) parts[i] = *rule_operand(c, i);
  value_info whole = {.visited = true};
  value_set_parts(c->arena, &whole, parts, count);
  rule_set_value(c, 0, &whole);
  return RULE_DONE;
}

// StableHLO spec, get_tuple_element (C1, C2).
rule_status rule_get_tuple_element(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  int64_t index;
  const value_info *in = rule_operand(c, 0);
  if (!rule_int(c, "index", &index)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  const graph_type *t = rule_operand_type(c, 0);
  uint32_t count = value_parts(in)              ? value_part_count(in)
                   : t && t->kind == TYPE_TUPLE ? t->param_count
                                                : 0;
  if (index < 0 || (count && index >= (int64_t)count)) {
    rule_error(c, "tuple", "index %lld is not one of a tuple of %u elements", (long long)index,
               count);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (index >= (int64_t)value_part_count(in)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  rule_set_value(c, 0, &value_parts(in)[index]);
  return RULE_DONE;
}

// StableHLO spec, optimization_barrier (C1): each result is its operand.
rule_status rule_optimization_barrier(rule_context *c) {
  uint32_t count = rule_result_count(c);
  if (count != rule_operand_count(c))
    rule_error(c, "operand-count", "%u operands for %u results", rule_operand_count(c), count);
  for (uint32_t i = 0; i < count; i++) {
    if (i < rule_operand_count(c)) {
      rule_set_value(c, i, rule_operand(c, i));
    } else {
      rule_set_unknown(c, i);
    }
  }
  return RULE_DONE;
}

// StableHLO spec, async_done: the values that async_start's body returned; a future is the tuple of them.
rule_status rule_async_done(rule_context *c) {
  const value_info *future = rule_operand(c, 0);
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    if (i < value_part_count(future)) {
      rule_set_value(c, i, &value_parts(future)[i]);
    } else {
      rule_set_unknown(c, i);
    }
  }
  return RULE_DONE;
}

rule_status rule_token(rule_context *c) {
  rule_set_unknown(c, 0);
  return RULE_DONE;
}
