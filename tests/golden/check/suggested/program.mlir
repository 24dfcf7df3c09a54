// Keys of a cache are put before those of the tokens; the mask has a length of its own, which must be that of both.
func.func @main(%tokens: tensor<?x16xf32>, %cache: tensor<?x16xf32>, %mask: tensor<?xf32>) -> (tensor<?x16xf32>, tensor<?xf32>) {
  %keys = stablehlo.concatenate %cache, %tokens, dim = 0 : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %weights = stablehlo.reduce(%keys init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x16xf32>, tensor<f32>) -> tensor<?xf32>
  %masked = chlo.broadcast_add %weights, %mask : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %keys, %masked : tensor<?x16xf32>, tensor<?xf32>
}
