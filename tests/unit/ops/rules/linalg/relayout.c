// SPDX-License-Identifier: Apache-2.0
// pack and unpack: outer dims are those of whole tiles.
#include "tests/unit/ops/rules.h"

#define T2 "tensor<?x?xf32>"
#define T3 "tensor<?x?x8xf32>"

Test(relayout, pack) {
  const char *pack =
      "%r = linalg.pack %a inner_dims_pos = [1] inner_tiles = [8] into %o : " T2 " -> " T3;
  expect_arguments("%a: " T2 ", %o: " T3, pack, "[S0, 8*S1] [S0, S1, 8]");
  const char *padded = "%r = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [1] "
                       "inner_tiles = [8] into %o : " T2 " -> " T3;
  expect_open("%a: " T2 ", %o: " T3 ", %z: f32", padded, "S1 % 8 == 0");
  expect_arguments("%a: " T2 ", %o: " T3 ", %z: f32", padded,
                   "[S0, S1] [S0, ceildiv(S1, 8), 8] []");
  expect_error("%a: " T2 ", %o: " T3,
               "%r = linalg.pack %a inner_dims_pos = [2] inner_tiles = [8] into %o : " T2 " -> " T3,
               "axis");
  expect_error("%a: tensor<?xf32>, %o: " T3,
               "%r = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<?xf32> "
               "-> " T3,
               "rank");
}

Test(relayout, unpack) {
  const char *unpack = "%r = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] "
                       "inner_tiles = [8] into %o : " T3 " -> " T2;
  expect_sizes("%p: " T3 ", %o: " T2, unpack, "[S1, S0]");
  expect_arguments("%p: " T3 ", %o: " T2, unpack, "[ceildiv(S0, 8), S1, 8] [S1, S0]");
}

Test(relayout, tiles_that_are_operands) {
  expect_error(
      "%a: tensor<256xf32>, %o: tensor<10x?xf32>, %n: index",
      "%r = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %o : tensor<256xf32> "
      "-> tensor<10x?xf32>",
      "shape-mismatch");
  expect_error(
      "%a: tensor<?xf32>, %o: tensor<?x8xf32>, %n: index",
      "%r = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %o : tensor<?xf32> "
      "-> tensor<?x8xf32>",
      "declared-type");
}
