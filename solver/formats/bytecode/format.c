// SPDX-License-Identifier: Apache-2.0
// The row of MLIR bytecode in the table of formats.
#include <string.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/graph/format.h"

static format_match match(const format_bytes *b) {
  return b->length >= 4 && memcmp(b->text, "ML\xefR", 4) == 0 ? FORMAT_SURE : FORMAT_NO;
}

static void read(shape_graph *g, const format_options *options) {
  bytecode_read(g, options->uses, options->text_later);
}

extern const format_reader bytecode_format;
const format_reader bytecode_format = {.match = match, .read = read};
