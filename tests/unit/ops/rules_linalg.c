// SPDX-License-Identifier: Apache-2.0
// fft, cholesky, triangular_solve, batch norms, random numbers, quantization, bitcast_convert.
#include "tests/unit/ops/rules.h"

#define FFT(kind, length, a, out)                                                                  \
  "%a: " a, "%r = \"stablehlo.fft\"(%a) {fft_type = #stablehlo<fft_type " kind                     \
            ">, fft_length = array<i64: " length ">} : (" a ") -> " out

Test(rules_fft, sizes) {
  expect_sizes(FFT("FFT", "9", "tensor<?x9xcomplex<f32>>", "tensor<?x9xcomplex<f32>>"), "[S0, 9]");
  expect_sizes(FFT("RFFT", "9", "tensor<?x?xf32>", "tensor<?x?xcomplex<f32>>"), "[S0, 5]");
  expect_arguments(FFT("RFFT", "9", "tensor<?x?xf32>", "tensor<?x?xcomplex<f32>>"), "[S0, 9]");
  expect_sizes(FFT("RFFT", "0", "tensor<3x0xf64>", "tensor<3x?xcomplex<f64>>"), "[3, 0]");
  expect_sizes(FFT("IRFFT", "4, 16", "tensor<?x?x?xcomplex<f64>>", "tensor<?x?x?xf64>"),
               "[S0, 4, 16]");
  expect_arguments(FFT("IRFFT", "4, 16", "tensor<?x?x?xcomplex<f64>>", "tensor<?x?x?xf64>"),
                   "[S0, 4, 9]");
  expect_sizes(FFT("IRFFT", "16", "tensor<3x0xcomplex<f32>>", "tensor<3x16xf32>"), "[3, 16]");
}

Test(rules_fft, errors) {
  expect_error(FFT("FFT", "9", "tensor<3x9xf32>", "tensor<3x9xf32>"), "element-type");
  expect_error(FFT("RFFT", "9", "tensor<3x9xcomplex<f32>>", "tensor<3x5xcomplex<f32>>"),
               "element-type");
  expect_error(FFT("RFFT", "9", "tensor<3x9xf32>", "tensor<3x5xf32>"), "element-type");
  expect_error(FFT("IRFFT", "16", "tensor<3x9xcomplex<f32>>", "tensor<3x16xcomplex<f32>>"),
               "element-type");
  expect_error(FFT("RFFT", "9, 9", "tensor<3x9xf32>", "tensor<?x?xcomplex<f32>>"),
               "shape-mismatch");
  expect_error(FFT("IRFFT", "9", "tensor<3x9xcomplex<f32>>", "tensor<?x?xf32>"), "shape-mismatch");
  expect_error(FFT("FFT", "9, 9, 9", "tensor<3x9xcomplex<f32>>", "tensor<3x9xcomplex<f32>>"),
               "rank");
  expect_error(
      FFT("FFT", "1, 1, 1, 1", "tensor<1x1x1x1xcomplex<f32>>", "tensor<1x1x1x1xcomplex<f32>>"),
      "attribute");
}

#define CHOLESKY(a) "%a: " a, "%r = \"stablehlo.cholesky\"(%a) {lower = true} : (" a ") -> " a
#define SOLVE(left, a, b, out)                                                                     \
  "%a: " a ", %b: " b, "%r = \"stablehlo.triangular_solve\"(%a, %b) {left_side = " left            \
                       ", lower = true, unit_diagonal = false, transpose_a = "                     \
                       "#stablehlo<transpose NO_TRANSPOSE>} : (" a ", " b ") -> " out

Test(rules_linalg, cholesky) {
  expect_arguments(CHOLESKY("tensor<?x?x?xf32>"), "[S0, S1, S1]");
  expect_sizes(CHOLESKY("tensor<?x?x4xf32>"), "[S0, 4, 4]");
  expect_sizes(CHOLESKY("tensor<*xf32>"), "*");
  expect_error(CHOLESKY("tensor<3xf32>"), "rank");
  expect_error(CHOLESKY("tensor<3x4xf32>"), "shape-mismatch");
  expect_error(CHOLESKY("tensor<3x3xi32>"), "element-type");
}

