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

Test(pretty_iree, hostile) {
  expect_reads(HEAD "%x = util.assume.int %n<umin : index\n" TAIL);
  expect_mlir_error(HEAD "%x = util.assume.int %n[<umin = 4>, : index\n" TAIL, 2, 24, "bracket");
  expect_mlir_error(HEAD "%x = flow.tensor.tie_shape %t : tensor<?x4xf32>{%q}\n" TAIL, 2, 49,
                    "undeclared");
}
