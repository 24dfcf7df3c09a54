// SPDX-License-Identifier: Apache-2.0
// Views, repetitions, order of axes. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5], z [N].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."

Test(torch_view, reshape) {
  FX_LINES("a = y.view(4, -1) => a: [4, 10]\n"
           "a = x.view(n, -1) => a: [B, 48*H]\n"
           "a = x.reshape(-1, 3) => a: [16*B*H, 3]\n"
           "a = y.view(40) => a: [40]\n"
           "a = y.view_as(torch.zeros(2, 20)) => a: [2, 20]\n"
           "a = y.view(3, -1) => a: error: the elements must fill the dims beside -1\n"
           "a = y.view(7, 5) => a: error: found 40 and 35\n"
           "a = y.view(-1, -1) => a: error: the shape has -1 more than once\n"
           "a = y.view(-2, 20) => a: error: the shape has the dim -2\n"
           "a = y.view(-1, 0) => a: error: the dims beside -1 must not be 0\n"
           "a = y.view_as(torch.zeros(3, 20)) => a: error: found 40 and 60\n");
}

// Widths of elements: the last axis has its bytes.
Test(torch_view, element_types) {
  FX_LINES("a = " A "view.dtype(y, 6) => a: [8, 5]\n"
           "a = " A "view.dtype(y, 3) => a: [8, 5]\n"
           "a = " A "view.dtype(y, 1) => a: [8, 20]\n"
           "a = " A "view.dtype(x, 7) => a: [B, 6, H, 4]\n"
           "a = " A
           "view.dtype(y, 7) => a: error: the bytes of the last axis must be whole elements\n"
           "s = torch.zeros([]); a = " A
           "view.dtype(s, 7) => a: error: a scalar keeps the width of its element\n");
}

Test(torch_view, flatten) {
  FX_LINES("a = torch.flatten(x, 1) => a: [B, 48*H]\n"
           "a = torch.flatten(x, -3, -2) => a: [B, 6*H, 8]\n"
           "a = torch.flatten(torch.tensor(1)) => a: [1]\n"
           "a = torch.flatten(x, 2, 1) => a: error: start_dim is after end_dim\n"
           "a = torch.unflatten(y, 0, (2, 4)) => a: [2, 4, 5]\n"
           "a = torch.unflatten(y, 1, (-1, 5)) => a: [8, 1, 5]\n"
           "a = torch.unflatten(y, 1, (2, 2)) => a: error: found 5 and 4\n");
}

Test(torch_view, axes_of_1) {
  FX_LINES("a = torch.squeeze(torch.zeros(1, 3, 1)) => a: [3]\n"
           "a = torch.squeeze(torch.zeros(1, 3, 1), 0) => a: [3, 1]\n"
           "a = torch.squeeze(torch.zeros(1, 3, 1), (0, 2)) => a: [3]\n"
           "a = torch.squeeze(y, 0) => a: [8, 5]\n"
           "a = torch.unsqueeze(y, -1) => a: [8, 5, 1]\n"
           "a = torch.unsqueeze(y, 0) => a: [1, 8, 5]\n"
           "a = torch.unsqueeze(y, 3) => a: error: axis\n"
           "a = torch.atleast_1d(torch.tensor(1)) => a: [1]\n"
           "a = torch.atleast_2d(z) => a: [1, N]\n"
           "a = torch.atleast_3d(z) => a: [1, N, 1]\n"
           "a = torch.atleast_3d(y) => a: [8, 5, 1]\n"
           "a = torch.atleast_2d(x) => a: [B, 6, H, 8]\n");
}

Test(torch_view, expand_and_repeat) {
  FX_LINES("a = y.expand(3, -1, 5) => a: [3, 8, 5]\n"
           "a = torch.zeros(1, 5).expand(n, 5) => a: [B, 5]\n"
           "a = torch.zeros(5).expand_as(y) => a: [8, 5]\n"
           "a = y.expand(5) => a: error: a tensor of rank 2 is expanded to rank 1\n"
           "a = y.expand(-1, 8, 5) => a: error: an axis is expanded to -1\n"
           "a = y.expand(8, 6) => a: error: a dim must be expanded from 1, or stay\n"
           "a = y.repeat(2, 1, 3) => a: [2, 8, 15]\n"
           "a = y.repeat(2) => a: error: 1 repeats for a tensor of rank 2\n"
           "a = torch.tile(y, (2,)) => a: [8, 10]\n"
           "a = torch.tile(z, (n, 2)) => a: [B, 2*N]\n"
           "a = torch.repeat_interleave(y, 3) => a: [120]\n"
           "a = torch.repeat_interleave(y, 3, 1) => a: [8, 15]\n"
           "a = torch.repeat_interleave(torch.tensor(1), 3) => a: [3]\n"
           "a = torch.repeat_interleave(y, z, 0) => a: [S0, 5]\n"
           "a = torch.broadcast_tensors(y, torch.zeros(3, 1, 1)); b = a[0] => b: [3, 8, 5]\n"
           "a = torch.as_strided(y, (2, n), (1, 1)) => a: [2, B]\n");
}

Test(torch_axes, order) {
  FX_LINES("a = torch.transpose(x, 0, -1) => a: [8, 6, H, B]\n"
           "a = y.t() => a: [5, 8]\n"
           "a = z.t() => a: [N]\n"
           "a = x.mT => a: [B, 6, 8, H]\n"
           "a = x.t() => a: error: the operand has rank 4, at most 2 is needed\n"
           "a = torch.permute(x, (3, 0, -2, 1)) => a: [8, B, H, 6]\n"
           "a = torch.permute(x, (0, 1)) => a: error: 2 axes for a tensor of rank 4\n"
           "a = torch.permute(y, (0, -2)) => a: error: axis 0 is given twice\n"
           "a = torch.permute(y, (0, 1, 1)) => a: error: 3 axes for a tensor of rank 2\n"
           "a = torch.movedim(x, 0, -1) => a: [6, H, 8, B]\n"
           "a = torch.movedim(x, (0, 1), (2, 0)) => a: [6, H, B, 8]\n"
           "a = torch.movedim(x, (0, 1), (2,)) => a: error: 2 axes are moved to 1\n"
           "a = torch.rot90(y) => a: [5, 8]\n"
           "a = torch.rot90(x, 3, (1, 3)) => a: [B, 8, H, 6]\n"
           "a = torch.rot90(x, 2, (1, 3)) => a: [B, 6, H, 8]\n"
           "a = torch.rot90(x, 1, (1, 2, 3)) => a: error: 3 axes are rotated, 2 are needed\n"
           "a = torch.swapaxes(y, 0, 1) => a: [5, 8]\n");
}
