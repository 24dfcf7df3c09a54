// SPDX-License-Identifier: Apache-2.0
// What the library knows without a program: formats of bytes, operations, what can be traced.
#include "solver/base/trace.h"
#include "solver/formats/onnx/scan.h"
#include "solver/formats/sniff.h"
#include "solver/ops/registry.h"
#include "solver/shape.h"

shape_input shape_input_of(const void *bytes, size_t length) {
  switch (sniff(bytes, length)) {
  case SNIFF_MLIR: return SHAPE_INPUT_MLIR;
  case SNIFF_JSON: return SHAPE_INPUT_JSON;
  case SNIFF_ONNX: return SHAPE_INPUT_ONNX;
  default: return SHAPE_INPUT_NONE;
  }
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

uint32_t shape_trace_tags(const char *names) { return trace_parse(names); }
