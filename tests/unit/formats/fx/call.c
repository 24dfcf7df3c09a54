// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_call, arguments_by_position_and_name) {
  FX_LINES("a = torch.nn.functional.max_pool2d(x, 2, ceil_mode=False, return_indices=False) => a: "
           "[B, 6, floordiv(H, 2), 4]\n"
           "a = x.permute(0, 2, 3, 1) => a: [B, H, 8, 6]\n"
           "a = x.permute([0, 2, 3, 1]) => a: [B, H, 8, 6]\n"
           "a = x.mean(axis=1, keepdims=True) => a: [B, 1, H, 8]\n"
           "a = torch.sum(x, (1, 2), dtype=torch.float64) => a: [B, 8]\n");
}

Test(fx_call, overloads_are_chosen_by_kinds) {
  FX_LINES("a = torch.max(x) => a: []\n"
           "a = torch.max(x, y[0, 0]) => a: [B, 6, H, 8]\n"
           "a = x.split([2, 4], 1); b = a[1] => b: [B, 4, H, 8]\n"
           "a = torch.norm(x, p=2, dim=-1) => a: [B, 6, H]\n"
           "a = torch.ops.aten.sum.dim_IntList(x, [0], True) => a: [1, 6, H, 8]\n"
           "a = torch.ops.aten.mul(x, 2) => a: [B, 6, H, 8]\n");
}

Test(fx_call, what_is_not_known_is_said_once) {
  FX_LINES("a = torch.foo(x); b = a + x; c = a.relu() => b: null\n");
  // A keyword that no signature has may mean anything.
  FX_LINES("a = torch.sum(x, wrap=1) => a: null\n");
}

Test(fx_call, in_place) {
  FX_LINES("y.unsqueeze_(0); a = y.relu() => a: [1, 8, 5]\n");
  // What may be the same tensor has dims that are not known then.
  FX_LINES("b = y.contiguous(); b.unsqueeze_(0); a = y.relu() => a: null\n"
           "b = y.contiguous(); b.unsqueeze_(0); a = b.relu() => a: [1, 8, 5]\n"
           "b = y.flatten(0); b.unsqueeze_(0); a = y.relu() => a: null\n"
           "b = y.long(); b.unsqueeze_(0); a = y.relu() => a: [8, 5]\n"
           "b = y.matmul(y.t()); b.unsqueeze_(0); a = y.relu() => a: [8, 5]\n"
           "b = y; b.t_(); a = y.relu() => a: [5, 8]\n"
           "l = [y, x]; y.t_(); a = l[0].relu() => a: [5, 8]\n"
           "y.data = x; a = y.relu() => a: [B, 6, H, 8]\n"
           "y.resize_(2, 3); a = y.relu() => a: null\n");
  FX("z.add_(1)\na = torch.zeros(z[0].item())\nreturn a", "z", "[N]");
}

Test(fx_call, results_that_are_written) {
  FX_LINES("a = torch.empty(0); b = a; torch.add(y, 1, out=a); c = b.relu() => c: [8, 5]\n");
  FX("a = torch.empty(0)\nb = torch.empty(0, dtype=torch.long)\n"
     "torch.max(y, 0, out=(a, b))\nc = b.relu()\nreturn c",
     "c", "[5]");
  FX_LINES("a = torch.empty(0); torch.foo(y, out=a); c = a.relu() => c: null\n"
           "z.add_(1); a = torch.cat([x, x]) => a: [2*B, 6, H, 8]\n");
}

Test(fx_call, booleans_are_no_dims) {
  FX_LINES("a = x.select(True, 0) => a: null\n"
           "a = torch.linspace(0, 1, steps=5) => a: [5]\n"
           "a = x.sum(0, True) => a: [1, 6, H, 8]\n");
}

