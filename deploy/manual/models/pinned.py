# SPDX-License-Identifier: Apache-2.0
# An FX graph as print_readable() prints it: an encoder whose table of positions has 512 rows. It is read, never executed.
import torch


class GraphModule(torch.nn.Module):
    def forward(self, tokens: "f32[B, T, 64]", table: "f32[512, 64]", scale: "f32[64]"):
        # File: encoder.py:21 in forward, code: x = tokens * self.scale
        x: "f32[B, T, 64]" = torch.ops.aten.mul.Tensor(tokens, scale);  tokens = scale = None

        # File: positions.py:9 in forward, code: p = self.table[:128]
        p = torch.ops.aten.slice.Tensor(table, 0, 0, 128);  table = None

        # File: positions.py:10 in forward, code: return x + p
        y = torch.ops.aten.add.Tensor(x, p);  x = p = None
        return (y,)
