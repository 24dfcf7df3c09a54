// SPDX-License-Identifier: Apache-2.0
// Operations of MHLO on buffers: what their twins say of a result is required of the buffer that is written.
#include "tests/unit/ops/rules.h"

#define M2             "memref<?x?xf32>"
#define M1             "memref<?xf32>"
#define M0             "memref<f32>"
#define R              "\n%r = arith.constant 1 : i32"
#define ABO            "%a: " M2 ", %b: " M2 ", %o: " M2
#define I64(n, values) "dense<" values "> : tensor<" n "xi64>"

Test(buffers, take_the_dims_of_results) {
  expect_arguments(
      ABO,
      "\"lmhlo.dot_general\"(%a, %b, %o) {dot_dimension_numbers = "
      "#mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : "
      "(" M2 ", " M2 ", " M2 ") -> ()" R,
      "[S0, S1] [S1, S2] [S0, S2]");
  expect_arguments("%a: " M2 ", %o: " M2,
                   "\"lmhlo.transpose\"(%a, %o) {permutation = " I64("2", "[1, 0]") "} : (" M2
                                                                                    ", " M2
                                                                                    ") -> ()" R,
                   "[S0, S1] [S1, S0]");
  expect_arguments("%a: " M2 ", %z: " M0 ", %o: " M1,
                   "\"lmhlo.reduce\"(%a, %z, %o) ({\n^bb0(%x: " M0 ", %y: " M0 ", %w: " M0 "):\n"
                   "\"lmhlo.add\"(%x, %y, %w) : (" M0 ", " M0 ", " M0 ") -> ()\n"
                   "\"lmhlo.terminator\"() : () -> ()\n}) {dimensions = " I64(
                       "1", "1") "} : (" M2 ", " M0 ", " M1 ") -> ()" R,
                   "[S0, S1] [] [S0]");
  expect_arguments(ABO,
                   "\"lmhlo.concatenate\"(%a, %b, %o) {dimension = 0 : i64} : (" M2 ", " M2 ", " M2
                   ") -> ()" R,
                   "[S0, S1] [S2, S1] [S0 + S2, S1]");
  // In place.
  expect_arguments("%a: memref<4x?xf32>, %o: memref<?x?xf32>",
                   "\"lmhlo.reverse\"(%o, %o) {dimensions = " I64("1", "0") "} : (" M2 ", " M2
                                                                            ") -> ()" R,
                   "[4, S0] [S1, S2]");
}

Test(buffers, need_what_their_twins_need) {
  expect_arguments("%a: " M2 ", %o: " M1, "\"lmhlo.reshape\"(%a, %o) : (" M2 ", " M1 ") -> ()" R,
                   "[S0, S1] [S0*S1]");
  expect_guards("%a: " M1 ", %o: " M2,
                "\"lmhlo.broadcast_in_dim\"(%a, %o) {broadcast_dimensions = " I64(
                    "1", "1") "} : (" M1 ", " M2 ") -> ()" R,
                "bcast(S0, S2) == S2");
  expect_error(
      "%a: memref<4xf32>, %o: memref<5xf32>",
      "\"lmhlo.slice\"(%a, %o) {start_indices = " I64("1", "0") ", limit_indices = " I64(
          "1", "3") ", strides = " I64("1", "1") "} : (memref<4xf32>, memref<5xf32>) -> ()" R,
      "declared-type");
  expect_error("%a: " M2 ", %o: " M2,
               "\"lmhlo.transpose\"(%a, %o) {permutation = " I64("2", "[1, 1]") "} : (" M2 ", " M2
                                                                                ") -> ()" R,
               "axis");
}

// The elements of a buffer are not followed, and one of several buffers has no row.
Test(buffers, leave_unchecked_what_they_do_not_see) {
  expect_unchecked("%a: " M2 ", %s: memref<1xi32>, %o: " M1,
                   "\"lmhlo.dynamic_reshape\"(%a, %s, %o) : (" M2 ", memref<1xi32>, " M1
                   ") -> ()" R,
                   "the buffer has the dims of the result: the dims are computed from data");
  expect_unchecked("%a: " M1 ", %z: " M0 ", %o: " M0,
                   "\"lmhlo.reduce\"(%a, %a, %z, %z, %o, %o) ({\n}) {dimensions = " I64(
                       "1", "0") "} : (" M1 ", " M1 ", " M0 ", " M0 ", " M0 ", " M0 ") -> ()" R,
                   "the buffer has the dims of the result: there are several");
}

