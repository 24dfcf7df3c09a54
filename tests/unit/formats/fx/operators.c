// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_operators, tensors_broadcast) {
  FX_LINES("a = x[0, 0] @ y => a: [H, 5]\n"
           "a = 1 - x * 2.0 => a: [B, 6, H, 8]\n"
           "a = x + z => a: [B, 6, H, 8]\n"
           "a = ~(x > 0) => a: [B, 6, H, 8]\n");
}

Test(fx_operators, integers_are_exact) {
  FX_LINES("a = n / 2; b = int(a); c = torch.zeros(b) => c: [floordiv(B, 2)]\n"
           "a = n * 0.5; b = torch.zeros(int(a)) => b: [S0]\n"
           "a = n > 4 => x: [B, 6, H, 8]\n");
}

Test(fx_operators, lists_join_and_repeat) {
  FX_LINES("a = x.shape[:2] + (7,); b = torch.zeros(a) => b: [B, 6, 7]\n"
           "a = torch.zeros([2, 3] * 2) => a: [2, 3, 2, 3]\n"
           "a = torch.zeros([1] + [n]) => a: [1, B]\n");
}
