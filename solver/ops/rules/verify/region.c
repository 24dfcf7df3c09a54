// SPDX-License-Identifier: Apache-2.0
// Computations that operations take as regions: how many parameters, of which types, and what they return.
#include <assert.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/verify/verify.h"

block_id verify_region_block(rule_context *c, uint32_t index) {
  const graph_op *op = &c->graph->ops[c->op];
  assert(!c->buffers);  // regions on buffers return nothing
  if (index >= op->region_count) {
    rule_error(c, "region", "region #%u is missing", index);
    return ID_NONE;
  }
  const graph_region *region = &c->graph->regions[op->regions + index];
  if (region->block_count != 1) {
    rule_error(c, "region", "region #%u has %u blocks, one is needed", index, region->block_count);
    return ID_NONE;
  }
  return region->first_block;
}

const value_id *verify_block_results(const rule_context *c, block_id block, uint32_t *count) {
  assert(block < c->graph->block_count);
  op_id last = graph_terminator(c->graph, block);
  *count = 0;
  if (last == ID_NONE) return NULL;
  const graph_op *op = &c->graph->ops[last];
  *count = op->operand_count;
  return c->graph->operands + op->operands;
}

static const graph_type *type_of(const rule_context *c, type_id type) {
  return type == TYPE_NONE ? NULL : type_get(&c->graph->types, type);
}

static bool is_tensor(const graph_type *t) {
  return t && (t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED);
}

// The dims of a parameter are, in order, some of those that are left of the input's.
static bool parameter_shape(rule_context *c, const graph_type *argument, uint32_t index,
                            const reducer_spec *spec) {
  if (argument->kind != TYPE_TENSOR) return true;
  if (argument->rank > spec->axis_count) {
    rule_error(c, "region", "parameter #%u of the region has rank %u, at most %u is possible",
               index, argument->rank, spec->axis_count);
    return false;
  }
  uint32_t at = 0;
  for (uint32_t i = 0; i < argument->rank; i++) {
    while (at < spec->axis_count && spec->axes[at] != argument->dims[i] &&
           dim_is_static(spec->axes[at]) && dim_is_static(argument->dims[i]))
      at++;
    if (at++ < spec->axis_count) continue;
    rule_error(c, "region", "parameter #%u of the region has dim %lld, which the input does not",
               index, (long long)argument->dims[i]);
    return false;
  }
  return true;
}

// What the region returns and takes for input `i` (StableHLO spec, reduce (C6) and its kin).
static bool reducer_input(rule_context *c, block_id block, type_id returned, uint32_t i,
                          const reducer_spec *spec) {
  assert(i < spec->count);
  value_id first = c->graph->blocks[block].arguments;
  for (uint32_t half = 0; half < 2; half++) {
    uint32_t index = i + half * spec->count;
    type_id argument = verify_value_type(c, first + index);
    if (argument == TYPE_NONE || verify_types_compatible(c, argument, returned)) continue;
    rule_error(c, "region", "parameter #%u of the region is %s, its result #%u is %s", index,
               verify_type_text(c, argument), i, verify_type_text(c, returned));
    return false;
  }
  if (!verify_promotable(c, spec->inits[i], returned, false)) {
    rule_error(c, "region",
               "result #%u of the region is %s, to which the initial value %s cannot be promoted",
               i, verify_type_text(c, returned), verify_type_text(c, spec->inits[i]));
    return false;
  }
  const graph_type *init = type_of(c, spec->inits[i]), *result = type_of(c, returned);
  if (is_tensor(init) && init->kind == TYPE_TENSOR && result->kind == TYPE_TENSOR &&
      !verify_shapes_compatible(c, spec->inits[i], returned)) {
    rule_error(c, "region", "result #%u of the region is %s, the initial value is %s", i,
               verify_type_text(c, returned), verify_type_text(c, spec->inits[i]));
    return false;
  }
  type_id argument = verify_value_type(c, first + spec->count + i);
  if (!verify_promotable(c, spec->inputs[i], argument, false)) {
    rule_error(c, "region",
               "parameter #%u of the region is %s, to which the elements of %s cannot be promoted",
               spec->count + i, verify_type_text(c, argument),
               verify_type_text(c, spec->inputs[i]));
    return false;
  }
  const graph_type *input = type_of(c, spec->inputs[i]), *taken = type_of(c, argument);
  if (!is_tensor(input) || input->kind == TYPE_UNRANKED || !is_tensor(taken)) return true;
  return parameter_shape(c, taken, spec->count + i, spec);
}

bool verify_reducer_operands(rule_context *c, uint32_t *count) {
  uint32_t operands = rule_operand_count(c);
  *count = operands / 2;
  if (operands == 0 || operands % 2) {
    rule_error(c, "operands", "%u operands: as many initial values as inputs are needed", operands);
    return false;
  }
  if (rule_result_count(c) != *count)
    rule_error(c, "operands", "%u inputs and %u results", *count, rule_result_count(c));
  return true;
}

