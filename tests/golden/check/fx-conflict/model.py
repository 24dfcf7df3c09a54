class GraphModule(torch.nn.Module):
    def forward(self, q: "f32[s0, s1, 64]", k: "f32[s0, s2, 32]"):
        # File: attention.py:12 in forward, code: scores = q @ k.transpose(1, 2)
        transpose: "f32[s0, 32, s2]" = torch.ops.aten.transpose.int(k, 1, 2);  k = None
        scores = torch.ops.aten.matmul.default(q, transpose)
        masked = torch.my_lib.mask(scores)
        return (scores, masked)
