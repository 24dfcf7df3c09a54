// SPDX-License-Identifier: Apache-2.0
// The row of ONNX models in the table of formats.
#include "solver/formats/onnx/onnx.h"
#include "solver/formats/onnx/syntax.h"
#include "solver/formats/onnx/textproto.h"

// The text forms of models.
static const struct {
  text_form_recognise *recognise;
  text_form_read *read;
} TEXTS[] = {{textproto_recognise, textproto_read}, {onnx_syntax_recognise, onnx_syntax_read}};
enum { TEXT_COUNT = sizeof TEXTS / sizeof *TEXTS };

// TEXT_COUNT: of none.
static uint32_t text_form(const char *text, size_t length) {
  uint32_t form = 0;
  while (form < TEXT_COUNT && !TEXTS[form].recognise(text, length)) form++;
  return form;
}

static format_match match(const format_bytes *b) {
  bool model = b->is_text ? text_form(b->text + b->start, b->length - b->start) < TEXT_COUNT
                          : onnx_recognise(b->text, b->length);
  return model ? FORMAT_SURE : FORMAT_NO;
}

// A text becomes the bytes that say the same: they are the source then. False: it is an error of syntax.
static bool make_bytes(shape_graph *g, uint32_t form) {
  shape_strbuf bytes;
  text_error error;
  const char *text = g->source.text;
  strbuf_init(&bytes, g->arena);
  if (!TEXTS[form].read(text, g->source.length, g->budget, &bytes, &error)) {
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
  uint32_t form = text_form(g->source.text, g->source.length);
  if (form < TEXT_COUNT && !make_bytes(g, form)) return;
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
