// SPDX-License-Identifier: Apache-2.0
// Attributes in the spelling of the generic form.
#include "tests/unit/formats/mlir/written.h"

Test(mlir_write_attr, is_written_and_read_again) {
  static const written_row ROWS[] = {
      {FN("%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r = \"stablehlo.transpose\"(%a) {permutation = array<i64: 1, 0>} : (tensor<?x4xf32>) -> "
       "tensor<4x?xf32>\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("%r = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
          "tensor<?x4xi1>"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r = \"stablehlo.compare\"(%a, %a) {comparison_direction = "
       "#stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type "
       "TOTALORDER>} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("\"x.y\"() {a = dense<[1, 2]> : tensor<2xi64>, \"b c\" = \"te\\\"xt\", d, e = [1.5 : "
          "f32, @s, {f = true}]} : () -> ()"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  \"x.y\"() {a = dense<[1, 2]> : tensor<2xi64>, \"b c\" = \"te\\\"xt\", d, e = [1.5 : f32, "
       "@s, {f = true}]} : () -> ()\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("%r = stablehlo.iota dim = 1 : tensor<2x3xi32>"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r = \"stablehlo.iota\"() {iota_dimension = 1} : () -> tensor<2x3xi32>\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
  };
  EXPECT_WRITTEN(ROWS);
}
