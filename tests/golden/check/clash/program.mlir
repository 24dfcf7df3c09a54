// One addition says that %x has 3 elements, the other that it has 4.
func.func @main(%x: tensor<?xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %a : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.add %x, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
