// SPDX-License-Identifier: Apache-2.0
// sort, reverse, map, top_k: operations that keep the dims, or all but one.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// --- sort (C1..C5)

// Sorts constants where the comparator is LT or GT of its two parameters, the sort is of one operand of rank 1.
static void fold_sort(rule_context *c) {
  const op_row *row = verify_reducer_op(c, 0);
  uint32_t count;
  const term_id *in = rule_elements(c, 0, &count);
  const value_info *v = rule_operand(c, 0);
  if (!row || row->rule != rule_compare || !in || rule_operand_count(c) != 1 || v->rank != 1 ||
      count > 256)
    return;
  const graph_op *op = &c->graph->ops[c->op];
  const graph_block *block = &c->graph->blocks[c->graph->regions[op->regions].first_block];
  const char *how =
      graph_attr_text(c->graph, graph_attr_named(c->graph, block->first, "comparison_direction"));
  if (!how || (how[0] != 'L' && how[0] != 'G')) return;
  bool swapped = c->graph->operands[c->graph->ops[block->first].operands] != block->arguments;
  bool ascending = (how[0] == 'L') != swapped;
  term_id *out = arena_alloc(c->arena, ((size_t)count + 1) * sizeof(term_id));
  num *values = arena_alloc(c->arena, ((size_t)count + 1) * sizeof(num));
  for (uint32_t i = 0; i < count; i++) {
    num value;
    if (in[i] == TERM_NONE || !term_const_value(c->terms, in[i], &value)) return;
    uint32_t at = i;  // insertion: at most 256 elements
    for (; at > 0 && (ascending ? num_compare(values[at - 1], value) > 0
                                : num_compare(values[at - 1], value) < 0);
         at--) {
      values[at] = values[at - 1];
      out[at] = out[at - 1];
    }
    values[at] = value;
    out[at] = in[i];
  }
  rule_set_elements(c, 0, out, count);
}

bool sort_axis_inside(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  int64_t axis = -1;
  rule_int(c, "dimension", &axis);
  // A scalar has no axis, and -1 is the default: it is left alone (C4).
  if (!in->ranked || (in->rank == 0 && axis == -1) ||
      (axis >= -(int64_t)in->rank && axis < (int64_t)in->rank))
    return true;
  rule_error(c, "axis", "dimension is %lld, which is out of the range [-%u, %u)", (long long)axis,
             in->rank, in->rank);
  return false;
}

rule_status rule_sort(rule_context *c) {
  uint32_t count = rule_operand_count(c);
  bool fine = verify_comparator(c, 0, count, "comparator");
  for (uint32_t i = 1; i < count; i++)
    rule_require_same_shape(c, 0, i, "the operands have the same shape");
  const value_info *in = rule_operand(c, 0);
  fine = sort_axis_inside(c) && fine;
  if (rule_result_count(c) != count)
    rule_error(c, "operands", "%u operands and %u results", count, rule_result_count(c));
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    const value_info *like = rule_operand(c, i < count ? i : 0);
    rule_set_dims_like(c, i, like->ranked ? like : in);
  }
  if (fine) fold_sort(c);
  return RULE_DONE;
}

// --- reverse (C1..C3)

