import torch


class GraphModule(torch.nn.Module):
    def forward(self, x: torch.Tensor, weight: torch.nn.parameter.Parameter, s1: torch.SymInt):
        size = x.size()
        heads = x.view(size[0], size[1], 4, -1);  x = size = None
        keys = heads.transpose(1, 2)
        half = keys[(slice(None, None, None), Ellipsis, slice(None, 8, None))];  keys = None
        out = torch._C._nn.linear(half, weight)
        mask = torch.ones(s1 * 2, dtype=torch.bool)
        return (out, mask)
