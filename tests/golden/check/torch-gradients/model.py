# SPDX-License-Identifier: Apache-2.0
import torch


class GraphModule(torch.nn.Module):
    def forward(self, g: "f32[A, 1]", x: "f32[B, C]", p: "f32[D]", r: "i64[N]"):
        gelu = torch.ops.aten.gelu_backward.default(g, x)
        elu = torch.ops.aten.elu_backward.default(g, 1, 1, 1, False, x)
        softmax = torch.ops.aten._softmax_backward_data.default(gelu, x, -1, torch.float32)
        drawn = torch.ops.aten.bernoulli.Tensor(x, p)
        low = torch.ops.aten.quantile.scalar(p, 0.5)
        rows = torch.ops.aten.repeat_interleave.self_Tensor(x, r, 0, output_size=7)
        return (gelu, elu, softmax, drawn, low, rows)
