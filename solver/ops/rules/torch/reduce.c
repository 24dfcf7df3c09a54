// SPDX-License-Identifier: Apache-2.0
// Operators that reduce axes, and those that keep the dims and name an axis.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static void set_reduced(rule_context *c, const value_info *in, const uint8_t *set, bool keep) {
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof *dims);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!set[i]) {
      dims[rank++] = in->dims[i];
    } else if (keep) {
      dims[rank++] = TERM_ONE;
    }
  }
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, rank);
}

static void require_k(rule_context *c, const value_info *in, const uint8_t *set) {
  term_id k = torch_int(c, "k");
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!set[i]) continue;
    if (k == TERM_NONE) {
      rule_unchecked(c, "k is within the axis", TORCH_NOT_KNOWN);
      continue;
    }
    rule_require(c, predicate_make(REL_GE, k, TERM_ONE), "k is at least 1");
    rule_require(c, predicate_make(REL_LE, k, in->dims[i]), "k is within the axis");
  }
}

// By `dim` (one axis, a list, or none) and `keepdim`.
rule_status rule_torch_reduce(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  uint32_t how = c->row->param;
  if (!in->ranked) return torch_unknown(c);
  uint8_t *set = arena_zalloc(c->arena, (size_t)in->rank + 1);
  bool known = true, keep = torch_flag(c, "keepdim", false, &known), given = torch_has(c, "dim");
  if (!known) return torch_unknown(c);
  if (!given && (how & REDUCE_ONE)) {  // the last axis by default
    if (in->rank) set[in->rank - 1] = 1;
  } else if (!torch_axis_set(c, "dim", in->rank, !(how & REDUCE_NONE), set)) {
    return torch_unknown(c);
  }
  if (how & REDUCE_ELEMENTS)
    rule_require(c, predicate_make(REL_GE, torch_numel(c, in), TERM_ONE), "there is an element");
  if ((how & REDUCE_ALL) && !given) {  // max, argmax: the elements as one axis
    rule_require(c, predicate_make(REL_GE, torch_numel(c, in), TERM_ONE), "there is an element");
  } else if (how & REDUCE_NOT_EMPTY) {
    for (uint32_t i = 0; i < in->rank; i++) {
      if (set[i])
        rule_require(c, predicate_make(REL_GE, in->dims[i], TERM_ONE), "the axis is not empty");
    }
  }
  if (how & REDUCE_K) require_k(c, in, set);
  set_reduced(c, in, set, keep);
  return RULE_DONE;
}

// Dims of self; the axis `dim` exists, where it is given.
rule_status rule_torch_axis_like(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  if (!in->ranked) return torch_unknown(c);
  uint8_t *set = arena_zalloc(c->arena, (size_t)in->rank + 1);
  if (torch_has(c, "dim") && !torch_axis_set(c, "dim", in->rank, true, set)) {
    if (torch_list(c, "dim", &(torch_ints){0}))
      rule_unchecked(c, "the axis exists", TORCH_NOT_KNOWN);
  }
  if (c->row->param && !torch_min_rank(c, in, c->row->param)) return torch_unknown(c);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims_like(c, i, in);
  return RULE_DONE;
}

// roll: without axes it rolls the elements.
rule_status rule_torch_roll(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  torch_ints axes, shifts;
  bool has = torch_list(c, "dim", &axes) && axes.count, known = torch_list(c, "shifts", &shifts);
  if (known && has && axes.count != shifts.count) {
    rule_error(c, "attribute-length", "%u shifts for %u axes", shifts.count, axes.count);
    return torch_unknown(c);
  }
  return rule_torch_axis_like(c);
}

// prelu: one weight, or one for each channel.
rule_status rule_torch_prelu(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self"), *w = torch_arg(c, "weight");
  rule_set_dims_like(c, 0, in);
  if (!in->ranked || !w->ranked) return torch_unknown(c);
  term_id count = torch_numel(c, w), channels = in->rank > 1 ? in->dims[1] : TERM_ONE;
  if (count == TERM_ONE) return RULE_DONE;
  rule_require_eq(c, term_bcast(c->terms, count, channels), channels,
                  "there is one weight, or one for each channel");
  return RULE_DONE;
}

rule_status rule_torch_like_second(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  rule_set_dims_like(c, 0, rule_operand(c, 1));
  return rule_operand(c, 1)->ranked ? RULE_DONE : RULE_AGAIN;
}
