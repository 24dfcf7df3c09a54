// SPDX-License-Identifier: Apache-2.0
// A dynamic result of recv does not say what the operation makes.
// run: check FILE
// status: 1
func.func @main(%t: !stablehlo.token) -> (tensor<?xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<?xf32>, !stablehlo.token
}