// The elements are not followed, how many there are is known.
Test(buffers, need_vectors_of_the_rank) {
  static const char *const PADS = "\"lmhlo.dynamic_pad\"(%a, %z, %l, %h, %i, %o) : (" M2 ", " M0
                                  ", memref<?xi32>, memref<?xi32>, memref<?xi32>, " M2 ") -> ()" R;
  expect_arguments("%a: " M2 ", %z: " M0
                   ", %l: memref<?xi32>, %h: memref<?xi32>, %i: memref<?xi32>, %o: " M2,
                   PADS, "[S0, S1] [] [2] [2] [2] [S2, S3]");
  expect_error("%a: " M2 ", %z: " M0
               ", %l: memref<2xi32>, %h: memref<2xi32>, %i: memref<3xi32>, %o: " M2,
               "\"lmhlo.dynamic_pad\"(%a, %z, %l, %h, %i, %o) : (" M2 ", " M0
               ", memref<2xi32>, memref<2xi32>, memref<3xi32>, " M2 ") -> ()" R,
               "shape-mismatch");
  expect_error("%d: memref<3xi32>, %o: " M2,
               "\"lmhlo.dynamic_iota\"(%d, %o) {iota_dimension = 0 : i64} : (memref<3xi32>, " M2
               ") -> ()" R,
               "shape-mismatch");
  expect_error("%a: " M1 ", %d: memref<3xi32>, %o: " M2,
               "\"lmhlo.dynamic_broadcast_in_dim\"(%a, %d, %o) {broadcast_dimensions = " I64(
                   "1", "1") "} : (" M1 ", memref<3xi32>, " M2 ") -> ()" R,
               "shape-mismatch");
  expect_error("%a: " M2 ", %d: memref<2xi32>, %s: memref<3xi32>, %o: " M2,
               "\"lmhlo.real_dynamic_slice\"(%a, %d, %d, %s, %o) : (" M2
               ", memref<2xi32>, memref<2xi32>, memref<3xi32>, " M2 ") -> ()" R,
               "shape-mismatch");
  // A gather has the dims of slices of its operand.
  static const char GATHERS[] =
      "\"lmhlo.dynamic_gather\"(%a, %i, %s, %o) {dimension_numbers = #mhlo.gather<offset_dims = "
      "[], "
      "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>} : (" M2
      ", memref<?x2xi32>, memref<?xi32>, " M1 ") -> ()" R;
  expect_arguments("%a: " M2 ", %i: memref<?x2xi32>, %s: memref<?xi32>, %o: " M1, GATHERS,
                   "[S0, S1] [S2, 2] [2] [S2]");
}

Test(buffers, are_sorted_along_an_axis_that_is_there) {
#define SORT(buffers, axis, types)                                                                 \
  "\"lmhlo.sort\"(" buffers ") ({\n^bb0(%x: " M0 ", %y: " M0 ", %w: memref<i1>):\n"                \
  "\"lmhlo.terminator\"() : () -> ()\n}) {dimension = " axis " : i64} : (" types ") -> ()" R
  expect_arguments("%a: " M2 ", %o: " M2, SORT("%a, %o", "-2", M2 ", " M2), "[S0, S1] [S0, S1]");
  expect_error("%a: " M2 ", %o: " M2, SORT("%a, %o", "2", M2 ", " M2), "axis");
  expect_error(ABO, SORT("%a, %b, %o", "1", M2 ", " M2 ", " M2), "operands");
}

// What is known in a branch is not known after it.
Test(buffers, keep_their_dims) {
  expect_open("%a: " M1 ", %o: " M1 ", %p: i1",
              "scf.if %p {\n\"lmhlo.reverse\"(%a, %o) {dimensions = " I64("1", "0") "} : (" M1
                                                                                    ", " M1
                                                                                    ") -> ()\n}" R,
              "S0 == S1");
}

