// SPDX-License-Identifier: Apache-2.0
// A bound flows through clamp.
// run: refine --bound arg0.0=8 FILE
// has: tensor<?xf32, #stablehlo.bounds<5>>
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %low = stablehlo.constant dense<0> : tensor<i32>
  %high = stablehlo.constant dense<5> : tensor<i32>
  %c = stablehlo.clamp %low, %n, %high : tensor<i32>
  %shape = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
