// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/formats.h"

#include <string.h>

#include "solver/ops/absent.h"
#include "solver/formats/json/utf8.h"

#define X(id, name, ending, flags) extern const format_reader name##_format;
#include "solver/graph/formats.def"
#undef X

const format_reader *const FORMAT_READERS[] = {
#define X(id, name, ending, flags) [GRAPH_##id] = &name##_format,
#include "solver/graph/formats.def"
#undef X
};

void format_read(shape_graph *g, const format_options *options) {
  assert(g->format < GRAPH_FORMATS_END);
  FORMAT_READERS[g->format]->read(g, options);
#ifdef SHAPE_DEBUG
  assert(g->diags.errors || !absent_operands_check(g));
#endif
}

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

bool format_of(const char *text, size_t length, graph_format *out, const char **advice) {
  format_bytes bytes = {.text = text, .length = length};
  *advice = NULL;
  while (bytes.start < length && memchr(" \n\r\t", text[bytes.start], 4)) bytes.start++;
  if (bytes.start == length) {
    *advice = "the input is empty: expected a program as MLIR, ONNX, PyTorch (.pt2, FX) or JSON";
    return false;
  }
  bytes.is_text = !has_control_bytes((const unsigned char *)text, length);
  graph_format found = GRAPH_FORMATS_END;
  for (graph_format f = 0; f < GRAPH_FORMATS_END; f++) {
    format_match match = FORMAT_READERS[f]->match(&bytes);
    if (match != FORMAT_NO && (match == FORMAT_SURE || found == GRAPH_FORMATS_END)) found = f;
    if (match == FORMAT_SURE) break;
  }
  *out = found;
  if (found == GRAPH_FORMATS_END)
    *advice = "this is a binary file: expected a program as MLIR, ONNX, PyTorch (.pt2, FX) or JSON";
  return !*advice;
}