Test(rules_linalg, triangular_solve) {
  expect_arguments(SOLVE("true", "tensor<?x?x?xf32>", "tensor<?x4x?xf32>", "tensor<?x?x?xf32>"),
                   "[S0, 4, 4] [S0, 4, S1]");
  expect_arguments(SOLVE("false", "tensor<?x?xf32>", "tensor<?x4xf32>", "tensor<?x?xf32>"),
                   "[4, 4] [S0, 4]");
  expect_sizes(SOLVE("true", "tensor<*xf32>", "tensor<4x3xf32>", "tensor<?x?xf32>"), "[4, 3]");
  expect_error(SOLVE("true", "tensor<4x4xf32>", "tensor<3x4x3xf32>", "tensor<*xf32>"), "rank");
  expect_error(SOLVE("true", "tensor<4xf32>", "tensor<4xf32>", "tensor<*xf32>"), "rank");
  expect_error(SOLVE("true", "tensor<4x3xf32>", "tensor<4x3xf32>", "tensor<*xf32>"),
               "shape-mismatch");
  expect_error(SOLVE("true", "tensor<4x4xf32>", "tensor<3x4xf32>", "tensor<*xf32>"),
               "shape-mismatch");
  expect_error("%a: tensor<4x4xf32>",
               "%r = \"stablehlo.triangular_solve\"(%a, %a) {left_side = true, lower = true, "
               "unit_diagonal = false, "
               "transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<4x4xf32>, "
               "tensor<4x4xf32>) -> "
               "tensor<4x4xf32>",
               "attribute");
}

// --- batch norms

#define TRAINING(feature, a, v)                                                                    \
  "%a: " a ", %s: " v ", %o: tensor<?xf32>",                                                       \
      "%r:3 = \"stablehlo.batch_norm_training\"(%a, %s, %o) {epsilon = 0.001 : f32, "              \
      "feature_index = " feature " : i64} : (" a ", " v ", tensor<?xf32>) -> (" a                  \
      ", tensor<?xf32>, tensor<?xf32>)"

Test(rules_batch_norm, sizes) {
  expect_sizes(TRAINING("1", "tensor<?x?xf32>", "tensor<?xf32>"), "[S0, S1] [S1] [S1]");
  expect_arguments(TRAINING("1", "tensor<?x?xf32>", "tensor<7xf32>"), "[S0, 7] [7] [7]");
  expect_sizes(TRAINING("1", "tensor<*xf32>", "tensor<7xf32>"), "* [7] [7]");
  expect_sizes("%a: tensor<?x?xf32>, %v: tensor<5xf32>",
               "%r = \"stablehlo.batch_norm_inference\"(%a, %v, %v, %v, %v) {epsilon = 0.001 : "
               "f32, feature_index = 0 : "
               "i64} : (tensor<?x?xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, "
               "tensor<5xf32>) -> tensor<?x?xf32>",
               "[5, S0]");
  expect_arguments(
      "%a: tensor<?x?xf32>, %v: tensor<?xf32>, %g: tensor<4x?xf32>",
      "%r:3 = \"stablehlo.batch_norm_grad\"(%a, %v, %v, %v, %g) {epsilon = 0.001 : f32, "
      "feature_index = 0 : "
      "i64} : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<4x?xf32>) -> "
      "(tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)",
      "[4, S0] [4] [4, S0]");
  expect_error(TRAINING("2", "tensor<?x?xf32>", "tensor<7xf32>"), "axis");
  expect_error(TRAINING("-1", "tensor<?x?xf32>", "tensor<7xf32>"), "attribute");
  expect_error(TRAINING("1", "tensor<?x?xf32>", "tensor<7x1xf32>"), "rank");
  expect_error(TRAINING("1", "tensor<?x?xf32>", "tensor<7xf64>"), "element-type");
  expect_error(TRAINING("1", "tensor<?x6xf32>", "tensor<7xf32>"), "shape-mismatch");
}

// --- random numbers

#define RNG(a, shape, out)                                                                         \
  "%a: " a ", %n: " shape, "%r = \"stablehlo.rng\"(%a, %a, %n) {rng_distribution = "               \
                           "#stablehlo<rng_distribution UNIFORM>} "                                \
                           ": (" a ", " a ", " shape ") -> " out

Test(rules_random, sizes) {
  expect_sizes("%a: tensor<f32>",
               "%n = stablehlo.constant dense<[2, 3]> : tensor<2xi64>\n"
               "%r = \"stablehlo.rng\"(%a, %a, %n) {rng_distribution = #stablehlo<rng_distribution "
               "UNIFORM>} : "
               "(tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>",
               "[2, 3]");
  expect_sizes(RNG("tensor<f32>", "tensor<2xi64>", "tensor<?x3xf32>"), "[S0, 3]");
  expect_arguments(RNG("tensor<f32>", "tensor<?xi64>", "tensor<?x3xf32>"), "[] [2]");
  expect_sizes(RNG("tensor<f32>", "tensor<?xi64>", "tensor<*xf32>"), "*");
  expect_error(RNG("tensor<1xf32>", "tensor<2xi64>", "tensor<?x3xf32>"), "rank");
  expect_error(RNG("tensor<f32>", "tensor<2x1xi64>", "tensor<?x3xf32>"), "rank");
  expect_error(RNG("tensor<complex<f32>>", "tensor<2xi64>", "tensor<?x3xf32>"), "element-type");
}

