# SPDX-License-Identifier: Apache-2.0
# An FX graph as print_readable() prints it: attention of a decoder with a cache of keys. It is read, never executed.
import torch


class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[B, T, 64]", past_k: "f32[B, 4, P, 16]", past_v: "f32[B, 4, P, 16]", w: "f32[192, 64]"):
        # File: attention.py:21 in forward, code: q, k, v = self.project(x).chunk(3, dim=-1)
        linear: "f32[B, T, 192]" = torch._C._nn.linear(x, w);  x = w = None
        chunk = linear.chunk(3, dim=-1);  linear = None
        getitem = chunk[0]
        getitem_1 = chunk[1]
        getitem_2 = chunk[2];  chunk = None
        # File: attention.py:24 in forward, code: q = q.unflatten(-1, (4, 16)).transpose(1, 2)
        q = getitem.unflatten(-1, (4, 16)).transpose(1, 2);  getitem = None
        k = getitem_1.unflatten(-1, (4, 16)).transpose(1, 2);  getitem_1 = None
        v = getitem_2.unflatten(-1, (4, 16)).transpose(1, 2);  getitem_2 = None
        # File: attention.py:29 in forward, code: k = torch.cat([past_k, k], 2)
        k_1 = torch.cat([past_k, k], 2);  past_k = k = None
        v_1 = torch.cat([past_v, v], 2);  past_v = v = None
        # File: attention.py:31 in forward, code: mask = torch.full((t, t), -inf).triu(1)
        size = q.size(2)
        full = torch.full((size, size), -inf);  size = None
        mask = full.triu(1);  full = None
        # File: attention.py:32 in forward, code: scores = q @ k.transpose(-1, -2) / 4 + mask
        matmul = q @ k_1.transpose(-1, -2);  q = k_1 = None
        scores = matmul / 4 + mask;  matmul = mask = None
        softmax = torch.softmax(scores, -1);  scores = None
        out = softmax @ v_1;  softmax = v_1 = None
        return (out,)
