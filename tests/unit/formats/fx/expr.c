// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_expr, operators_bind_as_in_python) {
  FX_LINES("a = 2 + 3 * n ** 2 // 4 => a: B*B - ceildiv(B*B, 4) + 2\n"
           "a = -n + n * 2 => a: B\n"
           "a = (n + 1) * 2 => a: 2*B + 2\n");
  FX("a = -7 // 2\nb = -7 % 4\nreturn a", "b", "1");
  FX_LINES("a = -7 // 2 => a: -4\n");
}

Test(fx_expr, names_are_assigned_before) {
  FX_LINES("a = b => a: error: 'b' is not defined\n");
  FX("a = x if True else y\nreturn a", "b", "");
  FX_LINES("a = torch.foo.bar(x) => a: null\n"
           "a = [*[1, 2], 3]; b = torch.zeros(a) => b: [1, 2, 3]\n");
}

Test(fx_expr, nesting_has_a_limit) {
  char deep[2048] = "a = ";
  for (int i = 0; i < 800; i++) strcat(deep, "(");
  FX(deep, "a", "error: nested too deep");
  FX_LINES("a = x + => a: error: expected an expression\n");
  FX("a = (x\n", "a", "error: expected");
  FX_LINES("a = x. => a: error: expected a name\n");
}

Test(fx_expr, comparisons_and_logic) {
  FX_LINES("a = n and 3; b = torch.zeros(4 or a) => b: [4]\n"
           "a = 2 and 1 => a: 1\n"
           "a = None or 7 => a: 7\n"
           "a = 5 if 1 < 2 < 3 else 6 => a: 5\n"
           "a = 5 if 3 < 2 else 6 => a: 6\n"
           "a = 3 > 2 > 1 => a: 1\n");
}

Test(fx_expr, digits) {
  FX_LINES("a = 1_000 + 0x1_0 + 0b11 + 0o10 => a: 1027\n"
           "a = 99999999999999999999; b = torch.zeros(a) => b: [S0]\n"
           "a = 0x => a: error: is no number\n");
}
