// SPDX-License-Identifier: Apache-2.0
// gather and dynamic_gather: slices of an operand at positions that an operand gives (StableHLO spec, gather (C1..C22)).
#include <assert.h>

#include "solver/ops/rules/stablehlo/indexing.h"

static const indexing_names names = {"dimension_numbers",           "offset_dims",
                                     "collapsed_slice_dims",        "operand_batching_dims",
                                     "start_indices_batching_dims", "start_index_map"};

// Dims of a slice per axis of the operand, or NULL when their number is not known.
static const term_id *slice_sizes(rule_context *c, uint32_t *count) {
  if (c->row->param == FORM_DYNAMIC) return rule_size_elements(c, 2, count);
  const int64_t *values;
  if (!rule_ints(c, "slice_sizes", &values, count)) return NULL;
  term_id *sizes = arena_alloc(c->arena, ((size_t)*count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < *count; i++) sizes[i] = rule_int_term(c, values[i]);
  return sizes;
}

static bool check_sizes(rule_context *c, const indexing *x, const value_info *operand,
                        const term_id *sizes) {
  bool fine = true;
  for (uint32_t i = 0; i < operand->rank; i++) {
    fine = rule_require(c, predicate_make(REL_GE, sizes[i], TERM_ZERO),
                        "a slice has no negative dim") &&
           fine;
    fine = rule_require(c, predicate_make(REL_LE, sizes[i], operand->dims[i]),
                        "a slice fits into the operand") &&
           fine;
    if (!indexing_keeps(x, i))
      fine = rule_require(c, predicate_make(REL_LE, sizes[i], TERM_ONE),
                          "a slice has one element along an axis that goes") &&
             fine;
  }
  return fine;
}

// --- elements: where the operand's are tracked and the positions are constants

typedef struct gather_fold {
  const indexing *x;
  const value_info *operand, *indices;
  int64_t shape[ELEMENTS_MAX_RANK], stride[ELEMENTS_MAX_RANK];  // of the operand
  int64_t indices_stride[ELEMENTS_MAX_RANK];
  int64_t size[ELEMENTS_MAX_RANK];   // of a slice
  uint32_t kept[ELEMENTS_MAX_RANK];  // operand axis of each window axis
} gather_fold;

// The operand's element for one of the result; false where a position is no constant.
static bool source_of(rule_context *c, const gather_fold *f, const int64_t *at, uint32_t rank,
                      int64_t *from) {
  assert(rank <= ELEMENTS_MAX_RANK);
  int64_t batch[ELEMENTS_MAX_RANK], start[ELEMENTS_MAX_RANK] = {0};
  const indexing *x = f->x;
  int64_t base = 0;
  uint32_t axis = 0, window = 0;
  *from = 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (axis_in(x->window, i)) {
      *from += at[i] * f->stride[f->kept[window++]];
      continue;
    }
    if ((int64_t)axis == x->vector) axis++;
    batch[axis] = at[i];
    base += at[i] * f->indices_stride[axis++];
  }
  for (uint32_t i = 0; i < x->map.count; i++) {
    int64_t step = x->vector < (int64_t)f->indices->rank ? f->indices_stride[x->vector] : 0, value;
    int64_t index = base + i * step;
    if (index < 0 || index >= (int64_t)f->indices->element_count) return false;
    term_id position = f->indices->elements[index];
    if (position == TERM_NONE || !term_int_value(c->terms, store_canon(c->store, position), &value))
      return false;
    int64_t most = f->shape[x->map.axes[i]] - f->size[x->map.axes[i]];
    start[x->map.axes[i]] = value < 0 ? 0 : value > most ? most : value;
  }
  for (uint32_t i = 0; i < x->batching.count; i++)
    start[x->batching.axes[i]] = batch[x->indices_batching.axes[i]];
  for (uint32_t i = 0; i < f->operand->rank; i++) *from += start[i] * f->stride[i];
  return true;
}

