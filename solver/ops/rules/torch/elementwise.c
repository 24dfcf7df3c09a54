// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element under broadcasting; those in place keep the dims of self.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static const char INTO_SELF[] = "the operand broadcasts to self";

enum { CHOSEN_MAX = 6 };

static bool chosen(const rule_context *c, uint32_t i) {
  assert(i < CHOSEN_MAX);
  uint32_t bit = i < 3 ? 1u << i : i == 5 ? SIXTH : 0;
  return (c->row->param & bit) && torch_is_tensor(c, i);
}

// Integers of scalars that are added, subtracted, multiplied; of vectors too where the shapes are the same.
static void elements(rule_context *c) {
  uint32_t math = c->row->param >> 8, count;
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1), *out = onnx_result(c, 0);
  shape_dtype dtype = rule_result_dtype(c, 0);
  int64_t alpha;
  if (!math || !a->elements || !b->elements || !out->ranked || out->rank > 1) return;
  if (!torch_const(c, "alpha", 1, &alpha) || alpha != 1) return;
  if (dtype != DTYPE_OTHER && (!dtype_is_integer(dtype) || dtype_bits(dtype) < 32)) return;
  count = a->element_count > b->element_count ? a->element_count : b->element_count;
  bool fits = (a->element_count == count || a->element_count == 1) &&
              (b->element_count == count || b->element_count == 1);
  if (!fits || count > VALUE_FRESH_ELEMENTS) return;
  term_id *made = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *made);
  for (uint32_t i = 0; i < count; i++) {
    term_id x = a->elements[a->element_count == 1 ? 0 : i];
    term_id y = b->elements[b->element_count == 1 ? 0 : i];
    made[i] = x == TERM_NONE || y == TERM_NONE
                  ? TERM_NONE
                  : math_binary(c, (math_op)math, dtype == DTYPE_OTHER ? DTYPE_I64 : dtype, x, y);
  }
  rule_set_elements(c, 0, made, count);
}

rule_status rule_torch_broadcast(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *shapes[CHOSEN_MAX];
  uint32_t count = 0;
  value_info out;
  bool into = (c->row->param & BROADCAST_INTO) != 0;
  if (c->row->param & BROADCAST_COUNT)
    rule_unchecked(c, "the source has an element for each that the mask chooses", TORCH_NOT_KNOWN);
  for (uint32_t i = 0; i < rule_operand_count(c) && i < CHOSEN_MAX; i++) {
    if (chosen(c, i)) shapes[count++] = rule_operand(c, i);
  }
  for (uint32_t i = 1; i < count && (c->row->param & BROADCAST_SAME); i++)
    torch_require_same(c, shapes[0], shapes[i], "the gradient and the output have one shape");
  if (into) {
    const value_info *self = rule_operand(c, 0);
    rule_set_dims_like(c, 0, self);
    for (uint32_t i = 0; i < count && self->ranked; i++)
      onnx_require_broadcasts(c, shapes[i], self->dims, self->rank, INTO_SELF);
    return self->ranked ? RULE_DONE : RULE_AGAIN;
  }
  if (!torch_broadcast(c, shapes, count, &out)) return torch_unknown(c);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, out.dims, out.rank);
  if (rule_result_count(c) == 1) elements(c);
  return RULE_DONE;
}

// copy(self, src): src broadcasts to self. param 1: x[...] = src, where src may have more axes in front, of one element.
rule_status rule_torch_copy(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *self = torch_arg(c, "self");
  value_info src = *torch_arg(c, "src");
  rule_set_dims_like(c, 0, self);
  for (; c->row->param && self->ranked && src.ranked && src.rank > self->rank; src.rank--)
    rule_require_eq(c, *src.dims++, TERM_ONE, INTO_SELF);
  if (self->ranked) onnx_require_broadcasts(c, &src, self->dims, self->rank, INTO_SELF);
  return self->ranked ? RULE_DONE : RULE_AGAIN;
}

static void set_fresh_count(rule_context *c, uint32_t result, term_id most, const term_id *more,
                            uint32_t count) {
  term_id dims[2] = {rule_unknown_size(c, result, 1 + count, 0)};
  for (uint32_t i = 0; i < count; i++) dims[1 + i] = more[i];
  rule_set_dims(c, result, dims, 1 + count);
  if (most != TERM_NONE)
    rule_fact(c, predicate_make(REL_LE, onnx_result(c, result)->dims[0], most),
              "no more than there are elements");
}

rule_status rule_torch_masked_select(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *both[2] = {torch_arg(c, "self"), torch_arg(c, "mask")};
  value_info out;
  bool known = torch_broadcast(c, both, 2, &out);
  set_fresh_count(c, 0, known ? torch_numel(c, &out) : TERM_NONE, NULL, 0);
  return known ? RULE_DONE : torch_unknown(c);
}

// nonzero, argwhere, where of a condition alone (param 1: a list of vectors).
rule_status rule_torch_nonzero(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *self = rule_operand(c, 0);
  if (!self->ranked) return torch_unknown(c);
  term_id rank = rule_int_term(c, self->rank), most = torch_numel(c, self);
  if (!c->row->param) {
    set_fresh_count(c, 0, most, &rank, 1);
    return RULE_DONE;
  }
  const value_info *old = onnx_result(c, 0);
  if (old->visited && value_parts(old)) return RULE_DONE;
  uint32_t count = self->rank ? self->rank : 1;
  value_info *parts = arena_alloc(c->arena, (size_t)count * sizeof *parts);
  term_id *dim = arena_alloc(c->arena, sizeof *dim);
  *dim = rule_fresh_size(c);
  rule_fact(c, predicate_make(REL_LE, *dim, most), "no more than there are elements");
  for (uint32_t i = 0; i < count; i++)
    parts[i] = (value_info){.dims = dim, .rank = 1, .ranked = true, .visited = true};
  torch_set_list(c, 0, parts, count);
  return RULE_DONE;
}

// mse_loss and the like: reduction 0 keeps the broadcast dims, else a scalar (default 1, the mean). param 1: the weight
// broadcasts too.
rule_status rule_torch_loss(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *all[3] = {torch_arg(c, "self"), torch_arg(c, "target"), NULL};
  uint32_t count = 2;
  value_info out;
  int64_t reduction;
  if (torch_has(c, "weight")) all[count++] = torch_arg(c, "weight");
  if (torch_has(c, "pos_weight") && count < 3) all[count++] = torch_arg(c, "pos_weight");
  bool known = torch_broadcast(c, all, count, &out);
  if (known && c->row->param)  // binary_cross_entropy: both have one shape
    torch_require_same(c, all[0], all[1], "the operand and the target have one shape");
  if (!torch_const(c, "reduction", 1, &reduction)) return torch_unknown(c);
  if (reduction != 0) {
    rule_set_dims(c, 0, NULL, 0);
    return known ? RULE_DONE : RULE_AGAIN;
  }
  if (!known) return torch_unknown(c);
  rule_set_dims(c, 0, out.dims, out.rank);
  return RULE_DONE;
}

rule_status rule_torch_glu(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  term_id two = rule_int_term(c, 2);
  if (!torch_min_rank(c, in, 1) || !torch_axis(c, "dim", -1, in->rank, &axis))
    return torch_unknown(c);
  term_id *dims = torch_dims(c, in, 0);
  rule_require(c, predicate_make(REL_DIVISIBLE, dims[axis], two), "the axis is halved");
  dims[axis] = term_floordiv(c->terms, store_canon(c->store, dims[axis]), two);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}
