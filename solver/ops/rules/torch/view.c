// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements and change how they are counted: view, flatten, unflatten, squeeze, expand, repeat.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static const char SAME_ELEMENTS[] = "the number of elements stays the same";

// Entries of a shape; one may be -1.
typedef struct view_plan {
  term_id *dims;
  uint32_t count, holes, hole;
  bool unsure;  // an entry may be -1, or something else
} view_plan;

static void read_plan(rule_context *c, torch_ints sizes, view_plan *p) {
  *p = (view_plan){.dims = arena_alloc(c->arena, ((size_t)sizes.count + 1) * sizeof(term_id)),
                   .count = sizes.count};
  for (uint32_t i = 0; i < sizes.count; i++) {
    int64_t value;
    term_id t = sizes.items[i];
    p->dims[i] = t;
    if (torch_constant(c, t, &value)) {
      if (value == -1) {
        p->holes++;
        p->hole = i;
      } else if (value < 0) {
        rule_error(c, "shape", "the shape has the dim %lld", (long long)value);
        p->unsure = true;
      }
    } else if (t == TERM_NONE || !math_is_nonnegative(c, t)) {
      p->unsure = true;
      p->dims[i] = TERM_NONE;
    }
  }
}

// What -1 denotes: elements over the product of the other dims, which is not 0.
static term_id remaining(rule_context *c, term_id elements, term_id known) {
  term_id quotient;
  elements = store_canon(c->store, elements);
  known = store_canon(c->store, known);
  if (known == TERM_ONE) return elements;
  rule_require(c, predicate_make(REL_GE, known, TERM_ONE), "the dims beside -1 are not 0");
  rule_require(c, predicate_make(REL_DIVISIBLE, elements, known),
               "the elements fill the dims beside -1");
  if (term_divide_exact(c->terms, elements, known, &quotient)) return quotient;
  return math_is_positive(c, known) ? term_floordiv(c->terms, elements, known) : TERM_NONE;
}

// Fills the plan's -1; `elements` is TERM_NONE where it is not known. False where it is undecided.
static bool fill(rule_context *c, view_plan *p, term_id elements) {
  term_id known = TERM_ONE;
  if (p->holes > 1) {
    rule_error(c, "shape", "the shape has -1 more than once");
    return false;
  }
  if (p->unsure || elements == TERM_NONE) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!p->holes || i != p->hole) known = term_mul(c->terms, known, p->dims[i]);
  }
  if (!p->holes) {
    rule_require_eq(c, elements, known, SAME_ELEMENTS);
    return true;
  }
  p->dims[p->hole] = remaining(c, elements, known);
  return p->dims[p->hole] != TERM_NONE;
}

static rule_status set_plan(rule_context *c, view_plan *p, bool known) {
  for (uint32_t i = 0; i < p->count; i++) {
    bool hole = p->holes && (p->holes > 1 || i == p->hole) && !known;
    if (hole || p->dims[i] == TERM_NONE) p->dims[i] = rule_unknown_size(c, 0, p->count, i);
  }
  rule_set_dims(c, 0, p->dims, p->count);
  if (known) return RULE_DONE;
  rule_unchecked(c, SAME_ELEMENTS, TORCH_NOT_KNOWN);
  return RULE_AGAIN;
}

rule_status rule_torch_view(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self"), *other = torch_arg(c, "other");
  torch_ints sizes;
  view_plan plan;
  if (c->row->param == SHAPE_AS) {
    if (in->ranked && other->ranked) {
      term_id elements = torch_numel(c, other);
      rule_require_eq(c, torch_numel(c, in), elements, SAME_ELEMENTS);
    }
    rule_set_dims_like(c, 0, other);
    return in->ranked && other->ranked ? RULE_DONE : torch_unknown(c);
  }
  if (!torch_list(c, "size", &sizes)) return torch_unknown(c);
  read_plan(c, sizes, &plan);
  bool known = fill(c, &plan, in->ranked ? torch_numel(c, in) : TERM_NONE);
  rule_status status = set_plan(c, &plan, known);
  if (in->elements && in->element_count <= VALUE_FRESH_ELEMENTS) rule_share_elements(c, 0, in);
  return status;
}

