// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

// A program whose submodules t and f have these forwards of x and y.
static fx_answer with_graphs(const char *body, const char *t, const char *f) {
  char text[2048];
  int length = snprintf(text, sizeof text,
                        "class GraphModule(torch.nn.Module):\n"
                        "    def forward(self, p: \"b8[]\", x: \"f32[B, 4]\", y: \"f32[B, 4]\"):\n"
                        "        t = self.t;  f = self.f\n"
                        "        c = torch.ops.higher_order.%s\n"
                        "        return c\n\n"
                        "    class t(torch.nn.Module):\n"
                        "        def forward(self, x, y):\n"
                        "            %s\n\n"
                        "    class f(torch.nn.Module):\n"
                        "        def forward(self, x, y):\n"
                        "            %s\n",
                        body, t, f);
  cr_assert_lt(length, (int)sizeof text);
  return fx_analyze(text, NULL, NULL);
}

static void expect(int line, const char *body, const char *t, const char *f, const char *dims) {
  fx_answer a = with_graphs(body, t, f);
  cr_expect(strstr(a.text, dims), "line %d: %s", line, a.text);
  free(a.text);
}
#define EXPECT(body, t, f, dims) expect(__LINE__, body, t, f, dims)

Test(fx_hop, cond_is_one_of_two_graphs) {
  EXPECT("cond(p, t, f, [x, y])", "return (x + y,)", "return (x,)",
         "\"result_dims\": [[\"B\", 4]]");
  EXPECT("cond(p, t, f, (x, y))[0] + y", "return (x + y,)", "return (x,)",
         "\"result_dims\": [[\"B\", 4]]");
  EXPECT("cond(p, t, f, [x, y]) + y", "return x + y", "return x", "\"result_dims\": [[\"B\", 4]]");
  EXPECT("cond(p, t, f, [x, y])", "return (torch.mm(x, torch.t(y)),)", "return (x,)", "[[\"B\", ");
  EXPECT("cond(p, t, f, [x, y])", "return (torch.cat([x, y], 2),)", "return (x,)", "\"error\"");
  EXPECT("cond(p, t, f, [x, y])", "return (x, y)", "return (x,)", "returns 1 values, 2 are needed");
  EXPECT("cond(p, t, f, [x, y])", "x.unsqueeze_(0); return (x,)", "return (x,)",
         "changes the dims of an operand in place");
}

Test(fx_hop, loops_run_their_graphs_again) {
  EXPECT("while_loop(t, f, (x, y), ())", "return p", "return (x, y)", "'p' is not defined");
  EXPECT("while_loop(t, f, (x, y))", "return x.sum() > 0", "return (x + y, y)",
         "\"result_dims\": [[\"B\", 4], [\"B\", 4]]");
  // An annotation is of one trip.
  EXPECT("while_loop(t, f, (x, 1))", "return y < 3",
         "z: \"f32[B, 4]\" = torch.cat([x, x]); return (z, y + 1)",
         "\"result_dims\": [[\"4*B\", 4]");
  EXPECT("while_loop(t, f, (x, y))", "return x.sum() > 0", "return (x,)",
         "returns 1 values, 2 are needed");
  EXPECT("scan(t, [], [x, y], [])", "return (x, y + 1)", "pass",
         "\"result_dims\": [[\"B\", 4], [\"B\", 4]]");
  EXPECT("scan(t, [torch.zeros(4)], [y], [])", "return (x + y, y.sum())", "pass",
         "\"result_dims\": [[4], [\"B\"]]");
}

Test(fx_hop, map_sees_slices) {
  EXPECT("map_impl(t, [x], [y])", "return (torch.mv(y, x),)", "pass",
         "\"result_dims\": [[\"B\", \"B\"]]");
  EXPECT("map(t, [x, y], [])", "return (x.sum(), x + y)", "pass",
         "\"result_dims\": [[\"B\"], [\"B\", 4]]");
}

Test(fx_hop, what_runs_once_is_read_as_it_is) {
  EXPECT("invoke_subgraph(t, 'sub_0', x, y)", "return (torch.cat([x, y]),)", "pass",
         "\"result_dims\": [[\"2*B\", 4]]");
  EXPECT("wrap_with_set_grad_enabled(False, t, x, y)", "return (x + y,)", "pass",
         "\"result_dims\": [[\"B\", 4]]");
  EXPECT("other(t, x, y)", "return (x + y,)", "pass", "no rule");
}
