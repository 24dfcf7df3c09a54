// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %e = stablehlo.exponential %x : tensor<?x4xf32>
  %s = stablehlo.add %e, %y : tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
