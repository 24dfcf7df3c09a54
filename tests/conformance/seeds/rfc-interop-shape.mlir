// SPDX-License-Identifier: Apache-2.0
// Shapes that shape operations compute are followed as those of StableHLO are.
// run: check FILE
// has: [2*S0]
// run: refine --require-static --bind arg0.0=3 FILE
// has: iota dim = 0 : tensor<6xf32>
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %h = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %n = shape.num_elements %h : tensor<1xindex> -> index
  %m = shape.add %n, %n : index, index -> index
  %s = tensor.from_elements %m : tensor<1xindex>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
