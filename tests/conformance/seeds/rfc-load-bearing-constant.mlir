// SPDX-License-Identifier: Apache-2.0
// A dynamic result of constant does not say what the operation makes.
// run: check FILE
// status: 1
func.func @main() -> tensor<?xf32> {
  %0 = "stablehlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
