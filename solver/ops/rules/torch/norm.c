// SPDX-License-Identifier: Apache-2.0
// Normalisations, and losses of classes.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static void require_channels(rule_context *c, const char *name, term_id channels) {
  if (!torch_has(c, name) || !torch_rank(c, name, 1)) return;
  rule_require_eq(c, torch_arg(c, name)->dims[0], channels, "there is a value for each channel");
}

// batch_norm and its kin; mean and rstd: [C] in training, else [0]. param: 1 no training, 2 training.
rule_status rule_torch_batch_norm(rule_context *c) {
  static const char *const VECTORS[] = {"weight", "bias", "running_mean", "running_var"};
  const value_info *x = torch_arg(c, "input");
  bool known = true, training = torch_flag(c, "training", c->row->param == 2, &known);
  if (!torch_min_rank(c, x, 2)) return torch_unknown(c);
  for (unsigned i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++)
    require_channels(c, VECTORS[i], x->dims[1]);
  rule_set_dims_like(c, 0, x);
  term_id size = training ? x->dims[1] : TERM_ZERO;
  for (uint32_t i = 1; i < rule_result_count(c); i++) {
    if (known && i < 3) {
      rule_set_dims(c, i, &size, 1);
    } else {
      rule_set_unknown(c, i);
    }
  }
  return RULE_DONE;
}

// layer_norm, rms_norm: the trailing dims are normalized_shape; mean and rstd have 1 there.
rule_status rule_torch_layer_norm(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  static const char TRAILING[] = "normalized_shape is the trailing dims";
  const value_info *x = torch_arg(c, "input");
  torch_ints shape;
  if (!x->ranked || !torch_list(c, "normalized_shape", &shape)) return torch_unknown(c);
  if (shape.count > x->rank || !shape.count) {
    rule_error(c, "rank", "%u dims are normalised of a tensor of rank %u", shape.count, x->rank);
    return torch_unknown(c);
  }
  uint32_t first = x->rank - shape.count;
  term_id *dims = torch_dims(c, x, 0);
  for (uint32_t i = 0; i < shape.count; i++) {
    dims[first + i] = TERM_ONE;
    if (shape.items[i] == TERM_NONE) {
      rule_unchecked(c, TRAILING, TORCH_NOT_KNOWN);
    } else {
      rule_require_eq(c, x->dims[first + i], shape.items[i], TRAILING);
    }
  }
  value_info part = {.dims = x->dims + first, .rank = shape.count, .ranked = true};
  if (torch_has(c, "weight"))
    torch_require_same(c, torch_arg(c, "weight"), &part, "the weights have the normalised dims");
  if (torch_has(c, "bias"))
    torch_require_same(c, torch_arg(c, "bias"), &part, "the bias has the normalised dims");
  rule_set_dims_like(c, 0, x);
  for (uint32_t i = 1; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, x->rank);
  return RULE_DONE;
}

// group_norm(input, num_groups, ..), native_group_norm(input, .., N, C, HxW, group, eps)
rule_status rule_torch_group_norm(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "input");
  term_id groups = torch_int(c, "group");
  if (!torch_min_rank(c, x, 2) || groups == TERM_NONE) return torch_unknown(c);
  rule_require(c, predicate_make(REL_GE, groups, TERM_ONE), "there is a group");
  // The native operator takes the dims that it is given, not those of the operand.
  term_id channels = torch_int(c, "C"), spatial = torch_int(c, "HxW");
  term_id split = channels == TERM_NONE ? x->dims[1] : channels;
  rule_require(c, predicate_make(REL_DIVISIBLE, split, groups), "channels split into groups");
  require_channels(c, "weight", split);
  require_channels(c, "bias", split);
  rule_set_dims_like(c, 0, x);
  term_id n = torch_int(c, "N");
  if (n != TERM_NONE && channels != TERM_NONE && spatial != TERM_NONE) {
    term_id elements = term_mul(c->terms, n, term_mul(c->terms, channels, spatial));
    rule_require_eq(c, torch_numel(c, x), elements, "the operand has N * C * HxW elements");
  }
  term_id dims[2] = {n == TERM_NONE ? x->dims[0] : n, groups};
  for (uint32_t i = 1; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, 2);
  return RULE_DONE;
}

// x [N, C, ..] or [C], target [N, ..] (param 1: it may have probabilities, x's dims).
rule_status rule_torch_nll_loss(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *t = torch_arg(c, "target");
  int64_t reduction;
  if (!torch_min_rank(c, x, 1) || !t->ranked || !torch_const(c, "reduction", 1, &reduction))
    return torch_unknown(c);
  uint32_t channel = x->rank > 1 ? 1 : 0;
  term_id *dims = torch_dims(c, x, 0);
  torch_drop_axis(x, channel, dims);
  value_info part = {.dims = dims, .rank = x->rank - 1, .ranked = true};
  if (c->row->param && t->rank == x->rank) {
    torch_require_same(c, x, t, "the target has the operand's dims");
  } else {
    torch_require_same(c, &part, t, "the target has a class for each element");
    rule_unchecked(c, "the classes are within the axis", TORCH_NOT_KNOWN);
  }
  if (torch_has(c, "weight") && torch_rank(c, "weight", 1))
    rule_require_eq(c, torch_arg(c, "weight")->dims[0], x->dims[channel],
                    "there is a weight for each class");
  rule_set_dims(c, 0, dims, reduction ? 0 : x->rank - 1);
  for (uint32_t i = 1; i < rule_result_count(c); i++) rule_set_dims(c, i, NULL, 0);
  return RULE_DONE;
}
