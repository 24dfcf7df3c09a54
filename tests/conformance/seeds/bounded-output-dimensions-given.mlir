// SPDX-License-Identifier: Apache-2.0
// Elements of output_dimensions that are all given make a dynamic operation static; one that is not keeps it dynamic.
// run: refine --require-static --bind shape[0]=3 --bind arg0[1]=4 FILE
// has: stablehlo.iota dim = 1 : tensor<3x4xf32>
// run: refine --bind arg0[1]=4 FILE
// has: stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x4xf32>
func.func @main(%shape: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
