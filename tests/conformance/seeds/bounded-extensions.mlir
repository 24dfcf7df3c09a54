// SPDX-License-Identifier: Apache-2.0
// The older spelling of bounds is read as the newer one.
// run: check FILE
// has: S0 0..3
func.func @main(%x: tensor<?x5xf32, #stablehlo.type_extensions<bounds = [3, ?]>>) -> tensor<?x5xf32, #stablehlo.bounds<3, ?>> {
  return %x : tensor<?x5xf32, #stablehlo.type_extensions<bounds = [3, ?]>>
}
