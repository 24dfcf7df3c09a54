// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of an elementwise operation have one shape.
// run: check FILE
// has: in y [S0] f32
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mhlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
