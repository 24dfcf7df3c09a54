// SPDX-License-Identifier: Apache-2.0
// Dims that a reduction, an unsigned quotient, shape arithmetic and both branches of an if make.
func.func @main(%x: tensor<?x4xf32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %s = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %s32 = arith.index_cast %s : tensor<2xindex> to tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %prod = "stablehlo.reduce"(%s32, %one) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %m = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %m : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %t = stablehlo.reshape %prod : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_reshape %x, %t : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %q = arith.divui %d, %c3 : index
  %q1 = tensor.from_elements %q : tensor<1xindex>
  %i = stablehlo.dynamic_iota %q1, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  %n = shape.num_elements %s : tensor<2xindex> -> index
  %n1 = tensor.from_elements %n : tensor<1xindex>
  %i2 = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  %c = "stablehlo.if"(%p) ({
     %z = stablehlo.constant dense<7> : tensor<1xi32>
     stablehlo.return %z : tensor<1xi32>
  }, {
     %z = stablehlo.constant dense<7> : tensor<1xi32>
     stablehlo.return %z : tensor<1xi32>
  }) : (tensor<i1>) -> tensor<1xi32>
  %i3 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %r, %i, %i2, %i3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
