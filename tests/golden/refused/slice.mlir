// SPDX-License-Identifier: Apache-2.0
func.func @slice_c2(%a: tensor<4x5xf32>) {
  // refused: start_indices, limit_indices and strides have 1, 2 and 2 entries for an operand of rank 2
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1, 1>} : (tensor<4x5xf32>) -> tensor<2x2xf32>
  return
}

func.func @slice_c2_strides(%a: tensor<4x5xf32>) {
  // refused: start_indices, limit_indices and strides have 2, 2 and 1 entries for an operand of rank 2
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<4x5xf32>) -> tensor<2x2xf32>
  return
}

func.func @slice_c3_neg(%a: tensor<4xf32>) {
  // refused: a slice must start at 0 or later: found -1, expected at least 0
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: -1>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

func.func @slice_c3_order(%a: tensor<4xf32>) {
  // refused: a slice must start at its limit or before: found 3, expected at most 1
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 3>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

func.func @slice_c3_limit(%a: tensor<4xf32>) {
  // refused: a slice must end within its operand: found 5, expected at most 4
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

func.func @slice_c4(%a: tensor<4xf32>) {
  // refused: a stride must be positive: found 0, expected more than 0
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 0>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

func.func @slice_c5(%a: tensor<4xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

func.func @slice_rank(%a: tensor<4x5xf32>) {
  // refused: start_indices, limit_indices and strides have 1, 1 and 1 entries for an operand of rank 2
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4x5xf32>) -> tensor<2xf32>
  return
}

func.func @pad_c1(%a: tensor<2xf32>, %b: tensor<f64>) {
  // refused: operand #1 is tensor<f64>, operand #0 is tensor<2xf32>: their element types differ
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<2xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

func.func @pad_c2(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: edge_padding_low, edge_padding_high and interior_padding have 1, 2 and 2 entries for an operand of rank 2
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1, 1>, interior_padding = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

func.func @pad_c3(%a: tensor<2xf32>, %b: tensor<f32>) {
  // refused: interior padding must be >= 0: found -1, expected at least 0
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: -1>} : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

func.func @pad_c4(%a: tensor<2xf32>, %b: tensor<f32>) {
  // refused: result #0 has the shape [4], its declared type is tensor<5xf32>
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

func.func @pad_c4_neg(%a: tensor<2xf32>, %b: tensor<f32>) {
  // refused: the padded dim must be >= 0: found -1, expected at least 0
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

func.func @pad_c2_interior(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: edge_padding_low, edge_padding_high and interior_padding have 2, 2 and 1 entries for an operand of rank 2
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 1, 1>, interior_padding = array<i64: 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

func.func @dynamic_slice_c2(%a: tensor<4x5xf32>, %b: tensor<i32>) {
  // refused: 1 start indices are given for an operand of rank 2
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2, 2>} : (tensor<4x5xf32>, tensor<i32>) -> tensor<2x2xf32>
  return
}

func.func @dynamic_slice_c2_sizes(%a: tensor<4x5xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  // refused: slice_sizes has 1 entries for an operand of rank 2
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) {slice_sizes = array<i64: 2>} : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return
}

func.func @dynamic_slice_c3(%a: tensor<4xf32>, %b: tensor<1xi32>) {
  // refused: operand #1 is tensor<1xi32>: rank 0 needed
  // refused: start index #0 is no scalar
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<2xf32>
  return
}

func.func @dynamic_slice_c3t(%a: tensor<4x5xf32>, %b: tensor<i32>, %c: tensor<i64>) {
  // refused: operand #2 is tensor<i64>, operand #1 is tensor<i32>: their element types differ
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) {slice_sizes = array<i64: 2, 2>} : (tensor<4x5xf32>, tensor<i32>, tensor<i64>) -> tensor<2x2xf32>
  return
}

func.func @dynamic_slice_c4(%a: tensor<4xf32>, %b: tensor<i32>) {
  // refused: a slice must fit into its operand: found 5, expected at most 4
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 5>} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

func.func @dynamic_slice_c4n(%a: tensor<4xf32>, %b: tensor<i32>) {
  // refused: slice_sizes holds -1, which is no dim
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: -1>} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

func.func @dynamic_slice_c5(%a: tensor<4xf32>, %b: tensor<i32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

func.func @dynamic_update_slice_c1(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<i32>) {
  // refused: result #0 has the shape [4], its declared type is tensor<5xf32>
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

func.func @dynamic_update_slice_c2(%a: tensor<4xf32>, %b: tensor<2xf64>, %c: tensor<i32>) {
  // refused: operand #0 is tensor<4xf32>, operand #1 is tensor<2xf64>: their element types differ
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<2xf64>, tensor<i32>) -> tensor<4xf32>
  return
}

func.func @dynamic_update_slice_c3(%a: tensor<4x4xf32>, %b: tensor<2xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  // refused: the update has rank 1, the operand has rank 2
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  return
}

func.func @dynamic_update_slice_c4(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %c: tensor<i32>) {
  // refused: 1 start indices are given for an operand of rank 2
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<4x4xf32>
  return
}

func.func @dynamic_update_slice_c5(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %c: tensor<i32>, %d: tensor<i64>) {
  // refused: operand #3 is tensor<i64>, operand #2 is tensor<i32>: their element types differ
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i64>) -> tensor<4x4xf32>
  return
}

func.func @dynamic_update_slice_c6(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<i32>) {
  // refused: the update must fit into the operand: found 5, expected at most 4
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

func.func @real_dynamic_slice_len(%a: tensor<4x5xf32>, %b: tensor<2xi32>, %c: tensor<3xi32>, %d: tensor<2xi32>) {
  // refused: start_indices, limit_indices and strides have 2, 3 and 2 elements for an operand of rank 2
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4x5xf32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

func.func @real_dynamic_slice_rank(%a: tensor<4x5xf32>, %b: tensor<1xi32>, %c: tensor<1xi32>, %d: tensor<1xi32>) {
  // refused: start_indices, limit_indices and strides have 1, 1 and 1 elements for an operand of rank 2
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4x5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

func.func @dynamic_pad_c2(%a: tensor<4xf32>) {
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<1> : tensor<2xi32>
  %h = stablehlo.constant dense<1> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<2xi32>
  // refused: edge_padding_low, edge_padding_high and interior_padding have 2, 2 and 2 entries for an operand of rank 1
  %r = "stablehlo.dynamic_pad"(%a, %v, %l, %h, %i) : (tensor<4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

func.func @dynamic_pad_c3(%a: tensor<4xf32>) {
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<1> : tensor<1xi32>
  %h = stablehlo.constant dense<1> : tensor<1xi32>
  %i = stablehlo.constant dense<-1> : tensor<1xi32>
  // refused: interior padding must be >= 0: found -1, expected at least 0
  %r = "stablehlo.dynamic_pad"(%a, %v, %l, %h, %i) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

func.func @dynamic_pad_c4(%a: tensor<4xf32>) {
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<1> : tensor<1xi32>
  %h = stablehlo.constant dense<1> : tensor<1xi32>
  %i = stablehlo.constant dense<0> : tensor<1xi32>
  // refused: result #0 has the shape [6], its declared type is tensor<5xf32>
  %r = "stablehlo.dynamic_pad"(%a, %v, %l, %h, %i) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xf32>
  return
}
