// SPDX-License-Identifier: Apache-2.0
// Operands of PyTorch's operators by name, and what rules share.
#include <assert.h>
#include <string.h>

#include "solver/graph/torch_names.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

uint32_t torch_at(const rule_context *c, const char *name) {
  size_t length = strlen(name);
  uint32_t index = 0;
  for (const char *p = c->row->parameters; p && *p; index++) {
    const char *end = strchr(p, ' ');
    size_t own = end ? (size_t)(end - p) : strlen(p);
    if (own == length && memcmp(p, name, length) == 0) return index;
    p = end ? end + 1 : p + own;
  }
  return UINT32_MAX;
}

const value_info *torch_arg(const rule_context *c, const char *name) {
  uint32_t at = torch_at(c, name);
  return rule_value(c, at == UINT32_MAX ? VALUE_NONE : graph_operand(c->graph, c->op, at));
}

static bool is_given(const rule_context *c, uint32_t at) {
  value_id v = at == UINT32_MAX ? VALUE_NONE : graph_operand(c->graph, c->op, at);
  return v != VALUE_NONE && !rule_value(c, v)->is_none;
}

bool torch_has(const rule_context *c, const char *name) { return is_given(c, torch_at(c, name)); }

bool torch_is_tensor(const rule_context *c, uint32_t operand) {
  if (!is_given(c, operand)) return false;
  const graph_type *t = rule_operand_type(c, operand);
  const value_info *v = rule_operand(c, operand);
  if (value_parts(v)) return false;
  if (t) return t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED;
  return true;
}

bool torch_constant(const rule_context *c, term_id t, int64_t *out) {
  return t != TERM_NONE && term_int_value(c->terms, store_canon(c->store, t), out);
}

static term_id int_of(const value_info *v) {
  return v->elements && v->element_count == 1 ? v->elements[0] : TERM_NONE;
}

term_id torch_int(const rule_context *c, const char *name) { return int_of(torch_arg(c, name)); }

bool torch_const(const rule_context *c, const char *name, int64_t otherwise, int64_t *out) {
  *out = otherwise;
  return !torch_has(c, name) || torch_constant(c, torch_int(c, name), out);
}

bool torch_flag(const rule_context *c, const char *name, bool otherwise, bool *known) {
  int64_t value;
  if (!torch_const(c, name, otherwise, &value)) *known = false;
  return value != 0;
}

// Casts that keep the value of what they cast.
static bool is_cast(const rule_context *c, op_id op) {
  static const char *const NAMES[] = {"torch.derefine", "torch.prim.unchecked_cast"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (strcmp(graph_op_name(c->graph, op), NAMES[i]) == 0) return true;
  }
  return false;
}

op_id torch_definition(const rule_context *c, uint32_t operand) {
  value_id v = operand == UINT32_MAX ? VALUE_NONE : graph_operand(c->graph, c->op, operand);
  while (v != VALUE_NONE && !c->graph->values[v].is_argument) {
    op_id def = c->graph->values[v].def;
    if (!is_cast(c, def)) return def;
    v = graph_operand(c->graph, def, 0);
  }
  return ID_NONE;
}

static const graph_attr *constant_of(const rule_context *c, const char *name) {
  op_id def = torch_definition(c, torch_at(c, name));
  return def == ID_NONE ? NULL : graph_attr_get(c->graph, graph_attr_named(c->graph, def, "value"));
}

bool torch_real(const rule_context *c, const char *name, double *out) {
  const graph_attr *attr = constant_of(c, name);
  int64_t value;
  if (attr && attr->kind == ATTR_FLOAT) {
    *out = attr_one_float(attr);
    return true;
  }
  if (!torch_constant(c, torch_int(c, name), &value)) return false;
  *out = (double)value;
  return true;
}

const char *torch_text(const rule_context *c, const char *name) {
  const graph_attr *attr = constant_of(c, name);
  return attr && attr->kind == ATTR_STRING ? intern_text(&c->graph->names, attr->text) : NULL;
}

