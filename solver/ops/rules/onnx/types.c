// SPDX-License-Identifier: Apache-2.0
// Element types of ONNX results, from the marks of the operator's row, and the reading of its attributes.
#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/ops/rules/onnx/onnx.h"

// A function without a type runs on the element types of each of its calls: those of one must not stay for the next.
static bool has_many_types(const rule_context *c) {
  const shape_graph *g = c->graph;
  func_id func = g->regions[g->blocks[g->ops[c->op].parent].region].func;
  return c->frame && func != ID_NONE && g->funcs[func].type == TYPE_NONE;
}

void onnx_set_dtype(rule_context *c, uint32_t result, shape_dtype dtype) {
  if (has_many_types(c)) return;
  if (result >= rule_result_count(c) || dtype == DTYPE_OTHER || dtype == DTYPE_NONE) return;
  graph_value *v = &c->graph->values[graph_result(c->graph, c->op, result)];
  if (v->type == TYPE_NONE) {
    v->type = type_unranked(&c->graph->types, dtype);
    return;
  }
  const graph_type *t = type_get(&c->graph->types, v->type);
  bool tensor = t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED;
  if (tensor && (t->dtype == DTYPE_OTHER || t->dtype == DTYPE_NONE)) {  // dims alone are declared
    type_table *types = &c->graph->types;
    v->type = t->kind == TYPE_TENSOR ? type_tensor(types, dtype, t->dims, t->rank)
                                     : type_unranked(types, dtype);
    return;
  }
  if (tensor && t->dtype != DTYPE_OTHER && t->dtype != dtype) {
    rule_error(c, "element-type", "result #%u is declared with elements %s, the operator gives %s",
               result, dtype_name((shape_dtype)t->dtype), dtype_name(dtype));
  }
}

shape_dtype onnx_dtype_of(int64_t number) {
  shape_dtype dtype;
  return dtype_from_onnx((uint64_t)number, &dtype) ? dtype : DTYPE_OTHER;
}

// The type that the attribute `dtype` or `to` names (before version 6 Cast spelled it out); float where it is absent.
static shape_dtype attribute_dtype(rule_context *c) {
  const char *text = rule_text(c, "to");
  shape_dtype named;
  if (text) {
    char lower[16] = {0};
    for (unsigned i = 0; i + 1 < sizeof lower && text[i]; i++)
      lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    if (strcmp(lower, "float") == 0) return DTYPE_F32;
    if (strcmp(lower, "double") == 0) return DTYPE_F64;
    return dtype_from_onnx_name(lower, strlen(lower), &named) ? named : DTYPE_OTHER;
  }
  return onnx_dtype_of(onnx_int(c, "to", onnx_int(c, "dtype", 1)));
}

static shape_dtype marked_dtype(rule_context *c, char mark) {
  if (mark >= '0' && mark <= '9') return rule_operand_dtype(c, (uint32_t)(mark - '0'));
  switch (mark) {
  case 'b': return DTYPE_I1;
  case 'i': return DTYPE_I64;
  case 'f': return DTYPE_F32;
  case 's': return DTYPE_STRING;
  case 'j': return DTYPE_I32;
  case 'u': return DTYPE_UI8;
  case '@': return attribute_dtype(c);
  case '=':
    return rule_attr(c, "dtype") == ATTR_NONE ? rule_operand_dtype(c, 0) : attribute_dtype(c);
  case 'o': return onnx_dtype_of(onnx_int(c, "output_datatype", 1));
  case 'z': return onnx_dtype_of(onnx_int(c, "stash_type", 1));
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
  assert(*out < rank);
  return true;
}

void onnx_check_sizes(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    const value_info *v = onnx_result(c, i);
    for (uint32_t d = 0; v->ranked && d < v->rank; d++) {
      int64_t ignored;
      num constant = term_constant_part(c->terms, v->dims[d]);
      if (num_to_int(constant, &ignored) || num_sign(constant) < 0) continue;
      rule_error(c, "overflow", "the dim of axis %u of result #%u does not fit 64 bits", d, i);
    }
  }
}

