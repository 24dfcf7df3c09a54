// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_function, statements) {
  FX("x += 1\na = x\na *= y[0, 0]\nreturn a", "a", "[B, 6, H, 8]");
  FX("n += 1\na = torch.zeros(n)\nreturn a", "a", "[B + 1]");
  FX("(a, b), c = (x, y), n\ndel a\npass\nreturn b", "b", "[8, 5]");
  FX("assert n > 1, 'more'\nself.kept = x\nreturn x", "x", "[B, 6, H, 8]");
  FX("for i in x:\n    pass\nreturn x", "x", "error: found 'for'");
  FX("a = x y\nreturn a", "a", "error: expected the end of the line");
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
