// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_expr, operators_bind_as_in_python) {
  FX("a = 2 + 3 * n ** 2 // 4\nreturn a", "a", "B*B - ceildiv(B*B, 4) + 2");
  FX("a = -n + n * 2\nreturn a", "a", "B");
  FX("a = (n + 1) * 2\nreturn a", "a", "2*B + 2");
  FX("a = -7 // 2\nb = -7 % 4\nreturn a", "b", "1");
  FX("a = -7 // 2\nreturn a", "a", "-4");
}

Test(fx_expr, names_are_assigned_before) {
  FX("a = b\nreturn a", "a", "error: 'b' is not defined");
  FX("a = x if True else y\nreturn a", "b", "");
  FX("a = torch.foo.bar(x)\nreturn a", "a", "null");
  FX("a = [*[1, 2], 3]\nb = torch.zeros(a)\nreturn b", "b", "[1, 2, 3]");
}

Test(fx_expr, nesting_has_a_limit) {
  char deep[2048] = "a = ";
  for (int i = 0; i < 800; i++) strcat(deep, "(");
  FX(deep, "a", "error: nested too deep");
  FX("a = x +\nreturn a", "a", "error: expected an expression");
  FX("a = (x\n", "a", "error: expected");
  FX("a = x.\nreturn a", "a", "error: expected a name");
}

Test(fx_expr, comparisons_and_logic) {
  FX("a = n and 3\nb = torch.zeros(4 or a)\nreturn b", "b", "[4]");
  FX("a = 2 and 1\nreturn a", "a", "1");
  FX("a = None or 7\nreturn a", "a", "7");
  FX("a = 5 if 1 < 2 < 3 else 6\nreturn a", "a", "5");
  FX("a = 5 if 3 < 2 else 6\nreturn a", "a", "6");
  FX("a = 3 > 2 > 1\nreturn a", "a", "1");
}

Test(fx_expr, digits) {
  FX("a = 1_000 + 0x1_0 + 0b11 + 0o10\nreturn a", "a", "1027");
  FX("a = 99999999999999999999\nb = torch.zeros(a)\nreturn b", "b", "[S0]");
  FX("a = 0x\nreturn a", "a", "error: is no number");
}
