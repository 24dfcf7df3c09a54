// SPDX-License-Identifier: Apache-2.0
// Operators that take a part of an axis: slice, narrow, select, diagonals, unfold; and those that write one.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// A bound of a slice brought into 0..size; TERM_NONE where its sign is not known.
static term_id clamped(rule_context *c, term_id bound, term_id size) {
  int64_t value;
  if (bound == TERM_NONE) return TERM_NONE;
  if (torch_constant(c, bound, &value) && value >= INT64_MAX / 2) return size;
  bound = store_canon(c->store, bound);
  if (math_is_nonnegative(c, bound)) return math_min(c, bound, size);
  if (store_known(c->store, predicate_make(REL_LT, bound, TERM_ZERO)))
    return math_max(c, term_add(c->terms, size, bound), TERM_ZERO);
  return TERM_NONE;
}

// The dim that a slice leaves of an axis; TERM_NONE where it is not known.
static term_id sliced(rule_context *c, term_id size) {
  size = store_canon(c->store, size);
  term_id start = torch_has(c, "start") ? clamped(c, torch_int(c, "start"), size) : TERM_ZERO;
  term_id end = torch_has(c, "end") ? clamped(c, torch_int(c, "end"), size) : size;
  term_id step = torch_has(c, "step") ? torch_int(c, "step") : TERM_ONE;
  if (step == TERM_NONE) {
    rule_unchecked(c, "the step is at least 1", TORCH_NOT_KNOWN);
    return TERM_NONE;
  }
  rule_require(c, predicate_make(REL_GE, step, TERM_ONE), "the step is at least 1");
  if (start == TERM_NONE || end == TERM_NONE || !math_is_positive(c, step)) return TERM_NONE;
  term_id length = math_max(c, term_sub(c->terms, end, start), TERM_ZERO);
  return step == TERM_ONE ? length : term_ceildiv(c->terms, store_canon(c->store, length), step);
}

static bool read_axis(rule_context *c, const value_info *in, uint32_t *axis) {
  return torch_min_rank(c, in, 1) && torch_axis(c, "dim", 0, in->rank, axis);
}

// The integers of a vector that a slice with constant bounds keeps.
static void slice_vector(rule_context *c, const value_info *in) {
  int64_t start, end, step, length = in->element_count;
  if (in->rank != 1 || !in->elements || !torch_const(c, "start", 0, &start) ||
      !torch_const(c, "end", INT64_MAX, &end) || !torch_const(c, "step", 1, &step) || step < 1)
    return;
  if (start < 0) start = start + length < 0 ? 0 : start + length;
  if (end < 0) end = end + length < 0 ? 0 : end + length;
  if (end > length) end = length;
  term_id *made = arena_alloc(c->arena, ((size_t)length + 1) * sizeof *made);
  uint32_t count = 0;
  for (int64_t i = start; i < end; i += step) {
    made[count++] = in->elements[i];
    if (step > end - i) break;
  }
  rule_set_elements(c, 0, made, count);
}

rule_status rule_torch_slice(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  if (!read_axis(c, in, &axis)) return torch_unknown(c);
  term_id *dims = torch_dims(c, in, 0), length = sliced(c, in->dims[axis]);
  bool known = length != TERM_NONE;
  dims[axis] = known ? length : rule_unknown_size(c, 0, in->rank, axis);
  rule_set_dims(c, 0, dims, in->rank);
  if (known) slice_vector(c, in);
  if (!known)
    rule_fact(c, predicate_make(REL_LE, onnx_result(c, 0)->dims[axis], in->dims[axis]),
              "a slice is no longer than its axis");
  return known ? RULE_DONE : RULE_AGAIN;
}

