// The branch that cannot run with this number is an error by itself, and the JSON form does not say the number.
func.func @main(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %s = stablehlo.constant dense<[3]> : tensor<1xi32>
  %r = "stablehlo.if"(%p) ({
    %b = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %b : tensor<?xf32>
  }, {
    %t = stablehlo.tanh %a : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %t : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
