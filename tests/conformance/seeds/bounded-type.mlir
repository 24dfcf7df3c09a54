// SPDX-License-Identifier: Apache-2.0
// A bound is at most what the dim is at run time; `?` beside it is a dim without one.
// run: check FILE
// has: S0 0..3
func.func @main(%x: tensor<?x5xf32, #stablehlo.type_extensions<bounds = [3, ?]>>) -> tensor<?x5xf32, #stablehlo.type_extensions<bounds = [3, ?]>> {
  return %x : tensor<?x5xf32, #stablehlo.type_extensions<bounds = [3, ?]>>
}