static void fold(rule_context *c, const indexing *x, const term_id *sizes) {
  gather_fold f = {.x = x, .operand = rule_operand(c, 0), .indices = rule_operand(c, 1)};
  const value_info *result = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t out_shape[ELEMENTS_MAX_RANK], indices_shape[ELEMENTS_MAX_RANK],
      at[ELEMENTS_MAX_RANK] = {0};
  uint32_t total, indices_total, out_total, window = 0;
  if (!f.operand->elements || !f.indices->elements ||
      !elements_shape(c, f.operand, f.shape, &total) || total != f.operand->element_count ||
      !elements_shape(c, f.indices, indices_shape, &indices_total) ||
      indices_total != f.indices->element_count ||
      !elements_shape(c, result, out_shape, &out_total))
    return;
  if (result->rank != f.indices->rank - (x->vector < (int64_t)f.indices->rank) + x->window.count)
    return;
  for (uint32_t i = 0; i < f.operand->rank; i++) {
    if (!term_int_value(c->terms, store_canon(c->store, sizes[i]), &f.size[i]) ||
        f.size[i] > f.shape[i])
      return;
    if (indexing_keeps(x, i)) f.kept[window++] = i;
  }
  if (window != x->window.count) return;
  elements_strides(f.shape, f.operand->rank, f.stride);
  elements_strides(indices_shape, f.indices->rank, f.indices_stride);
  if (!budget_spend(c->budget, out_total + 1)) return;
  term_id *out = arena_alloc(c->arena, ((size_t)out_total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < out_total; i++) {
    int64_t from;
    bool known = source_of(c, &f, at, result->rank, &from) && from >= 0 && from < (int64_t)total;
    out[i] = known ? f.operand->elements[from] : TERM_NONE;
    elements_next(at, out_shape, result->rank);
  }
  rule_set_elements(c, 0, out, out_total);
}

rule_status rule_gather(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  indexing x;
  uint32_t count = 0;
  bool fine = indexing_read(c, &names, 0, 1, &x);
  const value_info *operand = rule_operand(c, 0), *indices = rule_operand(c, 1);
  const term_id *sizes = slice_sizes(c, &count);
  if (indices->ranked) {  // (C5): the rank that the result has by the numbers
    int64_t rank = (int64_t)x.window.count + indices->rank -
                   (x.vector >= 0 && x.vector < (int64_t)indices->rank);
    fine = verify_in_range(c, "offset_dims", x.window, rank) && fine;
  }
  if (sizes && operand->ranked && count != operand->rank) {  // (C20)
    rule_error(c, "attribute", "slice_sizes has %u elements, the operand has rank %u", count,
               operand->rank);
    sizes = NULL;
    fine = false;
  }
  if (!fine || !operand->ranked || !indices->ranked) {
    if (sizes && operand->ranked) check_sizes(c, &x, operand, sizes);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (sizes) {
    term_id *known = arena_alloc(c->arena, ((size_t)count + 1) * sizeof(term_id));
    for (uint32_t i = 0; i < count; i++)
      known[i] = sizes[i] == TERM_NONE ? rule_fresh_size(c) : sizes[i];
    sizes = known;
    if (!check_sizes(c, &x, operand, sizes)) {
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
  }
  term_id *batch = arena_alloc(c->arena, ((size_t)indices->rank + 1) * sizeof(term_id));
  uint32_t batches = indexing_batch_sizes(c, &x, 1, batch), rank = batches + x.window.count;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof(term_id));
  uint32_t axis = 0, at = 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (!axis_in(x.window, i)) {
      dims[i] = batch[at++];
      continue;
    }
    while (!indexing_keeps(&x, axis)) axis++;
    dims[i] = sizes ? sizes[axis] : rule_fresh_size(c);
    axis++;
  }
  rule_set_dims(c, 0, dims, rank);
  if (sizes) fold(c, &x, sizes);
  return RULE_DONE;
}
