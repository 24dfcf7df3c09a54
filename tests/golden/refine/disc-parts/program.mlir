// SPDX-License-Identifier: Apache-2.0
// Names are declared in the module of the entry, and are in types of that module alone.
module @first {
  func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = stablehlo.abs %x : tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
}
module @second {
  func.func @other(%y: tensor<?x5xf32>, %z: tensor<?x5xf32, [@N, unit]>) -> tensor<?x5xf32> {
    %0 = stablehlo.add %y, %z : (tensor<?x5xf32>, tensor<?x5xf32, [@N, unit]>) -> tensor<?x5xf32>
    return %0 : tensor<?x5xf32>
  }
  "disc_shape.SymbolicDim"() {sym_name = "N", value = -9223372036854775808 : i64} : () -> ()
}
