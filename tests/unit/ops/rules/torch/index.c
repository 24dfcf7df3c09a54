// SPDX-License-Identifier: Apache-2.0
// Operators with tensors of indices. Answers are those of torch's documentation: x [B, 6, H, 8], y [8, 5], z [N].
#include "tests/unit/formats/fx/reading.h"

#define A     "torch.ops.aten."
#define INDEX "i = torch.ones(4, dtype=torch.int64); "
#define PAIR  "i = torch.ones(4, 3, dtype=torch.int64); "

Test(torch_index, embeddings) {
  FX_LINES(INDEX "a = torch.nn.functional.embedding(i, y) => a: [4, 5]\n" PAIR "a = " A
                 "embedding.default(y, i) => a: [4, 3, 5]\n" PAIR "a = " A
                 "embedding.default(x, i) => a: error: rank\n" PAIR "a = " A
                 "embedding_bag.default(y, i); b = a[0] => b: [4, 5]\n" INDEX "a = " A
                 "embedding_bag.default(y, i, torch.tensor([0, 1, 3])); b = a[2] => b: [3]\n");
}

Test(torch_index, along_an_axis) {
  FX_LINES(
      INDEX
      "a = torch.index_select(y, 1, i) => a: [8, 4]\n"
      "a = torch.index_select(x, -1, z) => a: [B, 6, H, N]\n" PAIR
      "a = torch.index_select(y, 0, i) => a: error: the index has rank 2, at most 1 is "
      "needed\n" INDEX "a = torch.index_add(y, 0, i, torch.zeros(4, 5)) => a: [8, 5]\n" INDEX
      "a = torch.index_add(y, 0, i, torch.zeros(3, 5)) => a: error: a slice for each index\n" INDEX
      "a = torch.index_copy(y, 1, i, torch.zeros(8, 4)) => a: [8, 5]\n" INDEX
      "a = torch.index_copy(y, 1, i, torch.zeros(8, 4, 1)) => a: error: the source has rank 3, "
      "self has 2\n" INDEX "a = torch.index_fill(y, 1, i, 0) => a: [8, 5]\n" INDEX
      "a = torch.index_select(y, 2, i) => a: error: axis\n");
}

// Adjacent indices take the axis of the first, others go to the front.
Test(torch_index, tensors_of_indices) {
  FX_LINES(PAIR
           "a = y[i] => a: [4, 3, 5]\n" INDEX "a = x[:, i] => a: [B, 4, H, 8]\n" INDEX "a = " A
           "index.Tensor(x, [None, i, None, i]) => a: [4, B, H]\n" INDEX
           "a = x[:, i, i] => a: [B, 4, 8]\n" PAIR
           "j = torch.ones(3, dtype=torch.int64); a = y[i, j] => a: [4, 3]\n"
           "m = y > 0; a = y[m] => a: [S0]\n"
           "m = torch.zeros(8, dtype=torch.bool); a = y[m] => a: [S0, 5]\n"
           "m = torch.zeros(7, dtype=torch.bool); a = y[m] => a: error: a mask must have the dims "
           "of its axes\n" INDEX
           "j = torch.ones(3, dtype=torch.int64); a = y[i, j] => a: error: found 4 and 3\n" INDEX
           "a = " A "index_put.default(y, [i], torch.zeros(4, 5)) => a: [8, 5]\n" INDEX "a = " A
           "index_put.default(y, [i], torch.zeros(3, 5)) => a: error: the values\n"
           "m = y > 0; a = " A "index_put.default(y, [m], torch.tensor(1.0)) => a: [8, 5]\n");
}

