// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_function, statements) {
  FX_LINES("x += 1; a = x; a *= y[0, 0] => a: [B, 6, H, 8]\n"
           "n += 1; a = torch.zeros(n) => a: [B + 1]\n"
           "(a, b), c = (x, y), n; del a; pass => b: [8, 5]\n"
           "assert n > 1, 'more'; self.kept = x => x: [B, 6, H, 8]\n");
  FX("for i in x:\n    pass\nreturn x", "x", "error: found 'for'");
  FX_LINES("a = x y => a: error: expected the end of the line\n");
}

Test(fx_function, submodules_are_read_where_they_are_called) {
  static const char TEXT[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[B, 4]\"):\n"
                             "        a = self.inner(x)\n"
                             "        b = self.inner.deep(a)\n"
                             "        c = self.other(b)\n"
                             "        return (a, b, c)\n"
                             "    class inner(torch.nn.Module):\n"
                             "        def forward(self, y):\n"
                             "            return torch.unsqueeze(y, 0)\n"
                             "        class deep(torch.nn.Module):\n"
                             "            def forward(self, y): return y.view(-1)\n";
  char said[256];
  fx_answer a = fx_analyze(TEXT, NULL, NULL);
  fx_said(&a, "a", said);
  cr_expect_str_eq(said, "[1, B, 4]");
  fx_said(&a, "b", said);
  cr_expect_str_eq(said, "[4*B]");
  fx_said(&a, "c", said);
  cr_expect_str_eq(said, "null");
  free(a.text);
}

Test(fx_function, a_module_that_calls_itself_ends) {
  static const char TEXT[] =
      "class M(torch.nn.Module):\n    def forward(self, x):\n        return self.a(x)\n"
      "    class a(torch.nn.Module):\n        def forward(self, x):\n"
      "            return self.a(x)\n        class a(torch.nn.Module):\n"
      "            def forward(self, x): return x\n";
  fx_answer a = fx_analyze(TEXT, NULL, NULL);
  cr_expect(strstr(a.text, "\"status\": \"ok\""), "%s", a.text);
  free(a.text);
}
