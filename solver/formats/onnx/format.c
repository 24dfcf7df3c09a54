// SPDX-License-Identifier: Apache-2.0
// The row of ONNX models in the table of formats.
#include "solver/formats/onnx/onnx.h"
#include "solver/formats/onnx/textproto.h"

static format_match match(const format_bytes *b) {
  bool model = b->is_text ? textproto_recognise(b->text + b->start, b->length - b->start)
                          : onnx_recognise(b->text, b->length);
  return model ? FORMAT_SURE : FORMAT_NO;
}

// A text becomes the bytes that say the same: they are the source then. False: it is an error of syntax.
static bool make_bytes(shape_graph *g) {
  shape_strbuf bytes;
  textproto_error error;
  const char *text = g->source.text;
  strbuf_init(&bytes, g->arena);
  if (!textproto_read(text, g->source.length, g->budget, &bytes, &error)) {
    unsigned line = 1;
    const char *from = text;
    for (const char *c = text; c < text + error.at; c++) {
      if (*c != '\n') continue;
      line++;
      from = c + 1;
    }
    diag_add(&g->diags, DIAG_ERROR, "syntax", SPAN_NONE, "line %u, column %zu: %s", line,
             (size_t)(text + error.at - from) + 1, error.message);
    return false;
  }
  g->source.text = strbuf_text(&bytes);
  g->source.length = bytes.length;
  return true;
}

static void read(shape_graph *g, const format_options *options) {
  if (textproto_recognise(g->source.text, g->source.length) && !make_bytes(g)) return;
  onnx_read(g, g->source.text, g->source.length,
            &(onnx_options){options->beside.external, options->beside.external_data,
                            options->beside.opaque_names});
}

extern const format_reader onnx_format;
const format_reader onnx_format = {
    .match = match,
    .read = read,
    .no_session = "a session takes MLIR or a graph, and edits have no form for operations of ONNX: "
                  "send the model to analyze or refine as often as it changes"};