rule_status rule_torch_narrow(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  static const char INSIDE[] = "the slice is within the axis";
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  term_id start = torch_int(c, "start"), length = torch_int(c, "length");
  if (!read_axis(c, in, &axis)) return torch_unknown(c);
  term_id *dims = torch_dims(c, in, 0), size = in->dims[axis];
  if (length == TERM_NONE) {
    dims[axis] = rule_unknown_size(c, 0, in->rank, axis);
    rule_unchecked(c, INSIDE, TORCH_NOT_KNOWN);
  } else {
    rule_require(c, predicate_make(REL_GE, length, TERM_ZERO), "the length is at least 0");
    dims[axis] = length;
  }
  if (start != TERM_NONE && store_known(c->store, predicate_make(REL_LT, start, TERM_ZERO))) {
    start = term_add(c->terms, start, size);
    rule_require(c, predicate_make(REL_GE, start, TERM_ZERO), INSIDE);
  }
  if (start != TERM_NONE && length != TERM_NONE && math_is_nonnegative(c, start)) {
    rule_require(c, predicate_make(REL_LE, term_add(c->terms, start, length), size), INSIDE);
  } else {
    rule_unchecked(c, INSIDE, TORCH_NOT_KNOWN);
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// -size <= index < size
static void require_index(rule_context *c, term_id index, term_id size) {
  if (index == TERM_NONE) {
    rule_unchecked(c, "the index is within the axis", TORCH_NOT_KNOWN);
    return;
  }
  rule_require(c, predicate_make(REL_LT, index, size), "the index is within the axis");
  rule_require(c, predicate_make(REL_GE, index, term_neg(c->terms, size)),
               "the index is within the axis");
}

rule_status rule_torch_select(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  int64_t at;
  if (!read_axis(c, in, &axis)) return torch_unknown(c);
  require_index(c, torch_int(c, "index"), in->dims[axis]);
  term_id *dims = torch_dims(c, in, 0);
  torch_drop_axis(in, axis, dims);
  rule_set_dims(c, 0, dims, in->rank - 1);
  if (in->rank == 1 && in->elements && torch_const(c, "index", 0, &at)) {
    if (at < 0) at += in->element_count;
    if (at >= 0 && at < in->element_count) rule_set_elements(c, 0, &in->elements[at], 1);
  }
  return RULE_DONE;
}

// The dims of a diagonal; false after an error, or where they are not known.
static bool diagonal(rule_context *c, const value_info *in, term_id *dims) {
  int64_t offset;
  uint32_t a, b, at = 0;
  // linalg_diagonal has the last two axes by default; its row has them as param, as that of trace has none.
  bool last = torch_at(c, "dim1") == UINT32_MAX || c->row->param;
  if (!torch_min_rank(c, in, 2) || !torch_const(c, "offset", 0, &offset) ||
      !torch_axis(c, "dim1", last ? -2 : 0, in->rank, &a) ||
      !torch_axis(c, "dim2", last ? -1 : 1, in->rank, &b))
    return false;
  if (a == b) {
    rule_error(c, "axis", "a diagonal needs two axes");
    return false;
  }
  if (offset > INT32_MAX || offset < -INT32_MAX) return false;
  term_id k = rule_int_term(c, offset < 0 ? -offset : offset);
  term_id high = in->dims[a], low = in->dims[b];
  if (offset > 0) low = term_sub(c->terms, low, k);
  if (offset < 0) high = term_sub(c->terms, high, k);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i != a && i != b) dims[at++] = in->dims[i];
  }
  dims[at] = math_max(c, math_min(c, high, low), TERM_ZERO);
  return true;
}

rule_status rule_torch_diagonal(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  term_id *dims = torch_dims(c, in, 0);
  if (!diagonal(c, in, dims)) return torch_unknown(c);
  rule_set_dims(c, 0, dims, in->rank - 1);
  return RULE_DONE;
}

// select_scatter, slice_scatter (has start), diagonal_scatter (has offset): src has the dims of what it replaces.
rule_status rule_torch_scatter_slice(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  static const char SAME[] = "src has the dims of what it replaces";
  const value_info *in = torch_arg(c, "self"), *src = torch_arg(c, "src");
  uint32_t axis, rank = in->rank;
  if (!in->ranked) return torch_unknown(c);
  rule_set_dims_like(c, 0, in);
  term_id *dims = torch_dims(c, in, 0);
  bool known = src->ranked;
  if (torch_at(c, "offset") != UINT32_MAX) {
    known = known && diagonal(c, in, dims);
    rank--;
  } else if (!read_axis(c, in, &axis)) {
    known = false;
  } else if (torch_at(c, "index") != UINT32_MAX) {
    require_index(c, torch_int(c, "index"), in->dims[axis]);
    torch_drop_axis(in, axis, dims);
    rank--;
  } else {
    dims[axis] = sliced(c, in->dims[axis]);
    known = known && dims[axis] != TERM_NONE;
  }
  value_info part = {.dims = dims, .rank = rank, .ranked = true};
  if (known) {
    torch_require_same(c, src, &part, SAME);
  } else {
    rule_unchecked(c, SAME, TORCH_NOT_KNOWN);
  }
  return known ? RULE_DONE : RULE_AGAIN;
}

