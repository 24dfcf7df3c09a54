// SPDX-License-Identifier: Apache-2.0
// batch_norm_training, batch_norm_inference, batch_norm_grad: vectors of one element per feature.
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// The operands that are vectors: scale and offset, or scale, mean and variance (and offset).
static uint32_t vector_count(const rule_context *c) {
  switch (c->row->param) {
  case BATCH_NORM_TRAINING: return 2;
  case BATCH_NORM_INFERENCE: return 4;
  default: return 3;
  }
}

rule_status rule_batch_norm(rule_context *c) {
  int64_t feature = -1;
  bool grad = c->row->param == BATCH_NORM_GRAD;
  rule_int(c, "feature_index", &feature);
  if (grad) rule_require_same_shape(c, 0, 4, "operand and grad_output have the same shape");
  const value_info *in = rule_operand(c, 0);
  rule_set_dims_like(c, 0, in);
  term_id size = TERM_NONE;
  if (in->ranked && feature >= (int64_t)in->rank) {
    rule_error(c, "axis", "feature_index is %lld, the operand has rank %u", (long long)feature,
               in->rank);
  } else if (in->ranked && feature >= 0) {
    size = in->dims[feature];
  }
  for (uint32_t i = 1; i <= vector_count(c); i++) {
    if (!rule_assume_rank(c, i, 1)) continue;  // reported with the signature
    term_id length = rule_operand(c, i)->dims[0];
    if (size == TERM_NONE) {
      size = length;
    } else {
      rule_require_eq(c, length, size, "a vector has an element per feature");
    }
  }
  for (uint32_t i = 1; i < rule_result_count(c); i++) {
    if (size == TERM_NONE) {
      rule_set_unknown(c, i);
    } else {
      rule_set_dims(c, i, &size, 1);
    }
  }
  return RULE_DONE;
}
