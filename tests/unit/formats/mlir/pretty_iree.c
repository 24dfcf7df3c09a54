// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>

#include "tests/unit/formats/mlir/reading.h"

#define HEAD "util.func @f(%n: index, %m: i32, %t: tensor<?x4xf32>, %v: !hal.buffer_view) {\n"
#define TAIL "  util.return\n}\n"

Test(pretty_iree, forms) {
  expect_dump(HEAD "%x:2 = util.assume.int %n<umin = 4, udiv = 16>, %m[<umax = 3>, <>] : index, "
                   "i32\n%y = arith.addi %x#1, %x#1 : i32\n" TAIL,
              "assumptions");
  expect_dump(HEAD "%x = flow.tensor.tie_shape %t : tensor<?x4xf32>{%n}\n" TAIL, "tie_shape");
  expect_reads(HEAD "%x = hal.tensor.import %v \"in\" : !hal.buffer_view -> tensor<?xi8> as "
                    "tensor<?x4xf32>{%n}\n%y = arith.addf %x, %x : tensor<?x4xf32>\n" TAIL);
}

// Programs that are right: calls, results that are arguments, attributes in front, and types that nothing known says.
Test(pretty_iree, programs) {
  expect_reads(
      "util.func private @g(%a: i32, %t: tensor<?xf32>) -> (%a {x.y}, %t as tensor<4xf32> {x.z})\n"
      "util.func @f(%a: i32, %t: tensor<?xf32>) -> (i32, tensor<4xf32>) {\n"
      "  %0:2 = util.call @g(%a, %t) {x.y} : (i32, tensor<?xf32>) -> (i32, tensor<4xf32>)\n"
      "  util.optimization_barrier {x.y = @g} %0#0, %0#1 : i32, tensor<4xf32>\n"
      "  %1 = util.optimization_barrier %0#1 : tensor<4xf32>\n"
      "  %2 = foo.import %t : tensor<?xf32> -> tensor<?xf32>{%a} in !foo.r<*>{%a}\n"
      "  %3 = arith.addi %2, %2 : i32\n"
      "  %4 = foo.clone %t : tensor<?xf32> -> tensor<?xf32>\n"
      "  %5 = arith.addi %4, %4 : i32\n"
      "  util.return {x.y} %0#0, %1 : i32, tensor<4xf32>\n}\n");
  expect_reads("foo.func @f(%a: i32) -> none {\n  %0 = fork [2] %a : i32\n  sink %0 : i32\n"
               "  %1 = constant %a {value = 1 : index} : index\n  return %1 : none\n}\n");
  expect_reads("func.func @f(%a: vector<4xf32>, %b: i32) {\n"
               "  %0 = builtin.unrealized_conversion_cast %a, %b : vector<4xf32>, i32 to i64\n"
               "  %1 = builtin.unrealized_conversion_cast %a : vector<4xf32> to vector<1x4xf32>\n"
               "  return\n}\n");
}

// What is in braces after the results is not of their types.
Test(pretty_iree, results_before_braces) {
  expect_dump("util.func @f(%t: i32) {\n  %0 = foo.region -> (tensor<5x7xf32>) attributes {\n"
              "    x.y = 1\n  } {\n    foo.return %t : i32\n  }\n  util.return\n}\n",
              "tensor<5x7xf32>");
  expect_dump("util.func @f(%t: i32) {\n  %0 = foo.if %t : i32 -> (tensor<5x7xf32>) then {\n"
              "    foo.return %t : i32\n  }\n  util.return\n}\n",
              "tensor<5x7xf32>");
}

Test(pretty_iree, hostile) {
  expect_reads(HEAD "%x = util.assume.int %n<umin : index\n" TAIL);
  expect_mlir_error(HEAD "%x = util.assume.int %n[<umin = 4>, : index\n" TAIL, 2, 24, "bracket");
  expect_mlir_error(HEAD "%x = flow.tensor.tie_shape %t : tensor<?x4xf32>{%q}\n" TAIL, 2, 49,
                    "undeclared");
}
