// SPDX-License-Identifier: Apache-2.0
// Dense attributes and arrays: numbers of every type as bytes, splats, and what has no bytes of its own.
#include "tests/unit/formats/bytecode/writing.h"

Test(bytecode_write_dense, elements_come_back) {
  static const char *const SAME[] = {
      "dense<[-128]> : tensor<1xi8>",
      "dense<[0, 255]> : tensor<2xui8>",
      "dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>",
      "dense<[0, 18446744073709551615]> : tensor<2xui64>",
      "dense<[-8, 7]> : tensor<2xi4>",
      "dense<[true, false, false, false, false, false, false, false, true]> : tensor<9xi1>",
      "dense<true> : tensor<9xi1>",
      "dense<false> : tensor<i1>",
      "dense<[[1, 2], [3, 4]]> : vector<2x2xi16>",
      "dense<> : tensor<2x0xf32>",
      "dense<[-0.000000e+00, 1.000000e+00]> : tensor<2xf64>",
      "dense<[1.500000e+00, 0x7C00]> : tensor<2xf16>",
      "dense<[(1,2), (3,4)]> : tensor<2xcomplex<i32>>",
      "dense<7> : tensor<3xindex>",
      "array<i8>",
      "array<i8: -128, 127>",
      "array<i64: 9223372036854775807>",
      "array<f64: 5.000000e-01, 0x7FF0000000000000>",
      "array<i1: true>"};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
    expect_same(SAME[i]);
  }
}

// Equal elements are one; bytes in hexadecimal are elements; a number may be written in other ways.
Test(bytecode_write_dense, spellings_become_one) {
  static const char *const CASES[][2] = {
      {"dense<[1, 1, 1]> : tensor<3xi8>", "dense<1> : tensor<3xi8>"},
      {"dense<[[true, true]]> : tensor<1x2xi1>", "dense<true> : tensor<1x2xi1>"},
      {"dense<\"0xFF7F\"> : tensor<2xi8>", "dense<[-1, 127]> : tensor<2xi8>"},
      {"dense<[1.0, 2]> : tensor<2xf32>", "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>"},
      {"dense<[0x3F800000, 0x0]> : tensor<2xf32>",
       "dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>"},
      {"dense<0xFF> : tensor<2xui8>", "dense<255> : tensor<2xui8>"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    expect_attribute(CASES[i][0], CASES[i][1]);
}
