// SPDX-License-Identifier: Apache-2.0
func.func @gather_legal(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c1(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: offset_dims, collapsed_slice_dims and operand_batching_dims have 3 axes together, operand #0 has rank 2
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c2(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: index_vector_dim is 3, which is out of the range [0, 2]
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c2_neg(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: index_vector_dim is -1, which is out of the range [0, 2]
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = -1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c3(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: an index must have an element for each axis that it chooses: found 1 and 2
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c4_dup(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: offset_dims has 1 twice
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c4_sort(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: offset_dims is not sorted: 2 is before 1
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x1x3xf32>
  return
}

func.func @gather_c5(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: offset_dims has 2, which is out of the range [0, 2)
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c6_dup(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: collapsed_slice_dims has 0 twice
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c7_sorted(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: collapsed_slice_dims is not sorted: 1 is before 0
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

func.func @gather_c8(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: collapsed_slice_dims has 2, which is out of the range [0, 2)
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c9(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: a slice must have one element along an axis that goes: found 2, expected at most 1
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c10(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: axis 0 is in start_index_map and in operand_batching_dims
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c20(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: slice_sizes has 1 elements, the operand has rank 2
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c21(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: a slice must fit into the operand: found 4, expected at most 3
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c21_neg(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: a slice must have no negative dim: found -1, expected at least 0
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, -1>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c18(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: start_index_map has 2, which is out of the range [0, 2)
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c17_dup(%a: tensor<4x3xf32>, %b: tensor<5x2xi32>) {
  // refused: start_index_map has 0 twice
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x2xi32>) -> tensor<5x3xf32>
  return
}

func.func @gather_c22(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: result #0 has the shape [5, 3], its declared type is tensor<5x4xf32>
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

func.func @gather_c23(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: operand #0 is tensor<4x3xf32>, result #0 is tensor<5x3xf64>: their element types differ
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf64>
  return
}

func.func @gather_res_rank(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // refused: result #0 has the shape [5, 3], its declared type is tensor<5xf32>
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

func.func @gather_c14_batch(%a: tensor<2x4x3xf32>, %b: tensor<3x5x1xi32>) {
  // refused: batching dims of operand and indices must be equal: found 2 and 3
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>, indices_are_sorted = false} : (tensor<2x4x3xf32>, tensor<3x5x1xi32>) -> tensor<3x5x3xf32>
  return
}

func.func @gather_c12_size(%a: tensor<2x4x3xf32>, %b: tensor<2x5x1xi32>) {
  // refused: a slice must have one element along an axis that goes: found 2, expected at most 1
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 3>, indices_are_sorted = false} : (tensor<2x4x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
  return
}

func.func @gather_c15_len(%a: tensor<2x4x3xf32>, %b: tensor<2x5x1xi32>) {
  // refused: operand_batching_dims has 1 axes, start_indices_batching_dims has 0
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>, indices_are_sorted = false} : (tensor<2x4x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
  return
}

func.func @gather_c16_ivd(%a: tensor<2x4x3xf32>, %b: tensor<2x5x1xi32>) {
  // refused: index_vector_dim 2 is in start_indices_batching_dims
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>, indices_are_sorted = false} : (tensor<2x4x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
  return
}

func.func @gather_c19_map_batch(%a: tensor<2x4x3xf32>, %b: tensor<2x5x1xi32>) {
  // refused: axis 0 is in start_index_map and in operand_batching_dims
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>, indices_are_sorted = false} : (tensor<2x4x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
  return
}

func.func @dynamic_gather_c20(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<3xi32>) {
  // refused: slice_sizes has 3 elements, the operand has rank 2
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<3xi32>) -> tensor<5x?xf32>
  return
}

func.func @dynamic_gather_c21(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  %c = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  // refused: a slice must fit into the operand: found 4, expected at most 3
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x?xf32>
  return
}

func.func @scatter_legal(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c2_rank(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: update_window_dims, inserted_window_dims and input_batching_dims have 3 axes together, operand #0 has rank 2
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c4_window(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x4xf32>) {
  // refused: a window of the updates must fit into the input: found 4, expected at most 3
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c4_scatter(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<6x3xf32>) {
  // refused: the updates must have a window for each index: found 6 and 5
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c6_elem(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf64>) {
  // refused: parameter #1 of the region is tensor<f32>, to which the elements of tensor<5x3xf64> cannot be promoted
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf64>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c7_dup(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x1x3xf32>) {
  // refused: update_window_dims has 1 twice
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x1x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c7_sort(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x1x3xf32>) {
  // refused: update_window_dims is not sorted: 2 is before 1
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x1x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c8(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: update_window_dims has 2, which is out of the range [0, 2)
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c9(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5xf32>) {
  // refused: inserted_window_dims has 0 twice
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c11(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: inserted_window_dims has 2, which is out of the range [0, 2)
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c19_dup(%a: tensor<4x3xf32>, %b: tensor<5x2xi32>, %c: tensor<5x3xf32>) {
  // refused: scatter_dims_to_operand_dims has 0 twice
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x2xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c20(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: scatter_dims_to_operand_dims has 2, which is out of the range [0, 2)
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c21(%a: tensor<4x3xf32>, %b: tensor<5x2xi32>, %c: tensor<5x3xf32>) {
  // refused: an index must have an element for each axis that it chooses: found 2 and 1
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x2xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c22(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: index_vector_dim is 3, which is out of the range [0, 2]
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c23(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: result #0 of the region is tensor<i32>, to which the initial value tensor<f32> cannot be promoted
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.add %x, %y : tensor<i32> "stablehlo.return"(%s) : (tensor<i32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c24(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3xf32>) {
  // refused: result #0 has the shape [4, 3], its declared type is tensor<4x4xf32>
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<4x4xf32>
  return
}

func.func @scatter_rank_upd(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>, %c: tensor<5x3x1xf32>) {
  // refused: the updates have rank 3, 1 axes of indices and 1 of windows make 2
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x1xi32>, tensor<5x3x1xf32>) -> tensor<4x3xf32>
  return
}

func.func @scatter_c18_batch(%a: tensor<2x4x3xf32>, %b: tensor<3x5x1xi32>, %c: tensor<3x5x3xf32>) {
  // refused: batching dims of operand and indices must be equal: found 2 and 3
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<2x4x3xf32>, tensor<3x5x1xi32>, tensor<3x5x3xf32>) -> tensor<2x4x3xf32>
  return
}

func.func @scatter_c15_len(%a: tensor<2x4x3xf32>, %b: tensor<2x5x1xi32>, %c: tensor<2x5x3xf32>) {
  // refused: input_batching_dims has 1 axes, scatter_indices_batching_dims has 0
  %r = "stablehlo.scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<2x4x3xf32>, tensor<2x5x1xi32>, tensor<2x5x3xf32>) -> tensor<2x4x3xf32>
  return
}

func.func @scatter_c1(%a: tensor<4x3xf32>, %b: tensor<4x4xf32>, %c: tensor<5x1xi32>, %d: tensor<5x3xf32>, %e: tensor<5x3xf32>) {
  // refused: the inputs must have the same shape: found 3 and 4
  %r:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) ({^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>): "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<4x4xf32>, tensor<5x1xi32>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<4x3xf32>, tensor<4x4xf32>)
  return
}

func.func @torch_index_select_legal(%a: tensor<5x3xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

func.func @torch_index_select_dim(%a: tensor<5x3xf32>, %b: tensor<2xi32>) {
  // refused: dim is 2, which is out of the range of 2 axes
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

func.func @torch_index_select_batch_dim(%a: tensor<5x3xf32>, %b: tensor<5x2xi32>) {
  // refused: batch_dims is 1, dim is 0
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 1 : i64} : (tensor<5x3xf32>, tensor<5x2xi32>) -> tensor<5x2xf32>
  return
}

func.func @torch_index_select_batch(%a: tensor<5x3x4xf32>, %b: tensor<6x2xi32>) {
  // refused: the batch dims must be equal: found 5 and 6
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<5x3x4xf32>, tensor<6x2xi32>) -> tensor<5x2x4xf32>
  return
}

func.func @torch_index_select_res(%a: tensor<5x3xf32>, %b: tensor<2xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<3x3xf32>
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<3x3xf32>
  return
}

func.func @torch_index_select_rank(%a: tensor<5x3xf32>, %b: tensor<2xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

func.func @torch_index_select_dimneg(%a: tensor<5x3xf32>, %b: tensor<2xi32>) {
  // refused: dim is -3, which is out of the range of 2 axes
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = -3 : i64, batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

func.func @torch_index_select_batch_rank(%a: tensor<5x3x4xf32>, %b: tensor<2xi32>) {
  // refused: batch_dims is 2, which is out of the range of 1 axes
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 2 : i64, batch_dims = 2 : i64} : (tensor<5x3x4xf32>, tensor<2xi32>) -> tensor<5x2x4xf32>
  return
}

func.func @top_k_legal(%a: tensor<4x8xf32>) {
  %r:2 = "chlo.top_k"(%a) {k = 3 : i64} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

func.func @top_k_rank(%a: tensor<f32>) {
  // refused: the operand has rank 0, at least 1 is needed
  %r:2 = "chlo.top_k"(%a) {k = 3 : i64} : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
  return
}

func.func @top_k_large(%a: tensor<4x8xf32>) {
  // refused: the last axis must have at least k elements: found 9, expected at most 8
  %r:2 = "chlo.top_k"(%a) {k = 9 : i64} : (tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}

func.func @top_k_neg(%a: tensor<4x8xf32>) {
  // refused: attribute k is -1, at least 0 is needed
  %r:2 = "chlo.top_k"(%a) {k = -1 : i64} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

func.func @top_k_res(%a: tensor<4x8xf32>) {
  // refused: result #0 has the shape [4, 3], its declared type is tensor<4x4xf32>
  %r:2 = "chlo.top_k"(%a) {k = 3 : i64} : (tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
  return
}

func.func @top_k_res2(%a: tensor<4x8xf32>) {
  // refused: result #1 has the shape [4, 3], its declared type is tensor<4x4xi32>
  %r:2 = "chlo.top_k"(%a) {k = 3 : i64} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x4xi32>)
  return
}
