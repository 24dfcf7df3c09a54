func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = foreign.thing %arg0 using 4 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
