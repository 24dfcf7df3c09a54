// SPDX-License-Identifier: Apache-2.0
// Types with symbols as an encoding: the guards spell the arguments the same way.
"disc_shape.SymbolicDim"() {sym_name = "S0"} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "S1"} : () -> ()
func.func @main(%x: tensor<?x?xf32, [@S0, @S1]>, %y: tensor<4x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<?x?xf32, [@S0, @S1]>, tensor<4x?xf32, [@S0, @S1]>) -> tensor<?x?xf32, [@S0, @S1]>
  return %0 : tensor<?x?xf32, [@S0, @S1]>
}
