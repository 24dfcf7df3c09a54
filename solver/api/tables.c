// SPDX-License-Identifier: Apache-2.0
// What the library knows without a program: formats of bytes, operations, codes of diagnostics, what can be traced.
#include "solver/api/program.h"
#include "solver/base/trace.h"
#include "solver/formats/formats.h"
#include "solver/formats/onnx/scan.h"
#include "solver/ops/registry.h"
#include "solver/report/report.h"
#include "solver/shape.h"

static const shape_input INPUTS[] = {
#define X(id, name, ending, flags) [GRAPH_##id] = SHAPE_INPUT_##id,
#include "solver/graph/formats.def"
#undef X
};

shape_input shape_input_of(const void *bytes, size_t length) {
  graph_format format;
  const char *advice;
  return format_of(bytes, length, &format, &advice) ? INPUTS[format] : SHAPE_INPUT_NONE;
}

shape_input shape_analysis_input(const shape_analysis *a) {
  return a->report ? INPUTS[a->report->graph->format] : SHAPE_INPUT_NONE;
}

bool shape_input_at(uint32_t index, shape_input_format *out) {
  if (index >= GRAPH_FORMATS_END) return false;
  const graph_format_row *row = &GRAPH_FORMATS[index];
  *out = (shape_input_format){INPUTS[index], row->name, row->ending, format_is_text(index)};
  return true;
}

bool shape_input_scan(const void *bytes, size_t length, shape_need need, void *data) {
  return onnx_scan(bytes, length, need, data);
}

uint32_t shape_operation_count(void) { return registry_count(); }

bool shape_operation_at(uint32_t index, shape_operation *out) {
  if (index >= registry_count()) return false;
  const op_row *row = registry_row(index);
  *out = (shape_operation){row->name,  row->rule_name,    row->source,       row->since,
                           row->until, row->min_operands, row->max_operands, row->results};
  return true;
}

bool shape_code_at(uint32_t index, shape_code *out) {
  static const shape_code CODES[] = {
#define X(code, cause, remedy) {code, cause, remedy},
#include "solver/graph/diagnostics.def"
#undef X
  };
  if (index >= sizeof CODES / sizeof *CODES) return false;
  *out = CODES[index];
  return true;
}

uint32_t shape_trace_tags(const char *names) { return trace_parse(names); }