// Bytes of an element; 0: not known.
static uint32_t width_of(shape_dtype dtype) {
  uint32_t bits = dtype == DTYPE_OTHER || dtype == DTYPE_NONE ? 0 : dtype_bits(dtype);
  return dtype == DTYPE_I1 ? 1 : bits / 8;
}

// c10 ScalarType: the numbers of element types, and their widths.
static uint32_t width_of_number(int64_t type) {
  static const uint8_t WIDTHS[] = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 0, 0, 0, 2};
  return type >= 0 && type < (int64_t)sizeof WIDTHS ? WIDTHS[type] : 0;
}

// view.dtype: the bytes of the last axis are counted anew where the widths differ.
rule_status rule_torch_view_dtype(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  static const char WHOLE[] = "the bytes of the last axis are whole elements";
  const value_info *in = torch_arg(c, "self");
  uint32_t from = width_of(rule_operand_dtype(c, 0)), to = 0;
  int64_t type;
  if (torch_has(c, "dtype") && torch_const(c, "dtype", -1, &type)) to = width_of_number(type);
  if (!to) to = width_of(rule_result_dtype(c, 0));
  if (!in->ranked) return torch_unknown(c);
  if (from && from == to) {
    rule_set_dims_like(c, 0, in);
    return RULE_DONE;
  }
  if (!in->rank || !from || !to) {
    if (from && to) rule_error(c, "rank", "a scalar keeps the width of its element");
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, in, 0), *last = &dims[in->rank - 1];
  if (to > from) {
    term_id ratio = rule_int_term(c, to / from);
    rule_require(c, predicate_make(REL_DIVISIBLE, *last, ratio), WHOLE);
    *last = term_floordiv(c->terms, store_canon(c->store, *last), ratio);
  } else {
    *last = term_mul(c->terms, *last, rule_int_term(c, from / to));
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

rule_status rule_torch_flatten(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t first, last, rank = 0;
  if (!in->ranked) return torch_unknown(c);
  if (!torch_axis(c, "start_dim", 0, in->rank, &first) ||
      !torch_axis(c, "end_dim", -1, in->rank, &last))
    return torch_unknown(c);
  if (first > last) {
    rule_error(c, "axis", "start_dim is after end_dim");
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, in, 1), product = TERM_ONE;
  for (uint32_t i = first; i <= last && i < in->rank; i++)
    product = term_mul(c->terms, product, in->dims[i]);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i < first || i > last) dims[rank++] = in->dims[i];
    if (i == first) dims[rank++] = product;
  }
  if (!in->rank) dims[rank++] = TERM_ONE;
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

rule_status rule_torch_unflatten(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  torch_ints sizes;
  view_plan plan;
  uint32_t axis;
  if (!torch_min_rank(c, in, 1) || !torch_axis(c, "dim", 0, in->rank, &axis) ||
      !torch_list(c, "shape", &sizes))
    return torch_unknown(c);
  read_plan(c, sizes, &plan);
  bool known = fill(c, &plan, in->dims[axis]);
  uint32_t rank = in->rank - 1 + plan.count, at = 0;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i != axis) dims[at++] = in->dims[i];
    for (uint32_t k = 0; i == axis && k < plan.count; k++) {
      bool hole = plan.holes && k == plan.hole && !known;
      if (hole || plan.dims[k] == TERM_NONE) plan.dims[k] = rule_unknown_size(c, 0, rank, at);
      dims[at++] = plan.dims[k];
    }
  }
  rule_set_dims(c, 0, dims, rank);
  if (!known) rule_unchecked(c, SAME_ELEMENTS, TORCH_NOT_KNOWN);
  return known ? RULE_DONE : RULE_AGAIN;
}

// --- squeeze

// 1: the dim is 1, 0: it is not, -1: that is not known.
static int is_one(rule_context *c, term_id dim, bool strict) {
  shape_answer one = store_holds(c->store, predicate_make(REL_EQ, dim, TERM_ONE));
  if (one == SHAPE_UNKNOWN && strict) return 0;
  return one == SHAPE_YES ? 1 : one == SHAPE_NO ? 0 : -1;
}

