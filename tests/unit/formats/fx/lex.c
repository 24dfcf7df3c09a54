// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_lex, lines_end_outside_of_brackets) {
  FX("a = torch.relu(\n  x,  # the input\n)\nb = (\n a\n) ;  c = b\nreturn c", "c", "[B, 6, H, 8]");
  FX("a = \\\n  x\nreturn a", "a", "[B, 6, H, 8]");
  FX("a = x; a_1 = a.view(n, -1);  a = None\nreturn a_1", "a_1", "[B, 48*H]");
}

Test(fx_lex, numbers_and_texts) {
  FX("a = torch.zeros(0x10, 1_0 - 10)\nreturn a", "a", "[16, 0]");
  FX("a = torch.zeros(0x10, 2)\nreturn a", "a", "[16, 2]");
  FX("a = torch.arange(0, 1.5, 5e-1)\nreturn a", "a", "[3]");
  FX("a = torch.einsum('bchw,' \"wk->bk\", x, y)\nreturn a", "a", "[B, 5]");
  FX("a = torch.einsum('bchw\nreturn a", "a", "error: the string has no end");
  FX("a = torch.zeros(99999999999999999999, 2)\nreturn a", "b", "");
}
