// SPDX-License-Identifier: Apache-2.0
// Constant, in all its spellings, and initializers (which the reader turns into it).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

static void set_elements_of(rule_context *c, attr_id attr, shape_dtype dtype) {
  const int64_t *values;
  uint32_t count;
  if (!graph_attr_ints(c->graph, attr, &values, &count) || count > VALUE_MAX_ELEMENTS ||
      !elements_afford(c, count))
    return;
  term_id *elements = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < count; i++) elements[i] = rule_element_term(c, dtype, values[i]);
  rule_set_elements(c, 0, elements, count);
}

static rule_status from_dense(rule_context *c, attr_id attr) {
  assert(c->graph->attributes.items[attr].type != TYPE_NONE);
  const graph_type *t = type_get(&c->graph->types, c->graph->attributes.items[attr].type);
  onnx_set_dtype(c, 0, (shape_dtype)t->dtype);
  bool is_static = t->kind == TYPE_TENSOR;
  for (uint32_t i = 0; i < t->rank; i++) is_static &= dim_is_static(t->dims[i]);
  if (!is_static) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)t->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < t->rank; i++) dims[i] = rule_int_term(c, t->dims[i]);
  rule_set_dims(c, 0, dims, t->rank);
  set_elements_of(c, attr, (shape_dtype)t->dtype);
  return RULE_DONE;
}

// How many numbers or texts of a type an attribute is; false where it is of another kind, or its length is not known.
static bool list_length(rule_context *c, attr_id id, shape_dtype dtype, uint32_t *length) {
  const graph_attr *attr = graph_attr_get(c->graph, id);
  const int64_t *ints;
  if (dtype == DTYPE_I64) return graph_attr_ints(c->graph, id, &ints, length);
  uint8_t kind = dtype == DTYPE_F32 ? ATTR_FLOAT : ATTR_STRING;
  *length = 1;
  if (attr->kind == kind) return true;
  if (attr->kind == ATTR_DENSE && dtype == DTYPE_F32) {
    const graph_type *t = type_get(&c->graph->types, attr->type);
    if (t->kind != TYPE_TENSOR || t->rank != 1 || !dtype_is_float((shape_dtype)t->dtype) ||
        t->dims[0] < 0 || t->dims[0] > UINT32_MAX)
      return false;
    *length = (uint32_t)t->dims[0];
    return true;
  }
  const attr_id *items = attr_items(attr, length);
  for (uint32_t i = 0; i < *length; i++) {
    const graph_attr *item = graph_attr_get(c->graph, items[i]);
    if (!item || item->kind != kind) return false;
  }
  return attr->kind == ATTR_ARRAY;
}

// value_int, value_ints, value_float, value_floats, value_string, value_strings (since version 12).
static rule_status from_list(rule_context *c, const char *name, shape_dtype dtype, bool scalar) {
  attr_id attr = rule_attr(c, name);
  uint32_t length;
  onnx_set_dtype(c, 0, dtype);
  if (!list_length(c, attr, dtype, &length)) {
    if (c->graph->attributes.items[attr].kind != ATTR_OPAQUE)
      rule_error(c, "attribute", "attribute %s is of another kind", name);
    return onnx_unknown(c);
  }
  if (scalar && length != 1) {
    rule_error(c, "attribute", "attribute %s has %u elements, 1 is needed", name, length);
    return onnx_unknown(c);
  }
  term_id dim = rule_int_term(c, length);
  rule_set_dims(c, 0, &dim, scalar ? 0 : 1);
  if (dtype == DTYPE_I64) set_elements_of(c, attr, dtype);
  return RULE_DONE;
}

rule_status rule_onnx_constant(rule_context *c) {
  static const struct {
    const char *name;
    shape_dtype dtype;
    bool scalar;
  } LISTS[] = {{"value_int", DTYPE_I64, true},       {"value_ints", DTYPE_I64, false},
               {"value_float", DTYPE_F32, true},     {"value_floats", DTYPE_F32, false},
               {"value_string", DTYPE_STRING, true}, {"value_strings", DTYPE_STRING, false}};
  attr_id id = rule_attr(c, "value");
  if (id == ATTR_NONE) id = rule_attr(c, "sparse_value");
  const graph_attr *attr = graph_attr_get(c->graph, id);
  if (attr && attr->kind == ATTR_DENSE && attr->type != TYPE_NONE) return from_dense(c, id);
  for (unsigned i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
    if (rule_attr(c, LISTS[i].name) != ATTR_NONE)
      return from_list(c, LISTS[i].name, LISTS[i].dtype, LISTS[i].scalar);
  }
  return RULE_UNKNOWN;
}
