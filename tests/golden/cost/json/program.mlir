func.func @main(%x: tensor<?x768xf32>) -> tensor<?x768xf32> {
  %w1 = stablehlo.constant dense<1.0> : tensor<768x3072xf32>
  %w2 = stablehlo.constant dense<1.0> : tensor<3072x768xf32>
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x3072xf32>) -> tensor<?x3072xf32>
  %g = func.call @gelu(%h) : (tensor<?x3072xf32>) -> tensor<?x3072xf32>
  %y = stablehlo.dot_general %g, %w2, contracting_dims = [1] x [0] : (tensor<?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x768xf32>
  %r = stablehlo.add %x, %y : tensor<?x768xf32>
  return %r : tensor<?x768xf32>
}
func.func private @gelu(%h: tensor<?x3072xf32>) -> tensor<?x3072xf32> {
  %t = stablehlo.tanh %h : tensor<?x3072xf32>
  %m = stablehlo.multiply %t, %h : tensor<?x3072xf32>
  return %m : tensor<?x3072xf32>
}
