// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_call, arguments_by_position_and_name) {
  FX("a = torch.nn.functional.max_pool2d(x, 2, ceil_mode=False, return_indices=False)\nreturn a",
     "a", "[B, 6, floordiv(H, 2), 4]");
  FX("a = x.permute(0, 2, 3, 1)\nreturn a", "a", "[B, H, 8, 6]");
  FX("a = x.permute([0, 2, 3, 1])\nreturn a", "a", "[B, H, 8, 6]");
  FX("a = x.mean(axis=1, keepdims=True)\nreturn a", "a", "[B, 1, H, 8]");
  FX("a = torch.sum(x, (1, 2), dtype=torch.float64)\nreturn a", "a", "[B, 8]");
}

Test(fx_call, overloads_are_chosen_by_kinds) {
  FX("a = torch.max(x)\nreturn a", "a", "[]");
  FX("a = torch.max(x, y[0, 0])\nreturn a", "a", "[B, 6, H, 8]");
  FX("a = x.split([2, 4], 1)\nb = a[1]\nreturn b", "b", "[B, 4, H, 8]");
  FX("a = torch.norm(x, p=2, dim=-1)\nreturn a", "a", "[B, 6, H]");
  FX("a = torch.ops.aten.sum.dim_IntList(x, [0], True)\nreturn a", "a", "[1, 6, H, 8]");
  FX("a = torch.ops.aten.mul(x, 2)\nreturn a", "a", "[B, 6, H, 8]");
}

Test(fx_call, what_is_not_known_is_said_once) {
  FX("a = torch.foo(x)\nb = a + x\nc = a.relu()\nreturn b", "b", "null");
  // A keyword that no signature has may mean anything.
  FX("a = torch.sum(x, wrap=1)\nreturn a", "a", "null");
}

Test(fx_call, in_place) {
  FX("y.unsqueeze_(0)\na = y.relu()\nreturn a", "a", "[1, 8, 5]");
  // What may be the same tensor has dims that are not known then.
  FX("b = y.contiguous()\nb.unsqueeze_(0)\na = y.relu()\nreturn a", "a", "null");
  FX("b = y.contiguous()\nb.unsqueeze_(0)\na = b.relu()\nreturn a", "a", "[1, 8, 5]");
  FX("b = y.flatten(0)\nb.unsqueeze_(0)\na = y.relu()\nreturn a", "a", "null");
  FX("b = y.long()\nb.unsqueeze_(0)\na = y.relu()\nreturn a", "a", "[8, 5]");
  FX("b = y.matmul(y.t())\nb.unsqueeze_(0)\na = y.relu()\nreturn a", "a", "[8, 5]");
  FX("b = y\nb.t_()\na = y.relu()\nreturn a", "a", "[5, 8]");
  FX("l = [y, x]\ny.t_()\na = l[0].relu()\nreturn a", "a", "[5, 8]");
  FX("y.data = x\na = y.relu()\nreturn a", "a", "[B, 6, H, 8]");
  FX("y.resize_(2, 3)\na = y.relu()\nreturn a", "a", "null");
  FX("z.add_(1)\na = torch.zeros(z[0].item())\nreturn a", "z", "[N]");
}

Test(fx_call, results_that_are_written) {
  FX("a = torch.empty(0)\nb = a\ntorch.add(y, 1, out=a)\nc = b.relu()\nreturn c", "c", "[8, 5]");
  FX("a = torch.empty(0)\nb = torch.empty(0, dtype=torch.long)\n"
     "torch.max(y, 0, out=(a, b))\nc = b.relu()\nreturn c",
     "c", "[5]");
  FX("a = torch.empty(0)\ntorch.foo(y, out=a)\nc = a.relu()\nreturn c", "c", "null");
  FX("z.add_(1)\na = torch.cat([x, x])\nreturn a", "a", "[2*B, 6, H, 8]");
}

Test(fx_call, booleans_are_no_dims) {
  FX("a = x.select(True, 0)\nreturn a", "a", "null");
  FX("a = torch.linspace(0, 1, steps=5)\nreturn a", "a", "[5]");
  FX("a = x.sum(0, True)\nreturn a", "a", "[1, 6, H, 8]");
}
