func.func @main(%x: tensor<?xf32, [@T]>) -> tensor<?xf32, [@T]> {
  %0 = stablehlo.abs %x : tensor<?xf32, [@T]>
  return %0 : tensor<?xf32, [@T]>
}
"disc_shape.SymbolicDim"() {sym_name = "T", value = -9223372036854775808 : i64, ranges = [[20, 40], [2, 3]]} : () -> ()
