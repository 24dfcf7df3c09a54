// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_operators, tensors_broadcast) {
  FX("a = x[0, 0] @ y\nreturn a", "a", "[H, 5]");
  FX("a = 1 - x * 2.0\nreturn a", "a", "[B, 6, H, 8]");
  FX("a = x + z\nreturn a", "a", "[B, 6, H, 8]");
  FX("a = ~(x > 0)\nreturn a", "a", "[B, 6, H, 8]");
}

Test(fx_operators, integers_are_exact) {
  FX("a = n / 2\nb = int(a)\nc = torch.zeros(b)\nreturn c", "c", "[floordiv(B, 2)]");
  FX("a = n * 0.5\nb = torch.zeros(int(a))\nreturn b", "b", "[S0]");
  FX("a = n > 4\nreturn x", "x", "[B, 6, H, 8]");
}

Test(fx_operators, lists_join_and_repeat) {
  FX("a = x.shape[:2] + (7,)\nb = torch.zeros(a)\nreturn b", "b", "[B, 6, 7]");
  FX("a = torch.zeros([2, 3] * 2)\nreturn a", "a", "[2, 3, 2, 3]");
  FX("a = torch.zeros([1] + [n])\nreturn a", "a", "[1, B]");
}
