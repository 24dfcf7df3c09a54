// SPDX-License-Identifier: Apache-2.0
// `#stablehlo.bounds<16, ?>` bounds the first dim and not the second.
// run: check FILE
// has: S0 0..16
// has: S1 0.. 
func.func @main(%a: tensor<?x?xf32, #stablehlo.bounds<16, ?>>) { return }
