// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_lex, lines_end_outside_of_brackets) {
  FX("a = torch.relu(\n  x,  # the input\n)\nb = (\n a\n) ;  c = b\nreturn c", "c", "[B, 6, H, 8]");
  FX("a = \\\n  x\nreturn a", "a", "[B, 6, H, 8]");
  FX_LINES("a = x; a_1 = a.view(n, -1);  a = None => a_1: [B, 48*H]\n");
}

Test(fx_lex, numbers_and_texts) {
  FX_LINES("a = torch.zeros(0x10, 1_0 - 10) => a: [16, 0]\n"
           "a = torch.zeros(0x10, 2) => a: [16, 2]\n"
           "a = torch.arange(0, 1.5, 5e-1) => a: [3]\n"
           "a = torch.einsum('bchw,' \"wk->bk\", x, y) => a: [B, 5]\n"
           "a = torch.einsum('bchw => a: error: the string has no end\n");
  FX("a = torch.zeros(99999999999999999999, 2)\nreturn a", "b", "");
}
