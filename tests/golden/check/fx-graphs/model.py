class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[s0, 4]", w: "f32[4, 4]", xs: "f32[s1, s0, 4]"):
        # File: model.py:21 in forward, code: x = torch.cond(p, self.wide, self.narrow, (x, w))
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x, w]);  p = true_graph_0 = false_graph_0 = None
        getitem: "f32[s0, 4]" = cond[0];  cond = None
        # File: model.py:24 in forward, code: torch.while_loop(more, step, (torch.tensor(0), x))
        zero = torch.ops.aten.full.default([], 0, dtype = torch.int64)
        while_loop_cond_graph_0 = self.while_loop_cond_graph_0
        while_loop_body_graph_0 = self.while_loop_body_graph_0
        while_loop = torch.ops.higher_order.while_loop(while_loop_cond_graph_0, while_loop_body_graph_0, (zero, getitem), (w,));  zero = getitem = None
        getitem_1 = while_loop[1];  while_loop = None
        # File: model.py:27 in forward, code: scan(add, init = x, xs = xs)
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [getitem_1], [xs], []);  scan_combine_graph_0 = None
        getitem_2 = scan[1];  scan = None
        # File: model.py:30 in forward, code: map(lambda x: x.view(-1), xs)
        body_graph_0 = self.body_graph_0
        map_impl = torch.ops.higher_order.map_impl(body_graph_0, [xs], []);  body_graph_0 = xs = None
        getitem_3 = map_impl[0];  map_impl = None
        return (getitem_1, getitem_2, getitem_3)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 4]", w: "f32[4, 4]"):
            mm: "f32[s0, 4]" = torch.ops.aten.mm.default(x, w);  x = w = None
            return (mm,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 4]", w: "f32[4, 4]"):
            relu: "f32[s0, 4]" = torch.ops.aten.relu.default(x);  x = None
            return (relu,)

    class while_loop_cond_graph_0(torch.nn.Module):
        def forward(self, it: "i64[]", x: "f32[s0, 4]", w: "f32[4, 4]"):
            lt: "b8[]" = torch.ops.aten.lt.Scalar(it, 8);  it = None
            return lt

    class while_loop_body_graph_0(torch.nn.Module):
        def forward(self, it: "i64[]", x: "f32[s0, 4]", w: "f32[4, 4]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(it, 1);  it = None
            mm: "f32[s0, 4]" = torch.ops.aten.mm.default(x, w);  x = w = None
            return (add, mm)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, carry: "f32[s0, 4]", x: "f32[s0, 4]"):
            add: "f32[s0, 4]" = torch.ops.aten.add.Tensor(carry, x);  carry = None
            sum_1: "f32[s0]" = torch.ops.aten.sum.dim_IntList(x, [1]);  x = None
            return [add, sum_1]

    class body_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s0, 4]"):
            view: "f32[4*s0]" = torch.ops.aten.view.default(x, [-1]);  x = None
            return (view,)
