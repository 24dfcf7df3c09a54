// SPDX-License-Identifier: Apache-2.0
// Unknown dims, bounded dims and unknown ranks are types.
// run: check FILE
// has: ok
func.func @main(%a: tensor<?x16xf32>, %b: tensor<?x16xf32, #stablehlo.bounds<16, ?>>, %c: tensor<*xf32>) -> (tensor<?x16xf32>, tensor<?x16xf32, #stablehlo.bounds<16, ?>>, tensor<*xf32>) {
  %0 = stablehlo.add %a, %a : tensor<?x16xf32>
  %1 = stablehlo.add %b, %b : tensor<?x16xf32, #stablehlo.bounds<16, ?>>
  %2 = stablehlo.add %c, %c : tensor<*xf32>
  return %0, %1, %2 : tensor<?x16xf32>, tensor<?x16xf32, #stablehlo.bounds<16, ?>>, tensor<*xf32>
}
