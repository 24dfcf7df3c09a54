// SPDX-License-Identifier: Apache-2.0
// What operations with regions require of their operands and of the form of their regions. Infer follows the regions
// and sets the results.
#include "solver/ops/rules/common/rules.h"

static const graph_block *first_block(const rule_context *c, uint32_t region) {
  const graph_op *op = &c->graph->ops[c->op];
  if (region >= op->region_count) return NULL;
  const graph_region *r = &c->graph->regions[op->regions + region];
  return r->block_count ? &c->graph->blocks[r->first_block] : NULL;
}

// StableHLO spec, while (C1 to C3): cond and body take the operands, cond gives one i1 scalar.
static void check_while(rule_context *c) {
  uint32_t count = rule_operand_count(c);
  if (rule_result_count(c) != count)
    rule_error(c, "operand-count", "%u operands for %u results", count, rule_result_count(c));
  for (uint32_t i = 0; i < 2; i++) {
    const graph_block *b = first_block(c, i);
    if (b && b->argument_count != count)
      rule_error(c, "region", "the %s takes %u values, the loop carries %u",
                 i ? "body" : "condition", b->argument_count, count);
  }
}

// StableHLO spec, if (C1 to C3) and case (C1 to C4).
static void check_branches(rule_context *c, bool is_case) {
  if (!rule_assume_rank(c, 0, 0))
    rule_error(c, "rank", "the %s has rank %u, a scalar is needed", is_case ? "index" : "pred",
               rule_operand(c, 0)->rank);
  const graph_op *op = &c->graph->ops[c->op];
  if (op->region_count == 0) rule_error(c, "region", "there is no branch");
  for (uint32_t i = 0; i < op->region_count; i++) {
    const graph_block *b = first_block(c, i);
    if (b && b->argument_count)
      rule_error(c, "region", "branch #%u takes %u values, a branch takes none", i,
                 b->argument_count);
  }
}

rule_status rule_control(rule_context *c) {
  switch (c->row->param) {
  case CONTROL_WHILE: check_while(c); break;
  case CONTROL_IF: check_branches(c, false); break;
  case CONTROL_CASE: check_branches(c, true); break;
  default: break;
  }
  return RULE_DONE;
}

rule_status rule_unknown(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_UNKNOWN;
}
