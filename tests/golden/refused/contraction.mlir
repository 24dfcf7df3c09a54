// SPDX-License-Identifier: Apache-2.0
func.func @dot_general_legal(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c1(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: lhs_batching_dimensions has 1 axes, rhs_batching_dimensions 2
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c2(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: lhs_contracting_dimensions has 1 axes, rhs_contracting_dimensions 2
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1, 2]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c3(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: lhs_batching_dimensions has 0 twice
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 0], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c4(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: axis 1 is in rhs_batching_dimensions and in rhs_contracting_dimensions
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c4b(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: axis 0 is in lhs_batching_dimensions and in lhs_contracting_dimensions
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c5(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: lhs_batching_dimensions has 3, which is out of the range [0, 3)
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c6(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: lhs_contracting_dimensions has 3, which is out of the range [0, 3)
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c7(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: rhs_batching_dimensions has 4, which is out of the range [0, 3)
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [4], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c8(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: rhs_contracting_dimensions has -1, which is out of the range [0, 3)
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [-1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c9(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) {
  // refused: the batching dims must be equal: found 2 and 3
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c10(%a: tensor<2x3x4xf32>, %b: tensor<2x3x5xf32>) {
  // refused: the contracting dims must be equal: found 4 and 3
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c11(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: precision_config has 3 elements, at most 2 are possible
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

func.func @dot_general_c12(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: result #0 has the shape [2, 3, 5], its declared type is tensor<2x3x6xf32>
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x6xf32>
  return
}

func.func @dot_general_c12_rank(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // refused: result #0 has the shape [2, 3, 5], its declared type is tensor<2x3xf32>
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3xf32>
  return
}

func.func @dot_rank(%a: tensor<2x3x4xf32>, %b: tensor<4xf32>) {
  // refused: the operands have ranks 3 and 1: 1 or 2 needed
  %r = "stablehlo.dot"(%a, %b) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

func.func @dot_contract(%a: tensor<3x4xf32>, %b: tensor<5x2xf32>) {
  // refused: the contracting dims must be equal: found 4 (dim 1 of operand #0) and 5 (dim 0 of operand #1)
  %r = "stablehlo.dot"(%a, %b) : (tensor<3x4xf32>, tensor<5x2xf32>) -> tensor<3x2xf32>
  return
}

func.func @dot_vec(%a: tensor<3xf32>, %b: tensor<4xf32>) {
  // refused: the contracting dims must be equal: found 3 (dim 0 of operand #0) and 4 (dim 0 of operand #1)
  %r = "stablehlo.dot"(%a, %b) : (tensor<3xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

func.func @dot_res(%a: tensor<3x4xf32>, %b: tensor<4x2xf32>) {
  // refused: result #0 has the shape [3, 2], its declared type is tensor<3x3xf32>
  %r = "stablehlo.dot"(%a, %b) : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x3xf32>
  return
}

func.func @dot_scalar(%a: tensor<f32>, %b: tensor<4x2xf32>) {
  // refused: the operands have ranks 0 and 2: 1 or 2 needed
  %r = "stablehlo.dot"(%a, %b) : (tensor<f32>, tensor<4x2xf32>) -> tensor<2xf32>
  return
}

func.func @convolution_legal(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c1(%a: tensor<2x8x9x6xf32>, %b: tensor<3x6x4xf32>) {
  // refused: the input has rank 4, the kernel has rank 3
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c2(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: window_strides has 1 elements, 2 are needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c3(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: window_strides has 0 for axis 0 of the window, at least 1 is needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 0, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c4(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: padding has 2 elements, 4 are needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c5(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: lhs_dilation has 1 elements, 2 are needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c6(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: lhs_dilation has 0 for axis 0 of the window, at least 1 is needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 0, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c7(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: rhs_dilation has 1 elements, 2 are needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c8(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: rhs_dilation has 0 for axis 0 of the window, at least 1 is needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 0, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c9(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: window_reversal has 1 elements, 2 are needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c10(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: batch_group_count must divide the input's batch: found 2, expected a multiple of 3
  // refused: batch_group_count must divide the output's features: found 4, expected a multiple of 3
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c11(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: feature_group_count must divide the input's features: found 6, expected a multiple of 4
  // refused: the input must have the features of the kernel, for each group: found 6 and 24
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c14_feature(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x5x4xf32>) {
  // refused: the input must have the features of the kernel, for each group: found 6 (dim 3 of operand #0) and 5 (dim 2 of operand #1)
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x5x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c15(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x3xf32>) {
  // refused: batch_group_count must divide the output's features: found 3, expected a multiple of 2
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x3xf32>) -> tensor<2x6x7x3xf32>
  return
}

func.func @convolution_c16(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x3x3xf32>) {
  // refused: feature_group_count must divide the output's features: found 3, expected a multiple of 2
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x3x3xf32>) -> tensor<2x6x7x3xf32>
  return
}

func.func @convolution_c23(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: feature_group_count is 2 and batch_group_count 2: one of them must be 1
  // refused: the input must have the features of the kernel, for each group: found 6 and 12
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c25_spatial(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: result #0 has the shape [2, 6, 7, 4], its declared type is tensor<2x6x8x4xf32>
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x8x4xf32>
  return
}

func.func @convolution_c25_batch(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: result #0 has the shape [2, 6, 7, 4], its declared type is tensor<3x6x7x4xf32>
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<3x6x7x4xf32>
  return
}

func.func @convolution_c25_feature(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: result #0 has the shape [2, 6, 7, 4], its declared type is tensor<2x6x7x5xf32>
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x5xf32>
  return
}

func.func @convolution_c26(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: result #0 has the shape [2, 6, 7, 4], its declared type is tensor<2x6x7xf32>
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7xf32>
  return
}

func.func @convolution_fg0(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: attribute feature_group_count is 0, at least 1 is needed
  // refused: the input must have the features of the kernel, for each group: found 6 and 0
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_bg0(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: attribute batch_group_count is 0, at least 1 is needed
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 0 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_elem(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xi32>) {
  // refused: the operands are tensor<2x8x9x6xf32> and tensor<3x3x6x4xi32>: their element types differ
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xi32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @convolution_c1_dims(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  // refused: the operands have rank 4, 1 spatial axes need rank 3
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>) -> tensor<2x6x7x4xf32>
  return
}

func.func @dynamic_conv_legal(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
  return
}

func.func @dynamic_conv_c4(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<1x2xi64>
  // refused: the padding must have a row per spatial axis: found 1 and 2
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<1x2xi64>) -> tensor<?x?x?x?xf32>
  return
}

func.func @dynamic_conv_c25(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // refused: result #0 has the shape [2, 6, 7, 4], its declared type is tensor<2x6x8x4xf32>
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<2x2xi64>) -> tensor<2x6x8x4xf32>
  return
}

func.func @dynamic_conv_c14(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x5x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // refused: the input must have the features of the kernel, for each group: found 6 (dim 3 of operand #0) and 5 (dim 2 of operand #1)
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x5x4xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
  return
}

func.func @dynamic_conv_c2(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // refused: window_strides has 1 elements, 2 are needed
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {window_strides = array<i64: 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
  return
}

func.func @dynamic_conv_c11(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // refused: feature_group_count must divide the input's features: found 6, expected a multiple of 4
  // refused: the input must have the features of the kernel, for each group: found 6 and 24
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
  return
}

func.func @mhlo_dynamic_conv_legal(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = mhlo.constant dense<1> : tensor<4xi32>
  %r = "mhlo.dynamic_conv"(%a, %b, %p) {window_strides = dense<1> : tensor<2xi64>, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<4xi32>) -> tensor<2x8x9x4xf32>
  return
}

func.func @mhlo_dynamic_conv_odd(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = mhlo.constant dense<1> : tensor<3xi32>
  // refused: the padding must have a pair per spatial axis: found 3 and 4
  %r = "mhlo.dynamic_conv"(%a, %b, %p) {window_strides = dense<1> : tensor<2xi64>, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<3xi32>) -> tensor<?x?x?x?xf32>
  return
}

func.func @mhlo_dynamic_conv_few(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = mhlo.constant dense<1> : tensor<2xi32>
  // refused: the padding must have a pair per spatial axis: found 2 and 4
  %r = "mhlo.dynamic_conv"(%a, %b, %p) {window_strides = dense<1> : tensor<2xi64>, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<2xi32>) -> tensor<?x?x?x?xf32>
  return
}

func.func @mhlo_dynamic_conv_none(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = mhlo.constant dense<1> : tensor<0xi32>
  // refused: the padding must have a pair per spatial axis: found 0 and 4
  %r = "mhlo.dynamic_conv"(%a, %b, %p) {window_strides = dense<1> : tensor<2xi64>, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<0xi32>) -> tensor<?x?x?x?xf32>
  return
}

func.func @mhlo_dynamic_conv_rank(%a: tensor<2x8x9x6xf32>, %b: tensor<3x3x6x4xf32>) {
  %p = mhlo.constant dense<1> : tensor<4x1x1xi32>
  // refused: the padding has rank 3, rank 2 is needed
  %r = "mhlo.dynamic_conv"(%a, %b, %p) {window_strides = dense<1> : tensor<2xi64>, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x9x6xf32>, tensor<3x3x6x4xf32>, tensor<4x1x1xi32>) -> tensor<?x?x?x?xf32>
  return
}

func.func @einsum_legal(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

func.func @einsum_clash(%a: tensor<2x3xf32>, %b: tensor<4x4xf32>) {
  // refused: dims of one letter must be equal: found 4 and 3
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

func.func @einsum_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: operand #1 has rank 1, einsum_config gives it 2 axes
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

func.func @einsum_res(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2x5xf32>
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x5xf32>
  return
}

func.func @einsum_letter(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // refused: einsum_config has 'z' in the result and in no operand
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk->iz"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

func.func @einsum_syntax(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // refused: einsum_config is "ij,jk", 2 operands and -> are needed
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jk"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

func.func @einsum_one(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // refused: einsum_config is "ij->ik", 2 operands and -> are needed
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ij->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

func.func @unary_einsum_rank(%a: tensor<2x3xf32>) {
  // refused: operand #0 has rank 2, einsum_config gives it 3 axes
  %r = "stablehlo.unary_einsum"(%a) {einsum_config = "ijk->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @unary_einsum_res(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->i"} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

func.func @unary_einsum_letter(%a: tensor<2x3xf32>) {
  // refused: einsum_config has 'k' in the result and in no operand
  %r = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->k"} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

func.func @unary_einsum_diag(%a: tensor<2x3xf32>) {
  // refused: dims of one letter must be equal: found 3 and 2
  %r = "stablehlo.unary_einsum"(%a) {einsum_config = "ii->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
