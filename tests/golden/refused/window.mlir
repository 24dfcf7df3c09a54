// SPDX-License-Identifier: Apache-2.0
func.func @batch_norm_training_c1_high(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // refused: feature_index is 2, the operand has rank 2
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 2 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_training_c1_low(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // refused: attribute feature_index is -1, at least 0 is needed
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = -1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_training_c3_scale(%a: tensor<2x4xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_training_mean(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // refused: result #1 has the shape [4], its declared type is tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_training_var(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // refused: result #2 has the shape [4], its declared type is tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

func.func @batch_norm_training_offset(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_training_result(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2x3xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_training_elem(%a: tensor<2x4xf32>, %b: tensor<4xf64>, %c: tensor<4xf32>) {
  // refused: operand #1 is tensor<4xf64>, operand #0 is tensor<2x4xf32>: their element types differ
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_inference_c1_high(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  // refused: feature_index is 2, the operand has rank 2
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 2 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_inference_c1_low(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  // refused: attribute feature_index is -1, at least 0 is needed
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = -1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_inference_c3_scale(%a: tensor<2x4xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_inference_mean(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<3xf32>, %e: tensor<4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_inference_var(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<3xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_inference_offset(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_inference_result(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2x3xf32>
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

func.func @batch_norm_inference_elem(%a: tensor<2x4xf32>, %b: tensor<4xf64>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  // refused: operand #1 is tensor<4xf64>, operand #0 is tensor<2x4xf32>: their element types differ
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

func.func @batch_norm_grad_c1_high(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: feature_index is 2, the operand has rank 2
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 2 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_c1_low(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: attribute feature_index is -1, at least 0 is needed
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = -1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_c3_scale(%a: tensor<2x4xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  // refused: result #1 has the shape [4], its declared type is tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_mean(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_var(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<3xf32>, %e: tensor<2x4xf32>) {
  // refused: a vector must have an element per feature: found 3 and 4
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_offset(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: result #2 has the shape [4], its declared type is tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

func.func @batch_norm_grad_result(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2x3xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_elem(%a: tensor<2x4xf32>, %b: tensor<4xf64>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<2x4xf32>) {
  // refused: operand #1 is tensor<4xf64>, operand #0 is tensor<2x4xf32>: their element types differ
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf64>, tensor<4xf32>)
  return
}

func.func @batch_norm_grad_c3_grad_output(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<3x4xf32>) {
  // refused: operand and grad_output must have the same shape: found 2 (dim 0 of operand #0) and 3 (dim 0 of operand #4)
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

func.func @reduce_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  // refused: the inputs must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r:2 = "stablehlo.reduce"(%a, %b, %c, %d) ({^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>): "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

func.func @reduce_c2(%a: tensor<2x3xf32>, %b: tensor<f64>) {
  // refused: result #0 of the region is tensor<f32>, to which the initial value tensor<f64> cannot be promoted
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

func.func @reduce_c4(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: dimensions has 2, which is out of the range [0, 2)
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_c4_neg(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: dimensions has -1, which is out of the range [0, 2)
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: -1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_c5(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: dimensions has 1 twice
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_c6_region(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: result #0 of the region is tensor<i32>, to which the initial value tensor<f32> cannot be promoted
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.add %x, %y : tensor<i32> "stablehlo.return"(%s) : (tensor<i32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_c7(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

func.func @reduce_c7_rank(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<2x1xf32>
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x1xf32>
  return
}

func.func @reduce_init_rank(%a: tensor<2x3xf32>, %b: tensor<1xf32>) {
  // refused: result #0 of the region is tensor<f32>, the initial value is tensor<1xf32>
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>
  return
}

func.func @reduce_c3(%a: tensor<2x3xf32>) {
  // refused: expected at least 2 operands, found 1
  %r = "stablehlo.reduce"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @reduce_c3_odd(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: 3 operands: as many initial values as inputs are needed
  %r = "stablehlo.reduce"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_c8_elem(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: result #0 is tensor<2xf64>, the region returns tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf64>
  return
}

func.func @reduce_c6_params(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: the region takes 1 parameters, 2 are needed
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>): "stablehlo.return"(%x) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_c6_results(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // refused: the region returns 2 values, 1 are needed
  %r = "stablehlo.reduce"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

func.func @reduce_window_c1_count(%a: tensor<4x5xf32>) {
  // refused: expected at least 2 operands, found 1
  %r = "stablehlo.reduce_window"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c3(%a: tensor<4x5xf32>, %b: tensor<f64>) {
  // refused: result #0 of the region is tensor<f32>, to which the initial value tensor<f64> cannot be promoted
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f64>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c4(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: window_dimensions has 1 elements, the inputs have rank 2
  // refused: window_strides has 2 elements, 1 are needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c5(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: window_dimensions has 0 for axis 0, at least 1 is needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 0, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c6(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: window_strides has 1 elements, 2 are needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c7(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: window_strides has 0 for axis 0 of the window, at least 1 is needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c8(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: base_dilations has 1 elements, 2 are needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c9(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: base_dilations has 0 for axis 0 of the window, at least 1 is needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 0, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c10(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: window_dilations has 1 elements, 2 are needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c11(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: window_dilations has 0 for axis 1 of the window, at least 1 is needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 0>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c12(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: padding has 2 elements, 4 are needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c12_cols(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: padding is tensor<2x3xi64>, a tensor of the shape Nx2 is needed
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c15(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: result #0 has the shape [3, 4], its declared type is tensor<4x4xf32>
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

func.func @reduce_window_c15_dil(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: result #0 has the shape [2, 4], its declared type is tensor<3x4xf32>
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c15_base(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: result #0 has the shape [6, 4], its declared type is tensor<3x4xf32>
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @reduce_window_c13(%a: tensor<4x5xf32>, %b: tensor<f32>) {
  // refused: result #0 of the region is tensor<i32>, to which the initial value tensor<f32> cannot be promoted
  %r = "stablehlo.reduce_window"(%a, %b) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.add %x, %y : tensor<i32> "stablehlo.return"(%s) : (tensor<i32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

func.func @select_and_scatter_legal(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c1(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: result #0 is tensor<4x6xf64>, the region returns tensor<f32>
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf64>
  return
}

func.func @select_and_scatter_c2(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %c: tensor<f32>) {
  // refused: the source must have an element for each position of the window: found 2 and 3
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c3(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f64>) {
  // refused: result #0 of the region is tensor<f32>, to which the initial value tensor<f64> cannot be promoted
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c4(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: window_dimensions has 1 elements, the operand has rank 2
  // refused: window_strides has 2 elements, 1 are needed
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c5(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: window_dimensions has 0 for axis 0, at least 1 is needed
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 0, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c6(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: window_strides has 1 elements, 2 are needed
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c7(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: window_strides has 0 for axis 0 of the window, at least 1 is needed
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c8(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: padding has 2 elements, 4 are needed
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_c11(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: result #0 has the shape [4, 6], its declared type is tensor<4x5xf32>
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

func.func @select_and_scatter_c9(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<f32>) {
  // refused: the select region returns tensor<f32>, tensor<i1> is needed
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> %q = stablehlo.constant dense<1.0> : tensor<f32> "stablehlo.return"(%q) : (tensor<f32>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

func.func @select_and_scatter_init_rank(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %c: tensor<1xf32>) {
  // refused: result #0 of the region is tensor<f32>, the initial value is tensor<1xf32>
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<1xf32>) -> tensor<4x6xf32>
  return
}

func.func @sort_legal(%a: tensor<2x3xf32>) {
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = -1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @sort_c2(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x4xf32>)
  return
}

func.func @sort_c3(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r:2 = "stablehlo.sort"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>, tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x4xf32>)
  return
}

func.func @sort_c4(%a: tensor<2x3xf32>) {
  // refused: dimension is 2, which is out of the range [-2, 2)
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = 2 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @sort_c4n(%a: tensor<2x3xf32>) {
  // refused: dimension is -3, which is out of the range [-2, 2)
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = -3 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @sort_c5(%a: tensor<2x3xf32>) {
  // refused: parameter #0 of the comparator is tensor<i32>, a scalar of the elements of tensor<2x3xf32> is needed
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @sort_c5_count(%a: tensor<2x3xf32>) {
  // refused: the comparator takes 1 parameters, 2 are needed
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>): %s = stablehlo.compare LT, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @sort_c5_ret(%a: tensor<2x3xf32>) {
  // refused: the comparator returns tensor<f32>, tensor<i1> is needed
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

func.func @sort_c2_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.sort"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "stablehlo.return"(%s) : (tensor<i1>) -> ()}) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf64>)
  return
}
