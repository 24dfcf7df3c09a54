// Free dims get the names that the answer uses for them, where the entry declares its arguments.
func.func @main(%tokens: tensor<?x?x16xf32> {shaped.dims = ["batch"]},
                %mask: tensor<?x?xf32>,
                %table: tensor<?x16xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%tokens init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x?x16xf32>, tensor<f32>) -> tensor<?x?xf32>
  %masked = stablehlo.multiply %sum, %mask : tensor<?x?xf32>
  return %masked : tensor<?x?xf32>
}
