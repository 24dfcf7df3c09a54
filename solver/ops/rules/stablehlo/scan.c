// SPDX-License-Identifier: Apache-2.0
// CHLO, scan: a body runs over the slices of its inputs along an axis and hands values on. Operands are inputs, then what
// is handed on first; results are what the slices that the body returns make up, then what is handed on last.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

typedef struct scan_body {
  const graph_block *block;
  const graph_op *end;
  uint32_t inputs, outputs;
} scan_body;

static const graph_type *argument_type(const rule_context *c, const scan_body *b, uint32_t i) {
  return graph_value_type(c->graph, b->block->arguments + i);
}

// An input has one axis more than the argument that gets its slices.
static bool is_input(const rule_context *c, const scan_body *b, uint32_t i) {
  const graph_type *whole = rule_operand_type(c, i), *part = argument_type(c, b, i);
  return whole && part && whole->kind == TYPE_TENSOR && part->kind == TYPE_TENSOR &&
         whole->rank == part->rank + 1;
}

static bool find_body(rule_context *c, scan_body *b) {
  const shape_graph *g = c->graph;
  const graph_op *op = &g->ops[c->op];
  if (op->region_count != 1 || g->regions[op->regions].block_count != 1) return false;
  b->block = &g->blocks[g->regions[op->regions].first_block];
  if (b->block->last == ID_NONE) return false;
  b->end = &g->ops[b->block->last];
  uint32_t operands = rule_operand_count(c), results = rule_result_count(c);
  if (b->block->argument_count != operands || b->end->operand_count != results) {
    rule_error(c, "region", "the body has %u arguments and returns %u values, %u and %u are needed",
               b->block->argument_count, b->end->operand_count, operands, results);
    return false;
  }
  for (b->inputs = 0; b->inputs < operands && is_input(c, b, b->inputs);) b->inputs++;
  uint32_t handed = operands - b->inputs;
  if (handed > results) return false;
  b->outputs = results - handed;
  return true;
}

// The length of the axis that is scanned; TERM_NONE: no input says it.
static term_id scanned(rule_context *c, const scan_body *b, int64_t axis) {
  term_id length = TERM_NONE;
  for (uint32_t i = 0; i < b->inputs; i++) {
    const value_info *in = rule_operand(c, i);
    const graph_type *part = argument_type(c, b, i);
    if (!in->ranked || in->rank != part->rank + 1) continue;
    if (axis >= (int64_t)in->rank) {
      rule_error(c, "axis", "dimension is %lld, operand #%u has rank %u", (long long)axis, i,
                 in->rank);
      return TERM_NONE;
    }
    if (length == TERM_NONE) length = in->dims[axis];
    rule_require_eq(c, length, in->dims[axis], "the scanned dims of the inputs are equal");
    for (uint32_t k = 0; k < part->rank; k++) {
      term_id size = rule_declared_size(c, part->dims[k]);
      if (size == TERM_NONE) {
        rule_unchecked(c, "the body takes a slice of the input", "the body's types have open dims");
      } else {
        rule_require_eq(c, in->dims[k + (k >= (uint64_t)axis)], size,
                        "the body takes a slice of the input");
      }
    }
  }
  return length;
}

static void set_output(rule_context *c, const scan_body *b, uint32_t i, int64_t axis,
                       term_id length) {
  const graph_type *part = graph_value_type(c->graph, c->graph->operands[b->end->operands + i]);
  if (!part || part->kind != TYPE_TENSOR || axis > (int64_t)part->rank) {
    rule_set_unknown(c, i);
    return;
  }
  uint32_t rank = part->rank + 1;
  term_id *dims = arena_alloc(c->arena, rank * sizeof *dims);
  for (uint32_t k = 0; k < rank; k++) {
    term_id size =
        (int64_t)k == axis ? length : rule_declared_size(c, part->dims[k - ((int64_t)k > axis)]);
    dims[k] = size == TERM_NONE ? rule_unknown_size(c, i, rank, k) : size;
  }
  rule_set_dims(c, i, dims, rank);
}

rule_status rule_scan(rule_context *c) {
  scan_body b = {0};
  int64_t axis;
  bool fine = rule_int(c, "dimension", &axis) && axis >= 0 && find_body(c, &b);
  term_id length = fine ? scanned(c, &b, axis) : TERM_NONE;
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    if (!fine) {
      rule_set_unknown(c, i);
    } else if (i < b.outputs) {
      set_output(c, &b, i, axis, length);
    } else {
      // Each round hands on what the first one got.
      rule_set_dims_like(c, i, rule_operand(c, b.inputs + i - b.outputs));
    }
  }
  return RULE_DONE;
}
