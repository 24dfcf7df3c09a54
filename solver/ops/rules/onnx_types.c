// SPDX-License-Identifier: Apache-2.0
// Element types of ONNX results, from the marks of the operator's row, and the reading of its attributes.
#include "solver/ops/rules/onnx.h"

void onnx_set_dtype(rule_context *c, uint32_t result, shape_dtype dtype) {
  if (result >= rule_result_count(c) || dtype == DTYPE_OTHER || dtype == DTYPE_NONE) return;
  graph_value *v = &c->graph->values[graph_result(c->graph, c->op, result)];
  if (v->type == TYPE_NONE) {
    v->type = type_unranked(&c->graph->types, dtype);
    return;
  }
  const graph_type *t = type_get(&c->graph->types, v->type);
  bool tensor = t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED;
  if (tensor && t->dtype != DTYPE_OTHER && t->dtype != dtype) {
    rule_error(c, "element-type", "result #%u is declared with elements %s, the operator gives %s",
               result, dtype_name((shape_dtype)t->dtype), dtype_name(dtype));
  }
}

// The type that the attribute `dtype` or `to` names; float where it is absent.
static shape_dtype attribute_dtype(rule_context *c) {
  // TensorProto.DataType, in order of its numbers.
  static const uint8_t TYPES[] = {
      DTYPE_OTHER,      DTYPE_F32,    DTYPE_UI8,        DTYPE_I8,   DTYPE_UI16, DTYPE_I16,
      DTYPE_I32,        DTYPE_I64,    DTYPE_STRING,     DTYPE_I1,   DTYPE_F16,  DTYPE_F64,
      DTYPE_UI32,       DTYPE_UI64,   DTYPE_C64,        DTYPE_C128, DTYPE_BF16, DTYPE_F8E4M3FN,
      DTYPE_F8E4M3FNUZ, DTYPE_F8E5M2, DTYPE_F8E5M2FNUZ, DTYPE_UI4,  DTYPE_I4,   DTYPE_F4E2M1FN,
      DTYPE_F8E8M0FNU,  DTYPE_UI2,    DTYPE_I2};
  int64_t number = onnx_int(c, "to", onnx_int(c, "dtype", 1));
  return number > 0 && number < (int64_t)sizeof TYPES ? (shape_dtype)TYPES[number] : DTYPE_OTHER;
}

static shape_dtype marked_dtype(rule_context *c, char mark) {
  if (mark >= '0' && mark <= '9') return rule_operand_dtype(c, (uint32_t)(mark - '0'));
  switch (mark) {
  case 'b': return DTYPE_I1;
  case 'i': return DTYPE_I64;
  case 'f': return DTYPE_F32;
  case 's': return DTYPE_STRING;
  case '@': return attribute_dtype(c);
  default: return DTYPE_OTHER;
  }
}

void onnx_result_types(rule_context *c) {
  const char *marks = c->row->signature;
  if (!marks || !*marks) return;
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    onnx_set_dtype(c, i, marked_dtype(c, *marks));
    if (marks[1]) marks++;
  }
}

int64_t onnx_int(rule_context *c, const char *name, int64_t otherwise) {
  int64_t value;
  return rule_int(c, name, &value) ? value : otherwise;
}

bool onnx_axis(rule_context *c, int64_t axis, uint32_t rank, uint32_t *out) {
  if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
    rule_error(c, "axis", "axis %lld is not one of a tensor of rank %u", (long long)axis, rank);
    return false;
  }
  *out = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}
