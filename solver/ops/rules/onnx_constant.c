// SPDX-License-Identifier: Apache-2.0
// Constant, in all its spellings, and initializers (which the reader turns into it).
#include "solver/ops/rules/onnx.h"
#include "solver/ops/rules/rules.h"

static void from_dense(rule_context *c, const graph_attr *attr) {
  const graph_type *t = type_get(&c->graph->types, attr->type);
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < t->rank; i++) dims[i] = rule_int_term(c, t->dims[i]);
  onnx_set_dtype(c, 0, (shape_dtype)t->dtype);
  rule_set_dims(c, 0, dims, t->rank);
  if (!attr->has_data || !dtype_is_integer((shape_dtype)t->dtype) ||
      attr->count > VALUE_MAX_ELEMENTS)
    return;
  term_id *elements = arena_alloc(c->arena, (attr->count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < attr->count; i++) elements[i] = rule_int_term(c, attr->as.ints[i]);
  rule_set_elements(c, 0, elements, attr->count);
}

// value_int, value_ints, value_float, value_floats, value_string, value_strings (since version 12).
static void from_list(rule_context *c, const graph_attr *attr, shape_dtype dtype, bool scalar) {
  term_id dim = rule_int_term(c, attr->count);
  onnx_set_dtype(c, 0, dtype);
  rule_set_dims(c, 0, &dim, scalar ? 0 : 1);
  if (dtype != DTYPE_I64 || attr->count > VALUE_MAX_ELEMENTS) return;
  term_id *elements = arena_alloc(c->arena, (attr->count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < attr->count; i++) elements[i] = rule_int_term(c, attr->as.ints[i]);
  rule_set_elements(c, 0, elements, attr->count);
}

rule_status rule_onnx_constant(rule_context *c) {
  static const struct {
    const char *name;
    shape_dtype dtype;
    bool scalar;
  } LISTS[] = {{"value_int", DTYPE_I64, true},       {"value_ints", DTYPE_I64, false},
               {"value_float", DTYPE_F32, true},     {"value_floats", DTYPE_F32, false},
               {"value_string", DTYPE_STRING, true}, {"value_strings", DTYPE_STRING, false}};
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, "value"));
  if (!attr) attr = graph_attr_get(c->graph, rule_attr(c, "sparse_value"));
  if (attr && attr->kind == ATTR_DENSE) {
    from_dense(c, attr);
    return RULE_DONE;
  }
  for (unsigned i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
    attr = graph_attr_get(c->graph, rule_attr(c, LISTS[i].name));
    if (!attr) continue;
    from_list(c, attr, LISTS[i].dtype, LISTS[i].scalar);
    return RULE_DONE;
  }
  return RULE_UNKNOWN;
}
