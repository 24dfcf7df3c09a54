// Any rank goes in, and the types of the results say which it is.
func.func @main(%u: tensor<*xf32>, %p: tensor<i1>) -> (tensor<?x?xf32>, tensor<2xindex>, tensor<*xf32>) {
  %t = stablehlo.tanh %u : (tensor<*xf32>) -> tensor<?x?xf32>
  %s = shape.shape_of %u : tensor<*xf32> -> tensor<2xindex>
  %same = stablehlo.negate %u : tensor<*xf32>
  return %t, %s, %same : tensor<?x?xf32>, tensor<2xindex>, tensor<*xf32>
}
