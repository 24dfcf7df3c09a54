// SPDX-License-Identifier: Apache-2.0
// A dynamic result of infeed does not say what the operation makes.
// run: check FILE
// status: 1
func.func @main(%t: !stablehlo.token) -> (tensor<?xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<?xf32>, !stablehlo.token
}
