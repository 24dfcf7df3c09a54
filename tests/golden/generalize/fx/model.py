class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 128, 768]", w : "f32[768, 768]", mask: "f32[8, 128]"):
        # File: model.py:12 in forward, code: q = self.q(x).view(8, 128, 12, 64).transpose(1, 2)
        q: "f32[8, 128, 768]" = torch.nn.functional.linear(x, w);  x = w = None
        heads: "f32[8, 128, 12, 64]" = q.view(8, 128, 12, 64)
        t: "f32[8, 12, 128, 64]" = heads.transpose(1, 2);  heads = None
        # File: model.py:15 in forward, code: m = mask[:, None, None].expand(8, 1, 128, 128)
        m = mask[(slice(None, None, None), None, None)]
        wide = m.expand(8, 1, 128, 128);  m = None
        scores = torch.matmul(t, t.transpose(-2, -1)) + wide
        flat = torch.reshape(scores, [
            8 * 12,  # two numbers: computed, and not written anew
            128, 128])
        lines = q.view(1024, 768)
        rest = q.reshape((8, -1))
        zeros = torch.zeros([8, 128], dtype = torch.float32) + mask
        return (flat, lines, rest, zeros)
