// SPDX-License-Identifier: Apache-2.0
// rng, rng_bit_generator.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// StableHLO spec, rng: the dims are the elements of the operand `shape` (C5).
rule_status rule_rng(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  uint32_t count;
  if (!rule_assume_rank(c, 2, 1)) {  // reported with the signature
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  const term_id *sizes = rule_size_elements(c, 2, &count);
  if (!sizes) {
    const value_info *result = rule_value(c, graph_result(c->graph, c->op, 0));
    rule_set_unknown(c, 0);
    result = rule_value(c, graph_result(c->graph, c->op, 0));
    if (result->ranked)
      rule_require_eq(c, rule_operand(c, 2)->dims[0], rule_int_term(c, result->rank),
                      "shape has an element per axis");
    return RULE_DONE;
  }
  rule_set_dims(c, 0, elements_as_sizes(c, sizes, count, "a dim is not negative"), count);
  return RULE_DONE;
}

// StableHLO spec, rng_bit_generator (C1): the state keeps its sizes. Those of the output are what its type says.
rule_status rule_rng_bit_generator(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  rule_set_unknown(c, 1);
  return RULE_DONE;
}