const value_info *torch_parts(const rule_context *c, const char *name, uint32_t *count) {
  const value_info *v = torch_arg(c, name);
  assert(name && count);
  *count = value_part_count(v);
  return value_parts(v);
}

bool torch_list(const rule_context *c, const char *name, torch_ints *out) {
  const value_info *v = torch_arg(c, name);
  *out = (torch_ints){0};
  if (!torch_has(c, name)) return false;
  if (value_parts(v)) {
    const uint32_t count = value_part_count(v);
    term_id *items = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *items);
    for (uint32_t i = 0; i < count; i++) items[i] = int_of(&value_parts(v)[i]);
    *out = (torch_ints){items, count};
    return true;
  }
  if (!v->elements || (v->ranked && v->rank)) return false;
  *out = (torch_ints){v->elements, v->element_count};
  return true;
}

bool torch_wrap(rule_context *c, int64_t axis, uint32_t rank, uint32_t *out) {
  int64_t least = rank ? rank : 1;  // a scalar has the axes -1 and 0
  assert(out);
  if (axis < -least || axis >= least) {
    rule_error(c, "axis", "axis %lld is not one of a tensor of rank %u", (long long)axis, rank);
    return false;
  }
  *out = (uint32_t)(axis < 0 ? axis + least : axis);
  assert(*out < least);
  return true;
}

bool torch_axis(rule_context *c, const char *name, int64_t otherwise, uint32_t rank,
                uint32_t *out) {
  int64_t axis;
  return torch_const(c, name, otherwise, &axis) && torch_wrap(c, axis, rank, out);
}

bool torch_axis_set(rule_context *c, const char *name, uint32_t rank, bool all, uint8_t *set) {
  torch_ints axes;
  memset(set, 0, rank);
  if (!torch_has(c, name)) {
    memset(set, 1, rank);
    return true;
  }
  if (!torch_list(c, name, &axes)) return false;
  if (!axes.count) memset(set, all, rank);
  for (uint32_t i = 0; i < axes.count; i++) {
    int64_t axis;
    uint32_t at;
    if (!torch_constant(c, axes.items[i], &axis) || !torch_wrap(c, axis, rank, &at)) return false;
    bool twice = at < rank ? set[at]++ : i > 0;
    if (twice) {
      rule_error(c, "axis", "axis %u is given twice", at);
      return false;
    }
  }
  return true;
}

const int64_t *torch_per_axis(rule_context *c, const char *name, uint32_t axes, int64_t otherwise,
                              int64_t least) {
  int64_t *values = arena_alloc(c->arena, ((size_t)axes + 1) * sizeof *values);
  torch_ints given;
  bool has = torch_has(c, name);
  if (has && !torch_list(c, name, &given)) return NULL;
  if (!has || !given.count) {
    for (uint32_t i = 0; i < axes; i++) values[i] = otherwise;
    return values;
  }
  if (given.count != 1 && given.count != axes) {
    rule_error(c, "attribute-length", "%s has %u entries, %u are needed", name, given.count, axes);
    return NULL;
  }
  for (uint32_t i = 0; i < axes; i++) {
    if (!torch_constant(c, given.items[given.count == 1 ? 0 : i], &values[i])) return NULL;
    if (values[i] >= least && values[i] <= INT32_MAX) continue;
    rule_error(c, "attribute", "%s has %lld, at least %lld is needed", name, (long long)values[i],
               (long long)least);
    return NULL;
  }
  return values;
}

// --- results

rule_status torch_unknown(rule_context *c) {
  rule_unchecked(c, "what the operator requires of its operands", TORCH_NOT_KNOWN);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_AGAIN;
}

