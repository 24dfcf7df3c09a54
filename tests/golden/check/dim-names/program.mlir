// Dims have names where they are declared; a name used twice states equality, one of a number says what it is.
func.func @main(%tokens: tensor<?x?x16xf32> {shaped.dims = ["batch", "length", "width"]},
                %mask: tensor<?x?xf32> {shaped.dims = ["batch", "length"]},
                %table: tensor<?x?xf32> {shaped.dims = ["", "width"]}) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%tokens init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x?x16xf32>, tensor<f32>) -> tensor<?x?xf32>
  %masked = stablehlo.multiply %sum, %mask : tensor<?x?xf32>
  return %masked : tensor<?x?xf32>
}