#define MAP(axes, types)                                                                           \
  "\"lmhlo.map\"(%a, %o) ({\n^bb0(%x: tensor<f32>):\n\"mhlo.return\"(%x) : (tensor<f32>) -> ()\n"  \
  "}) {dimensions = " axes "} : (" types ") -> ()" R

Test(buffers, are_mapped_along_all_axes) {
  expect_arguments("%a: " M2 ", %o: " M2, MAP(I64("2", "[0, 1]"), M2 ", " M2), "[S0, S1] [S0, S1]");
  expect_error("%a: " M2 ", %o: " M2, MAP(I64("2", "[1, 0]"), M2 ", " M2), "axis");
  expect_error("%a: " M2 ", %o: " M2, MAP(I64("1", "0"), M2 ", " M2), "axis");
}

#define TRAINING(feature)                                                                          \
  "\"lmhlo.batch_norm_training\"(%a, %s, %t, %o, %m, %v) {epsilon = 0.1 : f32, "                   \
  "feature_index = " feature " : i64} : (" M2 ", " M1 ", " M1 ", " M2 ", " M1 ", " M1 ") -> ()" R
#define GRAD                                                                                       \
  "\"lmhlo.batch_norm_grad\"(%a, %s, %m, %v, %g, %o, %p, %q) {epsilon = 0.1 : f32, "               \
  "feature_index = 0 : i64} : (" M2 ", " M1 ", " M1 ", " M1 ", " M2 ", " M2 ", " M1 ", " M1        \
  ") -> ()" R

Test(buffers, are_normalised) {
  static const char ARGUMENTS[] =
      "%a: " M2 ", %s: " M1 ", %t: " M1 ", %o: " M2 ", %m: " M1 ", %v: " M1;
  expect_arguments(ARGUMENTS, TRAINING("1"), "[S0, S1] [S1] [S1] [S0, S1] [S1] [S1]");
  expect_error(ARGUMENTS, TRAINING("2"), "axis");
  expect_error(ARGUMENTS, TRAINING("-1"), "attribute");
  expect_arguments("%a: " M2 ", %s: " M1 ", %m: " M1 ", %v: " M1 ", %g: " M2 ", %o: " M2 ", %p: " M1
                   ", %q: " M1,
                   GRAD, "[S0, S1] [S0] [S0] [S0] [S0, S1] [S0, S1] [S0] [S0]");
}

#define ADDED "\"lmhlo.add\"(%a, %b, %a) : (" M1 ", " M1 ", " M1 ") -> ()\n"
#define END   "\"lmhlo.terminator\"() : () -> ()\n"

// What runs perhaps is no fact after it, and a guard says what it needs.
Test(buffers, in_regions) {
  static const char LOOP[] =
      "\"lmhlo.while\"(%c) ({\n" END "}, {\n" ADDED END "}) : (memref<i1>) -> ()" R;
  static const char CASE[] =
      "\"lmhlo.case\"(%i) ({\n" ADDED END "}, {\n" END "}) : (memref<i32>) -> ()" R;
  expect_open("%a: " M1 ", %b: " M1 ", %c: memref<i1>", LOOP, "S0 == S1");
  expect_guards("%a: " M1 ", %b: " M1 ", %c: memref<i1>", LOOP, "S0 == S1");
  expect_open("%a: " M1 ", %b: " M1 ", %i: memref<i32>", CASE, "S0 == S1");
  expect_guards("%a: " M1 ", %b: " M1 ", %i: memref<i32>", CASE, "S0 == S1");
  expect_error("%a: " M1 ", %b: " M1 ", %c: memref<2xi1>",
               "\"lmhlo.while\"(%c) ({\n" END "}, {\n" END "}) : (memref<2xi1>) -> ()" R, "rank");
  expect_error("%c: memref<i1>", "\"lmhlo.while\"(%c) ({\n" END "}) : (memref<i1>) -> ()" R,
               "region");
}
