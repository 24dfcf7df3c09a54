// SPDX-License-Identifier: Apache-2.0
// What operations with regions require of their operands and of the form of their regions. Infer follows the regions
// and sets the results.
#include "solver/ops/destinations.h"
#include "solver/ops/requires.h"
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

// SCFOps.td, while: the first region takes the operands and hands on what the second one takes and the loop gives.
static void check_scf_while(rule_context *c) {
  const uint32_t carried[2] = {rule_operand_count(c), rule_result_count(c)};
  if (c->graph->ops[c->op].region_count != 2)
    rule_error(c, "region", "%u regions, two are needed", c->graph->ops[c->op].region_count);
  for (uint32_t i = 0; i < 2; i++) {
    const graph_block *b = first_block(c, i);
    if (b && b->argument_count != carried[i])
      rule_error(c, "region", "the %s takes %u values, it gets %u", i ? "body" : "condition",
                 b->argument_count, carried[i]);
  }
  const graph_block *b = first_block(c, 0);
  const graph_op *end = b && b->last != ID_NONE ? &c->graph->ops[b->last] : NULL;
  if (!end || end->operand_count != carried[1] + 1)
    rule_error_in(c, b ? (block_id)(b - c->graph->blocks) : ID_NONE, "region",
                  "the condition ends in %u values, a bool and %u are needed",
                  end ? end->operand_count : 0, carried[1]);
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

// CHLO, rank_specialization_cluster: one region, which takes the operands and returns the results.
static void check_cluster(rule_context *c) {
  uint32_t regions = c->graph->ops[c->op].region_count;
  const graph_block *b = first_block(c, 0);
  const graph_op *end = b && b->last != ID_NONE ? &c->graph->ops[b->last] : NULL;
  if (regions != 1) rule_error(c, "region", "%u regions, one is needed", regions);
  if (b && b->argument_count != rule_operand_count(c))
    rule_error(c, "region", "the region takes %u values, it gets %u", b->argument_count,
               rule_operand_count(c));
  if (b && (end ? end->operand_count : 0) != rule_result_count(c))
    rule_error(c, "region", "the region returns %u values for %u results",
               end ? end->operand_count : 0, rule_result_count(c));
}

// LMHLO, while: a region that writes the condition, and one that is run while it holds; both work on buffers.
static void check_lmhlo_while(rule_context *c) {
  uint32_t count = c->graph->ops[c->op].region_count;
  if (count != 2) rule_error(c, "region", "%u regions, two are needed", count);
  for (uint32_t i = 0; i < count; i++) {
    const graph_block *b = first_block(c, i);
    if (b && b->argument_count)
      rule_error(c, "region", "region #%u takes %u values, none is needed", i, b->argument_count);
  }
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    if (v->ranked && v->rank)
      rule_error(c, "rank", "the condition has rank %u, a scalar is needed", v->rank);
  }
}

// TorchOps.td, prim.Loop: trips and a condition, then what is carried; the body takes the trip and what is carried.
static void check_prim_loop(rule_context *c) {
  uint32_t count = rule_operand_count(c);
  const graph_block *b = first_block(c, 0);
  if (count < 2 || rule_result_count(c) != count - 2)
    rule_error(c, "operand-count", "%u operands for %u results", count, rule_result_count(c));
  else if (b && b->argument_count != count - 1)
    rule_error(c, "region", "the body takes %u values, the loop carries %u", b->argument_count,
               count - 2);
}

rule_status rule_control(rule_context *c) {
  switch (c->row->param) {
  case CONTROL_WHILE: check_while(c); break;
  case CONTROL_SCF_WHILE: check_scf_while(c); break;
  case CONTROL_IF: check_branches(c, false); break;
  case CONTROL_CASE: check_branches(c, true); break;
  case CONTROL_LMHLO_WHILE: check_lmhlo_while(c); break;
  case CONTROL_PRIM_LOOP: check_prim_loop(c); break;
  case CONTROL_CLUSTER: check_cluster(c); break;
  default: break;
  }
  return RULE_DONE;
}

// while_loop and scan of torch.higher_order: regions where the reader of the program followed their graphs.
rule_status rule_torch_loop(rule_context *c) {
  return c->graph->ops[c->op].region_count ? rule_control(c) : rule_unknown(c);
}

// Results beyond those of the destinations are unknown, and so is which regions run.
rule_status rule_unknown(rule_context *c) {
  const shape_graph *g = c->graph;
  uint32_t operands = rule_operand_count(c), result = 0;
  for (uint32_t i = operands - op_destinations(g, c->op); i < operands; i++) {
    if (destination_is_tensor(&g->types, g->values[graph_operand(g, c->op, i)].type))
      rule_set_dims_like(c, result++, rule_operand(c, i));
  }
  assert(result <= rule_result_count(c));
  if (g->ops[c->op].region_count && !c->again && regions_may_require(g, c->op))
    rule_unchecked(c, "what its regions require", "nothing is known of the operation around them");
  for (; result < rule_result_count(c); result++) rule_set_unknown(c, result);
  return RULE_UNKNOWN;
}
