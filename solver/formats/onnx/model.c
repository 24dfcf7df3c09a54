// SPDX-License-Identifier: Apache-2.0
// ModelProto: opsets, functions and the main graph.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "solver/formats/onnx/reader.h"

source_span onnx_span(const onnx_reader *r, wire_span part) {
  if (!part.data) return SPAN_NONE;
  size_t begin = (size_t)(part.data - r->base), end = begin + part.size;
  assert(part.data >= r->base && end <= r->length);
  if (end >= UINT32_MAX) return SPAN_NONE;  // files beyond 4 GiB: the location is not kept
  return (source_span){(uint32_t)begin, (uint32_t)end};
}

const char *onnx_text(onnx_reader *r, wire_span text) {
  return arena_strndup(r->graph->arena, (const char *)text.data, text.size > 200 ? 200 : text.size);
}

name_id onnx_name(onnx_reader *r, wire_span text) {
  onnx_step(r, 1);
  return intern_add(&r->graph->names, (const char *)text.data, text.size);
}

void onnx_error(onnx_reader *r, wire_span at, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  diag_add(&r->graph->diags, DIAG_ERROR, "syntax", onnx_span(r, at), "%s", message);
}

static void malformed(onnx_reader *r, wire_span bytes, bool list, unsigned width,
                      const char *what) {
  char why[WIRE_WHY];
  const uint8_t *at = wire_explain(bytes, list, width, why);
  assert(at >= r->base && at <= r->base + r->length);
  bool whole = bytes.data == r->base && bytes.size == r->length;
  onnx_error(r, (wire_span){at, 0}, "%s is not well-formed: %s, at byte %zu%s", what, why,
             (size_t)(at - r->base), whole ? ": the file is cut short or is no ONNX model" : "");
}

void onnx_malformed(onnx_reader *r, wire_span message, const char *what) {
  malformed(r, message, false, 0, what);
}

void onnx_malformed_list(onnx_reader *r, wire_span numbers, unsigned width, const char *what) {
  malformed(r, numbers, true, width, what);
}

static void read_opset(onnx_reader *r, wire_span message) {
  wire_field domain = {0}, version = {0};
  wire_find(message, OPSET_DOMAIN, &domain);
  wire_find(message, OPSET_VERSION, &version);
  bool plain = !domain.bytes.size ||
               (domain.bytes.size == 7 && memcmp(domain.bytes.data, "ai.onnx", 7) == 0);
  if (plain)
    r->graph->onnx_opset = version.value > UINT32_MAX ? UINT32_MAX : (uint32_t)version.value;
}

// Whether the fields of the outermost message look like ModelProto's: known numbers with the wire types they have.
bool onnx_recognise(const char *bytes, size_t length) {
  wire_reader w = wire_open((wire_span){(const uint8_t *)bytes, length});
  wire_field f = {0};
  unsigned fields = 0, unknown = 0;
  bool graph = false;
  while (fields + unknown < 64 && wire_next(&w, &f)) {
    bool varint = f.number == 1 || f.number == 5;
    if (f.number > 30 && graph) return true;  // a field of a later version
    if (f.number > 30) {
      unknown++;
      continue;
    }
    if (f.type != (varint ? WIRE_VARINT : WIRE_BYTES)) return false;
    graph |= f.number == MODEL_GRAPH;
    fields++;
  }
  // A file that is cut short inside its graph still begins like a model: let the reader say where it ends.
  bool in_graph = fields && f.number == MODEL_GRAPH && f.type == WIRE_BYTES;
  return graph || (!unknown && w.malformed && (fields >= 2 || in_graph));
}

static void read_main(onnx_reader *r, wire_span message) {
  shape_graph *g = r->graph;
  wire_field name = {0};
  wire_find(message, GRAPH_NAME, &name);
  r->func = graph_add_func(g, onnx_name(r, name.bytes), 0, onnx_span(r, message));
  region_id body = graph_add_body(g, r->func);
  assert(!r->depth && !r->inlined);
  onnx_graph(r, message, body, NULL, NULL);
  graph_set_signature(g, r->func, g->regions[body].first_block);
  onnx_read_shared(r);
}

void onnx_read(shape_graph *graph, const char *bytes, size_t length, const onnx_options *options) {
  onnx_reader r = {
      .graph = graph, .base = (const uint8_t *)bytes, .length = length, .options = options};
  wire_span model = {r.base, length};
  wire_reader w = wire_open(model);
  wire_field f, main_graph = {0};
  uint64_t ir_version = 0;
  bool imports = false;
  while (wire_next(&w, &f)) {
    if (f.number == MODEL_IR_VERSION) ir_version = f.value;
    if (f.number == MODEL_OPSET_IMPORT) read_opset(&r, f.bytes);
    imports |= f.number == MODEL_OPSET_IMPORT;
    if (f.number == MODEL_FUNCTIONS) onnx_add_function(&r, f.bytes);
    if (f.number == MODEL_GRAPH) main_graph = f;
  }
  if (w.malformed) onnx_malformed(&r, model, "the model");
  // Before IR version 3 models had no operator sets.
  if (!graph->onnx_opset && ir_version && ir_version < 3) graph->onnx_opset = 1;
  // One of both is missing in files that runtimes take: a file with neither says nothing of what its operators mean.
  if (!ir_version && !imports && !w.malformed && main_graph.bytes.size)
    onnx_error(&r, model,
               "the model has no ir_version and imports no operator set: expected one of both, as "
               "onnx.helper.make_model sets them");
  if (graph->onnx_opset > ONNX_LAST_OPSET)
    onnx_error(&r, model,
               "expected an operator set of at most %d, found %u: convert the model to it",
               ONNX_LAST_OPSET, graph->onnx_opset);
  if (main_graph.bytes.size) {
    read_main(&r, main_graph.bytes);
  } else if (!w.malformed) {
    onnx_error(&r, model, "expected a graph in the model, found none");
  }
}