// Without an axis both are flat.
Test(fx_call, take_along_dim) {
  FX_LINES("a = torch.take_along_dim(y, y.long(), None) => a: [40]\n"
           "a = torch.take_along_dim(y, y.long()) => a: [40]\n"
           "a = torch.take_along_dim(y, y.long()[:, 0:2], 1) => a: [8, 2]\n"
           "a = torch.take(y, y.long()) => a: [8, 5]\n");
}

// size_average and reduce come before reduction where they are given: torch/nn/_reduction.py, legacy_get_string.
Test(fx_call, losses_take_what_reduction_was_before) {
  FX_LINES(
      "a = torch.nn.functional.mse_loss(y, y) => a: []\n"
      "a = torch.nn.functional.mse_loss(y, y, reduction='none') => a: [8, 5]\n"
      "a = torch.nn.functional.mse_loss(y, y, reduce=False) => a: [8, 5]\n"
      "a = torch.nn.functional.mse_loss(y, y, False, False) => a: [8, 5]\n"
      "a = torch.nn.functional.mse_loss(y, y, size_average=False, reduction='none') => a: []\n"
      "a = torch.nn.functional.mse_loss(y, y, None, None, 'none') => a: [8, 5]\n"
      "t = torch.ones(8, dtype=torch.int64); a = torch.nn.functional.nll_loss(y, t, reduce=False) "
      "=> a: [8]\n");
}

Test(fx_call, grids_are_indexed_as_is_said) {
  FX_LINES("a = torch.meshgrid(z, torch.zeros(3)); b = a[0] => b: [N, 3]\n"
           "a = torch.meshgrid(z, torch.zeros(3), indexing='xy'); b = a[0] => b: [3, N]\n");
}

// torch/functional.py, stft: the signal is padded at both ends unless center is False.
Test(fx_call, spectra_are_centred) {
  FX_LINES(
      "s = torch.zeros(1000); a = torch.stft(s, 400, return_complex=True) => a: [201, 11]\n"
      "s = torch.zeros(1000); a = torch.stft(s, 400, center=False, return_complex=True) => a: "
      "[201, 7]\n"
      "s = torch.zeros(1000); a = torch.stft(s, 400, center=None, return_complex=True) => a: "
      "[201, 7]\n"
      "s = torch.zeros(1000); a = torch.stft(s, 400, None, None, None, False, 'constant', "
      "return_complex=True) => a: [201, 7]\n"
      "s = torch.zeros(2, 1000); a = s.stft(400, 160, 400, return_complex=True) => a: [2, 201, 7]\n"
      "s = torch.zeros(1000); a = torch.stft(s, 400, onesided=False, return_complex=False) => a: "
      "[400, 11, 2]\n"
      "s = torch.zeros(200); a = torch.stft(s, 400, return_complex=True) => a: error: the padding "
      "must fit\n"
      "s = torch.zeros(200); a = torch.stft(s, 400, pad_mode='constant', return_complex=True) => "
      "a: [201, 3]\n"
      "s = torch.zeros(200); a = torch.stft(s, 400, pad_mode='circular', return_complex=True) => "
      "a: [201, 3]\n"
      "s = torch.zeros(0); a = torch.stft(s, 4, pad_mode='replicate', return_complex=True) => a: "
      "error: "
      "the padding must fit\n");
}

// Of F.embedding_bag the indices come first, and the result is the first of the operator's.
Test(fx_call, bags_of_embeddings) {
  FX_LINES(
      "t = torch.ones(5, 4, dtype=torch.int64); a = torch.nn.functional.embedding_bag(t, y) => a: "
      "[5, 5]\n"
      "a = torch.nn.functional.embedding_bag(z, y, torch.tensor([0, 2]), mode='max') => a: [2, 5]\n"
      "a = torch.nn.functional.embedding_bag(z, y, torch.tensor([0, 2]), include_last_offset=True) "
      "=> a: [1, 5]\n"
      "a = torch.embedding_bag(y, z, torch.tensor([0, 2])); b = a[0] => b: [2, 5]\n");
}
