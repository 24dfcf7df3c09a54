// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

static void said_of(const char *text, const char *name, const char *expected) {
  char said[256];
  fx_answer a = fx_analyze(text, NULL, NULL);
  fx_said(&a, name, said);
  cr_expect_str_eq(said, expected, "%s: %s", name, a.text);
  free(a.text);
}

Test(fx_types, annotations_declare_dims) {
  static const char TEXT[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[s0, 3]\", s1: \"Sym(s0 + 1)\", w: "
                             "\"f32[3, s0*2][1, 3]cpu\"):\n"
                             "        a: \"f32[s0, 2*s0]\" = torch.mm(x, w);  x = w = None\n"
                             "        b = torch.zeros(s1)\n"
                             "        c: \"f32[u0, 3]\" = torch.ops.my.op(a)\n"
                             "        return (a, b)\n";
  said_of(TEXT, "a", "[s0, 2*s0]");
  said_of(TEXT, "b", "[s0 + 1]");
}

Test(fx_types, masks_and_numbers_are_apart) {
  FX("m = x[:, 0, 0, 0] > 0\na = x[m]\nreturn a", "m", "[B]");
  FX_LINES("m = torch.argsort(x[:, 0, 0, 0]); a = x[m] => a: [B, 6, H, 8]\n");
  // The type of an index that is not known may be a mask.
  FX_LINES("m = torch.foo(z); a = x[m] => a: null\n"
           "a = torch.arange(n, dtype=torch.int32); b = y[a] => b: [B, 5]\n");
}
