// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/mlir/type_plain.h"

enum { RANK_MAX = 16, DIGITS_MAX = 18 };  // 18 digits fit in 64 bits

// `4x` or `?x` at *at, which moves after it.
static bool one_size(const char **at, const char *end, int64_t *out) {
  const char *from = *at, *c = from;
  int64_t value = 0;
  if (*c == '?') {
    value = DIM_DYNAMIC;
    c++;
  } else {
    while (c < end && *c >= '0' && *c <= '9' && c - from < DIGITS_MAX)
      value = value * 10 + (*c++ - '0');
  }
  if (c == from || c == end || *c != 'x') return false;
  *at = c + 1;
  *out = value;
  return true;
}

// Not all names of element types are spelled the same in MLIR: those of one word are.
static bool is_word(const char *at, const char *end) {
  for (; at < end; at++) {
    char c = *at;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) return false;
  }
  return true;
}

bool mlir_plain_tensor(type_table *types, const char *text, size_t length, type_id *out) {
  static const char HEAD[] = "tensor<";
  enum { HEAD_LENGTH = sizeof HEAD - 1 };
  int64_t sizes[RANK_MAX];
  uint32_t rank = 0;
  shape_dtype dtype;
  if (length < HEAD_LENGTH + 3 || memcmp(text, HEAD, HEAD_LENGTH) != 0 || text[length - 1] != '>')
    return false;
  const char *at = text + HEAD_LENGTH, *end = text + length - 1;
  while (at < end && (*at == '?' || (*at >= '0' && *at <= '9'))) {
    if (rank == RANK_MAX || !one_size(&at, end, &sizes[rank++])) return false;
  }
  if (!is_word(at, end) || !dtype_from_name(at, (size_t)(end - at), &dtype)) return false;
  *out = type_tensor(types, dtype, sizes, rank);
  return true;
}
