func.func @main() -> tensor<4000xi32> {
  %c = stablehlo.constant dense<[1,2,3,4,5]> : tensor<5xi32>
  %i = stablehlo.constant dense<[[1],[2]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%c, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false} : (tensor<5xi32>, tensor<2x1xi32>) -> tensor<4000xi32>
  return %0 : tensor<4000xi32>
}
