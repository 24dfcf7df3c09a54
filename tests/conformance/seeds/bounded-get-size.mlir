// SPDX-License-Identifier: Apache-2.0
// get_dimension_size is the size at run time: of a concatenation with itself, twice the size.
// run: check FILE
// has: out result 0 [] i32 = 2*S0
// has: S0 0..16
// run: check FILE --bind arg0.0=5
// has: = 10
func.func @main(%data: tensor<?xi32, #stablehlo.type_extensions<bounds = [16]>>) -> tensor<i32> {
  %both = "stablehlo.concatenate"(%data, %data) {dimension = 0 : i64} : (tensor<?xi32, #stablehlo.type_extensions<bounds = [16]>>, tensor<?xi32, #stablehlo.type_extensions<bounds = [16]>>) -> tensor<?xi32, #stablehlo.type_extensions<bounds = [32]>>
  %size = stablehlo.get_dimension_size %both, dim = 0 : (tensor<?xi32, #stablehlo.type_extensions<bounds = [32]>>) -> tensor<i32>
  return %size : tensor<i32>
}
