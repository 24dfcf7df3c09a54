// SPDX-License-Identifier: Apache-2.0
// The first assertion holds, the second is left to the run, and the wrapper makes way for what it wraps.
func.func @main(%x: tensor<?x4xf32>, %n: tensor<i32>) -> tensor<?x4xf32> {
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %c4 = stablehlo.constant dense<4> : tensor<i32>
  %enough = stablehlo.compare GE, %size, %c4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%enough, %size) {api_version = 2 : i32, error_message = "Input has size {0}, 4 needed", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %same = stablehlo.compare EQ, %size, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %n) {api_version = 2 : i32, error_message = "n is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %sizes = stablehlo.constant dense<[8, 4]> : tensor<2xi64>
  %wrapped = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %sizes) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %sum = stablehlo.add %wrapped, %x : tensor<?x4xf32>
  return %sum : tensor<?x4xf32>
}
