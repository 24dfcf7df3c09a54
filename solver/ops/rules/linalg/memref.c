// SPDX-License-Identifier: Apache-2.0
// Buffers and tensors: what passes dims on, slices, padding, gathers and metadata (MemRefOps.td, TensorOps.td,
// BufferizationOps.td). A memref's dims never change; its elements are not followed.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

static const char INDEX_INSIDE[] = "an index is within its dim";

// Casts, clones, barriers: the result has the dims of an operand, or those that its type says.
rule_status rule_pass(rule_context *c) {
  uint32_t operands = rule_operand_count(c), last = operands - 1;
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    if (!operands || c->row->param == PASS_DECLARED || i) {
      rule_set_unknown(c, i);
    } else {
      rule_set_value(c, i, rule_operand(c, c->row->param == PASS_LAST_OPERAND ? last : 0));
    }
  }
  return RULE_DONE;
}

// copy, materialize_in_destination: both operands have one shape, which is that of the result.
rule_status rule_same_shape(rule_context *c) {
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (a->ranked && b->ranked)
    rule_require_same_shape(c, 0, 1, "source and destination have one shape");
  if (rule_result_count(c)) rule_set_dims_like(c, 0, b);
  return RULE_DONE;
}

void linalg_check_sizes(rule_context *c, uint32_t first) {
  const graph_type *t = rule_result_type(c, 0);
  uint32_t dynamic = 0, begin, given = rule_operand_count(c) - first;
  if (!t || t->kind != TYPE_TENSOR) return;
  for (uint32_t i = 0; i < t->rank; i++) dynamic += t->dims[i] < 0;
  if (!first) linalg_segment(c, 0, &begin, &given);
  if (given != dynamic)
    rule_error(c, "operand-count", "%u dims are given, the result type has %u that are not known",
               given, dynamic);
}

bool linalg_static_agrees(rule_context *c, const char *list, const graph_type *type,
                          uint32_t from) {
  const int64_t *values;
  uint32_t count;
  if (rule_attr(c, list) == ATTR_NONE || !rule_ints(c, list, &values, &count)) return false;
  for (uint32_t i = 0; i < count && from + i < type->rank; i++) {
    if ((values[i] == DIM_DYNAMIC) == (type->dims[from + i] < 0)) continue;
    rule_error(c, "declared-type", "dim %u of the type is %s, that of the list is %s", from + i,
               type->dims[from + i] < 0 ? "dynamic" : "a number",
               type->dims[from + i] < 0 ? "a number" : "dynamic");
    return false;
  }
  return true;
}

// Operands first... index the operand `shaped`.
static void require_indices(rule_context *c, uint32_t shaped, uint32_t first) {
  const value_info *v = rule_operand(c, shaped);
  uint32_t count = rule_operand_count(c) - first;
  if (!v->ranked) {
    rule_unchecked(c, INDEX_INSIDE, "the rank is not known");
    return;
  }
  if (count != v->rank) {
    rule_error(c, "operand-count", "%u indices for an operand of rank %u", count, v->rank);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    term_id index = linalg_scalar(c, first + i);
    if (index == TERM_NONE) {
      rule_unchecked(c, INDEX_INSIDE, "the index is computed from data");
      continue;
    }
    rule_require(c, predicate_make(REL_GE, index, TERM_ZERO), INDEX_INSIDE);
    rule_require(c, predicate_make(REL_LT, index, v->dims[i]), INDEX_INSIDE);
  }
}

rule_status rule_load(rule_context *c) {
  require_indices(c, 0, 1);
  linalg_set_scalar(c, 0, TERM_NONE);
  return RULE_DONE;
}

// memref.store; tensor.insert, whose result is like its destination.
rule_status rule_store(rule_context *c) {
  require_indices(c, 1, 2);
  if (rule_result_count(c)) rule_set_dims_like(c, 0, rule_operand(c, 1));
  return RULE_DONE;
}

// The dims of the result leave out axes of the static dim 1 (isRankReducedType): the first that match.
static bool reduced(rule_context *c, const term_id *all, uint32_t count, term_id *out) {
  const graph_type *t = rule_result_type(c, 0);
  uint32_t rank = 0;
  if (!t || t->kind != TYPE_TENSOR || t->rank > count) return false;
  for (uint32_t i = 0; i < count; i++) {
    int64_t size;
    bool number = term_int_value(c->terms, all[i], &size), all_left = t->rank - rank == count - i;
    int64_t declared = rank < t->rank ? t->dims[rank] : -1;
    if (rank < t->rank && (all_left || (number ? declared == size : !dim_is_static(declared)))) {
      out[rank++] = all[i];
    } else if (!number || size != 1) {
      return false;
    }
  }
  return rank == t->rank;
}

