// SPDX-License-Identifier: Apache-2.0
// Numbers and lists of them: elements of every width, arrays, texts, and lengths that do not fit.
#include "tests/unit/formats/bytecode/reading.h"

enum { FLOAT = 9, ARRAY = 17, STRINGS = 19 };

// Of an integer type of that many bits; sign: 0 none, 1 signed, 2 unsigned.
static void expect_int(uint64_t bits, uint64_t sign, bytes value, const char *text) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  bytes data = FIELDS(INTEGER, add_type(&s.w, "builtin", FIELDS(0, bits << 2 | sign)));
  put_all(&data, &value);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", data));
  snprintf(part, sizeof part, "<{value = %s}>", text);
  expect_text(&file, part);
}

static bytes byte_of(unsigned value) {
  bytes b = {.length = 0};
  put_byte(&b, value);
  return b;
}

// Up to eight bits they are a byte, above a number with a sign, and words beyond 64.
Test(bytecode_dense, integers_of_each_width) {
  expect_int(1, 0, byte_of(1), "true");
  expect_int(1, 0, byte_of(0), "false");
  expect_int(8, 0, byte_of(0x80), "-128 : i8");
  expect_int(8, 2, byte_of(0x80), "128 : ui8");
  expect_int(8, 1, byte_of(0xff), "-1 : si8");
  expect_int(4, 0, byte_of(0x0f), "-1 : i4");
  expect_int(16, 0, FIELDS(SIGNED(-2)), "-2 : i16");
  expect_int(64, 0, FIELDS(SIGNED(INT64_MIN)), "-9223372036854775808 : i64");
  expect_int(64, 2, FIELDS(SIGNED(-1)), "18446744073709551615 : ui64");
  expect_int(65, 0, FIELDS(2, SIGNED(-1), SIGNED(1)), "0x0000000000000001FFFFFFFFFFFFFFFF : i65");
  expect_int(65, 0, FIELDS(1, SIGNED(5)), "0x00000000000000000000000000000005 : i65");
}

Test(bytecode_dense, floats_are_printed_as_mlir_does) {
  static const struct {
    uint32_t bits;
    const char *text;
  } cases[] = {{0x3f800000, "1.000000e+00 : f32"},
               {0x80000000, "-0.000000e+00 : f32"},
               {0x3dcccccd, "1.000000e-01 : f32"},
               {0x7fc00000, "0x7FC00000 : f32"},
               {0xff800000, "0xFF800000 : f32"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_attr("builtin", FIELDS(FLOAT, OF_F32, SIGNED((int64_t)cases[i].bits)), cases[i].text);
}

static bytes array(uint64_t type, uint64_t count, const char *data, size_t length) {
  bytes b = FIELDS(ARRAY, type, count, length);
  put_raw(&b, data, length);
  return b;
}

Test(bytecode_dense, arrays) {
  expect_attr("builtin", array(OF_F32, 0, "", 0), "array<f32>");
  expect_attr("builtin", array(OF_F32, 2, "\0\0\x80\x3f\0\0\0\xc0", 8),
              "array<f32: 1.000000e+00, -2.000000e+00>");
  expect_attr_error("builtin", array(OF_F32, 2, "\0\0\0\0\0\0\0", 7),
                    "7 bytes for 2 elements of 4 bytes");
  expect_attr_error("builtin", array(OF_F32, UINT64_MAX, "\0\0\0\0", 4),
                    "4 bytes for 18446744073709551615 elements");
  expect_attr_error("builtin", array(OF_TENSOR, 1, "\0", 1),
                    "expected an integer or float type of an array, found type 1");
}

Test(bytecode_dense, elements_that_do_not_fit_are_refused) {
  expect_attr_error("builtin", FIELDS(INTEGER, OF_F32),
                    "expected an integer type of an integer, found type 0, which is none");
  expect_attr_error("builtin", FIELDS(FLOAT, OF_TENSOR, 0),
                    "expected a float type of a float, found type 1, which is none");
  expect_attr_error("builtin", FIELDS(DENSE, OF_TENSOR, 0), "expected");
  expect_attr_error("builtin", FIELDS(STRINGS, OF_TENSOR, 0),
                    "expected a static shape of dense strings, found type 1");
  expect_dense(32, 2, "\1\0\0\0", 4, "1");  // one element is all of them
  expect_dense(16, 2, "\1\0\2", 3, NULL);
}

// Nested as the shape is.
Test(bytecode_dense, texts_in_a_shape) {
  sample s;
  begin_sample(&s, 6, false);
  bytes shape = FIELDS(TENSOR, 2, SIGNED(2), SIGNED(1), OF_F32);
  uint64_t type = add_type(&s.w, "builtin", shape), a = add_string(&s.w, "a");
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(STRINGS, type, 0, a, a)));
  expect_text(&file, "value = dense<[[\"a\"], [\"a\"]]> : tensor<2x1xf32>");
  begin_sample(&s, 6, false);
  type = add_type(&s.w, "builtin", shape);
  a = add_string(&s.w, "a");
  bytes splat = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(STRINGS, type, 1, a)));
  expect_text(&splat, "value = dense<\"a\"> : tensor<2x1xf32>");
}
