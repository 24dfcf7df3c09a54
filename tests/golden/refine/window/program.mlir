// SPDX-License-Identifier: Apache-2.0
// Three rows from a row on that data decides.
func.func @main(%x: tensor<?x4xf32>, %start: tensor<2xi64>) -> tensor<?x?xf32> {
  %size = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %limit = stablehlo.add %start, %size : tensor<2xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %ones : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
