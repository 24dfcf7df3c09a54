// SPDX-License-Identifier: Apache-2.0
// fft_length is a size, and the other dims may be dynamic.
// run: check FILE
// has: ok
func.func @main(%x: tensor<?x16xcomplex<f32>>) -> tensor<?x16xcomplex<f32>> {
  %0 = "stablehlo.fft"(%x) {fft_length = array<i64: 16>, fft_type = #stablehlo<fft_type FFT>} : (tensor<?x16xcomplex<f32>>) -> tensor<?x16xcomplex<f32>>
  return %0 : tensor<?x16xcomplex<f32>>
}
