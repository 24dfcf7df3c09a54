// SPDX-License-Identifier: Apache-2.0
// The example of the bounded dynamism RFC, along two axes and with indices of 64 bits.
func.func @main(%data: tensor<7x3xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>) -> tensor<?x?xf32> {
  %strides = stablehlo.constant dense<1> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %data, %start, %limit, %strides : (tensor<7x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
