// SPDX-License-Identifier: Apache-2.0
// A static dim has no bound.
// run: check FILE
// status: 1
// has: static dimension 1 cannot have a bound
func.func @main(%x: tensor<?x5xf32, #stablehlo.bounds<3, 5>>) { return }
