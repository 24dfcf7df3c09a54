// SPDX-License-Identifier: Apache-2.0
// An axis that is known to expand has dim 1, and one that is known not to has the dim of the result.
// run: check FILE
// has: in x [1, S0] f32
// has: in y [S1, S0] f32
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %y : tensor<?x?xf32> -> tensor<2xindex>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
