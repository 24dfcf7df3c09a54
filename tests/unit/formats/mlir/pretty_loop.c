// SPDX-License-Identifier: Apache-2.0
// Loops of scf and affine in their own syntax give the graph of the generic form, as mlir-opt prints it.
#include <criterion/criterion.h>

#include "tests/unit/formats/mlir/reading.h"

#define T    "tensor<?xf32>"
#define HEAD "func.func @f(%n: index, %t: " T ") {\n"
#define TAIL "  return\n}\n"

Test(pretty_loop, scf) {
  expect_same(HEAD "%r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (" T ") {\n"
                   "scf.yield %a : " T "\n}\n" TAIL,
              HEAD "%r = \"scf.for\"(%n, %n, %n, %t) ({\n^bb0(%i: index, %a: " T "):\n"
                   "\"scf.yield\"(%a) : (" T ") -> ()\n}) : (index, index, index, " T ") -> " T
                   "\n" TAIL);
  expect_same(HEAD "scf.for %i = %n to %n step %n {\n}\n" TAIL,
              HEAD "\"scf.for\"(%n, %n, %n) ({\n^bb0(%i: index):\n\"scf.yield\"() : () -> ()\n}) : "
                   "(index, index, index) -> ()\n" TAIL);
  expect_same(HEAD "%w = scf.while (%i = %n) : (index) -> index {\n%c = index.cmp slt(%i, %n)\n"
                   "scf.condition(%c) %i : index\n} do {\n^bb0(%i: index):\nscf.yield %i : index\n"
                   "}\n" TAIL,
              HEAD "%w = \"scf.while\"(%n) ({\n^bb0(%i: index):\n%c = index.cmp slt(%i, %n)\n"
                   "\"scf.condition\"(%c, %i) : (i1, index) -> ()\n}, {\n^bb0(%i: index):\n"
                   "\"scf.yield\"(%i) : (index) -> ()\n}) : (index) -> index\n" TAIL);
  expect_same(HEAD "%f = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (" T ") {\n"
                   "scf.forall.in_parallel {\n}\n}\n" TAIL,
              HEAD "%f = \"scf.forall\"(%n, %t) ({\n^bb0(%i: index, %o: " T "):\n"
                   "\"scf.forall.in_parallel\"() ({\n}) : () -> ()\n}) {staticLowerBound = "
                   "array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, "
                   "staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 1, 0, 1>} : "
                   "(index, " T ") -> " T "\n" TAIL);
}

// The default is written last and is the first region.
Test(pretty_loop, index_switch) {
  expect_dump(HEAD "%s = scf.index_switch %n -> index\ncase 3 {\nscf.yield %n : index\n}\n"
                   "default {\n%c = arith.constant 1 : index\nscf.yield %c : index\n}\n" TAIL,
              "cases");
  expect_mlir_error(HEAD "%s = scf.index_switch %n -> index\ncase 3 {\nscf.yield %q : index\n}\n"
                         "default {\nscf.yield %n : index\n}\n" TAIL,
                    4, 11, "undeclared");
}

Test(pretty_loop, affine) {
  expect_reads(HEAD "affine.for %i = 2 to %n step 3 {\n}\n" TAIL);
  expect_reads(HEAD "%r = affine.for %i = max affine_map<(d0) -> (d0, 1)>(%n) to min "
                    "affine_map<()[s0] -> (s0, 9)>()[%n] iter_args(%a = %t) -> (" T ") {\n"
                    "affine.yield %a : " T "\n}\n" TAIL);
  expect_reads(HEAD "%r = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%n) -> index {\n"
                    "affine.yield %n : index\n} else {\naffine.yield %n : index\n}\n" TAIL);
  expect_reads(HEAD
               "affine.parallel (%i, %j) = (0, 0) to (%n, symbol(%n) + 1) step (1, 2) {\n}\n" TAIL);
}

// A loop whose head does not read is passed over with its region.
Test(pretty_loop, unread) {
  expect_reads(HEAD "scf.for %i in %n {\n  %c = arith.constant 1 : index\n}\n" TAIL);
  expect_mlir_error(HEAD "scf.for %i = %n to %n step %n {\n", 3, 1, "'}'");
}
