// SPDX-License-Identifier: Apache-2.0
// Axes of products: shared by dot_general and ragged_dot.
#ifndef SHAPE_OPS_RULES_STABLEHLO_DOT_H
#define SHAPE_OPS_RULES_STABLEHLO_DOT_H

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

typedef struct dot_axes {
  axis_list lhs_batch, rhs_batch, lhs_contract, rhs_contract;
} dot_axes;

bool dot_read_axes(rule_context *c, attr_id dict, dot_axes *out);  // false: there is no dictionary
bool dot_check_axes(rule_context *c, const dot_axes *axes, bool same_contracting);

#endif
