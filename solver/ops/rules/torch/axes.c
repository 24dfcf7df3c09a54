// SPDX-License-Identifier: Apache-2.0
// Operators that exchange axes.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static rule_status exchange(rule_context *c, const value_info *in, uint32_t a, uint32_t b) {
  term_id *dims = torch_dims(c, in, 0);
  if (in->rank) {
    dims[a] = in->dims[b];
    dims[b] = in->dims[a];
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

rule_status rule_torch_transpose(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t a, b;
  if (!in->ranked || !torch_axis(c, "dim0", 0, in->rank, &a) ||
      !torch_axis(c, "dim1", 1, in->rank, &b))
    return torch_unknown(c);
  return exchange(c, in, a, b);
}

// mT, mH, adjoint (param 2: the rank at least), t (param 0: the rank at most 2).
rule_status rule_torch_matrix_transpose(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked || !torch_min_rank(c, in, c->row->param)) return torch_unknown(c);
  if (!c->row->param && in->rank > 2) {
    rule_error(c, "rank", "the operand has rank %u, at most 2 is needed", in->rank);
    return torch_unknown(c);
  }
  if (in->rank < 2) return exchange(c, in, 0, 0);
  return exchange(c, in, in->rank - 2, in->rank - 1);
}

rule_status rule_torch_reverse_axes(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return torch_unknown(c);
  term_id *dims = torch_dims(c, in, 0);
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = in->dims[in->rank - 1 - i];
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// The axes of a list, wrapped and each given once, into order; false after an error, or where they are not known.
static bool read_order(rule_context *c, const char *name, uint32_t rank, uint32_t *order,
                       uint32_t *count, uint8_t *seen) {
  torch_ints axes;
  if (!torch_list(c, name, &axes)) return false;
  *count = axes.count;
  if (axes.count > (rank ? rank : 1)) {  // a scalar has one axis
    rule_error(c, "axis", "%u axes for a tensor of rank %u", axes.count, rank);
    return false;
  }
  for (uint32_t i = 0; i < axes.count; i++) {
    int64_t axis;
    if (!torch_constant(c, axes.items[i], &axis) || !torch_wrap(c, axis, rank, &order[i]))
      return false;
    if (seen[order[i]]++) {
      rule_error(c, "axis", "axis %u is given twice", order[i]);
      return false;
    }
  }
  return true;
}

rule_status rule_torch_permute(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  torch_ints axes;
  uint32_t count;
  if (!in->ranked && torch_list(c, "dims", &axes)) torch_rank(c, "self", axes.count);
  in = torch_arg(c, "self");
  if (!in->ranked) return torch_unknown(c);
  uint32_t *order = arena_zalloc(c->arena, ((size_t)in->rank + 1) * sizeof *order);
  uint8_t *seen = arena_zalloc(c->arena, (size_t)in->rank + 1);
  if (!read_order(c, "dims", in->rank, order, &count, seen)) return torch_unknown(c);
  if (count != in->rank) {
    rule_error(c, "axis", "%u axes for a tensor of rank %u", count, in->rank);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, in, 0);
  for (uint32_t i = 0; i < count; i++) dims[i] = in->dims[order[i]];
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

rule_status rule_torch_movedim(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  if (!in->ranked) return torch_unknown(c);
  size_t room = ((size_t)in->rank + 1) * sizeof(uint32_t);
  uint32_t *from = arena_zalloc(c->arena, room), *to = arena_zalloc(c->arena, room);
  uint8_t *moved = arena_zalloc(c->arena, (size_t)in->rank + 1);
  uint8_t *taken = arena_zalloc(c->arena, (size_t)in->rank + 1);
  uint32_t count, other, at = 0;
  if (!read_order(c, "source", in->rank, from, &count, moved) ||
      !read_order(c, "destination", in->rank, to, &other, taken))
    return torch_unknown(c);
  if (count != other) {
    rule_error(c, "axis", "%u axes are moved to %u", count, other);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, in, 0);
  for (uint32_t i = 0; i < count && in->rank; i++) dims[to[i]] = in->dims[from[i]];
  for (uint32_t i = 0; i < in->rank; i++) {
    if (moved[i]) continue;
    while (at < in->rank && taken[at]) at++;
    dims[at++] = in->dims[i];
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

rule_status rule_torch_rot90(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  int64_t k;
  uint32_t axes[2], count;
  if (!torch_min_rank(c, in, 2) || !torch_const(c, "k", 1, &k)) return torch_unknown(c);
  uint8_t *seen = arena_zalloc(c->arena, (size_t)in->rank + 1);
  torch_ints given;
  axes[0] = 0, axes[1] = 1, count = 2;
  if (torch_list(c, "dims", &given)) {
    if (given.count != 2) {
      rule_error(c, "axis", "%u axes are rotated, 2 are needed", given.count);
      return torch_unknown(c);
    }
    if (!read_order(c, "dims", in->rank, axes, &count, seen)) return torch_unknown(c);
  }
  return k % 2 ? exchange(c, in, axes[0], axes[1]) : exchange(c, in, 0, 0);
}
