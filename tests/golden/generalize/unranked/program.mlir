func.func @main(%x: tensor<3x2x6xf32>, %w: tensor<*xf32>, %r: tensor<1x5x5xf32>) -> tensor<*xf32> {
  %y, %h = "onnx.RNN"(%x, %w, %r) {hidden_size = 5 : si64} : (tensor<3x2x6xf32>, tensor<*xf32>, tensor<1x5x5xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %h : tensor<*xf32>
}
