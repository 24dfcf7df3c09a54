// SPDX-License-Identifier: Apache-2.0
// Windows that slide over padded and dilated tensors: shared by reduce_window, select_and_scatter, convolution.
#ifndef SHAPE_OPS_RULES_STABLEHLO_WINDOW_H
#define SHAPE_OPS_RULES_STABLEHLO_WINDOW_H

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// Per axis; arrays of `rank` elements, padding of pairs low, high.
typedef struct window {
  uint32_t rank;
  const int64_t *strides, *base_dilations, *window_dilations;
  const term_id *padding;
} window;

// Names of the attributes; NULL: the operation has none (1, and no padding).
typedef struct window_names {
  const char *strides, *base_dilations, *window_dilations, *padding;
} window_names;

// Reads and checks the attributes of an operation with `rank` window axes; what is absent is 1 (padding: 0).
// False after an error.
bool window_read(rule_context *c, uint32_t rank, const window_names *names, window *out);
// The number of positions of a window of `size` along an axis of `base` elements, exact for every size >= 0:
//   dilated_base = base == 0 ? 0 : (base - 1) * base_dilation + 1, padded = low + dilated_base + high
//   padded == 0 or dilated_window > padded ? 0 : floor((padded - dilated_window) / stride) + 1
// `size` is required to be >= 1. `declared`: the number of positions by the type of the result, or DIM_DYNAMIC: where it is
// not 0 the window fits, and the size is known up to the stride.
term_id window_output(rule_context *c, const window *w, uint32_t axis, term_id base, term_id size,
                      int64_t declared);
// The dim of an axis of the first result by its type; DIM_DYNAMIC where it is not a number.
int64_t window_declared(const rule_context *c, uint32_t rank, uint32_t axis);

#endif
