// SPDX-License-Identifier: Apache-2.0
// Results of operations without a rule, where their syntax or an attribute says which operands are destinations.
#include "solver/ops/destinations.h"

#include <stdio.h>

#include "tests/unit/formats/mlir/reading.h"
#include "tests/unit/ops/rules.h"

#define T         "tensor<?x?xf32>"
#define ARGUMENTS "%a: " T ", %o: " T ", %n: tensor<3xf32>"

Test(destinations, results_have_their_shapes) {
  expect_sizes(ARGUMENTS, "%r = my.op ins(%a : " T ") outs(%o : " T ") -> " T, "[S2, S3]");
  expect_sizes(ARGUMENTS, "%r:2 = my.op outs(%o, %a : " T ", " T ") -> " T ", " T,
               "[S2, S3] [S0, S1]");
  expect_sizes(ARGUMENTS,
               "%r:2 = my.op ins(%a : " T ") outs(%o, %n : " T ", tensor<3xf32>) -> (" T
               ", tensor<3xf32>)",
               "[S2, S3] [3]");
  expect_sizes("%o: " T ", %m: memref<?xf32>",
               "%r:2 = my.op outs(%o, %m : " T ", memref<?xf32>) -> " T ", index", "[S0, S1] []");
  expect_sizes(ARGUMENTS,
               "%r = \"my.op\"(%a, %o) {shaped.destinations = 1 : i64} : (" T ", " T ") -> " T,
               "[S2, S3]");
}

Test(destinations, whose_are_not_said_are_unknown) {
  // A number of segments is not the interface.
  expect_sizes(ARGUMENTS,
               "%r = \"my.op\"(%a, %o) {operandSegmentSizes = array<i32: 1, 1>} : (" T ", " T
               ") -> " T,
               "[S4, S5]");
  // Types that the interface does not allow.
  expect_sizes(ARGUMENTS, "%r = my.op ins(%a : " T ") outs(%o : " T ") -> tensor<4x?xf32>",
               "[4, S4]");
  expect_sizes(ARGUMENTS, "%r:2 = my.op ins(%a : " T ") outs(%o : " T ") -> " T ", " T, "* *");
  static const char *const NUMBERS[] = {"0", "3", "-1", "9223372036854775807", "\"one\""};
  for (unsigned i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
    char body[200];
    snprintf(body, sizeof body,
             "%%r = \"my.op\"(%%a, %%o) {shaped.destinations = %s} : (" T ", " T ") -> " T,
             NUMBERS[i]);
    expect_sizes(ARGUMENTS, body, "[S4, S5]");
  }
  // Of an operation that has a rule the attribute says nothing.
  expect_sizes(ARGUMENTS,
               "%r = \"stablehlo.abs\"(%a) {shaped.destinations = 1 : i64} : (" T ") -> " T,
               "[S0, S1]");
}

// What is in the regions of an operation that is not known may run.
Test(destinations, regions_are_unchecked) {
  expect_unchecked(ARGUMENTS,
                   "%r = \"my.op\"(%a) ({\n\"my.in\"() ({\n  %s = stablehlo.add %a, %o : " T
                   "\n}) : () -> ()\n}) : (" T ") -> " T,
                   "what its regions require: nothing is known of the operation around them");
  expect_unchecked("%a: " T ", %f: f32",
                   "%r = \"my.op\"(%a) ({\n%s = arith.addf %f, %f : f32\n\"my.end\"(%a) : (" T
                   ") -> ()\n}) : (" T ") -> " T,
                   "");
}

Test(destinations, fit) {
  reading r;
  reading_of(&r, "func.func @main(%a: " T ", %m: memref<?xf32>, %n: index) {\n  return\n}\n");
  type_id t = r.graph.values[0].type, m = r.graph.values[1].type, n = r.graph.values[2].type;
  const type_table *types = &r.graph.types;
  cr_expect(destination_is_tensor(types, t) && !destination_is_tensor(types, m));
  cr_expect(destinations_fit(types, (type_id[]){t, m, t}, 3, (type_id[]){t, t, n}, 3));
  cr_expect(!destinations_fit(types, (type_id[]){t, t}, 2, (type_id[]){t}, 1));
  cr_expect(!destinations_fit(types, (type_id[]){t}, 1, (type_id[]){n, t}, 2));
  cr_expect(!destinations_fit(types, (type_id[]){m}, 1, (type_id[]){n}, 1));
  cr_expect(!destinations_fit(types, (type_id[]){TYPE_NONE, t}, 2, (type_id[]){t}, 1));
  cr_expect(!destinations_fit(types, (type_id[]){t}, 1, (type_id[]){t, TYPE_NONE}, 2));
  reading_destroy(&r);
}
