// SPDX-License-Identifier: Apache-2.0
// Convolutions and pools. Answers are those of the formulas in torch's documentation: x is [B, 6, H, 8].
#include "tests/unit/formats/fx/reading.h"

#define F "torch.nn.functional."

Test(torch_window, convolutions) {
  FX_LINES("i = torch.zeros(2, 6, 10); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w) => a: [2, 4, 8]\n"
           "i = torch.zeros(6, 10); w = torch.zeros(4, 6, 3); a = " F "conv1d(i, w) => a: [4, 8]\n"
           "w = torch.zeros(4, 6, 3, 3); a = " F "conv2d(x, w, padding=1) => a: [B, 4, H, 8]\n"
           "i = torch.zeros(2, 6, 10, 9); w = torch.zeros(4, 3, 3, 2); a = " F
           "conv2d(i, w, None, (2, 3), (1, 0), (2, 1), 2) => a: [2, 4, 4, 3]\n"
           "i = torch.zeros(1, 2, 5, 6, 7); w = torch.zeros(3, 2, 2, 2, 2); a = " F
           "conv3d(i, w) => a: [1, 3, 4, 5, 6]\n"
           "i = torch.zeros(2, 6, 10); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w, padding='same') => a: [2, 4, 10]\n"
           "i = torch.zeros(2, 6, 10); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w, padding='valid') => a: [2, 4, 8]\n"
           "i = torch.zeros(2, 6, 10); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w, stride=2, padding='same') => a: error: padding 'same' needs strides of 1\n"
           "i = torch.zeros(2, 6, 10); w = torch.zeros(4, 5, 3); a = " F
           "conv1d(i, w) => a: error: the channels must be those of the weights\n"
           "i = torch.zeros(2, 6, 2); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w) => a: error: the window must fit\n"
           "i = torch.zeros(2, 6, 10); w = torch.zeros(4, 6, 3); b = torch.zeros(5); a = " F
           "conv1d(i, w, b) => a: error: there must be a bias for each channel\n"
           "i = torch.zeros(6); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w) => a: error: the operand has rank 1, 2 or 3 is needed\n"
           "i = torch.zeros(2, 6, 9); w = torch.zeros(4, 6, 3); a = " F
           "conv1d(i, w, groups=0) => a: error: there are 0 groups\n"
           "i = torch.zeros(2, 6, 9); w = torch.zeros(3, 3, 3); a = " F
           "conv1d(i, w, groups=2) => a: error: the filters must split into groups\n");
}

// (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + output_padding + 1
Test(torch_window, transposed_convolutions) {
  FX_LINES(
      "i = torch.zeros(2, 6, 10); w = torch.zeros(6, 4, 3); a = " F
      "conv_transpose1d(i, w) => a: [2, 4, 12]\n"
      "w = torch.zeros(6, 4, 2, 2); a = " F
      "conv_transpose2d(x, w, stride=2) => a: [B, 4, 2*H, 16]\n"
      "i = torch.zeros(2, 6, 10); w = torch.zeros(6, 4, 3); a = " F
      "conv_transpose1d(i, w, stride=3, padding=1, output_padding=2, groups=2) => a: [2, 8, 30]\n"
      "i = torch.zeros(2, 6, 1); w = torch.zeros(6, 4, 2); a = " F
      "conv_transpose1d(i, w, padding=1) => a: error: the result must not be empty\n"
      "i = torch.zeros(2, 6, 10); w = torch.zeros(5, 4, 3); a = " F
      "conv_transpose1d(i, w) => a: error: the channels must be those of the weights\n"
      "i = torch.zeros(2, 6, 10); w = torch.zeros(6, 4, 3); a = torch.ops.aten.convolution.default("
      "i, w, None, [1], [0], [1], True, [0], 1) => a: [2, 4, 12]\n"
      "i = torch.zeros(2, 6, 10); w = torch.zeros(4, 6, 3); a = torch.ops.aten.convolution.default("
      "i, w, None, [1], [0], [1], False, [0], 1) => a: [2, 4, 8]\n");
}

Test(torch_window, pools) {
  FX_LINES("i = torch.zeros(2, 6, 10); a = " F "max_pool1d(i, 3) => a: [2, 6, 3]\n"
           "i = torch.zeros(2, 6, 10); a = " F "avg_pool1d(i, 3, 2) => a: [2, 6, 4]\n"
           "a = " F "avg_pool2d(x, 2) => a: [B, 6, floordiv(H, 2), 4]\n"
           "a = " F "max_pool2d(x, 3, stride=1, padding=1) => a: [B, 6, H, 8]\n"
           "i = torch.zeros(2, 6, 10); a = " F "max_pool1d(i, 3, ceil_mode=True) => a: [2, 6, 4]\n"
           "i = torch.zeros(2, 6, 9); a = " F
           "max_pool1d(i, 2, stride=3, ceil_mode=True) => a: [2, 6, 3]\n"
           // The last window would begin in the padding at the end.
           "i = torch.zeros(2, 6, 5); a = " F
           "max_pool1d(i, 2, stride=3, padding=1, ceil_mode=True) => a: [2, 6, 2]\n"
           "i = torch.zeros(2, 6, 10); a = " F
           "max_pool1d(i, 2, padding=2) => a: error: the padding 2 is more than half\n"
           "i = torch.zeros(2, 6, 2); a = " F
           "max_pool1d(i, 3) => a: error: the result must not be empty\n"
           "a = " F "max_pool2d(y, 2) => a: error: the operand has rank 2, 3 or 4 is needed\n");
}

Test(torch_window, adaptive_pools) {
  FX_LINES("a = " F "adaptive_avg_pool2d(x, (3, 4)) => a: [B, 6, 3, 4]\n"
           "a = " F "adaptive_avg_pool2d(x, 1) => a: [B, 6, 1, 1]\n"
           "a = " F "adaptive_avg_pool2d(x, (None, 4)) => a: [B, 6, H, 4]\n"
           "i = torch.zeros(6, 10); a = " F "adaptive_avg_pool1d(i, n) => a: [6, B]\n"
           "a = " F "adaptive_max_pool2d(x, (3, 4)) => a: [B, 6, 3, 4]\n"
           "i = torch.zeros(2, 6, 10); a = " F
           "adaptive_avg_pool1d(i, -1) => a: error: the result's dim must be >= 0\n"
           "a = torch.ops.aten.adaptive_avg_pool2d.default(x, [1, 2, 3]) => a: error: "
           "output_size has 3 entries, 2 are needed\n"
           "a = " F "adaptive_avg_pool2d(y, 1) => a: error: the operand has rank 2\n");
}
