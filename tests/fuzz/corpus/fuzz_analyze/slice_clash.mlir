func.func @main() -> tensor<5xi32> {
  %c = stablehlo.constant dense<[1,2,3,4,5]> : tensor<5xi32>
  %0 = "stablehlo.slice"(%c) {start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 4611686018427387904>} : (tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
