// SPDX-License-Identifier: Apache-2.0
// batch_norm_training, batch_norm_inference, batch_norm_grad: vectors of one element per feature.
#include <assert.h>

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

// How many features there are; TERM_NONE: that is not known.
static term_id feature_count(rule_context *c) {
  int64_t feature = -1;
  const value_info *in = rule_operand(c, 0);
  rule_int(c, "feature_index", &feature);
  if (in->ranked && feature >= (int64_t)in->rank)
    rule_error(c, "axis", "feature_index is %lld, the operand has rank %u", (long long)feature,
               in->rank);
  return in->ranked && feature >= 0 && feature < (int64_t)in->rank ? in->dims[feature] : TERM_NONE;
}

// Operand i, a vector, has an element for each feature.
static void require_vector(rule_context *c, uint32_t i, term_id *size) {
  if (!rule_assume_rank(c, i, 1)) return;  // reported with the signature
  term_id length = rule_operand(c, i)->dims[0];
  if (*size == TERM_NONE) {
    *size = length;
  } else {
    rule_require_eq(c, length, *size, "a vector has an element per feature");
  }
}

static const char GRAD_OUTPUT[] = "operand and grad_output have the same shape";

rule_status rule_batch_norm(rule_context *c) {
  if (c->row->param == BATCH_NORM_GRAD) rule_require_same_shape(c, 0, 4, GRAD_OUTPUT);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  term_id size = feature_count(c);
  for (uint32_t i = 1; i <= vector_count(c); i++) require_vector(c, i, &size);
  for (uint32_t i = 1; i < rule_result_count(c); i++) {
    if (size == TERM_NONE) {
      rule_set_unknown(c, i);
    } else {
      rule_set_dims(c, i, &size, 1);
    }
  }
  return RULE_DONE;
}

// LMHLO: after the operands, the buffers that are written.
rule_status rule_batch_norm_buffers(rule_context *c) {
  bool grad = c->row->param == BATCH_NORM_GRAD;
  uint32_t vectors = vector_count(c), made = vectors + 1 + grad;
  int64_t feature;
  assert(rule_operand_count(c) == made + 3);
  if (!rule_int(c, "feature_index", &feature) || feature < 0)
    rule_error(c, "attribute", "there is no feature_index, or it is below 0");
  if (grad) rule_require_same_shape(c, 0, 4, GRAD_OUTPUT);
  rule_require_same_shape(c, 0, made, "the buffer has the dims of the operand");
  term_id size = feature_count(c);
  for (uint32_t i = 1; i < made + 3; i++) {
    if (i == made || (grad && i == 4)) continue;
    const value_info *v = rule_operand(c, i);
    if (v->ranked && v->rank != 1)
      rule_error(c, "rank", "operand #%u has rank %u, a vector is needed", i, v->rank);
    require_vector(c, i, &size);
  }
  return RULE_DONE;
}
