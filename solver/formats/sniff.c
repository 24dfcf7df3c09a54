// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/sniff.h"

#include <stdbool.h>
#include <string.h>

#include "solver/formats/json/utf8.h"
#include "solver/formats/onnx/onnx.h"

static bool has_control_bytes(const unsigned char *at, size_t length) {
  size_t look = length < 4096 ? length : 4096;
  for (size_t i = 0; i < look; i++) {
    uint64_t word;
    if (look - i >= 8) {
      memcpy(&word, at + i, 8);
      uint64_t below = bytes_below(word, 0x20);
      if (!below) {
        i += 7;
        continue;
      }
      // The lowest bit is right, those above it may not be: it says where the first such byte is.
      if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) i += (size_t)__builtin_ctzll(below) / 8;
    }
    if (at[i] < 0x20 && at[i] != '\n' && at[i] != '\r' && at[i] != '\t' && at[i] != '\f')
      return true;
  }
  return false;
}

// "dialect.name"( begins an operation in MLIR's generic form; its quote is a tag of ONNX, too.
static bool begins_generic(const char *text, size_t length) {
  size_t at = 1;
  if (length < 4 || *text != '"') return false;
  while (at < length && text[at] != '"' && (unsigned char)text[at] > ' ' && text[at] < 0x7f) at++;
  return at > 1 && at + 1 < length && text[at] == '"' && text[at + 1] == '(' &&
         memchr(text, '.', at);
}

sniff_kind sniff(const char *text, size_t length) {
  static const char magic[] = "ML\xefR";
  if (length >= 4 && memcmp(text, magic, 4) == 0) {
    // The producer follows the version number.
    size_t near = length < 64 ? length : 64;
    for (size_t i = 4; i + 9 <= near; i++) {
      if (memcmp(text + i, "StableHLO", 9) == 0) return SNIFF_ARTIFACT;
    }
    return SNIFF_BYTECODE;
  }
  size_t at = 0;
  while (at < length &&
         (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
    at++;
  if (at == length) return SNIFF_EMPTY;
  if (begins_generic(text + at, length - at)) return SNIFF_MLIR;
  if (onnx_sniff(text, length)) return SNIFF_ONNX;
  if (has_control_bytes((const unsigned char *)text, length)) return SNIFF_BINARY;
  // `{-#` opens the resources of an MLIR file; any other brace or bracket is JSON.
  if (text[at] == '[') return SNIFF_JSON;
  if (text[at] == '{' && !(length - at >= 3 && memcmp(text + at, "{-#", 3) == 0)) return SNIFF_JSON;
  return SNIFF_MLIR;
}

const char *sniff_advice(sniff_kind kind) {
  switch (kind) {
  case SNIFF_EMPTY: return "the input is empty: expected a program as MLIR text, JSON or ONNX";
  case SNIFF_BYTECODE:
    return "this is MLIR bytecode, which is not read: convert it to text with `mlir-opt FILE -o "
           "FILE.mlir` (or "
           "stablehlo-opt)";
  case SNIFF_ARTIFACT:
    return "this is a StableHLO portable artifact, which is not read: convert it to text with "
           "`stablehlo-translate "
           "--deserialize FILE -o FILE.mlir`";
  case SNIFF_BINARY: return "this is a binary file: expected a program as MLIR text, JSON or ONNX";
  default: return NULL;
  }
}
