module {
  func.func @main(%arg0: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = stablehlo.abs %arg0 : tensor<?x4xf32>
    %1 = chlo.tan %0 : tensor<?x4xf32> -> tensor<?x4xf32>
    return %1 : tensor<?x4xf32>
  }
}
