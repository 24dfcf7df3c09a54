// SPDX-License-Identifier: Apache-2.0
func.func @abs_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.abs"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @abs_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.abs"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @abs_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, which does not follow from operand #0, tensor<2x3xf32>
  %r = "stablehlo.abs"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @cbrt_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.cbrt"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @cbrt_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.cbrt"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @cbrt_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.cbrt"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @ceil_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.ceil"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @ceil_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.ceil"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @ceil_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.ceil"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @cosine_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.cosine"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @cosine_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.cosine"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @cosine_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.cosine"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @exponential_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.exponential"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @exponential_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.exponential"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @exponential_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.exponential"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @exponential_minus_one_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @exponential_minus_one_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @exponential_minus_one_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @floor_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.floor"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @floor_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.floor"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @floor_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.floor"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @log_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.log"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @log_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.log"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @log_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.log"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @log_plus_one_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.log_plus_one"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @log_plus_one_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.log_plus_one"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @log_plus_one_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.log_plus_one"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @logistic_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.logistic"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @logistic_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.logistic"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @logistic_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.logistic"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @negate_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.negate"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @negate_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.negate"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @negate_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.negate"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @round_nearest_afz_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @round_nearest_afz_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @round_nearest_afz_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @round_nearest_even_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @round_nearest_even_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @round_nearest_even_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @rsqrt_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.rsqrt"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @rsqrt_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.rsqrt"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @rsqrt_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.rsqrt"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @sign_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.sign"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @sign_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.sign"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @sign_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.sign"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @sine_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.sine"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @sine_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.sine"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @sine_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.sine"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @sqrt_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.sqrt"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @sqrt_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.sqrt"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @sqrt_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.sqrt"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @tan_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.tan"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @tan_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.tan"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @tan_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.tan"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @tanh_c1_shape(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.tanh"(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

func.func @tanh_c1_rank(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.tanh"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @tanh_c1_elem(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3xf64>, operand #0 is tensor<2x3xf32>: their element types differ
  %r = "stablehlo.tanh"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

func.func @not_c1_shape(%a: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.not"(%a) : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @not_c1_elem(%a: tensor<2x3xi32>) {
  // refused: result #0 is tensor<2x3xi64>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.not"(%a) : (tensor<2x3xi32>) -> tensor<2x3xi64>
  return
}

func.func @not_i1(%a: tensor<2x3xf32>) {
  // refused: operand #0 is tensor<2x3xf32>: i1 or integers needed
  %r = "stablehlo.not"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @popcnt_c1_shape(%a: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.popcnt"(%a) : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @popcnt_c1_elem(%a: tensor<2x3xi32>) {
  // refused: result #0 is tensor<2x3xi64>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.popcnt"(%a) : (tensor<2x3xi32>) -> tensor<2x3xi64>
  return
}

func.func @popcnt_i1(%a: tensor<2x3xf32>) {
  // refused: operand #0 is tensor<2x3xf32>: integers needed
  %r = "stablehlo.popcnt"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @count_leading_zeros_c1_shape(%a: tensor<2x3xi32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

func.func @count_leading_zeros_c1_elem(%a: tensor<2x3xi32>) {
  // refused: result #0 is tensor<2x3xi64>, operand #0 is tensor<2x3xi32>: their element types differ
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<2x3xi32>) -> tensor<2x3xi64>
  return
}

func.func @count_leading_zeros_i1(%a: tensor<2x3xf32>) {
  // refused: operand #0 is tensor<2x3xf32>: integers needed
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @is_finite_c1(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi1>
  %r = "stablehlo.is_finite"(%a) : (tensor<2x3xf32>) -> tensor<2x4xi1>
  return
}

func.func @real_c1(%a: tensor<2x3xcomplex<f32>>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.real"(%a) : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  return
}

func.func @real_c2(%a: tensor<2x3xcomplex<f32>>) {
  // refused: result #0 is tensor<2x3xf64>, which does not follow from operand #0, tensor<2x3xcomplex<f32>>
  %r = "stablehlo.real"(%a) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf64>
  return
}

func.func @imag_c1(%a: tensor<2x3xcomplex<f32>>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<3x2xf32>
  %r = "stablehlo.imag"(%a) : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xf32>
  return
}

func.func @imag_c2(%a: tensor<2x3xcomplex<f32>>) {
  // refused: result #0 is tensor<2x3xf64>, which does not follow from operand #0, tensor<2x3xcomplex<f32>>
  %r = "stablehlo.imag"(%a) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf64>
  return
}

func.func @convert_c1(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xi32>
  %r = "stablehlo.convert"(%a) : (tensor<2x3xf32>) -> tensor<2x4xi32>
  return
}

func.func @reduce_precision_c2(%a: tensor<2xf32>) {
  // refused: attribute exponent_bits is 0, at least 1 is needed
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 0 : i32, mantissa_bits = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @reduce_precision_c3(%a: tensor<2xf32>) {
  // refused: attribute mantissa_bits is -1, at least 0 is needed
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 2 : i32, mantissa_bits = -1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @reduce_precision_c1(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 2 : i32, mantissa_bits = 1 : i32} : (tensor<2xf32>) -> tensor<3xf32>
  return
}
