// SPDX-License-Identifier: Apache-2.0
// Structured operations in their own syntax.
#include <criterion/criterion.h>

#include "tests/unit/formats/mlir/reading.h"

#define T "tensor<?x?xf32>"
#define HEAD                                                                                       \
  "func.func @f(%a: " T ", %b: " T ", %o: " T ", %z: f32, %n: index, %p: tensor<?x?x2x?xf32>) {\n"
#define TAIL           "  return\n}\n"
#define SEGMENTS(a, b) "operandSegmentSizes = array<i32: " #a ", " #b ">"

Test(pretty_linalg, named) {
  expect_same(HEAD "%r = linalg.matmul ins(%a, %b : " T ", " T ") outs(%o : " T ") -> " T "\n" TAIL,
              HEAD "%r = \"linalg.matmul\"(%a, %b, %o) {" SEGMENTS(2, 1) "} : (" T ", " T ", " T
                                                                         ") -> " T "\n" TAIL);
  // Operations that do not write their results have the types of outs.
  expect_same(HEAD "%r = linalg.transpose ins(%a : " T ") outs(%o : " T
                   ") permutation = [1, 0]\n" TAIL,
              HEAD "%r = \"linalg.transpose\"(%a, %o) {permutation = [1, 0], " SEGMENTS(
                  1, 1) "} : (" T ", " T ") -> " T "\n" TAIL);
  expect_reads(HEAD "%r = linalg.map { arith.addf } ins(%a, %b : " T ", " T ") outs(%o : " T
                    ")\n" TAIL);
  expect_reads(HEAD "%r = linalg.reduce ins(%p : tensor<?x?x2x?xf32>) outs(%o : " T
                    ") dimensions = [2, 3] (%i: f32, %j: f32) {\nlinalg.yield %i : f32\n}\n" TAIL);
  expect_reads(HEAD "%r = linalg.softmax dimension(1) ins(%a : " T ") outs(%o : " T ") -> " T
                    "\n" TAIL);
}

Test(pretty_linalg, generic) {
  expect_reads(HEAD "%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
                    "affine_map<(i, j) -> (j, i)>], iterator_types = [\"parallel\", \"parallel\"]} "
                    "ins(%a : " T ") outs(%o : " T
                    ") attrs = {k = 1 : i32} {\n^bb0(%x: f32, %y: f32):\n"
                    "  linalg.yield %x : f32\n} -> " T "\n"
                    "%s = arith.addf %r, %r : " T "\n" TAIL);
  expect_mlir_error(HEAD "%r = linalg.matmul ins(%a, %q : " T ", " T ") outs(%o : " T ") -> " T
                         "\n" TAIL,
                    2, 28, "undeclared");
}

Test(pretty_linalg, pack) {
  expect_same(HEAD "%r = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [1, 0] "
                   "inner_dims_pos = [0, 1] inner_tiles = [2, %n] into %p : " T
                   " -> tensor<?x?x2x?xf32>\n" TAIL,
              HEAD "%r = \"linalg.pack\"(%a, %p, %z, %n) {outer_dims_perm = [1, 0], "
                   "inner_dims_pos = [0, 1], static_inner_tiles = array<i64: 2, "
                   "-9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (" T
                   ", tensor<?x?x2x?xf32>, f32, index) -> tensor<?x?x2x?xf32>\n" TAIL);
  expect_same(HEAD "%r = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, %n] into %a : "
                   "tensor<?x?x2x?xf32> -> " T "\n" TAIL,
              HEAD "%r = \"linalg.unpack\"(%p, %a, %n) {inner_dims_pos = [0, 1], "
                   "static_inner_tiles = array<i64: 2, -9223372036854775808>} : "
                   "(tensor<?x?x2x?xf32>, " T ", index) -> " T "\n" TAIL);
}
