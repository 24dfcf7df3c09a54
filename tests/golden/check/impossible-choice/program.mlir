func.func @main(%p: tensor<i1>, %m: tensor<i32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %ms = stablehlo.compare GT, %m, %i0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %k3 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %k4 = stablehlo.constant dense<[4]> : tensor<1xi32>
  %n0 = "stablehlo.if"(%ms) ({
    stablehlo.return %k3 : tensor<1xi32>
  }, {
    stablehlo.return %k4 : tensor<1xi32>
  }) : (tensor<i1>) -> tensor<1xi32>
  %v0 = stablehlo.dynamic_broadcast_in_dim %one, %n0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %w = stablehlo.constant dense<1.0> : tensor<2xf32>
  %wd = tensor.cast %w : tensor<2xf32> to tensor<?xf32>
    %s3 = stablehlo.add %v0, %wd : tensor<?xf32>
  return %s3 : tensor<?xf32>
}
