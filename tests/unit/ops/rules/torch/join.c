// SPDX-License-Identifier: Apache-2.0
// Joins of lists of tensors. Answers are those of torch's documentation: x is [B, 6, H, 8], y [8, 5], z [N].
#include "tests/unit/formats/fx/reading.h"

Test(torch_join, cat) {
  FX_LINES(
      "a = torch.cat([y, y, y], 1) => a: [8, 15]\n"
      "a = torch.cat([x, x], -1) => a: [B, 6, H, 16]\n"
      "a = torch.cat([z, z, torch.zeros(3)]) => a: [2*N + 3]\n"
      "a = torch.cat([y, torch.zeros(8, n)], dim=1) => a: [8, B + 5]\n"
      "a = torch.cat([torch.zeros(0), y, torch.zeros(0)]) => a: [8, 5]\n"  // empty vectors are skipped
      "a = torch.cat([y, z]) => a: [8, 5]\n"
      "a = torch.cat([torch.tensor([2, 3]), torch.tensor([4])]); b = torch.zeros(a.tolist()) => a: "
      "[3]\n"
      "a = torch.cat([y, torch.zeros(8, 5, 1)]) => a: error: tensors of ranks 2 and 3 are joined\n"
      "a = torch.cat([torch.tensor(1), torch.tensor(2)]) => a: error: scalars cannot be joined\n"
      "a = torch.cat([y, torch.zeros(7, 5)], 1) => a: error: dims beside the axis must be equal\n"
      "a = torch.cat([y, y], 2) => a: error: axis\n");
}

Test(torch_join, stack) {
  FX_LINES(
      "a = torch.stack([y, y, y]) => a: [3, 8, 5]\n"
      "a = torch.stack([y, y], 1) => a: [8, 2, 5]\n"
      "a = torch.stack([x, x], -1) => a: [B, 6, H, 8, 2]\n"
      "a = torch.stack([z, z], dim=-2) => a: [2, N]\n"
      "a = torch.stack([y, torch.zeros(8, 6)]) => a: error: stacked tensors must have one shape\n");
}

Test(torch_join, tensors_are_brought_to_a_rank) {
  FX_LINES("a = torch.hstack([z, torch.zeros(2)]) => a: [N + 2]\n"
           "a = torch.hstack([y, torch.zeros(8, 2)]) => a: [8, 7]\n"
           "a = torch.hstack([torch.tensor(1), torch.tensor(2)]) => a: [2]\n"
           "a = torch.vstack([torch.zeros(5), y]) => a: [9, 5]\n"
           "a = torch.vstack([z, z, z]) => a: [3, N]\n"
           "a = torch.dstack([z, z]) => a: [1, N, 2]\n"
           "a = torch.dstack([y, y, y]) => a: [8, 5, 3]\n"
           "a = torch.column_stack([torch.zeros(8), y]) => a: [8, 6]\n"
           "a = torch.column_stack([z, z]) => a: [N, 2]\n");
}

Test(torch_join, blocks_and_grids) {
  FX_LINES(
      "a = torch.block_diag(y, torch.zeros(2, 3)) => a: [10, 8]\n"
      "a = torch.block_diag(z, torch.tensor(1)) => a: [2, N + 1]\n"
      "a = torch.block_diag(x) => a: error: a block has rank 4\n"
      "a = torch.meshgrid(z, torch.zeros(3), indexing='ij'); b = a[0] => b: [N, 3]\n"
      "a = torch.meshgrid(z, torch.zeros(3), indexing='xy'); b = a[1] => b: [3, N]\n"
      "a = torch.meshgrid(z, torch.tensor(1), indexing='ij'); b = a[1] => b: [N, 1]\n"
      "a = torch.meshgrid(z, y, indexing='ij'); b = a[1] => b: error: an operand has rank 2\n");
}

Test(torch_join, products_and_combinations) {
  FX_LINES("a = torch.cartesian_prod(z, torch.zeros(3)) => a: [3*N, 2]\n"
           "a = torch.cartesian_prod(z) => a: [N]\n"
           "a = torch.cartesian_prod(z, y) => a: error: an operand has rank 2\n"
           "a = torch.combinations(torch.zeros(5)) => a: [10, 2]\n"
           "a = torch.combinations(torch.zeros(5), with_replacement=True) => a: [15, 2]\n"
           "a = torch.combinations(torch.zeros(0)) => a: [0, 2]\n"
           "a = torch.combinations(z, r=1) => a: [N, 1]\n"
           "a = torch.combinations(torch.zeros(5), r=3) => a: [S0, 3]\n");
}
