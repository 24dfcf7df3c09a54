// The first min(T, 512) rows of a table of positions are added to T tokens: at most 512 tokens fit.
func.func @main(%tokens: tensor<?x64xf32>, %table: tensor<512x64xf32>) -> tensor<?x64xf32> {
  %length = stablehlo.get_dimension_size %tokens, dim = 0 : (tensor<?x64xf32>) -> tensor<i32>
  %most = stablehlo.constant dense<512> : tensor<i32>
  %rows = stablehlo.minimum %length, %most : tensor<i32>
  %end = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %width = stablehlo.constant dense<64> : tensor<1xi32>
  %ends = stablehlo.concatenate %end, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %begins = stablehlo.constant dense<0> : tensor<2xi32>
  %steps = stablehlo.constant dense<1> : tensor<2xi32>
  %part = stablehlo.real_dynamic_slice %table, %begins, %ends, %steps : (tensor<512x64xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x64xf32>
  %0 = chlo.broadcast_add %tokens, %part : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
