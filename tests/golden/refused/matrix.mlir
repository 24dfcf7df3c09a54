// SPDX-License-Identifier: Apache-2.0
func.func @fft_legal_fft(%a: tensor<2x8xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  return
}

func.func @fft_c1(%a: tensor<8xcomplex<f32>>) {
  // refused: the operand has rank 1, fft_length has 2 elements
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8, 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

func.func @fft_c1_high(%a: tensor<8x8x8x8xcomplex<f32>>) {
  // refused: fft_length has 4 elements, 1 to 3 are possible
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8, 8, 8, 8>} : (tensor<8x8x8x8xcomplex<f32>>) -> tensor<8x8x8x8xcomplex<f32>>
  return
}

func.func @fft_c2_fft_real(%a: tensor<8xf32>) {
  // refused: FFT needs complex elements, the operand is tensor<8xf32>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

func.func @fft_c2_rfft_complex(%a: tensor<8xcomplex<f32>>) {
  // refused: RFFT needs real elements, the operand is tensor<8xcomplex<f32>>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

func.func @fft_c2_irfft_real(%a: tensor<5xf32>) {
  // refused: IRFFT needs complex elements, the operand is tensor<5xf32>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xf32>) -> tensor<8xf32>
  return
}

func.func @fft_legal_rfft(%a: tensor<2x8xf32>) {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  return
}

func.func @fft_c4_rfft(%a: tensor<2x8xf32>) {
  // refused: the transformed axes must have the dims of fft_length: found 8 and 7
  // refused: result #0 has the shape [2, 4], its declared type is tensor<2x5xcomplex<f32>>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 7>} : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  return
}

func.func @fft_c4_rfft_res(%a: tensor<2x8xf32>) {
  // refused: result #0 has the shape [2, 5], its declared type is tensor<2x8xcomplex<f32>>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
  return
}

func.func @fft_c5_irfft(%a: tensor<2x5xcomplex<f32>>) {
  // refused: the last axis must have fft_length / 2 + 1 elements: found 5 and 6
  // refused: result #0 has the shape [2, 10], its declared type is tensor<2x8xf32>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 10>} : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  return
}

func.func @fft_legal_irfft(%a: tensor<2x5xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 9>} : (tensor<2x5xcomplex<f32>>) -> tensor<2x9xf32>
  return
}

func.func @fft_c5_irfft_res(%a: tensor<2x5xcomplex<f32>>) {
  // refused: result #0 has the shape [2, 8], its declared type is tensor<2x5xf32>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
  return
}

func.func @fft_c2_rfft_res(%a: tensor<8xf32>) {
  // refused: RFFT of tensor<8xf32> has elements of complex<f32>, the result is tensor<5xf32>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<5xf32>
  return
}

func.func @fft_c2_wid(%a: tensor<8xf64>) {
  // refused: RFFT of tensor<8xf64> has elements of complex<f64>, the result is tensor<5xcomplex<f32>>
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf64>) -> tensor<5xcomplex<f32>>
  return
}

func.func @fft_c6_inner(%a: tensor<4x8xf32>) {
  // refused: the transformed axes must have the dims of fft_length: found 4 and 3
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 3, 8>} : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

func.func @fft_irfft_inner(%a: tensor<4x5xcomplex<f32>>) {
  // refused: the transformed axes must have the dims of fft_length: found 4 and 3
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 3, 8>} : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  return
}

func.func @fft_irfft_0(%a: tensor<2x1xcomplex<f32>>) {
  // refused: the last axis must have fft_length / 2 + 1 elements: found 1 and 0
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 0>} : (tensor<2x1xcomplex<f32>>) -> tensor<2x0xf32>
  return
}

func.func @cholesky_c2(%a: tensor<f32>) {
  // refused: the operand has rank 0, at least 2 is needed
  %r = "stablehlo.cholesky"(%a) {lower = true} : (tensor<f32>) -> tensor<f32>
  return
}

func.func @cholesky_c3(%a: tensor<2x3x4xf32>) {
  // refused: the matrices must be square: found 3 and 4
  %r = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

func.func @cholesky_c1(%a: tensor<3x3xf32>) {
  // refused: result #0 has the shape [3, 3], its declared type is tensor<4x4xf32>
  %r = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3xf32>) -> tensor<4x4xf32>
  return
}

func.func @cholesky_elem(%a: tensor<3x3xi32>) {
  // refused: operand #0 is tensor<3x3xi32>: floats or complex numbers or quantized per tensor needed
  %r = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}

func.func @triangular_solve_legal(%a: tensor<3x3xf32>, %b: tensor<3x4xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

func.func @triangular_solve_c1(%a: tensor<3x3xf32>, %b: tensor<3x4xf64>) {
  // refused: operand #1 is tensor<3x4xf64>, operand #0 is tensor<3x3xf32>: their element types differ
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf64>) -> tensor<3x4xf32>
  return
}

func.func @triangular_solve_c2(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // refused: a has rank 1, b has rank 1: the same of at least 2 needed
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

func.func @triangular_solve_c2_ranks(%a: tensor<2x3x3xf32>, %b: tensor<3x4xf32>) {
  // refused: a has rank 3, b has rank 2: the same of at least 2 needed
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

func.func @triangular_solve_c3_square(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) {
  // refused: the matrices of a must be square: found 3 and 4
  // refused: a and b must share an axis: found 4 and 3
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

func.func @triangular_solve_c3_left(%a: tensor<3x3xf32>, %b: tensor<4x5xf32>) {
  // refused: a and b must share an axis: found 3 and 4
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

func.func @triangular_solve_c3_right(%a: tensor<3x3xf32>, %b: tensor<3x4xf32>) {
  // refused: a and b must share an axis: found 3 and 4
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

func.func @triangular_solve_c3_batch(%a: tensor<2x3x3xf32>, %b: tensor<5x3x4xf32>) {
  // refused: the batch dims of a and b must be equal: found 2 (dim 0 of operand #0) and 5 (dim 0 of operand #1)
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<5x3x4xf32>) -> tensor<5x3x4xf32>
  return
}

func.func @triangular_solve_c4(%a: tensor<3x3xf32>, %b: tensor<3x4xf32>) {
  // refused: result #0 has the shape [3, 4], its declared type is tensor<3x5xf32>
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x5xf32>
  return
}

func.func @triangular_solve_invalid(%a: tensor<3x3xf32>, %b: tensor<3x4xf32>) {
  // refused: transpose_a is TRANSPOSE_INVALID
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

func.func @rng_legal(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // refused: operand #0 is tensor<f32>, operand #1 is tensor<f64>: their element types differ
  %r = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

func.func @rng_i_rank(%a: tensor<1xf32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // refused: operand #0 is tensor<1xf32>: rank 0 needed
  %r = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<1xf32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

func.func @rng_c3_rank(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2xf32>
  %r = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

func.func @rng_neg(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[-2, 3]> : tensor<2xi64>
  // refused: a dim must not be negative: found -2, expected at least 0
  %r = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
  return
}

func.func @rng_bit_generator_legal(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  return
}

func.func @rng_bit_generator_c1(%a: tensor<2xui64>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<2x2xui64>)
  return
}

func.func @rng_bit_generator_c1_elem(%a: tensor<2xui64>) {
  // refused: operand #0 is tensor<2xui64>, result #0 is tensor<2xui32>: their element types differ
  %r:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui32>, tensor<2x2xui64>)
  return
}
