// SPDX-License-Identifier: Apache-2.0
// Products are tied by tie_product_equal, divisors by a predicate; names of authors and likely values stay.
"disc_shape.SymbolicDim"() {sym_name = "N", likely_values = [8, 16], divisible_by = 4 : i64} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "M", likely_values = [2, 4]} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "K", likely_values = [16, 32]} : () -> ()
func.func @main(%a: tensor<?x?x?xf32, [@N, @M, @K]>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?x?xf32, [@N, @M, @K]>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?x?xf32, [@N, @M, @K]>) -> tensor<i32>
  %k = stablehlo.get_dimension_size %a, dim = 2 : (tensor<?x?x?xf32, [@N, @M, @K]>) -> tensor<i32>
  %nm = stablehlo.multiply %n, %m : tensor<i32>
  %1 = stablehlo.reshape %nm : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_reshape %a, %s : (tensor<?x?x?xf32, [@N, @M, @K]>, tensor<2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @shape_constraint_graph() {
  %0 = "disc_shape.dim"() {name = @N} : () -> index
  %1 = "disc_shape.dim"() {name = @K} : () -> index
  %c2 = arith.constant 2 : index
  %2 = arith.muli %0, %c2 : index
  "disc_shape.tie_predicate_eq"(%1, %2) : (index, index) -> ()
  return
}
