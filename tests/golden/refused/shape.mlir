// SPDX-License-Identifier: Apache-2.0
func.func @bitcast_convert_c1_same_width(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2x3xf32>) -> tensor<2x4xi32>
  return
}

func.func @bitcast_convert_c1_narrower_rank(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2xi8>
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2xi8>
  return
}

func.func @bitcast_convert_c1_narrower_last(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2x3xi8>
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2x3xi8>
  return
}

func.func @bitcast_convert_c1_narrower_lead(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<3x4xi8>
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<3x4xi8>
  return
}

func.func @bitcast_convert_c1_wider_rank(%a: tensor<2x4xi8>) {
  // refused: result #0 has the shape [2], its declared type is tensor<2x4xf32>
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2x4xi8>) -> tensor<2x4xf32>
  return
}

func.func @bitcast_convert_c1_wider_last(%a: tensor<2x3xi8>) {
  // refused: the last axis must have the bits of one element of the result: found 3 and 4
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2x3xi8>) -> tensor<2xf32>
  return
}

func.func @bitcast_convert_c1_wider_lead(%a: tensor<2x4xi8>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2x4xi8>) -> tensor<3xf32>
  return
}

func.func @bitcast_convert_c2(%a: tensor<2xcomplex<f32>>) {
  // refused: the operand is tensor<2xcomplex<f32>>, the result is tensor<2xf64>: both must be complex, or none
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

func.func @bitcast_convert_c1_bits(%a: tensor<2xi4>) {
  // refused: result #0 is tensor<2x2xi3>: a tensor of numbers, i1 or quantized needed
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xi4>) -> tensor<2x2xi3>
  return
}

