// SPDX-License-Identifier: Apache-2.0
func.func @all_gather_legal(%a: tensor<2x3xf32>) {
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_c1(%a: tensor<2x3xf32>) {
  // refused: all_gather_dim is 2, the operand has rank 2
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_c1n(%a: tensor<2x3xf32>) {
  // refused: attribute all_gather_dim is -1, at least 0 is needed
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_c2(%a: tensor<2x3xf32>) {
  // refused: replica_groups has the id 0 twice
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_c4_neg(%a: tensor<2x3xf32>) {
  // refused: replica_groups has the id -2
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_c4_hole(%a: tensor<2x3xf32>) {
  // refused: replica_groups lacks the id 1 of 0 .. 1
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_c6(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 6], its declared type is tensor<2x7xf32>
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x7xf32>)
  return
}

func.func @all_gather_c6_other(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 6], its declared type is tensor<3x6xf32>
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<3x6xf32>)
  return
}

func.func @all_gather_c6_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 6], its declared type is tensor<6xf32>
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<6xf32>)
  return
}

func.func @all_gather_c6_group(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 9], its declared type is tensor<2x7xf32>
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2x3xf32>) -> (tensor<2x7xf32>)
  return
}

func.func @all_gather_rank1(%a: tensor<2x3xf32>) {
  // refused: replica_groups has rank 1, rank 2 is needed
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf32>)
  return
}

func.func @all_gather_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x6xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x6xf64>)
  return
}

func.func @all_reduce_legal(%a: tensor<2x3xf32>) {
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @all_reduce_c1(%a: tensor<2x3xf32>) {
  // refused: replica_groups has the id 0 twice
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @all_reduce_c3(%a: tensor<2x3xf32>) {
  // refused: replica_groups lacks the id 1 of 0 .. 1
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @all_reduce_c4(%a: tensor<2x3xf32>) {
  // refused: the channel is 0 although use_global_device_ids is set
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @all_reduce_c5(%a: tensor<2x3xf32>) {
  // refused: result #0 of the region is tensor<i32>, to which the initial value tensor<f32> cannot be promoted
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.add %x, %y : tensor<i32> "stablehlo.return"(%s) : (tensor<i32>) -> ()}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @all_reduce_c6(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x4xf32>)
  return
}

func.func @all_reduce_c5_params(%a: tensor<2x3xf32>) {
  // refused: the region takes 1 parameters, 2 are needed
  %r = "stablehlo.all_reduce"(%a) ({^bb0(%x: tensor<f32>): "stablehlo.return"(%x) : (tensor<f32>) -> ()}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @all_to_all_legal(%a: tensor<2x4xf32>) {
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c1(%a: tensor<2x4xf32>) {
  // refused: split_dimension is 2, the operand has rank 2
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c1n(%a: tensor<2x4xf32>) {
  // refused: attribute split_dimension is -1, at least 0 is needed
  %r = "stablehlo.all_to_all"(%a) {split_dimension = -1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c2(%a: tensor<2x5xf32>) {
  // refused: split_count must divide the split dim: found 5, expected a multiple of 2
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x5xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c3(%a: tensor<2x4xf32>) {
  // refused: concat_dimension is 2, the operand has rank 2
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c4(%a: tensor<2x4xf32>) {
  // refused: attribute split_count is 0, at least 1 is needed
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c5(%a: tensor<2x4xf32>) {
  // refused: replica_groups has the id 0 twice
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c7(%a: tensor<2x4xf32>) {
  // refused: replica_groups lacks the id 1 of 0 .. 1
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 7]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c8(%a: tensor<2x4xf32>) {
  // refused: replica_groups has groups of 3, groups of 2 are needed
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2x4xf32>) -> (tensor<4x2xf32>)
  return
}

func.func @all_to_all_c9(%a: tensor<2x4xf32>) {
  // refused: result #0 has the shape [4, 2], its declared type is tensor<4x3xf32>
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<4x3xf32>)
  return
}

func.func @all_to_all_c9_concat(%a: tensor<2x4xf32>) {
  // refused: result #0 has the shape [4, 2], its declared type is tensor<5x2xf32>
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> (tensor<5x2xf32>)
  return
}

func.func @reduce_scatter_legal(%a: tensor<2x4xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c1(%a: tensor<2x5xf32>) {
  // refused: the group must divide the scattered dim: found 5, expected a multiple of 2
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x5xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c2(%a: tensor<2x4xf32>) {
  // refused: scatter_dimension is 2, the operand has rank 2
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c3(%a: tensor<2x4xf32>) {
  // refused: replica_groups has the id 0 twice
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c5(%a: tensor<2x4xf32>) {
  // refused: replica_groups lacks the id 1 of 0 .. 1
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c6(%a: tensor<2x4xf32>) {
  // refused: the channel is 0 although use_global_device_ids is set
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c7(%a: tensor<2x4xf32>) {
  // refused: result #0 of the region is tensor<i32>, to which the initial value tensor<f32> cannot be promoted
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.add %x, %y : tensor<i32> "stablehlo.return"(%s) : (tensor<i32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

func.func @reduce_scatter_c8(%a: tensor<2x4xf32>) {
  // refused: result #0 has the shape [2, 2], its declared type is tensor<2x3xf32>
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @reduce_scatter_c8_other(%a: tensor<2x4xf32>) {
  // refused: result #0 has the shape [2, 2], its declared type is tensor<3x2xf32>
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<3x2xf32>
  return
}

func.func @reduce_scatter_rank(%a: tensor<2x4xf32>) {
  // refused: result #0 has the shape [2, 2], its declared type is tensor<4xf32>
  %r = "stablehlo.reduce_scatter"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<4xf32>
  return
}

func.func @collective_broadcast_legal(%a: tensor<2xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_broadcast_c1(%a: tensor<2xf32>) {
  // refused: replica_groups has the id 0 twice
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_broadcast_c2(%a: tensor<2xf32>) {
  // refused: replica_groups has the id -3
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, -3]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_broadcast_c3(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

func.func @collective_permute_legal(%a: tensor<2xf32>) {
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_permute_c1(%a: tensor<2xf32>) {
  // refused: source_target_pairs is tensor<1x3xi64>, a tensor of the shape Nx2 is needed
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_permute_c2(%a: tensor<2xf32>) {
  // refused: source_target_pairs has the source 0 twice
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_permute_c3(%a: tensor<2xf32>) {
  // refused: source_target_pairs has the target 1 twice
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_permute_c4(%a: tensor<2xf32>) {
  // refused: source_target_pairs has the source -1
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[-1, 0], [0, 1]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @collective_permute_c5(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<3xf32>
  return
}
