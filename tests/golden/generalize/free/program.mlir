// Softmax over the tokens of a batch that was fixed at 7 of 5, joined with itself and scaled.
func.func @main(%x: tensor<7x5x8xf32>, %mask: tensor<7x5xf32>) -> tensor<70x4xf32> {
  %m = stablehlo.broadcast_in_dim %mask, dims = [0, 1] : (tensor<7x5xf32>) -> tensor<7x5x8xf32>
  %0 = stablehlo.multiply %x, %m : tensor<7x5x8xf32>
  %w = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<7x5x8xf32>, tensor<8x4xf32>) -> tensor<7x5x4xf32>
  %2 = stablehlo.concatenate %1, %1, dim = 1 : (tensor<7x5x4xf32>, tensor<7x5x4xf32>) -> tensor<7x10x4xf32>
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %two = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<7x10x4xf32>
  %3 = stablehlo.multiply %2, %two : tensor<7x10x4xf32>
  %4 = stablehlo.reshape %3 : (tensor<7x10x4xf32>) -> tensor<70x4xf32>
  %rows = stablehlo.iota dim = 0 : tensor<70x4xf32>
  %5 = stablehlo.add %4, %rows : tensor<70x4xf32>
  return %5 : tensor<70x4xf32>
}
