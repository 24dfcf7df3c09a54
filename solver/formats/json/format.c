// SPDX-License-Identifier: Apache-2.0
// The row of the JSON form of a program in the table of formats.
#include <string.h>

#include "solver/formats/json/decode.h"
#include "solver/formats/json/validate.h"

// `{-#` opens the resources of an MLIR file; any other brace or bracket is JSON.
static format_match match(const format_bytes *b) {
  const char *at = b->text + b->start;
  if (!b->is_text || (*at != '[' && *at != '{')) return FORMAT_NO;
  return b->length - b->start >= 3 && memcmp(at, "{-#", 3) == 0 ? FORMAT_NO : FORMAT_MAYBE;
}

static void read(shape_graph *g, const format_options *options) {
  json_error error;
  const char *clean;
  size_t length;
  if (!options->validated &&
      !json_validate(g->arena, NULL, g->source.text, g->source.length, &clean, &length, &error)) {
    uint32_t at = (uint32_t)error.offset;
    diag_add(&g->diags, DIAG_ERROR, error.status == SHAPE_DEPTH ? "depth" : "syntax",
             (source_span){at, at}, "%s", error.message);
    return;
  }
  // The decoder reads integers of any length itself, from the text as it came, so that its locations are right.
  graph_json_decode(g, g->budget);
}

extern const format_reader json_format;
const format_reader json_format = {.match = match, .read = read};
