// SPDX-License-Identifier: Apache-2.0
// Operators that make tensors, and reductions. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."

Test(torch_create, shapes) {
  FX_LINES("a = torch.zeros(2, n) => a: [2, B]\n"
           "a = torch.full((), 3, dtype=torch.int64); b = torch.zeros(a.item()) => b: [3]\n"
           "a = torch.ones(2, -1) => a: error: a dim must be >= 0\n"
           "a = torch.eye(3) => a: [3, 3]\n"
           "a = torch.eye(3, n) => a: [3, B]\n"
           "a = torch.eye(-1) => a: error: a dim must be >= 0\n"
           "a = torch.linspace(0, 1, 5) => a: [5]\n"
           "a = torch.hann_window(n) => a: [B]\n"
           "a = torch.randperm(7) => a: [7]\n");
}

Test(torch_create, triangles) {
  FX_LINES("a = " A "tril_indices.default(3, 4) => a: [2, 6]\n"
           "a = " A "tril_indices.default(3, 4, 1) => a: [2, 9]\n"
           "a = " A "tril_indices.default(3, 3, -1) => a: [2, 3]\n"
           "a = " A "triu_indices.default(3, 4) => a: [2, 9]\n"
           "a = " A "triu_indices.default(4, 3, -1) => a: [2, 9]\n"
           "a = " A "triu_indices.default(n, 3) => a: [2, S0]\n");
}

Test(torch_create, ranges) {
  FX_LINES(
      "a = torch.arange(7) => a: [7]\n"
      "a = torch.arange(n) => a: [B]\n"
      "a = torch.arange(1, 8, 3) => a: [3]\n"
      "a = torch.arange(8, 1, -3) => a: [3]\n"
      "a = torch.arange(0, 1, 0.3) => a: [4]\n"
      "a = torch.arange(1.0, 0.0, -0.25) => a: [4]\n"
      "a = torch.arange(1, 4); b = torch.zeros(a[2].item()) => b: [3]\n"
      "a = torch.arange(0, 1, 0) => a: error: the step must not be 0\n"
      "a = torch.arange(0, 1.5, 0.0) => a: error: the step is 0\n"
      "a = torch.arange(0, 1.5, -1) => a: error: the bounds are not in the direction of the step\n"
      "a = torch.arange(3, 1) => a: error: the end must not be before the start\n"
      "a = torch.arange(1, 3, -1) => a: error: the end must not be after the start\n");
}

Test(torch_create, samples) {
  FX_LINES("a = torch.multinomial(y, 4) => a: [8, 4]\n"
           "a = torch.multinomial(y, 6) => a: error: as many samples\n"
           "a = torch.multinomial(y, 6, replacement=True) => a: [8, 6]\n"
           "a = torch.multinomial(y, 0) => a: error: there must be a sample\n"
           "a = torch.multinomial(x, 1) => a: error: the operand has rank 4, 1 or 2 is needed\n"
           "a = torch.histc(y, 7) => a: [7]\n"
           "a = torch.histc(y, 0) => a: error: there must be a bin\n"
           "a = torch.bincount(z) => a: [S0]\n");
}

Test(torch_reduce, by_axes) {
  FX_LINES("a = torch.sum(x) => a: []\n"
           "a = torch.sum(x, (1, -1)) => a: [B, H]\n"
           "a = torch.sum(x, 1, keepdim=True) => a: [B, 1, H, 8]\n"
           "a = torch.sum(y, ()) => a: []\n"
           "a = torch.max(y, 1); b = a[1] => b: [8]\n"
           "a = torch.argmax(y) => a: []\n"
           "a = torch.argmax(torch.zeros(0)) => a: error: there must be an element\n"
           "a = torch.max(torch.zeros(3, 0), 1); b = a[0] => b: error: the axis must not be empty\n"
           "a = torch.max(torch.zeros(3, 0), 0); b = a[0] => b: [0]\n"
           "a = torch.kthvalue(y, 2); b = a[0] => b: [8]\n"
           "a = torch.kthvalue(y, 6); b = a[0] => b: error: k must be within the axis\n"
           "a = torch.kthvalue(y, 0); b = a[0] => b: error: k must be at least 1\n"
           "a = torch.sum(y, 2) => a: error: axis\n"
           "a = torch.sum(y, (0, 0)) => a: error: twice\n");
}

Test(torch_reduce, along_an_axis) {
  FX_LINES("a = torch.cumsum(y, 1) => a: [8, 5]\n"
           "a = torch.cumsum(y, 2) => a: error: axis\n"
           "a = torch.flip(x, (0, 1)) => a: [B, 6, H, 8]\n"
           "a = torch.fliplr(z) => a: error: rank\n"
           "a = torch.roll(y, 3) => a: [8, 5]\n"
           "a = torch.roll(y, (1, 2), (0, 1)) => a: [8, 5]\n"
           "a = torch.roll(y, (1, 2), (0,)) => a: error: 2 shifts for 1 axes\n"
           "a = torch.prelu(x, torch.zeros(6)) => a: [B, 6, H, 8]\n"
           "a = torch.prelu(x, torch.zeros(1)) => a: [B, 6, H, 8]\n"
           "a = torch.prelu(x, torch.zeros(5)) => a: error: one weight, or one for each channel\n");
}