const value_info *onnx_result(const rule_context *c, uint32_t i) {
  return rule_value(c, graph_result(c->graph, c->op, i));
}

rule_status onnx_unknown(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_AGAIN;
}

bool onnx_rank(rule_context *c, uint32_t operand, uint32_t rank) {
  if (!onnx_has(c, operand)) return false;
  if (rule_assume_rank(c, operand, rank)) return true;
  rule_error(c, "rank", "operand #%u has rank %u, it needs rank %u", operand,
             rule_operand(c, operand)->rank, rank);
  return false;
}

term_id onnx_kept_size(rule_context *c, uint32_t result, uint32_t rank, uint32_t axis) {
  const value_info *old = onnx_result(c, result);
  bool again = old->visited && old->ranked && old->rank == rank && axis < rank;
  return again ? old->dims[axis] : rule_fresh_size(c);
}

term_id *onnx_copy_dims(rule_context *c, const value_info *v) {
  term_id *dims = arena_alloc(c->arena, (v->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < v->rank; i++) dims[i] = v->dims[i];
  return dims;
}

bool onnx_constant_int(rule_context *c, term_id t, int64_t *value) {
  return t != TERM_NONE && term_int_value(c->terms, store_canon(c->store, t), value);
}

bool onnx_scalar_int(rule_context *c, uint32_t operand, int64_t *value) {
  uint32_t count;
  const term_id *e = rule_elements(c, operand, &count);
  return e && count == 1 && onnx_constant_int(c, e[0], value);
}

bool onnx_text_is(rule_context *c, const char *name, const char *otherwise, const char *value) {
  const char *text = rule_text(c, name);
  return strcmp(text ? text : otherwise, value) == 0;
}

// The DENSE attribute of the Constant that defines an operand, or NULL.
const graph_attr *onnx_constant_attr(rule_context *c, uint32_t operand) {
  value_id v = graph_operand(c->graph, c->op, operand);
  if (v == VALUE_NONE || c->graph->values[v].is_argument) return NULL;
  op_id def = c->graph->values[v].def;
  static const char *const NAMES[] = {"value", "value_floats", "value_float"};
  uint32_t traits = traits_of(c->graph, def);
  if (traits & TRAIT_IDENTITY) {
    rule_context inner = *c;
    inner.op = def;
    return c->graph->ops[def].results == v ? onnx_constant_attr(&inner, 0) : NULL;
  }
  if (!(traits & TRAIT_ONNX_CONSTANT)) return NULL;
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    const graph_attr *attr = graph_attr_get(c->graph, graph_attr_named(c->graph, def, NAMES[i]));
    if (attr) return attr;
  }
  return NULL;
}

// A sequence or an optional of tensors whose rank is not declared, and is known.
static bool says_more(rule_context *c, type_id declared, type_id type) {
  const type_table *t = &c->graph->types;
  uint8_t kind = type_get(t, declared)->kind;
  if (kind != type_get(t, type)->kind) return false;
  type_id a = onnx_element_type(c, declared), b = onnx_element_type(c, type);
  if (a == TYPE_NONE || b == TYPE_NONE) return false;
  const graph_type *x = type_get(t, a), *y = type_get(t, b);
  if (x->kind == TYPE_UNRANKED && y->kind == TYPE_TENSOR) return type_same_element(t, a, b);
  return says_more(c, a, b);
}

void onnx_set_type(rule_context *c, uint32_t result, type_id type) {
  if (result >= rule_result_count(c) || type == TYPE_NONE) return;
  graph_value *v = &c->graph->values[graph_result(c->graph, c->op, result)];
  bool found = v->type == TYPE_NONE && onnx_element_type(c, type) != TYPE_NONE;
  // What elements are may be other on another trip of a loop, or in another call of a function.
  if (v->type == TYPE_NONE || v->changes || says_more(c, v->type, type)) v->type = type;
  v->changes |= found;
}

type_id onnx_value_type(rule_context *c, value_id v) {
  return v == VALUE_NONE ? TYPE_NONE : c->graph->values[v].type;
}
