// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_index, slices_numbers_none_and_ellipsis) {
  FX_LINES("a = x[(slice(None, None, None), 0, None, Ellipsis)] => a: [B, 1, H, 8]\n"
           "a = x[:, 1:5:2, ..., None, -1] => a: [B, 2, H, 1]\n"
           "a = x[..., 2:, :-1] => a: [B, 6, max(H, 2) - 2, 7]\n"
           "a = x[None] => a: [1, B, 6, H, 8]\n"
           "a = x[..., 0] => a: [B, 6, H]\n");
}

Test(fx_index, tensors) {
  FX_LINES("a = y[z] => a: [N, 5]\n"
           "a = x[:, z] => a: [B, N, H, 8]\n"
           "a = y[[0, 1]] => a: [2, 5]\n");
  // Not beside one another, one may be a number: nothing is said.
  FX_LINES("a = x[z, :, z] => a: null\n");
}

Test(fx_index, lists_and_parts) {
  FX_LINES("s = torch.split(x, 2, dim=1); a = s[2] => a: [B, 2, H, 8]\n");
  FX("a, b = x.chunk(2, -1)\nreturn a", "b", "[B, 6, H, 4]");
  FX_LINES("s = x.size(); a = s[-1] => a: 8\n"
           "m = torch.max(x, 1); a = m[1] => a: [B, H, 8]\n"
           "m = torch.max(x, 1); a = m[2] => a: error: index 2\n");
}

Test(fx_index, items_are_set) {
  FX_LINES("x[:, 0] = 0 => x: [B, 6, H, 8]\n"
           "x[:, :, :, 0:5] = y[None, None, None, 0] => x: [B, 6, H, 8]\n"
           "y[0] = torch.zeros(4) => y: error: must broadcast\n");
}

Test(fx_index, booleans_are_masks) {
  FX_LINES("a = x[True] => a: [1, B, 6, H, 8]\n"
           "a = x[:, False] => a: [B, 0, 6, H, 8]\n"
           "a = y[True, 0] => a: [1, 5]\n"
           "a = x.dim() > 1; b = y[a] => b: null\n"
           "a = x.dim() + True; b = torch.zeros(a) => b: [5]\n"
           "a = torch.tensor([True, False]); b = y[:, a] => b: error: mask\n"
           "a = y[[True, False]] => a: error: mask\n"
           "a = torch.tensor([True, 2]); b = y[a] => b: [2, 5]\n"
           "y[False] = x => y: [8, 5]\n");
  FX("s = x.shape[True]\nreturn x", "s", "6");
}

Test(fx_index, axes_exist) {
  FX_LINES("a = y[:, :, ...] => a: [8, 5]\n"
           "a = y[:, :, :] => a: error: axis 2\n"
           "a = y[:, ..., 0, :] => a: error: axis\n");
  FX("a = y[[[0, 1], [1, 2]]]\nreturn a", "a", "null");  // a tuple, or one tensor
}

Test(fx_index, starred_targets) {
  FX_LINES("a, *b = x.shape; c = torch.zeros(b) => c: [6, H, 8]\n"
           "*a, b = [2, 3, 4]; c = torch.zeros(a) => c: [2, 3]\n"
           "a, *b, c = [2, 3, 4, 5]; d = torch.zeros(c) => d: [5]\n");
}
