// SPDX-License-Identifier: Apache-2.0
// set_dimension_size of a dynamic dim has the type of its operand.
// run: check FILE
// has: ok
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<4>>, %n: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
