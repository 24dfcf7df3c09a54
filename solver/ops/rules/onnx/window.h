// SPDX-License-Identifier: Apache-2.0
// Windows of ONNX operators: attributes kernel_shape, strides, dilations, pads, auto_pad.
#ifndef SHAPE_OPS_RULES_ONNX_WINDOW_H
#define SHAPE_OPS_RULES_ONNX_WINDOW_H

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

typedef enum onnx_auto_pad { PAD_EXPLICIT, PAD_SAME, PAD_VALID } onnx_auto_pad;

typedef struct onnx_window {
  uint32_t axes;
  const int64_t *strides, *dilations, *pads;  // pads: all that stand before, then all behind
  const term_id *kernel;
  onnx_auto_pad auto_pad;
} onnx_window;

// kernel: sizes of the weights' spatial axes, or NULL. False after an error.
bool onnx_window_read(rule_context *c, uint32_t axes, const term_id *kernel, onnx_window *out);
term_id onnx_window_places(rule_context *c, const onnx_window *w, uint32_t axis, term_id size,
                           bool ceiling);

#endif
