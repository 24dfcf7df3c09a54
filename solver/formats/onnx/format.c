// SPDX-License-Identifier: Apache-2.0
// The row of ONNX models in the table of formats.
#include "solver/formats/onnx/onnx.h"

static format_match match(const format_bytes *b) {
  return onnx_recognise(b->text, b->length) ? FORMAT_SURE : FORMAT_NO;
}

static void read(shape_graph *g, const format_options *options) {
  onnx_read(g, g->source.text, g->source.length,
            &(onnx_options){options->external, options->external_data});
}

extern const format_reader onnx_format;
const format_reader onnx_format = {
    .match = match,
    .read = read,
    .no_session = "a session takes MLIR or a graph, and edits have no form for operations of ONNX: "
                  "send the model to analyze or refine as often as it changes"};
