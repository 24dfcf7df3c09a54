// SPDX-License-Identifier: Apache-2.0
// With a region, the text is written twice: once to see whether all types fit, once without what nothing needs.
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) across dimensions = [1] : (tensor<?x5xf32>, tensor<f32>) -> tensor<?xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_broadcast_in_dim %sum, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
