// SPDX-License-Identifier: Apache-2.0
// A dim whose size is unknown is `?`.
// run: check FILE
// has: [16, S0]
func.func @main(%a: tensor<16x?xf32>) -> tensor<16x?xf32> { return %a : tensor<16x?xf32> }
