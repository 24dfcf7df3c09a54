func.func @main() -> tensor<2x3xi32> {
  %c = stablehlo.constant dense<[[1,2,3],[4,5,6]]> : tensor<2x3xi32>
  %0 = "stablehlo.transpose"(%c) {permutation = array<i64: 1,0>} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = stablehlo.add %0, %0 : tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}
