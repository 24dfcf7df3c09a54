// SPDX-License-Identifier: Apache-2.0
// slice, real_dynamic_slice, dynamic_slice, dynamic_update_slice. A start, limit or stride is a term, whether it came
// from an attribute or from an operand.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

// Attributes as terms.
static const term_id *terms_of(rule_context *c, const int64_t *values, uint32_t count) {
  term_id *out = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) out[i] = term_int(c->terms, values[i]);
  return out;
}

// StableHLO spec, slice (C3, C4, C5): 0 <= start <= limit <= size, stride >= 1; size (limit - start) / stride, rounded
// up. A limit of size + k with a start that fits says nothing new: what is proven is not recorded.
static term_id slice_size(rule_context *c, term_id size, term_id start, term_id limit,
                          term_id stride) {
  if (start == TERM_NONE || limit == TERM_NONE || stride == TERM_NONE) return TERM_NONE;
  bool fine =
      rule_require(c, predicate_make(REL_GE, start, TERM_ZERO), "a slice starts at 0 or later");
  fine = rule_require(c, predicate_make(REL_LE, start, limit),
                      "a slice starts at its limit or before") &&
         fine;
  fine = rule_require(c, predicate_make(REL_LE, limit, size), "a slice ends within its operand") &&
         fine;
  fine = rule_require(c, predicate_make(REL_GT, stride, TERM_ZERO), "a stride is positive") && fine;
  if (!fine) return TERM_NONE;
  return term_ceildiv(c->terms, term_sub(c->terms, limit, start), stride);
}

void slice_elements(rule_context *c, const term_id *starts, const term_id *strides) {
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t in_shape[ELEMENTS_MAX_RANK], shape[ELEMENTS_MAX_RANK], in_strides[ELEMENTS_MAX_RANK];
  int64_t index[ELEMENTS_MAX_RANK] = {0}, start[ELEMENTS_MAX_RANK], stride[ELEMENTS_MAX_RANK];
  uint32_t in_total, total;
  if (!in->elements || !elements_shape(c, in, in_shape, &in_total) ||
      in_total != in->element_count || !elements_shape(c, out, shape, &total) ||
      out->rank != in->rank)
    return;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!term_int_value(c->terms, store_canon(c->store, starts[i]), &start[i])) return;
    stride[i] = 1;
    if (strides && !term_int_value(c->terms, store_canon(c->store, strides[i]), &stride[i])) return;
    if (start[i] < 0 || start[i] > in_shape[i] || stride[i] < 0) return;
    if (stride[i] > VALUE_MAX_ELEMENTS) stride[i] = VALUE_MAX_ELEMENTS;  // beyond the operand too
    if (shape[i] && start[i] + (shape[i] - 1) * stride[i] >= in_shape[i]) return;
  }
  if (!elements_afford(c, total)) return;
  elements_strides(in_shape, in->rank, in_strides);
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < in->rank; k++) at += (start[k] + index[k] * stride[k]) * in_strides[k];
    elements[i] = in->elements[at];
    elements_next(index, shape, in->rank);
  }
  rule_set_elements(c, 0, elements, total);
}

static rule_status set_slice(rule_context *c, const term_id *starts, const term_id *limits,
                             const term_id *strides, uint32_t count) {
  const value_info *in = rule_operand(c, 0);
  assert(in->rank == count);
  term_id *dims = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) {
    dims[i] = slice_size(c, in->dims[i], starts[i], limits[i], strides[i]);
    if (dims[i] == TERM_NONE) dims[i] = rule_unknown_size(c, 0, count, i);
  }
  rule_set_dims(c, 0, dims, count);
  slice_elements(c, starts, strides);
  return RULE_DONE;
}

