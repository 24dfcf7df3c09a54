// SPDX-License-Identifier: Apache-2.0
func.func @main(%p: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @where(%p, %x, %y) : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @where(%p: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<?xi1>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
