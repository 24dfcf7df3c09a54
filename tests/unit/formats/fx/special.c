// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_special, dims_as_integers) {
  FX_LINES("a = x.size(0); b = a * 2 => b: 2*B\n"
           "a = getattr(x, 'shape'); b = len(a) => b: 4\n"
           "a = x.numel() => a: 48*B*H\n");
  FX("a = torch.sym_max(n, 4)\nb = max(n, 2, 3)\nreturn a", "b", "max(B, 3)");
  FX_LINES("a = torch.sym_sum([n, 1, n]) => a: 2*B + 1\n");
}

Test(fx_special, literals) {
  FX_LINES("a = torch.tensor([[1, 2], [3, 4]]) => a: [2, 2]\n"
           "a = torch.tensor(5); b = torch.zeros(a.item()) => b: [5]\n"
           "a = torch.tensor([]) => a: [0]\n");
}

Test(fx_special, functions_of_several_operators) {
  FX_LINES(
      "a = torch.nn.functional.interpolate(x, scale_factor=2.0, mode='nearest') => a: [B, 6, 2*H, "
      "16]\n"
      "a = torch.nn.functional.interpolate(x, size=(n, 4), mode='bilinear') => a: [B, 6, B, 4]\n"
      "a = x.T; b = y.mT => b: [5, 8]\n"
      "torch._check(n >= 4); a = x.float().to(device('cpu')).type_as(y) => a: [B, 6, H, 8]\n");
}
