// SPDX-License-Identifier: Apache-2.0
// A result type may be more general or more specific than what is inferred, as long as it is compatible.
// run: check FILE
// has: ok
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<8>>) -> (tensor<?xf32>, tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.abs"(%x) : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32>
  %1 = "stablehlo.abs"(%x) : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0, %1 : tensor<?xf32>, tensor<?xf32, #stablehlo.bounds<4>>
}
