module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf8E8M0FNU> {
    %0 = stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
    return %0 : tensor<2xf8E8M0FNU>
  }
}