func.func @broadcast_in_dim_c2(%a: tensor<3xf32>) {
  // refused: broadcast_dimensions has 2 entries for an operand of rank 1
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @broadcast_in_dim_c3_high(%a: tensor<3xf32>) {
  // refused: broadcast_dimensions holds 2, which is no axis of a result of rank 2
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @broadcast_in_dim_c3_low(%a: tensor<3xf32>) {
  // refused: broadcast_dimensions holds -1, which is no axis of a result of rank 2
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: -1>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @broadcast_in_dim_c4(%a: tensor<2x3xf32>) {
  // refused: broadcast_dimensions holds the axis 1 twice
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @broadcast_in_dim_c5(%a: tensor<2xf32>) {
  // refused: an axis of the operand must have dim 1 or that of the result: found 2 and 3
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

func.func @broadcast_in_dim_c1(%a: tensor<3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<3xf32>: their element types differ
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf64>
  return
}

func.func @broadcast_c1(%a: tensor<3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 2>} : (tensor<3xf32>) -> tensor<2x4xf32>
  return
}

func.func @broadcast_c2(%a: tensor<3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<3xf32>
  %r = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 2>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

func.func @broadcast_neg(%a: tensor<3xf32>) {
  // refused: broadcast_sizes holds -2, which is no dim
  %r = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: -2>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @concatenate_c1(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<4x3xf32>
  return
}

func.func @concatenate_c2(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must agree along every other axis: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  // refused: result #0 has the shape [4, 4], its declared type is tensor<4x3xf32>
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

func.func @concatenate_c2_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: operand #1 has rank 1, another has rank 2
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

func.func @concatenate_c4_high(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: dimension 2 is not an axis of operands of rank 2
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @concatenate_c4_low(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: attribute dimension is -1, at least 0 is needed
  // refused: dimension -1 is not an axis of operands of rank 2
  %r = "stablehlo.concatenate"(%a, %b) {dimension = -1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

func.func @concatenate_c6(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [4, 3], its declared type is tensor<5x3xf32>
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

func.func @concatenate_c5(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 is tensor<4x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf64>
  return
}

func.func @concatenate_c3() {
  // refused: expected at least 1 operand, found 0
  %r = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<0xf32>
  return
}

func.func @constant_c1() {
  // refused: the value is tensor<2xi32>, the result is tensor<3xi32>
  // refused: result #0 has the shape [2], its declared type is tensor<3xi32>
  %r = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

func.func @iota_c1() {
  // refused: iota_dimension 2 is not an axis of a result of rank 2
  %r = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<2x3xi32>
  return
}

func.func @iota_c1_neg() {
  // refused: attribute iota_dimension is -1, at least 0 is needed
  // refused: iota_dimension -1 is not an axis of a result of rank 2
  %r = "stablehlo.iota"() {iota_dimension = -1 : i64} : () -> tensor<2x3xi32>
  return
}

func.func @dynamic_iota_c1(%a: tensor<2xi64>) {
  // refused: iota_dimension 2 is not an axis of a result of rank 2
  %r = "stablehlo.dynamic_iota"(%a) {iota_dimension = 2 : i64} : (tensor<2xi64>) -> tensor<?x?xi32>
  return
}

func.func @dynamic_iota_c2(%a: tensor<3xi64>) {
  // refused: result #0 has the shape [arg0[0], arg0[1], arg0[2]], its declared type is tensor<?x?xi32>
  %r = "stablehlo.dynamic_iota"(%a) {iota_dimension = 1 : i64} : (tensor<3xi64>) -> tensor<?x?xi32>
  return
}

func.func @dynamic_iota_val() {
  %a = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.dynamic_iota"(%a) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<2x4xi32>
  return
}

func.func @reshape_c2(%a: tensor<2x3xf32>) {
  // refused: the operand has 6 elements, the result has 7
  %r = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}

func.func @reshape_c1(%a: tensor<2x3xf32>) {
  // refused: operand #0 is tensor<2x3xf32>, result #0 is tensor<6xf64>: their element types differ
  %r = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<6xf64>
  return
}

func.func @dynamic_reshape_c2(%a: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
  // refused: the operand has 6 elements, the result has 8
  %r = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_reshape_c3(%a: tensor<2x3xf32>, %s: tensor<3xi32>) {
  // refused: result #0 has the shape [arg1[0], arg1[1], arg1[2]], its declared type is tensor<?x?xf32>
  %r = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_reshape_val(%a: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // refused: result #0 has the shape [3, 2], its declared type is tensor<2x3xf32>
  %r = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c2(%a: tensor<3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: broadcast_dimensions has 2 entries for an operand of rank 1
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c3(%a: tensor<3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: broadcast_dimensions holds 2, which is no axis of a result of rank 2
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c4(%a: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: broadcast_dimensions holds the axis 1 twice
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c5(%a: tensor<2xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: an axis of the operand must have dim 1 or that of the result: found 2 and 3
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c7(%a: tensor<3xf32>) {
  %s = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi32>
  // refused: result #0 has the shape [2, 3, 4], its declared type is tensor<?x?xf32>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c7_val(%a: tensor<3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: result #0 has the shape [2, 3], its declared type is tensor<4x3xf32>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c8(%a: tensor<1xf32>) {
  %s = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  // refused: axis 0 is in known_expanding_dimensions and in known_nonexpanding_dimensions
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c9(%a: tensor<3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: known_expanding_dimensions has 1, which is out of the range [0, 1)
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_broadcast_in_dim_c10(%a: tensor<3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // refused: known_nonexpanding_dimensions has 4, which is out of the range [0, 1)
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 4>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @reverse_c1(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<3x2xf32>
  %r = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

func.func @reverse_c2(%a: tensor<2x3xf32>) {
  // refused: dimensions has 0 twice
  %r = "stablehlo.reverse"(%a) {dimensions = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @reverse_c3(%a: tensor<2x3xf32>) {
  // refused: dimensions has 2, which is out of the range [0, 2)
  %r = "stablehlo.reverse"(%a) {dimensions = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @reverse_c3_neg(%a: tensor<2x3xf32>) {
  // refused: dimensions has -1, which is out of the range [0, 2)
  %r = "stablehlo.reverse"(%a) {dimensions = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @transpose_c2_range(%a: tensor<2x3xf32>) {
  // refused: permutation holds 2, the operand has rank 2
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

func.func @transpose_c2_len(%a: tensor<2x3xf32>) {
  // refused: permutation has 1 entries for an operand of rank 2
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

func.func @transpose_c2_dup(%a: tensor<2x3xf32>) {
  // refused: permutation holds 1 twice, the operand has rank 2
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

func.func @transpose_c3(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [3, 2], its declared type is tensor<2x3xf32>
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @transpose_c1(%a: tensor<2x3xf32>) {
  // refused: operand #0 is tensor<2x3xf32>, result #0 is tensor<3x2xf64>: their element types differ
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}

func.func @get_dimension_size_c1(%a: tensor<2x3xf32>) {
  // refused: dimension 2 is not an axis of an operand of rank 2
  %r = "stablehlo.get_dimension_size"(%a) {dimension = 2 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  return
}

func.func @get_dimension_size_c1n(%a: tensor<2x3xf32>) {
  // refused: attribute dimension is -1, at least 0 is needed
  // refused: dimension -1 is not an axis of an operand of rank 2
  %r = "stablehlo.get_dimension_size"(%a) {dimension = -1 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  return
}

func.func @get_dimension_size_res(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<1xi32>: rank 0 needed
  // refused: result #0 has the shape [], its declared type is tensor<1xi32>
  %r = "stablehlo.get_dimension_size"(%a) {dimension = 1 : i64} : (tensor<2x3xf32>) -> tensor<1xi32>
  return
}

func.func @set_dimension_size_c1(%a: tensor<2x3xf32>, %b: tensor<i32>) {
  // refused: dimension 2 is not an axis of an operand of rank 2
  %r = "stablehlo.set_dimension_size"(%a, %b) {dimension = 2 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

func.func @set_dimension_size_c2(%a: tensor<2x3xf32>, %b: tensor<1xi32>) {
  // refused: operand #1 is tensor<1xi32>: rank 0 needed
  // refused: the new dim is no scalar
  %r = "stablehlo.set_dimension_size"(%a, %b) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2x?xf32>
  return
}

func.func @set_dimension_size_c3(%a: tensor<2x3xf32>, %b: tensor<i32>) {
  // refused: result #0 has the shape [2, arg1[0]], its declared type is tensor<4x?xf32>
  %r = "stablehlo.set_dimension_size"(%a, %b) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<4x?xf32>
  return
}

func.func @set_dimension_size_rank(%a: tensor<2x3xf32>, %b: tensor<i32>) {
  // refused: result #0 has the shape [2, arg1[0]], its declared type is tensor<?xf32>
  %r = "stablehlo.set_dimension_size"(%a, %b) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

func.func @set_dimension_size_elem(%a: tensor<2x3xf32>, %b: tensor<i32>) {
  // refused: operand #0 is tensor<2x3xf32>, result #0 is tensor<2x?xf64>: their element types differ
  %r = "stablehlo.set_dimension_size"(%a, %b) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf64>
  return
}

func.func @set_dimension_size_bound(%a: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<4> : tensor<i32>
  // refused: the new dim must be at most the old dim or bound: found 4, expected at most 3
  // refused: the dim must be within its declared bound: found 4, expected at most 3
  %r = "stablehlo.set_dimension_size"(%a, %s) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  return
}

func.func @set_dimension_size_neg(%a: tensor<2x3xf32>) {
  %s = stablehlo.constant dense<-1> : tensor<i32>
  // refused: the new dim must be >= 0: found -1, expected at least 0
  %r = "stablehlo.set_dimension_size"(%a, %s) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  return
}