bool verify_reducer(rule_context *c, uint32_t region, const reducer_spec *spec) {
  if (c->buffers) return true;
  block_id block = verify_region_block(c, region);
  if (block == ID_NONE) return false;
  uint32_t taken = c->graph->blocks[block].argument_count, given;
  if (taken != 2 * spec->count) {
    rule_error(c, "region", "the region takes %u parameters, %u are needed", taken,
               2 * spec->count);
    return false;
  }
  const value_id *results = verify_block_results(c, block, &given);
  if (given != spec->count) {
    rule_error_in(c, block, "region", "the region returns %u values, %u are needed", given,
                  spec->count);
    return false;
  }
  bool fine = true;
  for (uint32_t i = 0; i < given; i++) {
    type_id returned = verify_value_type(c, results[i]);
    if (returned == TYPE_NONE) continue;
    if (!is_tensor(type_of(c, returned))) {
      rule_error(c, "region", "result #%u of the region is %s, a tensor is needed", i,
                 verify_type_text(c, returned));
      fine = false;
      continue;
    }
    if (!reducer_input(c, block, returned, i, spec)) {
      fine = false;
      continue;
    }
    type_id result = verify_result_type(c, i);
    if (spec->check_results && is_tensor(type_of(c, result)) &&
        !verify_elements_compatible(c, returned, result)) {
      rule_error(c, "element-type", "result #%u is %s, the region returns %s", i,
                 verify_type_text(c, result), verify_type_text(c, returned));
      fine = false;
    }
  }
  return fine;
}

void verify_whole_reducer(rule_context *c, uint32_t region, uint32_t count, const int64_t *axes,
                          uint32_t axis_count) {
  assert(count && 2 * count <= rule_operand_count(c));
  type_id few[RULE_FEW], *types = rule_room(c, few, 2 * count);
  for (uint32_t i = 0; i < 2 * count; i++) types[i] = verify_operand_type(c, i);
  reducer_spec spec = {types, types + count, count, axes, axis_count, true};
  verify_reducer(c, region, &spec);
}

bool verify_comparator(rule_context *c, uint32_t region, uint32_t pairs, const char *what) {
  if (c->buffers) return true;
  block_id block = verify_region_block(c, region);
  if (block == ID_NONE) return false;
  const graph_block *b = &c->graph->blocks[block];
  if (b->argument_count != 2 * pairs) {
    rule_error(c, "region", "the %s takes %u parameters, %u are needed", what, b->argument_count,
               2 * pairs);
    return false;
  }
  for (uint32_t i = 0; i < 2 * pairs; i++) {
    type_id argument = verify_value_type(c, b->arguments + i),
            operand = verify_operand_type(c, i / 2);
    const graph_type *t = type_of(c, argument);
    if (!t || operand == TYPE_NONE) continue;
    if (is_tensor(t) && (t->kind == TYPE_UNRANKED || t->rank == 0) &&
        type_same_element(&c->graph->types, argument, operand))
      continue;
    rule_error(c, "region",
               "parameter #%u of the %s is %s, a scalar of the elements of %s is needed", i, what,
               verify_type_text(c, argument), verify_type_text(c, operand));
    return false;
  }
  uint32_t given;
  const value_id *results = verify_block_results(c, block, &given);
  if (given != 1) {
    rule_error_in(c, block, "region", "the %s returns %u values, one is needed", what, given);
    return false;
  }
  type_id returned = verify_value_type(c, results[0]);
  const graph_type *t = type_of(c, returned);
  if (!t || (is_tensor(t) && (t->kind == TYPE_UNRANKED || t->rank == 0) && t->dtype == DTYPE_I1))
    return true;
  rule_error_in(c, block, "region", "the %s returns %s, tensor<i1> is needed", what,
                verify_type_text(c, returned));
  return false;
}

const op_row *verify_reducer_op(const rule_context *c, uint32_t region) {
  const shape_graph *g = c->graph;
  const graph_op *op = &g->ops[c->op];
  if (region >= op->region_count || g->regions[op->regions + region].block_count != 1) return NULL;
  const graph_block *b = &g->blocks[g->regions[op->regions + region].first_block];
  if (b->argument_count != 2 || b->first == ID_NONE || g->ops[b->first].next != b->last ||
      b->first == b->last)
    return NULL;
  const graph_op *only = &g->ops[b->first], *last = &g->ops[b->last];
  if (only->operand_count != 2 || only->result_count != 1 || last->operand_count != 1) return NULL;
  value_id x = g->operands[only->operands], y = g->operands[only->operands + 1];
  bool both =
      (x == b->arguments && y == b->arguments + 1) || (y == b->arguments && x == b->arguments + 1);
  if (!both || g->operands[last->operands] != only->results) return NULL;
  return registry_find(intern_text(&g->names, only->name), intern_length(&g->names, only->name), 0);
}
