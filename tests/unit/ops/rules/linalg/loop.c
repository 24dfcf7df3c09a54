// SPDX-License-Identifier: Apache-2.0
// Ranges of loops, and what counted loops carry.
#include "tests/unit/ops/rules.h"

#define N "%n: index, %m: index"
#define C                                                                                          \
  "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : "      \
  "index\n"
#define T "tensor<?xf32>"

// What a trip adds the same of is counted; no trip leaves the first value.
Test(loop, counters) {
  expect_elements(N,
                  C "%r = scf.for %i = %c0 to %n step %c3 iter_args(%a = %m) -> (index) {\n"
                    "%b = arith.addi %a, %c1 : index\nscf.yield %b : index\n}",
                  "[S1 + ceildiv(S0, 3) + max(0, -ceildiv(S0, 3))]");
  expect_elements(N,
                  C "%r = scf.for %i = %c3 to %c0 step %c1 iter_args(%a = %m) -> (index) {\n"
                    "%b = arith.addi %a, %c1 : index\nscf.yield %b : index\n}",
                  "[S1]");
  expect_elements(N,
                  C "%r = affine.for %i = 2 to 9 step 3 iter_args(%a = %n) -> (index) {\n"
                    "%b = arith.addi %a, %i : index\naffine.yield %b : index\n}",
                  "[S0 + 15]");
  // What the last trip gives, or the first value where there is no trip.
  const char *last = C "%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (index) {\n"
                       "scf.yield %i : index\n}";
  expect_elements(N, last, "[select(is_neg(max(S0, 0) - 1), S1, max(S0, 0) - 1)]");
  // A step is > 0 wherever the loop is.
  expect_fact(N, C "scf.for %i = %c0 to %n step %m {\n}\n%r = arith.constant 1 : index", "S1 >= 1");
}

// A value that a trip leaves as it was, and one that it may change by some.
Test(loop, carried) {
  expect_sizes("%t: " T ", %n: index",
               C "%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (" T ") {\n"
                 "%d = tensor.dim %a, %c0 : " T "\n%e = tensor.empty(%d) : " T "\nscf.yield %e : " T
                 "\n}",
               "[S0]");
#define SOME                                                                                       \
  C "%c10 = arith.constant 10 : index\n"                                                           \
    "%r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %c0) -> (index) {\n"                    \
    "%p = memref.load %q[%i] : memref<10xi1>\n%x = scf.if %p -> (index) {\n"                       \
    "%b = arith.addi %a, %c1 : index\nscf.yield %b : index\n} else {\nscf.yield %a : index\n}\n"   \
    "scf.yield %x : index\n}\n%s = tensor.empty(%r) : tensor<?xf32>\n"                             \
    "%u = tensor.cast %s : tensor<?xf32> to tensor<"
  expect_error("%q: memref<10xi1>", SOME "10xf32>", NULL);
  expect_error("%q: memref<10xi1>", SOME "7xf32>", NULL);
  expect_error("%q: memref<10xi1>", SOME "11xf32>", "shape-mismatch");
  expect_error("%t: tensor<?xf32>, %n: index",
               C "%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (" T ") {\n"
                 "scf.yield %a, %a : " T ", " T "\n}",
               "region");
}

Test(loop, ranges_of_other_loops) {
  expect_sizes("%t: " T ", %n: index",
               "%r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (" T ") {\n"
               "scf.forall.in_parallel {\n}\n}",
               "[S0]");
  expect_fact(N,
              C "scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %m) {\n}\n"
                "%r = arith.constant 1 : index",
              "S1 >= 1");
}

Test(loop, branches) {
  expect_elements("%n: index",
                  "%m = affine.apply affine_map<(d0) -> (d0 * 2)>(%n)\n"
                  "%r = affine.if affine_set<(d0) : (d0 mod 2 - 1 == 0)>(%m) -> index {\n"
                  "affine.yield %m : index\n} else {\naffine.yield %n : index\n}",
                  "[S0]");
  expect_elements("%n: index",
                  "%c2 = arith.constant 2 : index\n%c7 = arith.constant 7 : index\n"
                  "%r = scf.index_switch %c2 -> index\ncase 2 {\nscf.yield %c7 : index\n}\n"
                  "default {\nscf.yield %n : index\n}",
                  "[7]");
  expect_elements("%n: index", "%r = scf.execute_region -> index {\nscf.yield %n : index\n}",
                  "[S0]");
  // Several blocks are legal in it.
  expect_error("%n: index, %p: i1",
               "%r = scf.execute_region -> index {\ncf.cond_br %p, ^a, ^b\n^a:\nscf.yield %n : "
               "index\n^b:\nscf.yield %n : index\n}",
               NULL);
}

#define WHILE(condition, body)                                                                     \
  "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"                               \
  "%r:2 = scf.while (%x = %t, %i = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {\n"    \
  "%c = arith.cmpi slt, %i, %n : index\n" condition "\n} do {\n^bb0(%y: tensor<?xf32>, %j: "       \
  "index):\n%k = arith.addi %j, %c1 : index\n" body "\n}"
#define GOES_ON "scf.condition(%c) %x, %i : tensor<?xf32>, index"
#define GROWS(of)                                                                                  \
  "%d = tensor.dim %" of ", %c0 : tensor<?xf32>\n%m = arith.addi %d, %c1 : index\n"                \
  "%e = tensor.empty(%m) : tensor<?xf32>\n"

// What the condition hands on is what the body gets, and what the loop gives where it ends.
Test(loop, while_hands_values_on) {
  expect_sizes("%t: tensor<?xf32>, %n: index",
               WHILE(GOES_ON, "scf.yield %y, %k : tensor<?xf32>, index"), "[S0] []");
  // One is added before each evaluation of the condition, and taken off in each trip.
  expect_sizes("%t: tensor<?xf32>, %n: index",
               WHILE(GROWS("x") "scf.condition(%c) %e, %i : tensor<?xf32>, index",
                     "%d = tensor.dim %y, %c0 : tensor<?xf32>\n%m = arith.subi %d, %c1 : index\n"
                     "%e = tensor.empty(%m) : tensor<?xf32>\n"
                     "scf.yield %e, %k : tensor<?xf32>, index"),
               "[S0 + 1] []");
  // Three trips.
  expect_sizes("%t: tensor<?xf32>",
               "%n = arith.constant 3 : index\n" WHILE(
                   GOES_ON, GROWS("y") "scf.yield %e, %k : tensor<?xf32>, index"),
               "[S0 + 3] []");
  // It may end at once.
  expect_open("%t: tensor<?xf32>, %n: index",
              WHILE(GOES_ON, GROWS("y") "scf.yield %e, %k : tensor<?xf32>, index"), "S0 == 0");
  expect_error(
      "%t: tensor<?xf32>, %n: index",
      WHILE("scf.condition(%c) %x : tensor<?xf32>", "scf.yield %y, %k : tensor<?xf32>, index"),
      "region");
  expect_error("%t: tensor<?xf32>, %n: index", WHILE(GOES_ON, "scf.yield %y : tensor<?xf32>"),
               "region");
}

// What comes back from a trip is not known before.
Test(loop, while_requires_what_a_trip_does) {
  expect_unchecked("%t: tensor<?xf32>, %n: index",
                   WHILE(GOES_ON, "%u = tensor.extract_slice %y[1] [%c1] [1] : tensor<?xf32> to "
                                  "tensor<?xf32>\nscf.yield %u, %k : tensor<?xf32>, index"),
                   "a slice ends within its operand: it depends on what the program computes from "
                   "data");
}