// Axes that may be 1 or not: the rank that the type declares says which, where it can.
static bool decide(rule_context *c, const value_info *in, const uint8_t *set, int *one) {
  uint32_t open = 0, kept = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    one[i] = set[i] ? is_one(c, in->dims[i], torch_is_strict(c)) : 0;
    open += one[i] < 0;
    kept += one[i] == 0;
  }
  const graph_type *t = rule_result_type(c, 0);
  if (!open) return true;
  if (!t || t->kind != TYPE_TENSOR || (t->rank != kept && t->rank != kept + open)) return false;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (one[i] >= 0) continue;
    one[i] = t->rank == kept;
    rule_require(c, predicate_make(one[i] ? REL_EQ : REL_NE, in->dims[i], TERM_ONE),
                 "the result has its declared rank");
  }
  return true;
}

rule_status rule_torch_squeeze(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  if (!in->ranked) return torch_unknown(c);
  uint8_t *set = arena_zalloc(c->arena, (size_t)in->rank + 1);
  int *one = arena_zalloc(c->arena, ((size_t)in->rank + 1) * sizeof *one);
  if (!torch_axis_set(c, "dim", in->rank, false, set)) return torch_unknown(c);
  if (!decide(c, in, set, one)) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  term_id *dims = torch_dims(c, in, 0);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!one[i]) dims[rank++] = in->dims[i];
  }
  rule_set_dims(c, 0, dims, rank);
  rule_share_elements(c, 0, in);
  return RULE_DONE;
}

rule_status rule_torch_unsqueeze(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  if (!in->ranked || !torch_axis(c, "dim", 0, in->rank + 1, &axis)) return torch_unknown(c);
  term_id *dims = torch_dims(c, in, 1);
  for (uint32_t i = in->rank; i > axis; i--) dims[i] = dims[i - 1];
  dims[axis] = TERM_ONE;
  rule_set_dims(c, 0, dims, in->rank + 1);
  rule_share_elements(c, 0, in);
  return RULE_DONE;
}

// --- expand, repeat

static const char EXPANDS[] = "a dim is expanded from 1, or stays";

rule_status rule_torch_expand(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self"), *other = torch_arg(c, "other");
  torch_ints sizes;
  if (torch_at(c, "other") != UINT32_MAX) {
    if (!other->ranked) return torch_unknown(c);
    sizes = (torch_ints){other->dims, other->rank};
  } else if (!torch_list(c, "size", &sizes)) {
    return torch_unknown(c);
  }
  if (!in->ranked) return torch_unknown(c);
  if (sizes.count < in->rank) {
    rule_error(c, "rank", "a tensor of rank %u is expanded to rank %u", in->rank, sizes.count);
    return torch_unknown(c);
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)sizes.count + 1) * sizeof *dims);
  uint32_t added = sizes.count - in->rank;
  for (uint32_t i = 0; i < sizes.count; i++) {
    term_id entry = sizes.items[i], size = i < added ? TERM_ONE : in->dims[i - added];
    int64_t value;
    bool constant = torch_constant(c, entry, &value);
    if (constant && value == -1 && i >= added) {
      dims[i] = size;
    } else if (constant && value < 0) {
      rule_error(c, "shape", "an axis is expanded to %lld", (long long)value);
      dims[i] = rule_unknown_size(c, 0, sizes.count, i);
    } else if (entry == TERM_NONE || (i >= added && !math_is_nonnegative(c, entry))) {
      rule_unchecked(c, EXPANDS, TORCH_NOT_KNOWN);
      dims[i] = rule_unknown_size(c, 0, sizes.count, i);
    } else {
      value_info one = {.dims = &size, .rank = 1, .ranked = true};
      if (i < added) rule_require(c, predicate_make(REL_GE, entry, TERM_ZERO), EXPANDS);
      if (i >= added) onnx_require_broadcasts(c, &one, &entry, 1, EXPANDS);
      dims[i] = entry;
    }
  }
  rule_set_dims(c, 0, dims, sizes.count);
  return RULE_DONE;
}

