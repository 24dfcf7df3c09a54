// SPDX-License-Identifier: Apache-2.0
// The number of rows is given, and nothing makes it that of the table; an argument has another name, one another type.
func.func @main(%rows: tensor<i32>, %data: tensor<?x4xf32>, %other: tensor<3xf32>, %more: tensor<i1>) -> (tensor<?x4xf32>, tensor<i32>) {
  return %data, %rows : tensor<?x4xf32>, tensor<i32>
}