void torch_set_int(rule_context *c, uint32_t result, term_id value) {
  if (result >= rule_result_count(c)) return;
  const value_info *old = onnx_result(c, result);
  onnx_set_type(c, result, type_scalar(&c->graph->types, DTYPE_I64));
  if (value == TERM_NONE && old->visited && old->elements) return;
  rule_set_dims(c, result, NULL, 0);
  if (value == TERM_NONE) {
    rule_track_result(c, result);
  } else {
    rule_set_elements(c, result, &value, 1);
  }
}

value_info torch_int_value(rule_context *c, term_id value) {
  term_id *kept = arena_alloc(c->arena, sizeof *kept);
  *kept = value;
  return (value_info){.visited = true,
                      .ranked = true,
                      .elements = value == TERM_NONE ? NULL : kept,
                      .element_count = value != TERM_NONE};
}

term_id torch_numel(rule_context *c, const value_info *v) {
  assert(v->ranked);
  return term_product_of(c->terms, v->dims, v->rank);
}

term_id *torch_dims(rule_context *c, const value_info *v, uint32_t more) {
  term_id *dims = arena_alloc(c->arena, ((size_t)v->rank + more + 1) * sizeof *dims);
  for (uint32_t i = 0; i < v->rank; i++) dims[i] = v->dims[i];
  return dims;
}

bool torch_rank(rule_context *c, const char *name, uint32_t rank) {
  uint32_t at = torch_at(c, name);
  if (at == UINT32_MAX || graph_operand(c->graph, c->op, at) == VALUE_NONE) return false;
  return onnx_rank(c, at, rank);
}

bool torch_min_rank(rule_context *c, const value_info *v, uint32_t least) {
  if (!v->ranked) return false;
  if (v->rank >= least) return true;
  rule_error(c, "rank", "the operand has rank %u, at least %u is needed", v->rank, least);
  return false;
}

void torch_require_same(rule_context *c, const value_info *a, const value_info *b,
                        const char *what) {
  if (!a->ranked || !b->ranked) return;
  if (a->rank != b->rank) {
    rule_error(c, "rank", "%s: ranks %u and %u", what, a->rank, b->rank);
    return;
  }
  for (uint32_t i = 0; i < a->rank; i++) rule_require_eq(c, a->dims[i], b->dims[i], what);
}

bool torch_is_strict(const rule_context *c) {
  const shape_graph *g = c->graph;
  func_id func = g->regions[g->blocks[g->ops[c->op].parent].region].func;
  name_id name = intern_find(&g->names, TORCH_STRICT, strlen(TORCH_STRICT));
  if (func == ID_NONE || name == NAME_NONE) return false;
  const graph_func *f = &g->funcs[func];
  for (uint32_t i = 0; i < f->attr_count; i++) {
    if (graph_attr_entries(g, f->attrs)[i].name == name) return true;
  }
  return false;
}

static term_id broadcast_size(rule_context *c, term_id a, term_id b, bool strict) {
  int64_t ignored;
  if (!strict || torch_constant(c, a, &ignored) || torch_constant(c, b, &ignored))
    return onnx_broadcast_size(c, a, b);
  rule_require_eq(c, a, b, "dims that are broadcast together are equal");
  return a;
}

bool torch_broadcast(rule_context *c, const value_info *const *shapes, uint32_t count,
                     value_info *out) {
  bool strict = torch_is_strict(c);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!shapes[i]->ranked) return false;
    if (shapes[i]->rank > rank) rank = shapes[i]->rank;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t axis = 0; axis < rank; axis++) {
    dims[axis] = TERM_ONE;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t missing = rank - shapes[i]->rank;
      if (axis >= missing)
        dims[axis] = broadcast_size(c, dims[axis], shapes[i]->dims[axis - missing], strict);
    }
  }
  *out = (value_info){.dims = dims, .rank = rank, .ranked = true, .visited = true};
  return true;
}

void torch_drop_axis(const value_info *v, uint32_t axis, term_id *dims) {
  assert(v->ranked && axis < v->rank);
  uint32_t at = 0;
  for (uint32_t i = 0; i < v->rank; i++) {
    if (i != axis) dims[at++] = v->dims[i];
  }
}
