// SPDX-License-Identifier: Apache-2.0
// The batch has a name: its dims are expressions over it, and the result has 128 of each row.
func.func @main(%x: tensor<?x128xf32> {shaped.dims = ["B", ""]}) -> tensor<?xf32> {
  %n = stablehlo.constant dense<-1> : tensor<1xi32>
  %y = stablehlo.dynamic_reshape %x, %n : (tensor<?x128xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
