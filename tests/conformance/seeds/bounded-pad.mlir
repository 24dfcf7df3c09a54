// SPDX-License-Identifier: Apache-2.0
// dynamic_pad becomes a pad to the bounds, of which the size is set; and set_dimension_size a real_dynamic_slice.
// run: refine --dynamism bounded FILE
// has: low = [0], high = [4]
// has: = stablehlo.set_dimension_size %r_window, %r_length0, dim = 0 : (tensor<9xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<9>>
// not: dynamic_pad
// run: refine --arg-types tensor<5xf32>,tensor<i32> --bind arg1=2 --require-static FILE
// has: stablehlo.pad %x, %zero, low = [0], high = [2], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<7xf32>
func.func @main(%x: tensor<5xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<1xi32>
  %most = stablehlo.constant dense<4> : tensor<i32>
  %m = stablehlo.minimum %n, %most : tensor<i32>
  %high = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_pad %x, %zero, %none, %high, %none : (tensor<5xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