#define BITS(state, out)                                                                           \
  "%a: tensor<?xui64>", "%r:2 = \"stablehlo.rng_bit_generator\"(%a) {rng_algorithm = "             \
                        "#stablehlo<rng_algorithm DEFAULT>} : "                                    \
                        "(tensor<?xui64>) -> (" state ", " out ")"

Test(rules_random, bits) {
  expect_sizes(BITS("tensor<?xui64>", "tensor<10x12xui32>"), "[S0] [10, 12]");
  expect_arguments(BITS("tensor<2xui64>", "tensor<10x12xui32>"), "[2]");
}

// --- quantization

#define Q(storage, expressed) "!quant.uniform<" storage ":" expressed ", 2.0:1>"
#define QUANTIZE(op, a, out)  "%a: " a, "%r = stablehlo." op " %a : (" a ") -> " out

Test(rules_quantize, quantize) {
  expect_sizes(QUANTIZE("uniform_quantize", "tensor<?xf32>", "tensor<?x" Q("i8", "f32") ">"),
               "[S0]");
  expect_sizes(QUANTIZE("uniform_dequantize", "tensor<?x" Q("i8", "f32") ">", "tensor<?xf32>"),
               "[S0]");
  expect_sizes(
      QUANTIZE("uniform_quantize", "tensor<?x" Q("i8", "f32") ">", "tensor<?x" Q("i16", "f32") ">"),
      "[S0]");
  expect_error(QUANTIZE("uniform_quantize", "tensor<?xf64>", "tensor<?x" Q("i8", "f32") ">"),
               "element-type");
  expect_error(QUANTIZE("uniform_dequantize", "tensor<?x" Q("i8", "f32") ">", "tensor<?xf16>"),
               "element-type");
  expect_error(QUANTIZE("uniform_dequantize", "tensor<?xf32>", "tensor<?xf32>"), "element-type");
}

Test(rules_quantize, bitcast_convert) {
  expect_sizes(QUANTIZE("bitcast_convert", "tensor<?xf32>", "tensor<?xi32>"), "[S0]");
  expect_sizes(QUANTIZE("bitcast_convert", "tensor<?xf32>", "tensor<?x?xi8>"), "[S0, 4]");
  expect_sizes(QUANTIZE("bitcast_convert", "tensor<?x4xi8>", "tensor<?xf32>"), "[S0]");
  expect_arguments(QUANTIZE("bitcast_convert", "tensor<?x?xi8>", "tensor<?xf32>"), "[S0, 4]");
  expect_sizes(QUANTIZE("bitcast_convert", "tensor<complex<f64>>", "tensor<?xcomplex<f32>>"),
               "[2]");
  expect_sizes(QUANTIZE("bitcast_convert", "tensor<?x" Q("i8", "f32") ">", "tensor<?x?xi4>"),
               "[S0, 2]");
  expect_sizes(QUANTIZE("bitcast_convert", "tensor<*xf32>", "tensor<*xi32>"), "*");
  expect_error(QUANTIZE("bitcast_convert", "tensor<2xf64>", "tensor<2x4xf32>"), "declared-type");
  expect_error(QUANTIZE("bitcast_convert", "tensor<3xi8>", "tensor<i32>"), "shape-mismatch");
  expect_error(QUANTIZE("bitcast_convert", "tensor<i8>", "tensor<i32>"), "rank");
  expect_error(QUANTIZE("bitcast_convert", "tensor<2xcomplex<f32>>", "tensor<2xi64>"),
               "element-type");
  expect_error(QUANTIZE("bitcast_convert", "tensor<3xf6E2M3FN>", "tensor<3xi32>"), "element-type");
  expect_elements("",
                  "%a = stablehlo.constant dense<[-1, 7]> : tensor<2xi8>\n"
                  "%r = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2xui8>",
                  "[255, 7]");
  expect_elements("",
                  "%a = stablehlo.constant dense<[-1, 7]> : tensor<2xi8>\n"
                  "%r = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2xi8>",
                  "[-1, 7]");
}