// 1 where every size but that of `except` is at least 1, else 0.
static term_id all_positive(rule_context *c, const term_id *sizes, uint32_t count,
                            uint32_t except) {
  term_id least = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) {
    if (i != except && !math_is_positive(c, sizes[i])) least = term_min(c->terms, least, sizes[i]);
  }
  return least;
}

static const char SLICE_INSIDE[] = "a slice ends within its operand";

// What a stride that may be below 0 requires besides: the last index, which may be the least, is >= 0, and the first, which
// may be the greatest, is below the dim. A slice without elements has steps = 0 and some = 0.
static void inside_downwards(rule_context *c, term_id run, term_id offset, term_id last,
                             term_id some, term_id dim) {
  rule_require(c, predicate_make(REL_GE, term_mul(c->terms, run, last), TERM_ZERO), SLICE_INSIDE);
  term_id end = term_mul(c->terms, run, term_add(c->terms, offset, some));
  rule_require(c, predicate_make(REL_LE, end, dim), SLICE_INSIDE);
}

// Slices of operand `shaped`. What is read is checked along each axis alone: 0 <= offset and offset + length <= dim, with
// length = (size - 1) * stride + 1, or 0 where size is; where nothing is written nothing is required.
void slice_inside(rule_context *c, uint32_t shaped, const slice_lists *s, bool writes) {
  const value_info *in = rule_operand(c, shaped);
  assert(in->ranked && in->rank == s->count);
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->offsets[i] == TERM_NONE || s->strides[i] == TERM_NONE) {
      rule_unchecked(c, SLICE_INSIDE, "an offset or a stride is not known");
      continue;
    }
    bool up = store_holds(c->store, predicate_make(REL_GE, s->strides[i], TERM_ZERO)) == SHAPE_YES;
    bool exact = s->strides[i] == TERM_ONE || math_is_positive(c, s->sizes[i]) || writes;
    term_id steps = term_sub(c->terms, s->sizes[i], TERM_ONE), some = TERM_ONE;
    if (!exact && !up) {
      steps = math_max(c, steps, TERM_ZERO);
      some = term_min(c->terms, s->sizes[i], TERM_ONE);
    }
    term_id reach = term_mul(c->terms, steps, s->strides[i]);
    term_id length = term_add(c->terms, reach, some);
    if (!exact && up) length = math_max(c, length, TERM_ZERO);
    // From 0 on, side by side: a size of 0 ends at 0, which is inside.
    bool plain = s->offsets[i] == TERM_ZERO && s->strides[i] == TERM_ONE;
    term_id run = writes ? all_positive(c, s->sizes, s->count, plain ? i : s->count) : TERM_ONE;
    term_id end = term_mul(c->terms, run, term_add(c->terms, s->offsets[i], length));
    rule_require(c, predicate_make(REL_GE, term_mul(c->terms, run, s->offsets[i]), TERM_ZERO),
                 "a slice starts at 0 or later");
    rule_require(c, predicate_make(REL_LE, end, in->dims[i]), SLICE_INSIDE);
    if (up) continue;
    inside_downwards(c, run, s->offsets[i], term_add(c->terms, s->offsets[i], reach), some,
                     in->dims[i]);
  }
}

bool slice_read(rule_context *c, uint32_t first, slice_lists *s) {
  uint32_t next = first, sizes, strides;
  s->offsets = linalg_mixed(c, "static_offsets", &next, &s->count);
  const term_id *given = s->offsets ? linalg_mixed(c, "static_sizes", &next, &sizes) : NULL;
  s->strides = given ? linalg_mixed(c, "static_strides", &next, &strides) : NULL;
  if (!s->strides || sizes != s->count || strides != s->count) return false;
  s->sizes = elements_as_sizes(c, given, s->count, "a dim of a slice is >= 0");
  return true;
}

