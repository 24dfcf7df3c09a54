// SPDX-License-Identifier: Apache-2.0
// As many rows as the vector is long are taken from the front.
func.func @main(%x: tensor<?x8xf32>, %v: tensor<?xf32>) -> tensor<?x8xf32> {
  %n = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  %start = stablehlo.constant dense<0> : tensor<2xi32>
  %steps = stablehlo.constant dense<1> : tensor<2xi32>
  %limit = stablehlo.concatenate %n1, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %steps : (tensor<?x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
