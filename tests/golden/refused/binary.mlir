// SPDX-License-Identifier: Apache-2.0
func.func @add_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @add_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @add_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @add_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @atan2_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.atan2"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @atan2_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.atan2"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @atan2_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.atan2"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @atan2_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.atan2"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @divide_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.divide"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @divide_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.divide"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @divide_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.divide"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @divide_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.divide"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @maximum_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.maximum"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @maximum_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.maximum"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @maximum_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.maximum"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @maximum_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.maximum"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @minimum_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.minimum"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @minimum_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.minimum"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @minimum_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.minimum"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @minimum_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.minimum"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @multiply_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.multiply"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @multiply_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.multiply"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @multiply_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.multiply"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @multiply_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.multiply"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @power_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.power"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @power_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.power"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @power_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.power"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @power_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.power"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @remainder_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.remainder"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @remainder_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.remainder"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @remainder_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.remainder"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @remainder_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.remainder"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @subtract_c1_operands(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.subtract"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @subtract_c1_result(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.subtract"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @subtract_c1_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // refused: the operands have the same shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.subtract"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

func.func @subtract_c1_elem(%a: tensor<2x3xf32>, %b: tensor<2x3xf64>) {
  // refused: operand #1 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.subtract"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  return
}

func.func @and_c1_operands(%a: tensor<2x3xi32>, %b: tensor<2x4xi32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.and"(%a, %b) : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x3xi32>
  return
}

func.func @and_c1_result(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.and"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @and_c1_elem(%a: tensor<2x3xi32>, %b: tensor<2x3xi8>) {
  // refused: operand #1 is tensor<2x3xi8>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.and"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

func.func @or_c1_operands(%a: tensor<2x3xi32>, %b: tensor<2x4xi32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.or"(%a, %b) : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x3xi32>
  return
}

func.func @or_c1_result(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.or"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @or_c1_elem(%a: tensor<2x3xi32>, %b: tensor<2x3xi8>) {
  // refused: operand #1 is tensor<2x3xi8>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.or"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

func.func @xor_c1_operands(%a: tensor<2x3xi32>, %b: tensor<2x4xi32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.xor"(%a, %b) : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x3xi32>
  return
}

func.func @xor_c1_result(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.xor"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @xor_c1_elem(%a: tensor<2x3xi32>, %b: tensor<2x3xi8>) {
  // refused: operand #1 is tensor<2x3xi8>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.xor"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

func.func @shift_left_c1_operands(%a: tensor<2x3xi32>, %b: tensor<2x4xi32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x3xi32>
  return
}

func.func @shift_left_c1_result(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @shift_left_c1_elem(%a: tensor<2x3xi32>, %b: tensor<2x3xi8>) {
  // refused: operand #1 is tensor<2x3xi8>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

func.func @shift_right_arithmetic_c1_operands(%a: tensor<2x3xi32>, %b: tensor<2x4xi32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x3xi32>
  return
}

func.func @shift_right_arithmetic_c1_result(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @shift_right_arithmetic_c1_elem(%a: tensor<2x3xi32>, %b: tensor<2x3xi8>) {
  // refused: operand #1 is tensor<2x3xi8>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

func.func @shift_right_logical_c1_operands(%a: tensor<2x3xi32>, %b: tensor<2x4xi32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<2x3xi32>, tensor<2x4xi32>) -> tensor<2x3xi32>
  return
}

func.func @shift_right_logical_c1_result(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @shift_right_logical_c1_elem(%a: tensor<2x3xi32>, %b: tensor<2x3xi8>) {
  // refused: operand #1 is tensor<2x3xi8>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<2x3xi32>
  return
}

func.func @complex_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // refused: the operands must have the same shape: found 2 (dim 0 of operand #0) and 3 (dim 0 of operand #1)
  %r = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xcomplex<f32>>
  return
}

func.func @complex_c2(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xcomplex<f32>>
  %r = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  return
}

func.func @complex_c3(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // refused: result #0 is tensor<2xcomplex<f64>>, which does not follow from operand #0, tensor<2xf32>
  %r = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}

func.func @compare_c1(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // refused: operand #0 is tensor<2xf32>, operand #1 is tensor<2xf64>: their element types differ
  %r = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xi1>
  return
}

func.func @compare_c2(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // refused: the operands must have the same shape: found 2 (dim 0 of operand #0) and 3 (dim 0 of operand #1)
  %r = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return
}

func.func @compare_c2r(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xi1>
  %r = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  return
}

func.func @clamp_c1(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // refused: a min that is no scalar must have the operand's shape: found 2 (dim 0 of operand #0) and 3 (dim 0 of operand #1)
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<2xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

func.func @clamp_c2(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<2xf32>) {
  // refused: a max that is no scalar must have the operand's shape: found 2 (dim 0 of operand #2) and 3 (dim 0 of operand #1)
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

func.func @clamp_c3(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<f64>) {
  // refused: operand #2 is tensor<f64>, operand #0 is tensor<f32>: their element types differ
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<3xf32>, tensor<f64>) -> tensor<3xf32>
  return
}

func.func @clamp_c4(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // refused: result #0 has the shape [3], its declared type is tensor<4xf32>
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

func.func @select_c1(%a: tensor<2xi1>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // refused: a pred that is no scalar must have the operands' shape: found 2 and 3
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

func.func @select_c1_rank(%a: tensor<1x3xi1>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // refused: a pred that is no scalar has the operands' shape: operand #0 has rank 2, operand #1 has rank 1
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<1x3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

func.func @select_c2(%a: tensor<i1>, %b: tensor<3xf32>, %c: tensor<4xf32>) {
  // refused: on_true and on_false must have the same shape: found 3 (dim 0 of operand #1) and 4 (dim 0 of operand #2)
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

func.func @select_c2_elem(%a: tensor<i1>, %b: tensor<3xf32>, %c: tensor<3xf64>) {
  // refused: operand #1 is tensor<3xf32>, operand #2 is tensor<3xf64>: their element types differ
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

func.func @select_c2_result(%a: tensor<i1>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // refused: result #0 has the shape [3], its declared type is tensor<4xf32>
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

func.func @map_legal(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @map_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 4 (dim 1 of operand #1)
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

func.func @map_c1r(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @map_c3(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: dimensions has 1 axes, the operands have rank 2
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @map_c3_order(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: dimensions has 1 at 0: all axes in order are needed
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 1, 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @map_c4(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: parameter #0 of the region is tensor<i32>, a scalar of the elements of tensor<2x3xf32> is needed
  // refused: the result is tensor<2x3xf32>, the region returns tensor<i32>
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<i32>, %y: tensor<i32>): %s = stablehlo.add %x, %y : tensor<i32> "stablehlo.return"(%s) : (tensor<i32>) -> ()}) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @map_c4_count(%a: tensor<2x3xf32>) {
  // refused: the region takes 2 parameters, there are 1 operands
  %r = "stablehlo.map"(%a) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @map_c4_res(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // refused: the result is tensor<2x3xi32>, the region returns tensor<f32>
  %r = "stablehlo.map"(%a, %b) ({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi32>
  return
}

func.func @add_q_mix(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<2x3x!quant.uniform<i16:f32, 0.5:1>>) {
  // refused: operand #1 is tensor<2x3x!quant.uniform<i16:f32, 0.5:1>> and the result is tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>: storage or expressed types differ
  // refused: operand #1 is tensor<2x3x!quant.uniform<i16:f32, 0.5:1>>, operand #0 is tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>: their element types differ
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x3x!quant.uniform<i16:f32, 0.5:1>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @add_q_exp(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<2x3x!quant.uniform<i8:f64, 0.5:1>>) {
  // refused: operand #1 is tensor<2x3x!quant.uniform<i8:f64, 0.5:1>> and the result is tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>: storage or expressed types differ
  // refused: operand #1 is tensor<2x3x!quant.uniform<i8:f64, 0.5:1>>, operand #0 is tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>: their element types differ
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x3x!quant.uniform<i8:f64, 0.5:1>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @add_c1_each_axis(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // refused: the operands must have the same shape: found 2 (dim 0 of operand #0) and 4 (dim 0 of operand #1)
  // refused: the operands must have the same shape: found 3 (dim 1 of operand #0) and 5 (dim 1 of operand #1)
  %r = stablehlo.add %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x3xf32>
  return
}

func.func @add_c1_beyond_the_bound(%a: tensor<?xf32, #stablehlo.bounds<8>>, %b: tensor<9xf32>) {
  // refused: the operands must have the same shape: found arg0.0 (at most 8, dim 0 of operand #0) and 9 (dim 0 of operand #1)
  %r = stablehlo.add %a, %b : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<9xf32>) -> tensor<9xf32>
  return
}