rule_status rule_slice(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const int64_t *starts, *limits, *strides;
  uint32_t start_count, limit_count, stride_count;
  if (!rule_ints(c, "start_indices", &starts, &start_count) ||
      !rule_ints(c, "limit_indices", &limits, &limit_count)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (!rule_ints(c, "strides", &strides, &stride_count)) {
    int64_t *ones = arena_alloc(c->arena, (start_count + 1) * sizeof(int64_t));
    for (uint32_t i = 0; i < start_count; i++) ones[i] = 1;
    strides = ones;
    stride_count = start_count;
  }
  if (start_count != limit_count || start_count != stride_count ||
      !rule_assume_rank(c, 0, start_count)) {
    rule_error(c, "attribute-length",
               "start_indices, limit_indices and strides have %u, %u and %u entries for an operand "
               "of rank %u",
               start_count, limit_count, stride_count, rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  const term_id *first = terms_of(c, starts, start_count);
  const term_id *end = terms_of(c, limits, start_count);
  return set_slice(c, first, end, terms_of(c, strides, start_count), start_count);
}

// The dynamic form of slice: operands 1, 2 and 3 are start_indices, limit_indices and strides.
rule_status rule_real_dynamic_slice(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const term_id *parts[3];
  uint32_t counts[3];
  bool known = true;
  for (uint32_t i = 0; i < 3; i++) {
    const value_info *v = rule_operand(c, i + 1);
    if (v->ranked && v->rank != 1) {
      rule_error(c, "rank", "operand #%u has rank %u, not 1", i + 1, v->rank);
      known = false;
      continue;
    }
    parts[i] = rule_size_elements(c, i + 1, &counts[i]);
    known = known && parts[i];
  }
  if (!known) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (counts[0] != counts[1] || counts[0] != counts[2] || !rule_assume_rank(c, 0, counts[0])) {
    rule_error(c, "operand-length",
               "start_indices, limit_indices and strides have %u, %u and %u elements for an "
               "operand of rank %u",
               counts[0], counts[1], counts[2], rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  return set_slice(c, parts[0], parts[1], parts[2], counts[0]);
}

// Start indices of dynamic_slice and dynamic_update_slice: one scalar operand per axis.
static bool check_starts(rule_context *c, uint32_t first, uint32_t rank) {
  if (rule_operand_count(c) != first + rank) {
    rule_error(c, "operand-count", "%u start indices are given for an operand of rank %u",
               rule_operand_count(c) - first, rank);
    return false;
  }
  for (uint32_t i = first; i < rule_operand_count(c); i++) {
    if (rule_assume_rank(c, i, 0)) continue;
    rule_error(c, "rank", "start index #%u is no scalar", i - first);
    return false;
  }
  return true;
}

// Starts after the clamping of the specification: clamp(0, start, size - slice size).
static const term_id *clamped_starts(rule_context *c, uint32_t first, const value_info *whole,
                                     const term_id *part) {
  assert(whole->ranked);
  term_id *starts = arena_alloc(c->arena, (whole->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < whole->rank; i++) {
    uint32_t count;
    const term_id *start = rule_elements(c, first + i, &count);
    if (!start || count != 1 || start[0] == TERM_NONE) return NULL;
    term_id room = term_sub(c->terms, whole->dims[i], part[i]);
    starts[i] = math_min(c, math_max(c, start[0], TERM_ZERO), room);
  }
  return starts;
}

// StableHLO spec, dynamic_slice (C2 to C5): the result has the dims slice_sizes, 0 <= slice_sizes <= sizes.
rule_status rule_dynamic_slice(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const int64_t *sizes;
  uint32_t count;
  if (!rule_ints(c, "slice_sizes", &sizes, &count)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (!rule_assume_rank(c, 0, count)) {
    rule_error(c, "attribute-length", "slice_sizes has %u entries for an operand of rank %u", count,
               rule_operand(c, 0)->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  bool fine = check_starts(c, 1, count);
  const value_info *in = rule_operand(c, 0);
  const term_id *dims = terms_of(c, sizes, count);
  for (uint32_t i = 0; i < count; i++) {
    if (sizes[i] < 0) {
      rule_error(c, "attribute", "slice_sizes holds %lld, which is no dim", (long long)sizes[i]);
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    fine = rule_require(c, predicate_make(REL_LE, dims[i], in->dims[i]),
                        "a slice fits into its operand") &&
           fine;
  }
  rule_set_dims(c, 0, dims, count);
  const term_id *starts = fine && in->elements ? clamped_starts(c, 1, in, dims) : NULL;
  if (starts) slice_elements(c, starts, NULL);
  return RULE_DONE;
}

// Elements of dynamic_update_slice with constant starts: the operand's, with the update's over them.
static void update_elements(rule_context *c, const term_id *starts) {
  const value_info *in = rule_operand(c, 0), *update = rule_operand(c, 1);
  int64_t shape[ELEMENTS_MAX_RANK], own[ELEMENTS_MAX_RANK], strides[ELEMENTS_MAX_RANK];
  int64_t index[ELEMENTS_MAX_RANK] = {0}, start[ELEMENTS_MAX_RANK];
  uint32_t total, own_total;
  if (!in->elements || !update->elements || !elements_shape(c, in, shape, &total) ||
      !elements_shape(c, update, own, &own_total) || total != in->element_count ||
      own_total != update->element_count)
    return;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!term_int_value(c->terms, starts[i], &start[i]) || start[i] < 0 ||
        start[i] + own[i] > shape[i])
      return;
  }
  if (!elements_afford(c, total)) return;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) elements[i] = in->elements[i];
  elements_strides(shape, in->rank, strides);
  for (uint32_t i = 0; i < own_total; i++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < in->rank; k++) at += (start[k] + index[k]) * strides[k];
    elements[at] = update->elements[i];
    elements_next(index, own, in->rank);
  }
  rule_set_elements(c, 0, elements, total);
}

// StableHLO spec, dynamic_update_slice (C1 to C6): the result is like the operand, the update fits into it.
rule_status rule_dynamic_update_slice(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (in->ranked && !rule_assume_rank(c, 1, in->rank)) {
    rule_error(c, "rank", "the update has rank %u, the operand has rank %u",
               rule_operand(c, 1)->rank, in->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  const value_info *update = rule_operand(c, 1);
  if (update->ranked) rule_assume_rank(c, 0, update->rank);
  in = rule_operand(c, 0);
  if (!in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  bool fine = check_starts(c, 2, in->rank);
  for (uint32_t i = 0; i < in->rank; i++) {
    fine = rule_require(c, predicate_make(REL_LE, update->dims[i], in->dims[i]),
                        "the update fits into the operand") &&
           fine;
  }
  rule_set_dims_like(c, 0, in);
  const term_id *starts =
      fine && in->elements && update->elements ? clamped_starts(c, 2, in, update->dims) : NULL;
  if (starts) update_elements(c, starts);
  return RULE_DONE;
}
