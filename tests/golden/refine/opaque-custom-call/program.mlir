// Nothing but its type is known of the custom call: that the sum requires 4 of it stays a requirement.
func.func @main(%a: tensor<?xf32>, %c: tensor<4xf32>) -> tensor<?xf32> {
  %r = stablehlo.custom_call @opaque(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %x = stablehlo.add %r, %c : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %x : tensor<?xf32>
}