Test(torch_index, gather_and_scatter) {
  FX_LINES(PAIR
           "a = torch.gather(y, 0, i) => a: [4, 3]\n"
           "i = torch.ones(9, 3, dtype=torch.int64); a = torch.gather(y, 0, i) => a: [9, 3]\n"
           "i = torch.ones(9, 3, dtype=torch.int64); a = torch.gather(y, 1, i) => a: error: within "
           "the other dims\n" INDEX
           "a = torch.gather(y, 0, i) => a: error: the index has rank 1, self has 2\n"
           "i = torch.ones(0, dtype=torch.int64); a = torch.gather(y, 0, i) => a: [0]\n" PAIR
           "a = torch.scatter(y, 0, i, torch.zeros(4, 3)) => a: [8, 5]\n" PAIR
           "a = torch.scatter(y, 0, i, torch.zeros(4, 2)) => a: error: within the other dims\n" PAIR
           "a = torch.scatter(y, 0, i, torch.zeros(4)) => a: error: rank\n" PAIR
           "a = torch.scatter(y, 0, i, 1.0) => a: [8, 5]\n" PAIR
           "a = torch.scatter_add(y, 0, i, torch.zeros(5, 3)) => a: [8, 5]\n" PAIR "a = " A
           "put.default(x, i, torch.zeros(12)) => a: [B, 6, H, 8]\n" PAIR "a = " A
           "put.default(x, i, torch.zeros(11)) => a: error: an element for each index\n");
}

Test(torch_index, take) {
  FX_LINES(PAIR
           "a = torch.take(x, i) => a: [4, 3]\n" PAIR "a = torch.take_along_dim(y, i) => a: [12]\n"
           "i = torch.ones(1, 3, dtype=torch.int64); a = torch.take_along_dim(y, i, 1) => a: [8, "
           "3]\n" PAIR "a = torch.take_along_dim(y, i, 0) => a: error: found 5 and 3\n" INDEX
           "a = torch.take_along_dim(y, i, 0) => a: error: the index has rank 1, self has 2\n");
}

Test(torch_index, chosen_elements) {
  FX_LINES("a = torch.topk(x, 3); b = a[0] => b: [B, 6, H, 3]\n"
           "a = torch.topk(y, n, 0); b = a[1] => b: [B, 5]\n"
           "a = torch.topk(y, 6); b = a[0] => b: error: k must be within the axis\n"
           "a = torch.topk(y, -1); b = a[0] => b: error: k must be at least 0\n"
           "a = torch.nn.functional.one_hot(z, 7) => a: [N, 7]\n"
           "a = torch.nn.functional.one_hot(z) => a: [N, S0]\n"
           "a = torch.searchsorted(torch.zeros(9), y) => a: [8, 5]\n"
           "a = torch.searchsorted(torch.zeros(8, 9), y) => a: [8, 5]\n"
           "a = torch.searchsorted(torch.zeros(7, 9), y) => a: error: a sequence for each row\n"
           "a = torch.searchsorted(torch.zeros(8, 9), z) => a: error: the sequence has rank 2, the "
           "values have 1\n"
           "a = torch.searchsorted(torch.zeros(9), 2.0) => a: []\n");
}

// Results that are not asked for are empty.
Test(torch_index, unique_elements) {
  FX_LINES("a = " A "_unique2.default(y, True, True, True); b = a[0] => b: [S0]\n"
           "a = " A "_unique2.default(y, True, True, True); b = a[1] => b: [8, 5]\n"
           "a = " A "_unique2.default(y, True, True, True); b = a[2] => b: [S0]\n"
           "a = " A "_unique2.default(y, True, False, False); b = a[1] => b: [0]\n"
           "a = " A "_unique2.default(y, True, False, False); b = a[2] => b: [0]\n"
           "a = " A "unique_dim.default(y, 1, True, True, True); b = a[0] => b: [8, S0]\n"
           "a = " A "unique_dim.default(y, 1, True, True, True); b = a[1] => b: [5]\n"
           "a = " A "unique_dim.default(y, 1, True, True, True); b = a[2] => b: [S0]\n"
           "a = " A "unique_consecutive.default(y, True, True, 0); b = a[1] => b: [8]\n");
}
