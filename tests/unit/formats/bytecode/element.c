// SPDX-License-Identifier: Apache-2.0
// Elements of dense attributes: types by their spelling, shapes, and floats bit by bit.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/formats/bytecode/tables.h"

static bc_slice slice(const char *text) { return (bc_slice){text, (uint32_t)strlen(text)}; }

Test(bytecode_element, types_by_their_spelling) {
  static const struct {
    const char *text;
    char kind, part;
    uint32_t bits, bytes;
  } cases[] = {{"i1", 'b', 0, 1, 1},
               {"i8", 'i', 0, 8, 1},
               {"si8", 'i', 0, 8, 1},
               {"ui8", 'u', 0, 8, 1},
               {"ui1", 'u', 0, 1, 1},
               {"i5", 'i', 0, 5, 1},
               {"i65", 'i', 0, 65, 9},
               {"index", 'i', 0, 64, 8},
               {"f32", 'f', 0, 32, 4},
               {"bf16", 'f', 0, 16, 2},
               {"f80", 'f', 0, 80, 10},
               {"f8E4M3FN", 'f', 0, 8, 1},
               {"complex<f32>", 'c', 'f', 32, 4},
               {"complex<i8>", 'c', 'i', 8, 1}};
  static const char *const NONE[] = {"",
                                     "i",
                                     "u",
                                     "ui",
                                     "i8x",
                                     "xi8",
                                     "f33",
                                     "none",
                                     "i-1",
                                     "!t.x",
                                     "i99999999999",
                                     "complex<>",
                                     "complex<complex<f32>>",
                                     "tensor<f32>"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bc_element e = bc_element_of(slice(cases[i].text));
    cr_expect(e.kind == cases[i].kind && e.bits == cases[i].bits && e.part == cases[i].part,
              "%s: %c %u", cases[i].text, e.kind, e.bits);
    cr_expect_eq(bc_element_bytes(&e), cases[i].bytes, "%s", cases[i].text);
  }
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
    cr_expect_eq(bc_element_of(slice(NONE[i])).kind, '?', "%s", NONE[i]);
}

Test(bytecode_element, shapes_that_are_static) {
  static const struct {
    const char *text;
    uint32_t rank;
    uint64_t count;
    const char *element;
  } cases[] = {{"tensor<f32>", 0, 1, "f32"},
               {"tensor<0xf32>", 1, 0, "f32"},
               {"tensor<2x3xi8>", 2, 6, "i8"},
               {"vector<4xbf16>", 1, 4, "bf16"},
               {"tensor<2xf32, #t.e<a, b>>", 1, 2, "f32"},
               {"tensor<2x!t.x<a, b>>", 1, 2, "!t.x<a, b>"},
               {"tensor<2xcomplex<f32>>", 1, 2, "complex<f32>"},
               {"tensor<9223372036854775807xi1>", 1, INT64_MAX, "i1"}};
  static const char *const NONE[] = {"tensor<?xf32>",
                                     "tensor<*xf32>",
                                     "tensor<2x?xf32>",
                                     "vector<[4]xf32>",
                                     "memref<2xf32>",
                                     "f32",
                                     "tensor<2xf32",
                                     "tensor<9223372036854775808xi1>",
                                     "tensor<4294967296x4294967296x2xi1>"};
  int64_t dims[BC_RANK_MAX];
  uint32_t rank;
  uint64_t count;
  bc_slice element;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cr_expect(bc_shape_of(slice(cases[i].text), dims, &rank, &count, &element), "%s",
              cases[i].text);
    cr_expect(rank == cases[i].rank && count == cases[i].count, "%s", cases[i].text);
    cr_expect(bc_is(element, cases[i].element), "%s", cases[i].text);
  }
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
    cr_expect_not(bc_shape_of(slice(NONE[i]), dims, &rank, &count, &element), "%s", NONE[i]);
  char text[400] = "tensor<";
  for (int i = 0; i < BC_RANK_MAX; i++) strcat(text, "1x");
  size_t end = strlen(text);
  strcpy(text + end, "f32>");
  cr_expect(bc_shape_of(slice(text), dims, &rank, &count, &element) && rank == BC_RANK_MAX);
  strcpy(text + end, "1xf32>");
  cr_expect_not(bc_shape_of(slice(text), dims, &rank, &count, &element));
}

