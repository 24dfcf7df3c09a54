// SPDX-License-Identifier: Apache-2.0
// constant, iota and dynamic_iota, constant_like.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

term_id rule_element_term(rule_context *c, shape_dtype dtype, int64_t value) {
  if (dtype == DTYPE_I1) return value ? TERM_ONE : TERM_ZERO;
  if (dtype_is_integer(dtype) && !dtype_is_signed(dtype) && value < 0) {
    uint32_t bits = dtype_bits(dtype);
    uint64_t pattern = (uint64_t)value;
    if (bits < 64) pattern &= (UINT64_C(1) << bits) - 1;
    return term_const(c->terms, num_from_uint(c->budget, pattern));
  }
  return term_int(c->terms, value);
}

static void constant_elements(rule_context *c, const graph_attr *a, shape_dtype dtype,
                              uint32_t total) {
  if (!dtype_is_integer(dtype) || total > VALUE_MAX_ELEMENTS) return;
  uint32_t count;
  const int64_t *ints = attr_held_ints(a, &count);
  bool all = a->splat || a->kind == ATTR_INT || a->kind == ATTR_BOOL;  // one for all
  if (a->holds != HOLDS_INTS || (!all && count != total) || !elements_afford(c, total)) return;
  term_id few[RULE_FEW], *out = rule_room(c, few, total);
  for (uint32_t i = 0; i < total; i++) out[i] = rule_element_term(c, dtype, ints[all ? 0 : i]);
  rule_set_elements(c, 0, out, total);
}

// StableHLO spec, constant: the output has the type of the value.
rule_status rule_constant(rule_context *c) {
  const graph_attr *a = graph_attr_get(c->graph, rule_attr(c, "value"));
  const graph_type *result = rule_result_type(c, 0);
  const graph_type *t = result;
  if (a && a->type != TYPE_NONE) {
    const graph_type *own = type_get(&c->graph->types, a->type);
    if (own->kind == TYPE_TENSOR) t = own;
  }
  if (!t || t->kind != TYPE_TENSOR) {
    rule_set_unknown(c, 0);
    if (a && t && t->kind == TYPE_SCALAR) constant_elements(c, a, (shape_dtype)t->dtype, 1);
    return RULE_DONE;
  }
  term_id few[RULE_FEW], *dims = rule_room(c, few, t->rank);
  uint64_t total = 1;
  for (uint32_t i = 0; i < t->rank; i++) {
    if (!dim_is_static(t->dims[i])) {
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    dims[i] = term_int(c->terms, t->dims[i]);
    if (total <= VALUE_MAX_ELEMENTS) total *= (uint64_t)t->dims[i];
    if (t->dims[i] > VALUE_MAX_ELEMENTS && total) total = VALUE_MAX_ELEMENTS + 1;
  }
  rule_set_dims(c, 0, dims, t->rank);
  if (a && total <= VALUE_MAX_ELEMENTS)
    constant_elements(c, a, (shape_dtype)t->dtype, (uint32_t)total);
  return RULE_DONE;
}

static void iota_elements(rule_context *c, uint32_t axis, shape_dtype dtype) {
  int64_t shape[ELEMENTS_MAX_RANK], index[ELEMENTS_MAX_RANK] = {0};
  uint32_t total;
  const value_info *v = rule_value(c, graph_result(c->graph, c->op, 0));
  if (!dtype_is_integer(dtype) || !elements_shape(c, v, shape, &total)) return;
  if (!elements_afford(c, total)) return;
  term_id *out = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) {
    out[i] = term_const(c->terms, math_wrap(c, dtype, NUM(index[axis])));
    elements_next(index, shape, v->rank);
  }
  rule_set_elements(c, 0, out, total);
}

// The declared dims, without elements of its own: those are about to be computed.
static void iota_dims(rule_context *c) {
  const graph_type *t = rule_result_type(c, 0);
  if (!t || t->kind != TYPE_TENSOR) return;
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (dims[i] == TERM_NONE) return;
  }
  rule_set_dims(c, 0, dims, t->rank);
}

// StableHLO spec, iota and dynamic_iota: iota_dimension is an axis of the output; output_shape gives the sizes.
rule_status rule_iota(rule_context *c) {
  int64_t axis = -1;
  if (c->row->param == FORM_DYNAMIC) {
    uint32_t count;
    const term_id *sizes = rule_size_elements(c, 0, &count);
    const value_info *shape = rule_operand(c, 0);
    if (shape->ranked && shape->rank != 1) {
      rule_error(c, "rank", "output_shape has rank %u, not 1", shape->rank);
      sizes = NULL;
    }
    if (sizes) {
      sizes = elements_as_sizes(c, sizes, count, "a dim of output_shape is >= 0");
      rule_set_dims(c, 0, sizes, count);
    }
  } else {
    iota_dims(c);
  }
  rule_set_unknown(c, 0);
  const value_info *v = rule_value(c, graph_result(c->graph, c->op, 0));
  if (!rule_int(c, "iota_dimension", &axis)) return RULE_DONE;
  if (v->ranked && v->rank == 0) {
    rule_error(c, "axis", "the result of an iota has no axis");
  } else if (axis < 0 || (v->ranked && axis >= (int64_t)v->rank)) {
    rule_error(c, "axis", "iota_dimension %lld is not an axis of a result of rank %u",
               (long long)axis, v->rank);
  } else if (v->ranked && !v->elements) {
    iota_elements(c, (uint32_t)axis, rule_result_dtype(c, 0));
  }
  return RULE_DONE;
}

// CHLO constant_like: the shape of the operand, one value everywhere.
rule_status rule_constant_like(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  const graph_attr *a = graph_attr_get(c->graph, rule_attr(c, "value"));
  int64_t shape[ELEMENTS_MAX_RANK];
  uint32_t total;
  if (a && elements_shape(c, rule_operand(c, 0), shape, &total))
    constant_elements(c, a, rule_result_dtype(c, 0), total);
  return RULE_DONE;
}