// repeat (param 0) and tile (param 1: the shorter of both is padded).
rule_status rule_torch_repeat(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  torch_ints times;
  if (!in->ranked || !torch_list(c, c->row->param ? "dims" : "repeats", &times))
    return torch_unknown(c);
  if (times.count < in->rank && !c->row->param) {
    rule_error(c, "rank", "%u repeats for a tensor of rank %u", times.count, in->rank);
    return torch_unknown(c);
  }
  uint32_t rank = times.count > in->rank ? times.count : in->rank;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t before = rank - times.count, missing = rank - in->rank;
    term_id k = i < before ? TERM_ONE : times.items[i - before];
    term_id size = i < missing ? TERM_ONE : in->dims[i - missing];
    if (k == TERM_NONE) {
      dims[i] = rule_unknown_size(c, 0, rank, i);
      rule_unchecked(c, "repeats are at least 0", TORCH_NOT_KNOWN);
      continue;
    }
    dims[i] = term_mul(c->terms, size, k);
    if (!math_is_nonnegative(c, k))
      rule_require(c, predicate_make(REL_GE, dims[i], TERM_ZERO), "repeats are at least 0");
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// repeat_interleave with one number.
rule_status rule_torch_repeat_interleave(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  term_id k = torch_int(c, "repeats");
  uint32_t axis;
  if (!in->ranked) return torch_unknown(c);
  bool all = !torch_has(c, "dim");
  value_info flat = *in;
  term_id elements = torch_numel(c, in);
  if (all) flat = (value_info){.dims = &elements, .rank = 1, .ranked = true};
  if (!torch_axis(c, "dim", 0, flat.rank, &axis)) return torch_unknown(c);
  if (torch_has(c, "output_size"))  // but where there is nothing to repeat
    rule_unchecked(c, "the repeats add up to output_size", TORCH_NOT_KNOWN);
  term_id *dims = torch_dims(c, &flat, 1);
  if (k == TERM_NONE || torch_is_tensor(c, torch_at(c, "repeats"))) {
    const value_info *each = torch_arg(c, "repeats");
    if (each->ranked && each->rank == 1 && flat.rank) {  // as many as the axis has, or one for all
      onnx_require_broadcasts(c, each, &flat.dims[axis], 1, "there is a repeat for each element");
    } else if (!each->ranked || each->rank) {
      rule_unchecked(c, "there is a repeat for each element", TORCH_NOT_KNOWN);
    }
    if (flat.rank) dims[axis] = rule_unknown_size(c, 0, flat.rank, axis);
  } else {
    rule_require(c, predicate_make(REL_GE, k, TERM_ZERO), "repeats are at least 0");
    if (!flat.rank) {
      dims[0] = TERM_ONE;
      flat.rank = 1;
    }
    dims[axis] = term_mul(c->terms, dims[axis], k);
  }
  rule_set_dims(c, 0, dims, flat.rank);
  return RULE_DONE;
}

rule_status rule_torch_atleast(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return torch_unknown(c);
  term_id dims[3] = {TERM_ONE, TERM_ONE, TERM_ONE};
  if (in->rank >= c->row->param) {
    rule_set_dims_like(c, 0, in);
    return RULE_DONE;
  }
  uint32_t first = in->rank == 1 ? 1 : 0;  // atleast_2d: [1, d]; atleast_3d: [1, d, 1], [a, b, 1]
  for (uint32_t i = 0; i < in->rank; i++) dims[first + i] = in->dims[i];
  rule_set_dims(c, 0, dims, c->row->param);
  return RULE_DONE;
}

rule_status rule_torch_broadcast_tensors(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count;
  const value_info *parts = torch_parts(c, "tensors", &count);
  value_info out;
  if (!parts) return torch_unknown(c);
  const value_info **shapes = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *shapes);
  for (uint32_t i = 0; i < count; i++) shapes[i] = &parts[i];
  if (!torch_broadcast(c, shapes, count, &out)) return torch_unknown(c);
  value_info *made = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *made);
  for (uint32_t i = 0; i < count; i++) made[i] = out;
  torch_set_list(c, 0, made, count);
  return RULE_DONE;
}

// The dims of `size`, whatever is in between.
rule_status rule_torch_as_strided(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  torch_ints sizes;
  rule_unchecked(c, "the strides stay within the storage", TORCH_NOT_KNOWN);
  if (!torch_list(c, "size", &sizes)) return torch_unknown(c);
  rule_set_dims(c, 0, elements_as_sizes(c, sizes.items, sizes.count, "a dim is >= 0"), sizes.count);
  return RULE_DONE;
}