rule_status rule_subview(rule_context *c) {
  slice_lists s;
  const value_info *in = rule_operand(c, 0);
  if (!slice_read(c, 1, &s)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (in->ranked && in->rank != s.count) {
    rule_error(c, "attribute-length", "%u offsets for an operand of rank %u", s.count, in->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (in->ranked) slice_inside(c, 0, &s, false);
  term_id *dims = arena_alloc(c->arena, (s.count + 1) * sizeof(term_id));
  const graph_type *t = rule_result_type(c, 0);
  if (reduced(c, s.sizes, s.count, dims)) {
    rule_set_dims(c, 0, dims, t->rank);
  } else {
    if (t && t->kind == TYPE_TENSOR)
      rule_error(c, "declared-type", "the result type is no slice, nor one of lower rank");
    rule_set_unknown(c, 0);
  }
  return RULE_DONE;
}

// memref.reshape: the dims are elements of a buffer, which are not followed.
rule_status rule_memref_reshape(rule_context *c) {
  const graph_type *t = rule_result_type(c, 0);
  const value_info *shape = rule_operand(c, 1);
  rule_unchecked(c, "the number of elements stays", "the dims are read from a buffer");
  if (t && t->kind == TYPE_TENSOR && shape->ranked && shape->rank == 1)
    rule_require_eq(c, shape->dims[0], term_int(c->terms, t->rank),
                    "a shape has the rank's entries");
  rule_set_unknown(c, 0);
  return RULE_DONE;
}

// insert_slice and parallel_insert_slice: the source has the dims of the slice, inside of the destination.
rule_status rule_insert_slice(rule_context *c) {
  slice_lists s;
  const value_info *from = rule_operand(c, 0), *to = rule_operand(c, 1);
  bool known = slice_read(c, 2, &s);
  if (known && to->ranked && to->rank != s.count) {
    rule_error(c, "attribute-length", "%u offsets for an operand of rank %u", s.count, to->rank);
    known = false;
  }
  if (known && to->ranked) slice_inside(c, 1, &s, true);
  if (known && from->ranked && from->rank > s.count)
    rule_error(c, "rank", "a source of rank %u is larger than the slice of rank %u", from->rank,
               s.count);
  if (known && from->ranked && from->rank == s.count) {
    for (uint32_t i = 0; i < s.count; i++)
      rule_require_eq(c, from->dims[i], s.sizes[i], "what is inserted has the dims of the slice");
  }
  if (!known) rule_unchecked(c, SLICE_INSIDE, "the slice is not known");
  if (rule_result_count(c)) rule_set_dims_like(c, 0, to);
  return RULE_DONE;
}

// reinterpret_cast: nothing ties the result to its source.
rule_status rule_reinterpret(rule_context *c) {
  uint32_t next = 1, offsets, count;
  const term_id *ignored = linalg_mixed(c, "static_offsets", &next, &offsets);
  const term_id *sizes = ignored ? linalg_mixed(c, "static_sizes", &next, &count) : NULL;
  rule_unchecked(c, "the result is within the buffer", "nothing says how large that is");
  if (!sizes) {
    rule_set_unknown(c, 0);
  } else {
    rule_set_dims(c, 0, elements_as_sizes(c, sizes, count, "a dim is >= 0"), count);
  }
  return RULE_DONE;
}

// `?` of the declared type are operands from `first` on, in order.
static void dims_of_operands(rule_context *c, uint32_t first) {
  const graph_type *t = rule_result_type(c, 0);
  if (!t || t->kind != TYPE_TENSOR) {
    rule_set_unknown(c, 0);
    return;
  }
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (t->dims[i] != DIM_DYNAMIC) continue;
    term_id size = linalg_scalar(c, first++);
    dims[i] = *elements_as_sizes(c, &size, 1, "a dim is >= 0");
  }
  rule_set_dims(c, 0, dims, t->rank);
}

// memref.view (after the shift), memref.realloc (after the buffer), bufferization.alloc_tensor (all, or a copy).
rule_status rule_view(rule_context *c) {
  uint32_t first, count;
  if (linalg_segment(c, 1, &first, &count) && count == 1 && !c->row->param) {
    rule_set_dims_like(c, 0, rule_operand(c, first));
    return RULE_DONE;
  }
  linalg_check_sizes(c, c->row->param);
  if (c->row->param == 2)
    rule_unchecked(c, "the result is within the buffer", "how many bytes that has is not followed");
  dims_of_operands(c, c->row->param);
  return RULE_DONE;
}

// The base of rank 0, the offset, the dims and the strides of a memref; those of a layout that is written are not known.
rule_status rule_metadata(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  const graph_type *t = rule_operand_type(c, 0);
  uint32_t count = rule_result_count(c);
  bool plain = t && t->kind == TYPE_TENSOR && t->encoding == NAME_NONE;
  for (uint32_t i = 0; i < count; i++) rule_set_dims(c, i, NULL, 0);
  if (in->ranked && count != 2 + 2 * in->rank) {
    rule_error(c, "result-count", "%u results for a memref of rank %u", count, in->rank);
    return RULE_DONE;
  }
  if (plain && count > 1) linalg_set_scalar(c, 1, TERM_ZERO);
  term_id stride = TERM_ONE;
  for (uint32_t i = in->ranked ? in->rank : 0; i-- > 0;) {
    linalg_set_scalar(c, 2 + i, in->dims[i]);
    if (plain) linalg_set_scalar(c, 2 + in->rank + i, stride);
    stride = term_mul(c->terms, stride, in->dims[i]);
  }
  return RULE_DONE;
}

// (i, j) -> (j, i)
rule_status rule_memref_transpose(rule_context *c) {
  affine_map m;
  const value_info *in = rule_operand(c, 0);
  bool known = affine_map_read(c, rule_attr(c, "permutation"), &m) && in->ranked &&
               m.inputs == in->rank && m.result_count == in->rank;
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; known && i < in->rank; i++) {
    uint32_t axis = affine_input(&m, i);
    known = axis != ID_NONE;
    if (known) dims[i] = in->dims[axis];
  }
  if (known) {
    rule_set_dims(c, 0, dims, in->rank);
  } else {
    rule_set_unknown(c, 0);
  }
  return RULE_DONE;
}

// low + dim + high. That these are at least 0 is stated nowhere; that the sum is one is what a dim is.
rule_status rule_tensor_pad(rule_context *c) {
  uint32_t next = 1, low_count, high_count;
  const value_info *in = rule_operand(c, 0);
  const term_id *low = linalg_mixed(c, "static_low", &next, &low_count);
  const term_id *high = low ? linalg_mixed(c, "static_high", &next, &high_count) : NULL;
  if (!high || !in->ranked || low_count != in->rank || high_count != in->rank) {
    if (high && in->ranked)
      rule_error(c, "attribute-length", "%u and %u paddings for an operand of rank %u", low_count,
                 high_count, in->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) {
    bool known = low[i] != TERM_NONE && high[i] != TERM_NONE;
    dims[i] =
        known ? term_add(c->terms, in->dims[i], term_add(c->terms, low[i], high[i])) : TERM_NONE;
  }
  rule_set_dims(c, 0, elements_as_sizes(c, dims, in->rank, "a padded dim is >= 0"), in->rank);
  return RULE_DONE;
}

// The dims of the indices but the last, then those of the source, gathered ones 1 or left out.
rule_status rule_tensor_gather(rule_context *c) {
  const value_info *in = rule_operand(c, 0), *indices = rule_operand(c, 1);
  const graph_type *t = rule_result_type(c, 0);
  const int64_t *axes;
  uint32_t count, rank = 0;
  bool known = rule_ints(c, "gather_dims", &axes, &count) && in->ranked && indices->ranked &&
               indices->rank && t && t->kind == TYPE_TENSOR;
  for (uint32_t i = 0; known && i < count; i++) {
    if (axes[i] >= 0 && axes[i] < (int64_t)in->rank && (!i || axes[i - 1] < axes[i])) continue;
    rule_error(c, "axis", "gather_dims are no axes of rank %u in order", in->rank);
    known = false;
  }
  bool keeps = known && t->rank == indices->rank - 1 + in->rank;
  if (!known || (!keeps && t->rank + count != indices->rank - 1 + in->rank)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  rule_unchecked(c, INDEX_INSIDE, "the indices are computed from data");
  rule_require_eq(c, indices->dims[indices->rank - 1], term_int(c->terms, count),
                  "the last dim of the indices counts gather_dims");
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i + 1 < indices->rank; i++) dims[rank++] = indices->dims[i];
  for (uint32_t axis = 0, k = 0; axis < in->rank; axis++) {
    bool gathered = k < count && axes[k] == (int64_t)axis;
    k += gathered;
    if (!gathered || keeps) dims[rank++] = gathered ? TERM_ONE : in->dims[axis];
  }
  assert(rank == t->rank);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
