// SPDX-License-Identifier: Apache-2.0
// Operations, blocks and regions in generic form.
#include "tests/unit/formats/mlir/written.h"

Test(mlir_write_op, is_written_and_read_again) {
  static const written_row ROWS[] = {
      {FN("%r = stablehlo.add %a, %a : tensor<?x4xf32>"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r = \"stablehlo.add\"(%a, %a) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("\"x.y\"() ({\n^b0(%z: i32):\n  \"x.z\"(%z)[^b1] : (i32) -> ()\n^b1:\n  \"x.w\"() : () "
          "-> ()\n}, {\n}) {k = 1 : i64} : () -> ()"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  \"x.y\"() ({\n"
       "  ^bb0(%z: i32):\n"
       "    \"x.z\"(%z)[^bb1] : (i32) -> ()\n"
       "  ^bb1:\n"
       "    \"x.w\"() : () -> ()\n"
       "  }, {}) {k = 1 : i64} : () -> ()\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("%r:2 = \"x.y\"(%a, %i) : (tensor<?x4xf32>, index) -> (i32, f32)\n  \"x.z\"(%r#1) : "
          "(f32) -> ()"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r:2 = \"x.y\"(%a, %i) : (tensor<?x4xf32>, index) -> (i32, f32)\n"
       "  \"x.z\"(%r#1) : (f32) -> ()\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
  };
  EXPECT_WRITTEN(ROWS);
}
