// SPDX-License-Identifier: Apache-2.0
// An error that no type shows: every dim is "?", and no batch size makes the last line right.
func.func @main(%batch: tensor<?x64xf32>, %token: tensor<1x64xf32>) -> tensor<?x64xf32> {
  %twice = stablehlo.concatenate %batch, %batch, dim = 0 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %longer = stablehlo.concatenate %twice, %token, dim = 0 : (tensor<?x64xf32>, tensor<1x64xf32>) -> tensor<?x64xf32>
  %sum = stablehlo.add %twice, %longer : tensor<?x64xf32>
  return %sum : tensor<?x64xf32>
}
