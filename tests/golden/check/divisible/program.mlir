// The width is split into 8 heads: it must be a multiple of 8, which nothing declares.
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x8x?xf32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %width = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %heads = stablehlo.constant dense<8> : tensor<i32>
  %head = stablehlo.divide %width, %heads : tensor<i32>
  %0 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %heads : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.reshape %head : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %0, %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %split = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x8x?xf32>
  return %split : tensor<?x8x?xf32>
}