// By IEEE 754 and the definitions of the small types: least and greatest numbers, what is none.
Test(bytecode_element, floats_are_decoded) {
  static const struct {
    const char *type;
    uint64_t bits;
    double value;  // NAN: none
  } cases[] = {{"f64", 0x3ff8000000000000, 1.5},
               {"f64", 1, 0x1p-1074},
               {"f64", 0x7ff0000000000000, NAN},
               {"f32", 0xc0000000, -2},
               {"f32", 1, 0x1p-149},
               {"f32", 0x7f7fffff, 0x1.fffffep127},
               {"f16", 0x7bff, 65504},
               {"f16", 0x0001, 0x1p-24},
               {"f16", 0x7c00, NAN},
               {"bf16", 0x3fc0, 1.5},
               {"f8E5M2", 0x7b, 57344},
               {"f8E5M2", 0x7c, NAN},
               {"f8E4M3FN", 0x7e, 448},
               {"f8E4M3FN", 0x7f, NAN},
               {"f8E4M3FNUZ", 0x7f, 240},
               {"f8E4M3FNUZ", 0x80, NAN},
               {"f8E5M2FNUZ", 0x7f, 57344},
               {"f8E4M3B11FNUZ", 0x7f, 30},
               {"f8E4M3", 0x77, 240},
               {"f8E3M4", 0x6f, 15.5},
               {"f8E8M0FNU", 127, 1},
               {"f8E8M0FNU", 0, 0x1p-127},
               {"f8E8M0FNU", 255, NAN},
               {"f4E2M1FN", 7, 6},
               {"f4E2M1FN", 9, -0.5},
               {"f6E2M3FN", 0x1f, 7.5},
               {"f6E3M2FN", 0x1f, 28},
               {"f80", 0, NAN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bc_element e = bc_element_of(slice(cases[i].type));
    double value = 0, ulp;
    uint64_t back;
    bool there = bc_float_decode(&e, cases[i].bits, &value, &ulp);
    cr_expect_eq(there, !isnan(cases[i].value), "%s", cases[i].type);
    if (!there) continue;
    cr_expect(value == cases[i].value, "%s: %g", cases[i].type, value);
    cr_expect(bc_float_encode(&e, value, &back) && back == cases[i].bits, "%s", cases[i].type);
  }
}

// To the even one of two, up to infinity where there is one; what is too large for a type without it is none.
Test(bytecode_element, floats_are_rounded) {
  static const struct {
    const char *type;
    double value;
    int64_t bits;  // -1: none
  } cases[] = {{"f16", 65519.99, 0x7bff},
               {"f16", 65520, 0x7c00},
               {"f16", -INFINITY, 0xfc00},
               {"f16", 0x1p-25, 0},
               {"f16", 0x1.8p-24, 2},
               {"f16", 1 + 0x1p-11, 0x3c00},
               {"f16", 1 + 0x3p-11, 0x3c02},
               {"f16", -0.0, 0x8000},
               {"f16", NAN, -1},
               {"f8E4M3FN", 464, 0x7e},
               {"f8E4M3FN", 465, -1},
               {"f8E4M3FN", INFINITY, -1},
               {"f8E4M3FNUZ", -0.0, 0},
               {"f8E4M3FNUZ", -0x1p-12, 0},
               {"f4E2M1FN", 2.5, 4},
               {"f4E2M1FN", 100, -1},
               {"f8E8M0FNU", 2, 128},
               {"f8E8M0FNU", 3, -1},
               {"f8E8M0FNU", 0, -1},
               {"f80", 1, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bc_element e = bc_element_of(slice(cases[i].type));
    uint64_t bits = 0;
    bool there = bc_float_encode(&e, cases[i].value, &bits);
    cr_expect_eq(there, cases[i].bits >= 0, "%s %g", cases[i].type, cases[i].value);
    if (there)
      cr_expect_eq(bits, (uint64_t)cases[i].bits, "%s %g: 0x%llx", cases[i].type, cases[i].value,
                   (unsigned long long)bits);
  }
}
