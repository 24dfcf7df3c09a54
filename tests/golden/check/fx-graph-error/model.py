class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[s0, 4]", w: "f32[4, 4]", xs: "f32[s1, s0, 4]"):
        # File: model.py:21 in forward, code: x = torch.cond(p, self.wide, self.narrow, (x, w))
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x, w]);  p = true_graph_0 = false_graph_0 = None
        getitem: "f32[s0, 4]" = cond[0];  cond = None
        # What follows is analysed all the same.
        body_graph_0 = self.body_graph_0
        map_impl = torch.ops.higher_order.map_impl(body_graph_0, [xs], [])
        return (getitem, map_impl[0])

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 4]", w: "f32[4, 4]"):
            mm = torch.ops.aten.mm.default(w, torch.ops.aten.cat.default([w, w]));  x = w = None
            return (mm,)

    class false_graph_0(torch.nn.Module):
        def forward(self, y: "f32[s0, 4]", w: "f32[4, 4]"):
            return (torch.relu(y),)

    class body_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 4]"):
            return (torch.ops.aten.view.default(x, [-1]),)
