// Two types that are told apart by their symbols only.
"disc_shape.SymbolicDim"() {sym_name = "B", value = -9223372036854775808 : i64} : () -> ()
func.func @main(%a: tensor<?x4xf32, [@B, @C4]>) -> tensor<?x4xf32> {
  %c = stablehlo.abs %a : tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}
