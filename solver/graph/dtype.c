// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "solver/graph/type.h"

typedef struct dtype_row {
  const char *mlir, *onnx;
  uint8_t mlir_length, onnx_length, bits;
  char class;
} dtype_row;

#define CLASS_S 'S'
#define CLASS_U 'U'
#define CLASS_B 'B'
#define CLASS_F 'F'
#define CLASS_C 'C'
#define CLASS_O 'O'

static const dtype_row ROWS[DTYPE_COUNT] = {
#define X(name, mlir, onnx, bits, class)                                                           \
  {mlir, onnx, sizeof mlir - 1, sizeof onnx - 1, bits, CLASS_##class},
#include "solver/graph/dtype.def"
#undef X
    [DTYPE_QUANTIZED] = {"!quant.uniform", "quantized", 14, 9, 0, 'O'},
    [DTYPE_OTHER] = {"!unknown", "unknown", 8, 7, 0, 'O'},
};

static const dtype_row *row_of(shape_dtype dtype) {
  return &ROWS[(unsigned)dtype < DTYPE_COUNT ? dtype : DTYPE_OTHER];
}

const char *dtype_name(shape_dtype dtype) { return row_of(dtype)->mlir; }
const char *dtype_onnx_name(shape_dtype dtype) { return row_of(dtype)->onnx; }
uint32_t dtype_bits(shape_dtype dtype) { return row_of(dtype)->bits; }

bool dtype_is_integer(shape_dtype dtype) {
  char class = row_of(dtype)->class;
  return class == 'S' || class == 'U' || class == 'B';
}
bool dtype_is_signed(shape_dtype dtype) { return row_of(dtype)->class == 'S'; }
bool dtype_is_float(shape_dtype dtype) { return row_of(dtype)->class == 'F'; }
bool dtype_is_complex(shape_dtype dtype) { return row_of(dtype)->class == 'C'; }

static inline bool is_named(shape_dtype dtype, const char *text, size_t length) {
  const dtype_row *row = &ROWS[dtype];
  return row->mlir_length == length && *row->mlir == *text && text_equals(row->mlir, text, length);
}

// The named types only; QUANTIZED and OTHER have no spelling of their own.
bool dtype_from_name(const char *text, size_t length, shape_dtype *out) {
  // Nearly all that programs name.
  static const uint8_t COMMON[] = {DTYPE_F32,  DTYPE_I64, DTYPE_I32,
                                   DTYPE_BF16, DTYPE_F16, DTYPE_I1};
  unsigned i = 0;
  while (i < sizeof COMMON && !is_named((shape_dtype)COMMON[i], text, length)) i++;
  if (i < sizeof COMMON) {
    *out = (shape_dtype)COMMON[i];
    return true;
  }
  for (i = 0; i < DTYPE_QUANTIZED; i++) {
    if (!is_named((shape_dtype)i, text, length)) continue;
    *out = (shape_dtype)i;
    return true;
  }
  return false;
}

bool dtype_from_onnx_name(const char *text, size_t length, shape_dtype *out) {
  for (unsigned i = 0; i < DTYPE_QUANTIZED; i++) {
    if (ROWS[i].onnx_length == length && memcmp(ROWS[i].onnx, text, length) == 0) {
      *out = (shape_dtype)i;
      return true;
    }
  }
  return false;
}

bool dtype_from_onnx(uint64_t number, shape_dtype *out) {
  // TensorProto.DataType, in order of its numbers.
  static const uint8_t TYPES[] = {
      DTYPE_OTHER,      DTYPE_F32,    DTYPE_UI8,        DTYPE_I8,   DTYPE_UI16, DTYPE_I16,
      DTYPE_I32,        DTYPE_I64,    DTYPE_STRING,     DTYPE_I1,   DTYPE_F16,  DTYPE_F64,
      DTYPE_UI32,       DTYPE_UI64,   DTYPE_C64,        DTYPE_C128, DTYPE_BF16, DTYPE_F8E4M3FN,
      DTYPE_F8E4M3FNUZ, DTYPE_F8E5M2, DTYPE_F8E5M2FNUZ, DTYPE_UI4,  DTYPE_I4,   DTYPE_F4E2M1FN,
      DTYPE_F8E8M0FNU,  DTYPE_UI2,    DTYPE_I2};
  if (number == 0 || number >= sizeof TYPES) return false;
  *out = (shape_dtype)TYPES[number];
  return true;
}
