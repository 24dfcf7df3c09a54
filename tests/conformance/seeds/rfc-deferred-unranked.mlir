// SPDX-License-Identifier: Apache-2.0
// With an unknown rank the constraints of pad are deferred.
// run: check FILE
// has: ok
// run: check FILE --arg-types tensor<3x17xf32>,tensor<f32>
// status: 1
// run: check FILE --arg-types tensor<3x18xf32>,tensor<f32>
// has: out result 0 [5, 20] f32
func.func @main(%a: tensor<*xf32>, %v: tensor<f32>) -> tensor<?x20xf32> {
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 1, 1>, interior_padding = array<i64: 0, 0>} : (tensor<*xf32>, tensor<f32>) -> tensor<?x20xf32>
  return %0 : tensor<?x20xf32>
}
