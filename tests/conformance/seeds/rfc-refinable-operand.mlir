// SPDX-License-Identifier: Apache-2.0
// A shape operand that is an argument is data where the result is static, too.
// run: check --refinable FILE
// status: 1
// has: do not determine operand 1 of stablehlo.dynamic_reshape: s[0] of @main is not given
// run: refine --require-static --arg-types tensor<6xf32>,tensor<2xi32> FILE
// status: 1
// has: stays dynamic
func.func @main(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