rule_status rule_torch_diag_embed(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  int64_t offset;
  uint32_t a, b, at = 0;
  if (!torch_min_rank(c, in, 1) || !torch_const(c, "offset", 0, &offset) ||
      !torch_axis(c, "dim1", -2, in->rank + 1, &a) || !torch_axis(c, "dim2", -1, in->rank + 1, &b))
    return torch_unknown(c);
  if (a == b || offset > INT32_MAX || offset < -INT32_MAX) {
    rule_error(c, "axis", "a diagonal needs two axes");
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, in, 1);
  term_id size =
      term_add(c->terms, in->dims[in->rank - 1], rule_int_term(c, offset < 0 ? -offset : offset));
  for (uint32_t i = 0; i < in->rank + 1; i++) dims[i] = i == a || i == b ? size : in->dims[at++];
  rule_set_dims(c, 0, dims, in->rank + 1);
  return RULE_DONE;
}

// diag: of a vector a matrix, of a matrix its diagonal; diagflat (param 1): of the elements.
rule_status rule_torch_diag(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  const char *name = c->row->param ? "offset" : "diagonal";
  int64_t k;
  if (!in->ranked || !torch_const(c, name, 0, &k) || k > INT32_MAX || k < -INT32_MAX)
    return torch_unknown(c);
  term_id size = TERM_ONE, more = rule_int_term(c, k < 0 ? -k : k);
  if (in->rank == 1 || c->row->param) {
    size = term_add(c->terms, torch_numel(c, in), more);
    term_id dims[2] = {size, size};
    rule_set_dims(c, 0, dims, 2);
    return RULE_DONE;
  }
  if (in->rank != 2) {
    rule_error(c, "rank", "the operand has rank %u, 1 or 2 is needed", in->rank);
    return torch_unknown(c);
  }
  term_id high = in->dims[0], low = in->dims[1];
  if (k > 0) low = term_sub(c->terms, low, more);
  if (k < 0) high = term_sub(c->terms, high, more);
  size = math_max(c, math_min(c, high, low), TERM_ZERO);
  rule_set_dims(c, 0, &size, 1);
  return RULE_DONE;
}

rule_status rule_torch_trace(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  if (!torch_rank(c, "self", 2)) return torch_unknown(c);
  rule_set_dims(c, 0, NULL, 0);
  return RULE_DONE;
}

rule_status rule_torch_unfold(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  term_id size = torch_int(c, "size"), step = torch_int(c, "step");
  if (!in->ranked || !torch_axis(c, "dimension", 0, in->rank, &axis)) return torch_unknown(c);
  if (size == TERM_NONE || step == TERM_NONE) return torch_unknown(c);
  term_id *dims = torch_dims(c, in, 1), all = in->rank ? in->dims[axis] : TERM_ONE;
  rule_require(c, predicate_make(REL_GE, size, TERM_ZERO), "the window is at least 0");
  rule_require(c, predicate_make(REL_GE, step, TERM_ONE), "the step is at least 1");
  rule_require(c, predicate_make(REL_LE, size, all), "the window is within the axis");
  if (!math_is_positive(c, step)) return torch_unknown(c);
  term_id room = store_canon(c->store, term_sub(c->terms, all, size));
  if (in->rank) dims[axis] = term_add(c->terms, term_floordiv(c->terms, room, step), TERM_ONE);
  dims[in->rank] = size;
  rule_set_dims(c, 0, dims, in->rank + 1);
  return RULE_DONE;
}
