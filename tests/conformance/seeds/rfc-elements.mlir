// SPDX-License-Identifier: Apache-2.0
// Elements of a shape operand have names, as dims have.
// run: check --bind n[0]=2 --bind arg1[1]=3 FILE
// has: in x [6] f32
// has: out result 0 [2, 3] f32
// run: refine --bound n[0]=4 --bound arg1[1]=5 FILE
// has: tensor<?x?xf32, #stablehlo.bounds<4, 5>>
// run: check --assume "arg1[0] == 2*n[1]" FILE
// has: out result 0 [2*S0, S0] f32
// run: check --assume "%n[0] == 2" FILE
// has: out result 0 [2, S0] f32
// run: explain --that "n[0]*arg1[1] == x.0" FILE
// has: always holds
// run: explain --that "%n[0] == 2" FILE
// status: 1
// has: does not always hold
// has: n: 2 = [
// run: check --bind n[0]=-2 FILE
// status: 1
// has: found n[0] (-2), expected at least 0
// run: check --bind n[2]=1 FILE
// status: 1
// has: 'n[2]' is no declared symbol, dim (x.1) or integer of an argument
// run: refine --guards python FILE
// has: n[0]
func.func @main(%x: tensor<?xf32>, %n: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
