// SPDX-License-Identifier: Apache-2.0
// Operations of VHLO as those of StableHLO: what means nothing there is left out, what has other forms has these.
#include "tests/unit/formats/bytecode/reading.h"

enum { ARRAY = 1, BOOL = 2, PRECISION = 11, TEXT = 14, TENSOR_OF = 15 };

typedef struct vhlo_sample {
  sample s;
  uint64_t no, yes, empty, text, i64;
} vhlo_sample;

static void begin(vhlo_sample *v) {
  begin_sample(&v->s, 6, true);
  writer *w = &v->s.w;
  v->i64 = add_type(w, "vhlo", FIELDS(14));
  v->no = add_attr(w, "vhlo", FIELDS(BOOL, 0));
  v->yes = add_attr(w, "vhlo", FIELDS(BOOL, 1));
  v->empty = add_attr(w, "vhlo", FIELDS(TEXT, add_string(w, "")));
  v->text = add_attr(w, "vhlo", FIELDS(TEXT, add_string(w, "a")));
}

// A list of integers; its type is one of the file.
static uint64_t ints(vhlo_sample *v, int64_t first, int64_t count) {
  bytes shape = FIELDS(20, 1, SIGNED(count), v->i64);
  uint64_t type = add_type(&v->s.w, "vhlo", shape);
  bytes data = FIELDS(TENSOR_OF, type, 8 * count);
  for (int64_t i = 0; i < count; i++)
    for (int k = 0; k < 8; k++) put_byte(&data, (unsigned)((first + i) >> 8 * k & 255));
  return add_attr(&v->s.w, "vhlo", data);
}

static void expect_op(vhlo_sample *v, const char *name, bytes properties, const char *text) {
  bytes body = {.length = 0};
  put_unary(&v->s, &body, add_op(&v->s.w, "vhlo", name, true), add_blob(&v->s.w, properties), 0);
  put_return(&v->s, &body, 1);
  bytes file = end_sample(&v->s, &body, 2, 2, true);
  expect_text(&file, text);
}

// cholesky has `lower`, which is false by default; a transposition a list that is an array in StableHLO.
Test(bytecode_vhlo, defaults_are_left_out) {
  vhlo_sample v;
  begin(&v);
  expect_op(&v, "cholesky_v1", FIELDS(v.yes), "\"stablehlo.cholesky\"(%arg0) <{lower = true}> :");
  begin(&v);
  expect_op(&v, "cholesky_v1", FIELDS(v.no), "\"stablehlo.cholesky\"(%arg0) :");
  begin(&v);
  uint64_t list = ints(&v, 0, 2);
  expect_op(&v, "transpose_v1", FIELDS(list), "<{permutation = array<i64: 0, 1>}>");
  begin(&v);
  uint64_t none = ints(&v, 0, 0);
  expect_op(&v, "transpose_v1", FIELDS(none), "<{permutation = array<i64>}>");
}

Test(bytecode_vhlo, names_lose_their_versions) {
  static const char *const CASES[][2] = {{"abs_v1", "\"stablehlo.abs\"(%arg0) :"},
                                         {"tanh_v1", "\"stablehlo.tanh\"(%arg0) :"},
                                         {"is_finite_v1", "\"stablehlo.is_finite\"(%arg0) :"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    bytes file = unary(6, "vhlo", CASES[i][0], 0, 1);
    expect_text(&file, CASES[i][1]);
  }
  static const char *const NONE[] = {"abs", "abs_v9", "no_such_v1", "_v1"};
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
    char error[64];
    bytes file = unary(6, "vhlo", NONE[i], 0, 1);
    snprintf(error, sizeof error, "'vhlo.%s' is not known", NONE[i]);
    expect_error(&file, 0, file.length, error);
  }
}
