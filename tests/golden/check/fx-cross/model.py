# SPDX-License-Identifier: Apache-2.0
# Both operands have the dim 3 along the axis: neither is broadcast along it.
import torch


def forward(self, t0: "f32[s0, s1, s2]", t1: "f32[s3, 3, s5]"):
    r = torch.ops.aten.linalg_cross.default(t0, t1, dim=-2)
    return (r,)
