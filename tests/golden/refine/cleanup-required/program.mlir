// Nothing uses the first two sums, but each requires what nothing else does; the third requires what the first does.
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %t: tensor<i1>) -> tensor<?xf32> {
  %s = stablehlo.add %a, %b : tensor<?xf32>
  %r = "stablehlo.if"(%t) ({
    %u = stablehlo.add %b, %c : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %v = stablehlo.add %b, %a : tensor<?xf32>
  %d = stablehlo.add %c, %c : tensor<?xf32>
  return %c : tensor<?xf32>
}
