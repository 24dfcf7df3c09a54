// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_special, dims_as_integers) {
  FX("a = x.size(0)\nb = a * 2\nreturn b", "b", "2*B");
  FX("a = getattr(x, 'shape')\nb = len(a)\nreturn b", "b", "4");
  FX("a = x.numel()\nreturn a", "a", "48*B*H");
  FX("a = torch.sym_max(n, 4)\nb = max(n, 2, 3)\nreturn a", "b", "max(B, 3)");
  FX("a = torch.sym_sum([n, 1, n])\nreturn a", "a", "2*B + 1");
}

Test(fx_special, literals) {
  FX("a = torch.tensor([[1, 2], [3, 4]])\nreturn a", "a", "[2, 2]");
  FX("a = torch.tensor(5)\nb = torch.zeros(a.item())\nreturn b", "b", "[5]");
  FX("a = torch.tensor([])\nreturn a", "a", "[0]");
}

Test(fx_special, functions_of_several_operators) {
  FX("a = torch.nn.functional.interpolate(x, scale_factor=2.0, mode='nearest')\nreturn a", "a",
     "[B, 6, 2*H, 16]");
  FX("a = torch.nn.functional.interpolate(x, size=(n, 4), mode='bilinear')\nreturn a", "a",
     "[B, 6, B, 4]");
  FX("a = x.T\nb = y.mT\nreturn b", "b", "[5, 8]");
  FX("torch._check(n >= 4)\na = x.float().to(device('cpu')).type_as(y)\nreturn a", "a",
     "[B, 6, H, 8]");
}
