// SPDX-License-Identifier: Apache-2.0
// Types of the dialects that have an encoding: each code, and dims and parts that cannot be.
#include "tests/unit/formats/bytecode/reading.h"

// text NULL: refused with `error`.
static void expect_type(const char *dialect, bytes data, const char *text, const char *error) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  uint64_t type = add_type(&s.w, dialect, data);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(TYPE, type)));
  if (text) {
    snprintf(part, sizeof part, "<{value = %s}>", text);
    expect_text(&file, part);
  } else {
    expect_error(&file, 0, file.length, error);
  }
}

#define READS(dialect, text, ...)    expect_type(dialect, FIELDS(__VA_ARGS__), text, NULL)
#define REFUSED(dialect, error, ...) expect_type(dialect, FIELDS(__VA_ARGS__), NULL, error)

Test(bytecode_types, builtin) {
  READS("builtin", "i32", 0, 32 << 2);
  READS("builtin", "si8", 0, 8 << 2 | 1);
  READS("builtin", "ui1", 0, 1 << 2 | 2);
  READS("builtin", "index", 1);
  READS("builtin", "none", 12);
  READS("builtin", "() -> ()", 2, 0, 0);
  READS("builtin", "(f32, f32) -> tensor<?xf32>", 2, 2, OF_F32, OF_F32, 1, OF_TENSOR);
  READS("builtin", "() -> (f32, f32)", 2, 0, 2, OF_F32, OF_F32);
  READS("builtin", "complex<f32>", 9, OF_F32);
  READS("builtin", "tensor<f32>", 13, 0, OF_F32);
  READS("builtin", "tensor<0x?xf32>", 13, 2, SIGNED(0), SIGNED(INT64_MIN), OF_F32);
  READS("builtin", "tensor<2xf32, \"main\">", 14, A_STRING, 1, SIGNED(2), OF_F32);
  READS("builtin", "tuple<>", 15, 0);
  READS("builtin", "tuple<f32, tensor<?xf32>>", 15, 2, OF_F32, OF_TENSOR);
  READS("builtin", "tensor<*xf32>", 18, OF_F32);
  READS("builtin", "memref<*xf32>", 16, OF_F32);
  READS("builtin", "vector<2xf32>", 19, 1, SIGNED(2), OF_F32);
  REFUSED("builtin", "the builtin dialect has no type 99", 99);
  REFUSED("builtin", "expected an integer type of at most 16777215 bits", 0, 1 << 26);
  REFUSED("builtin", "a signedness of 0 to 2, found 1 and 3", 0, 1 << 2 | 3);
  REFUSED("builtin", "expected a dim of at least 0, found -1", 13, 1, SIGNED(-1), OF_F32);
  REFUSED("builtin", "expected a dim of at least 1, found 0", 19, 1, SIGNED(0), OF_F32);
  REFUSED("builtin", "expected a complex type of floats or integers, found tensor", 9, OF_TENSOR);
  REFUSED("builtin", "index 9 of 4 types", 15, 1, 9);
}

Test(bytecode_types, scalable_vectors_say_of_each_dim) {
  bytes data = FIELDS(20, 2);
  put_raw(&data, "\0\1", 2);
  bytes dims = FIELDS(2, SIGNED(2), SIGNED(4), OF_F32), one = FIELDS(1, SIGNED(2), OF_F32);
  bytes good = data, wrong = data;
  put_all(&good, &dims);
  put_all(&wrong, &one);
  expect_type("builtin", good, "vector<2x[4]xf32>", NULL);
  expect_type("builtin", wrong, NULL, "expected 2 dims, as many say whether they are scalable");
}

Test(bytecode_types, stablehlo_and_vhlo) {
  READS("stablehlo", "!stablehlo.token", 0);
  READS("stablehlo", "!stablehlo.future<f32>", 1, 1, OF_F32);
  REFUSED("stablehlo", "the dialect stablehlo has no type 2", 2);
  READS("vhlo", "f32", 4);
  READS("vhlo", "tensor<4xf32>", 20, 1, SIGNED(4), OF_F32);
  READS("vhlo", "tuple<f32>", 23, 1, OF_F32);
  READS("vhlo", "tensor<*xf32>", 25, OF_F32);
  READS("vhlo", "memref<4xf32>", 41, 1, SIGNED(4), OF_F32);
  READS("vhlo", "(f32) -> f32", 8, 1, OF_F32, 1, OF_F32);
  READS("vhlo", "complex<f32>", 1, OF_F32);
  REFUSED("vhlo", "the dialect vhlo has no type 99", 99);
}

// The range is left out where it is that of the storage.
Test(bytecode_types, quantised) {
  const uint64_t one = SIGNED(INT64_C(0x3ff0000000000000)), i8 = 3;
  sample s;
  begin_sample(&s, 6, false);
  cr_assert_eq(s.w.type_count, i8);
  static const struct {
    int64_t low, high;
    uint64_t is_signed;
    const char *text;
  } cases[] = {{-128, 127, 1, "!quant.uniform<i8:f32, 1.000000e+00>"},
               {-127, 127, 1, "!quant.uniform<i8<-127:127>:f32, 1.000000e+00>"},
               {0, 255, 0, "!quant.uniform<u8:f32, 1.000000e+00>"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin_sample(&s, 6, false);
    add_type(&s.w, "builtin", FIELDS(0, 8 << 2));
    uint64_t type = add_type(&s.w, "quant",
                             FIELDS(4, cases[i].is_signed, i8, OF_F32, one, SIGNED(0),
                                    SIGNED(cases[i].low), SIGNED(cases[i].high)));
    bytes file = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(TYPE, type)));
    expect_text(&file, cases[i].text);
  }
  REFUSED("quant", "expected as many zero points as scales, 1, found 0", 5, 1, OF_F32, OF_F32, 0,
          SIGNED(0), SIGNED(1), 1, one, 0);
  REFUSED("quant", "the dialect quant has no type 99", 99);
}
