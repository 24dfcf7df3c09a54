// SPDX-License-Identifier: Apache-2.0
// Parts of axes. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5], z [N].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."

Test(torch_slice, slices) {
  FX_LINES("a = y[2:7:2] => a: [3, 5]\n"
           "a = y[-3:] => a: [3, 5]\n"
           "a = y[:, 1:-1] => a: [8, 3]\n"
           "a = y[5:3] => a: [0, 5]\n"
           "a = y[:100] => a: [8, 5]\n"
           "a = y[-100:2] => a: [2, 5]\n"
           "a = " A "slice.Tensor(x, 2, 1) => a: [B, 6, H - 1, 8]\n"
           "a = " A "slice.Tensor(y, 0, 0, 8, 0) => a: error: the step must be at least 1\n"
           "a = torch.tensor([1, 2, 3, 4, 5])[1:5:3]; b = torch.zeros(a.tolist()) => a: [2]\n"
           "a = torch.tensor([1, 2, 3, 4, 5])[-1:]; b = torch.zeros(a[0].item()) => b: [5]\n");
}

Test(torch_slice, narrow_and_select) {
  FX_LINES("a = torch.narrow(y, 0, 2, 3) => a: [3, 5]\n"
           "a = torch.narrow(y, 0, -3, 3) => a: [3, 5]\n"
           "a = torch.narrow(y, 0, 2, 7) => a: error: the slice must be within the axis\n"
           "a = torch.narrow(y, 0, -9, 3) => a: error: the slice must be within the axis\n"
           "a = torch.narrow(y, 0, 2, -1) => a: error: the length must be at least 0\n"
           "a = torch.select(x, 1, -1) => a: [B, H, 8]\n"
           "a = torch.select(y, 1, 5) => a: error: the index must be within the axis\n"
           "a = torch.select(y, 1, -6) => a: error: the index must be within the axis\n"
           "a = torch.select(torch.tensor(1), 0, 0) => a: error: rank\n"
           "a = torch.tensor([3, 4])[-1]; b = torch.zeros(a.item()) => b: [4]\n");
}

Test(torch_slice, diagonals) {
  FX_LINES("a = torch.diagonal(y) => a: [5]\n"
           "a = torch.diagonal(y, 2) => a: [3]\n"
           "a = torch.diagonal(y, -6) => a: [2]\n"
           "a = torch.diagonal(y, 7) => a: [0]\n"
           "a = torch.diagonal(x, 0, 1, 3) => a: [B, H, 6]\n"
           "a = torch.diagonal(x, 0, 1, 1) => a: error: a diagonal needs two axes\n"
           "a = torch.linalg.diagonal(x) => a: [B, 6, min(H, 8)]\n"
           "a = torch.diag_embed(y) => a: [8, 5, 5]\n"
           "a = torch.diag_embed(y, -2, 0, 2) => a: [7, 8, 7]\n"
           "a = torch.diag_embed(y, 0, 1, 1) => a: error: a diagonal needs two axes\n"
           "a = torch.diag(z) => a: [N, N]\n"
           "a = torch.diag(z, -2) => a: [N + 2, N + 2]\n"
           "a = torch.diag(y, 1) => a: [4]\n"
           "a = torch.diag(y, -4) => a: [4]\n"
           "a = torch.diag(x) => a: error: the operand has rank 4, 1 or 2 is needed\n"
           "a = torch.diagflat(y, 1) => a: [41, 41]\n"
           "a = torch.trace(y) => a: []\n"
           "a = torch.trace(z) => a: error: rank\n");
}

Test(torch_slice, written_parts) {
  FX_LINES(
      "a = torch.select_scatter(y, torch.zeros(5), 0, 2) => a: [8, 5]\n"
      "a = torch.select_scatter(y, torch.zeros(4), 0, 2) => a: error: src must have the dims\n"
      "a = torch.slice_scatter(y, torch.zeros(3, 5), 0, 1, 4) => a: [8, 5]\n"
      "a = torch.slice_scatter(y, torch.zeros(2, 5), 0, 1, 4) => a: error: src must have the dims\n"
      "a = torch.diagonal_scatter(y, torch.zeros(5)) => a: [8, 5]\n"
      "a = torch.diagonal_scatter(y, torch.zeros(4)) => a: error: src must have the dims\n");
}

Test(torch_slice, windows) {
  FX_LINES("a = y.unfold(0, 3, 2) => a: [3, 5, 3]\n"
           "a = z.unfold(0, 1, 1) => a: [N, 1]\n"
           "a = torch.tensor(1).unfold(0, 1, 1) => a: [1]\n"
           "a = y.unfold(0, 9, 1) => a: error: the window must be within the axis\n"
           "a = y.unfold(0, 2, 0) => a: error: the step must be at least 1\n");
}

Test(torch_split, parts) {
  FX_LINES("a = torch.split(y, 3); b = a[2] => b: [2, 5]\n"
           "a = torch.split(y, [1, 7]); b = a[1] => b: [7, 5]\n"
           "a = torch.split(y, [1, 6]); b = a[0] => b: error: the parts must fill the axis\n"
           "a = torch.split(y, [9, -1]); b = a[0] => b: error: at least 0\n"
           "a = torch.split(y, 0); b = a[0] => b: error: the dim of a part must be at least 1\n"
           "a, b = torch.split(x, 4, 1) => b: [B, 2, H, 8]\n"
           "a, b, c = torch.split(x, 4, 1) => b: error: index 2 is not one of a list of 2\n"
           "a = torch.chunk(y, 3); b = a[2] => b: [2, 5]\n"
           "a = torch.chunk(y, 3, 1); b = a[0] => b: [8, 2]\n"
           "a = torch.chunk(torch.zeros(0), 2); b = a[1] => b: [0]\n"
           "a = torch.chunk(y, 0); b = a[0] => b: error: there must be at least one chunk\n"
           "a = torch.unbind(y, 1); b = a[4] => b: [8]\n"
           "a = torch.unbind(x, 1); b = a[6] => b: error: index 6 is not one of a list of 6\n"
           "a = torch.unbind(torch.tensor(1)); b = a[0] => b: error: rank\n");
}

// The first `dim mod sections` parts are one larger; indices are where parts begin.
Test(torch_split, sections) {
  FX_LINES(
      "a = torch.tensor_split(y, 3); b = a[1] => b: [3, 5]\n"
      "a = torch.tensor_split(y, 3); b = a[2] => b: [2, 5]\n"
      "a = torch.tensor_split(y, 10); b = a[9] => b: [0, 5]\n"
      "a = torch.tensor_split(y, (2, 5)); b = a[1] => b: [3, 5]\n"
      "a = torch.tensor_split(y, (2, 5)); b = a[2] => b: [3, 5]\n"
      "a = torch.tensor_split(y, (5, 2)); b = a[1] => b: [0, 5]\n"
      "a = torch.tensor_split(y, (2, 50)); b = a[2] => b: [0, 5]\n"
      "a = torch.tensor_split(y, 0); b = a[0] => b: error: there must be at least one section\n");
}
