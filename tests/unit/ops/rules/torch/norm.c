// SPDX-License-Identifier: Apache-2.0
// Normalisations and losses. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5], z [N].
#include "tests/unit/formats/fx/reading.h"

#define A "torch.ops.aten."
#define F "torch.nn.functional."

Test(torch_norm, batches) {
  FX_LINES("w = torch.ones(6); a = " F "batch_norm(x, w, w) => a: [B, 6, H, 8]\n"
           "w = torch.ones(5); a = " F "batch_norm(x, w, w) => a: error: a value for each channel\n"
           "a = " F "batch_norm(z, None, None) => a: error: rank\n"
           "w = torch.ones(6); a = " A
           "native_batch_norm.default(x, w, w, w, w, True, 0.1, 1e-5); b = a[1] => b: [6]\n"
           "w = torch.ones(6); a = " A
           "native_batch_norm.default(x, w, w, w, w, False, 0.1, 1e-5); b = a[2] => b: [0]\n"
           "w = torch.ones(6); a = " A "_native_batch_norm_legit_no_training.default(x, w, w, w, "
           "w, 0.1, 1e-5); b = a[1] => b: [0]\n");
}

Test(torch_norm, layers) {
  FX_LINES("a = " F "layer_norm(x, (8,)) => a: [B, 6, H, 8]\n"
           "a = " F "layer_norm(y, (8, 5)) => a: [8, 5]\n"
           "w = torch.ones(8); a = " A
           "native_layer_norm.default(x, [8], w, w, 1e-5); b = a[1] => b: [B, 6, H, 1]\n"
           "a = " F "layer_norm(y, (4,)) => a: error: normalized_shape must be the trailing dims\n"
           "a = " F
           "layer_norm(y, (1, 8, 5)) => a: error: 3 dims are normalised of a tensor of rank 2\n"
           "w = torch.ones(4); a = " F
           "layer_norm(y, (5,), w) => a: error: the weights must have the normalised dims\n"
           "w = torch.ones(4); a = " F
           "layer_norm(y, (5,), None, w) => a: error: the bias must have the normalised dims\n");
}

Test(torch_norm, groups) {
  FX_LINES("a = " F "group_norm(x, 3) => a: [B, 6, H, 8]\n"
           "a = " F "group_norm(x, 4) => a: error: channels must split into groups\n"
           "w = torch.ones(5); a = " F "group_norm(x, 3, w) => a: error: a value for each channel\n"
           "i = torch.zeros(2, 6, 4, 5); a = " A
           "native_group_norm.default(i, None, None, 2, 6, 20, 3, 1e-5); b = a[1] => b: [2, 3]\n"
           "i = torch.zeros(2, 6, 4, 5); a = " A "native_group_norm.default(i, None, None, 2, 6, "
           "21, 3, 1e-5); b = a[0] => b: error: elements\n");
}

Test(torch_norm, losses_of_classes) {
  FX_LINES(
      "t = torch.ones(8, dtype=torch.int64); a = " F "nll_loss(y, t) => a: []\n"
      "t = torch.ones(8, dtype=torch.int64); a = " F
      "cross_entropy(y, t, reduction='none') => a: [8]\n"
      "t = torch.ones(2, 4, 5, dtype=torch.int64); i = torch.zeros(2, 3, 4, 5); a = " F
      "nll_loss(i, t, reduction='none') => a: [2, 4, 5]\n"
      "a = " F "cross_entropy(y, y) => a: []\n"  // probabilities
      "t = torch.ones(7, dtype=torch.int64); a = " F
      "nll_loss(y, t) => a: error: a class for each element\n"
      "t = torch.ones(8, dtype=torch.int64); w = torch.ones(4); a = " F
      "nll_loss(y, t, w) => a: error: a weight for each class\n"
      "a = " F
      "cross_entropy(y, torch.zeros(8, 4)) => a: error: the target must have the operand's dims\n"
      "t = torch.tensor(1); a = " F "cross_entropy(z, t) => a: []\n");
}
