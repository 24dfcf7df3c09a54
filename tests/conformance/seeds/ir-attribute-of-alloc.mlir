// SPDX-License-Identifier: Apache-2.0
// kDiscSymbolicDimAttr names the dims of tie_shape and of memref.alloc.
// run: check FILE --json
// has: "dims": [["S0", 4]]
// run: explain FILE --that "%m.0 == %t.0"
// has: always holds
func.func @main(%a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %t = "disc_shape.tie_shape"(%a) {kDiscSymbolicDimAttr = [@S0, @C4]} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = memref.alloc(%n) {kDiscSymbolicDimAttr = [@S0, @C4]} : memref<?x4xf32>
  return %t : tensor<?x4xf32>
}
"disc_shape.SymbolicDim"() {sym_name = "S0", value = -9223372036854775808 : i64} : () -> ()
"disc_shape.SymbolicDim"() {sym_name = "C4", value = 4 : i64} : () -> ()
