// SPDX-License-Identifier: Apache-2.0
// The row of MLIR text in the table of formats.
#include <string.h>

#include "solver/formats/mlir/location.h"
#include "solver/formats/mlir/mlir.h"
#include "solver/formats/mlir/uses.h"

// "dialect.name"( begins an operation in MLIR's generic form; its quote is a tag of ONNX, too.
static bool begins_generic(const char *text, size_t length) {
  size_t at = 1;
  if (length < 4 || *text != '"') return false;
  while (at < length && text[at] != '"' && (unsigned char)text[at] > ' ' && text[at] < 0x7f) at++;
  return at > 1 && at + 1 < length && text[at] == '"' && text[at + 1] == '(' &&
         memchr(text, '.', at);
}

static format_match match(const format_bytes *b) {
  if (begins_generic(b->text + b->start, b->length - b->start)) return FORMAT_SURE;
  return b->is_text ? FORMAT_MAYBE : FORMAT_NO;
}

static void read(shape_graph *g, const format_options *options) {
  if (options->uses) {
    mlir_read_uses(g, options->uses);
  } else {
    mlir_read(g);
  }
}

extern const format_reader mlir_format;
const format_reader mlir_format = {
    .match = match, .read = read, .locations = mlir_source_locations};
