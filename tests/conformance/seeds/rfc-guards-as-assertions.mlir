// SPDX-License-Identifier: Apache-2.0
// Guards against shape mismatches are the producer's: they are written as code.
// run: refine --guards mlir FILE
// has: shape_assertion
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  %1 = stablehlo.dot %0, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %2 = "stablehlo.concatenate"(%x, %c) {dimension = 0 : i64} : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %3 = stablehlo.add %2, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
