// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_index, slices_numbers_none_and_ellipsis) {
  FX("a = x[(slice(None, None, None), 0, None, Ellipsis)]\nreturn a", "a", "[B, 1, H, 8]");
  FX("a = x[:, 1:5:2, ..., None, -1]\nreturn a", "a", "[B, 2, H, 1]");
  FX("a = x[..., 2:, :-1]\nreturn a", "a", "[B, 6, max(H, 2) - 2, 7]");
  FX("a = x[None]\nreturn a", "a", "[1, B, 6, H, 8]");
  FX("a = x[..., 0]\nreturn a", "a", "[B, 6, H]");
}

Test(fx_index, tensors) {
  FX("a = y[z]\nreturn a", "a", "[N, 5]");
  FX("a = x[:, z]\nreturn a", "a", "[B, N, H, 8]");
  FX("a = y[[0, 1]]\nreturn a", "a", "[2, 5]");
  // Not beside one another, one may be a number: nothing is said.
  FX("a = x[z, :, z]\nreturn a", "a", "null");
}

Test(fx_index, lists_and_parts) {
  FX("s = torch.split(x, 2, dim=1)\na = s[2]\nreturn a", "a", "[B, 2, H, 8]");
  FX("a, b = x.chunk(2, -1)\nreturn a", "b", "[B, 6, H, 4]");
  FX("s = x.size()\na = s[-1]\nreturn a", "a", "8");
  FX("m = torch.max(x, 1)\na = m[1]\nreturn a", "a", "[B, H, 8]");
  FX("m = torch.max(x, 1)\na = m[2]\nreturn a", "a", "error: index 2");
}

Test(fx_index, items_are_set) {
  FX("x[:, 0] = 0\nreturn x", "x", "[B, 6, H, 8]");
  FX("x[:, :, :, 0:5] = y[None, None, None, 0]\nreturn x", "x", "[B, 6, H, 8]");
  FX("y[0] = torch.zeros(4)\nreturn y", "y", "error: must broadcast");
}

Test(fx_index, booleans_are_masks) {
  FX("a = x[True]\nreturn a", "a", "[1, B, 6, H, 8]");
  FX("a = x[:, False]\nreturn a", "a", "[B, 0, 6, H, 8]");
  FX("a = y[True, 0]\nreturn a", "a", "[1, 5]");
  FX("a = x.dim() > 1\nb = y[a]\nreturn b", "b", "null");
  FX("a = x.dim() + True\nb = torch.zeros(a)\nreturn b", "b", "[5]");
  FX("a = torch.tensor([True, False])\nb = y[:, a]\nreturn b", "b", "error: mask");
  FX("a = y[[True, False]]\nreturn a", "a", "error: mask");
  FX("a = torch.tensor([True, 2])\nb = y[a]\nreturn b", "b", "[2, 5]");
  FX("y[False] = x\nreturn y", "y", "[8, 5]");
  FX("s = x.shape[True]\nreturn x", "s", "6");
}

Test(fx_index, axes_exist) {
  FX("a = y[:, :, ...]\nreturn a", "a", "[8, 5]");
  FX("a = y[:, :, :]\nreturn a", "a", "error: axis 2");
  FX("a = y[:, ..., 0, :]\nreturn a", "a", "error: axis");
  FX("a = y[[[0, 1], [1, 2]]]\nreturn a", "a", "null");  // a tuple, or one tensor
}

Test(fx_index, starred_targets) {
  FX("a, *b = x.shape\nc = torch.zeros(b)\nreturn c", "c", "[6, H, 8]");
  FX("*a, b = [2, 3, 4]\nc = torch.zeros(a)\nreturn c", "c", "[2, 3]");
  FX("a, *b, c = [2, 3, 4, 5]\nd = torch.zeros(c)\nreturn d", "d", "[5]");
}