static void fold_reverse(rule_context *c, axis_list axes) {
  uint32_t count, total;
  int64_t shape[ELEMENTS_MAX_RANK], index[ELEMENTS_MAX_RANK] = {0}, stride[ELEMENTS_MAX_RANK];
  const term_id *in = rule_elements(c, 0, &count);
  const value_info *v = rule_operand(c, 0);
  if (!in || !elements_shape(c, v, shape, &total) || total != count) return;
  elements_strides(shape, v->rank, stride);
  term_id *out = arena_alloc(c->arena, ((size_t)total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) {
    int64_t from = 0;
    for (uint32_t k = 0; k < v->rank; k++)
      from += (axis_in(axes, k) ? shape[k] - 1 - index[k] : index[k]) * stride[k];
    out[i] = in[from];
    elements_next(index, shape, v->rank);
  }
  rule_set_elements(c, 0, out, total);
}

rule_status rule_reverse(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  axis_list axes = verify_read_axes(c, "dimensions");
  const value_info *in = rule_operand(c, 0);
  bool fine = verify_in_range(c, "dimensions", axes, in->ranked ? in->rank : VALUE_MAX_RANK);
  fine = verify_distinct(c, "dimensions", axes) && fine;
  rule_set_dims_like(c, 0, in);
  if (fine) fold_reverse(c, axes);
  return RULE_DONE;
}

// --- map (C1..C4)

static void check_map_region(rule_context *c) {
  block_id block = verify_region_block(c, 0);
  if (block == ID_NONE) return;
  uint32_t operands = rule_operand_count(c), given, taken = c->graph->blocks[block].argument_count;
  if (taken != operands) {
    rule_error(c, "region", "the region takes %u parameters, there are %u operands", taken,
               operands);
    return;
  }
  for (uint32_t i = 0; i < operands; i++) {
    type_id argument = verify_value_type(c, c->graph->blocks[block].arguments + i),
            operand = verify_operand_type(c, i);
    if (argument == TYPE_NONE || operand == TYPE_NONE) continue;
    const graph_type *t = type_get(&c->graph->types, argument);
    bool scalar = t->kind == TYPE_UNRANKED || (t->kind == TYPE_TENSOR && t->rank == 0);
    if (scalar && type_same_element(&c->graph->types, argument, operand)) continue;
    rule_error(c, "region",
               "parameter #%u of the region is %s, a scalar of the elements of %s is needed", i,
               verify_type_text(c, argument), verify_type_text(c, operand));
  }
  const value_id *results = verify_block_results(c, block, &given);
  if (given != 1) {
    rule_error_in(c, block, "region", "the region returns %u values, one is needed", given);
    return;
  }
  type_id returned = verify_value_type(c, results[0]), result = verify_result_type(c, 0);
  if (returned == TYPE_NONE) return;
  const graph_type *t = type_get(&c->graph->types, returned);
  if (t->kind != TYPE_UNRANKED && (t->kind != TYPE_TENSOR || t->rank != 0)) {
    rule_error_in(c, block, "region", "the region returns %s, a scalar is needed",
                  verify_type_text(c, returned));
  } else if (result != TYPE_NONE && type_is_tensor(&c->graph->types, result) &&
             !verify_elements_compatible(c, returned, result)) {
    rule_error(c, "element-type", "the result is %s, the region returns %s",
               verify_type_text(c, result), verify_type_text(c, returned));
  }
}

void map_axes_all(rule_context *c) {
  axis_list axes = verify_read_axes(c, "dimensions");
  const value_info *in = rule_operand(c, 0);
  for (uint32_t i = 0; i < axes.count; i++) {
    if (axes.axes[i] == (int64_t)i) continue;
    rule_error(c, "axis", "dimensions has %lld at %u: all axes in order are needed",
               (long long)axes.axes[i], i);
    break;
  }
  if (in->ranked && axes.count != in->rank)
    rule_error(c, "axis", "dimensions has %u axes, the operands have rank %u", axes.count,
               in->rank);
}

rule_status rule_map(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  check_map_region(c);
  for (uint32_t i = 1; i < rule_operand_count(c); i++)
    rule_require_same_shape(c, 0, i, "the operands have the same shape");
  map_axes_all(c);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// --- top_k: CHLO, top_k; the last axis keeps k elements

rule_status rule_top_k(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  int64_t k;
  if (!in->ranked || !rule_int(c, "k", &k) || k < 0) {
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return RULE_DONE;
  }
  if (in->rank == 0) {
    rule_error(c, "rank", "the operand has rank 0, at least 1 is needed");
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return RULE_DONE;
  }
  uint32_t last = in->rank - 1;
  term_id size = rule_int_term(c, k);
  rule_require(c, predicate_make(REL_LE, size, in->dims[last]),
               "the last axis has at least k elements");
  term_id *dims = arena_alloc(c->arena, in->rank * sizeof(term_id));
  for (uint32_t i = 0; i < last; i++) dims[i] = in->dims[i];
  dims[last] = size;
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, in->rank);
  return RULE_DONE;
}
