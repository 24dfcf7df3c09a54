// SPDX-License-Identifier: Apache-2.0
// ONNX sequences and optionals. What is known of their elements stands in the type of the value: numbers and named
// sizes; any other size of an element is not known.
#include "solver/ops/rules/onnx.h"
#include "solver/ops/rules/rules.h"

type_id onnx_element_type(rule_context *c, type_id id) {
  if (id == TYPE_NONE) return TYPE_NONE;
  const graph_type *t = type_get(&c->graph->types, id);
  bool wraps = t->kind == TYPE_SEQUENCE || t->kind == TYPE_OPTIONAL;
  return wraps && t->param_count ? t->params[0] : TYPE_NONE;
}

type_id onnx_wrap_type(rule_context *c, uint32_t kind, type_id element) {
  if (element == TYPE_NONE) return TYPE_NONE;
  graph_type type = {.kind = (uint8_t)kind,
                     .dtype = DTYPE_NONE,
                     .params = &element,
                     .param_count = 1,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE};
  return type_intern(&c->graph->types, &type);
}

static int64_t dim_of_term(rule_context *c, term_id size) {
  int64_t value;
  size = size == TERM_NONE ? size : store_canon(c->store, size);
  if (size == TERM_NONE) return DIM_DYNAMIC;
  if (term_int_value(c->terms, size, &value)) return value >= 0 ? value : DIM_DYNAMIC;
  for (uint32_t i = 0; c->symbols && i < c->graph->symbol_count; i++) {
    if (c->symbols[i] == size) return dim_of_symbol(i);
  }
  return DIM_DYNAMIC;
}

static type_id tensor_type(rule_context *c, shape_dtype dtype, const value_info *v) {
  if (!v->ranked) return type_unranked(&c->graph->types, dtype);
  int64_t *dims = arena_alloc(c->arena, (v->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < v->rank; i++) dims[i] = dim_of_term(c, v->dims[i]);
  return type_tensor(&c->graph->types, dtype, dims, v->rank);
}

type_id onnx_type_of_value(rule_context *c, value_id v) {
  type_id id = onnx_value_type(c, v);
  if (id == TYPE_NONE || !type_is_tensor(&c->graph->types, id)) return id;
  return tensor_type(c, (shape_dtype)type_get(&c->graph->types, id)->dtype, rule_value(c, v));
}

void onnx_value_of_type(rule_context *c, type_id id, value_info *out) {
  *out = (value_info){.visited = true};
  if (id == TYPE_NONE || type_get(&c->graph->types, id)->kind != TYPE_TENSOR) return;
  const graph_type *t = type_get(&c->graph->types, id);
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (dims[i] == TERM_NONE) dims[i] = rule_fresh_size(c);
  }
  out->dims = dims;
  out->rank = t->rank;
  out->ranked = true;
}

// What holds of both: a size that differs is not known.
static type_id join_types(rule_context *c, type_id a, type_id b) {
  if (a == b || b == TYPE_NONE) return a;
  if (a == TYPE_NONE) return b;
  const graph_type *x = type_get(&c->graph->types, a), *y = type_get(&c->graph->types, b);
  if (x->kind != TYPE_TENSOR || y->kind != TYPE_TENSOR || x->rank != y->rank)
    return type_unranked(&c->graph->types, (shape_dtype)x->dtype);
  int64_t *dims = arena_alloc(c->arena, (x->rank + 1) * sizeof *dims);
  shape_dtype dtype = (shape_dtype)x->dtype;
  uint32_t rank = x->rank;
  for (uint32_t i = 0; i < rank; i++) dims[i] = x->dims[i] == y->dims[i] ? x->dims[i] : DIM_DYNAMIC;
  return type_tensor(&c->graph->types, dtype, dims, rank);
}

static rule_status finish(rule_context *c, type_id type) {
  onnx_set_type(c, 0, type);
  rule_set_unknown(c, 0);
  return RULE_DONE;
}

rule_status rule_onnx_sequence_construct(rule_context *c) {
  type_id element = TYPE_NONE;
  for (uint32_t i = 0; i < rule_operand_count(c); i++)
    element = join_types(c, element, onnx_type_of_value(c, graph_operand(c->graph, c->op, i)));
  return finish(c, onnx_wrap_type(c, TYPE_SEQUENCE, element));
}

rule_status rule_onnx_sequence_empty(rule_context *c) {
  shape_dtype dtype = onnx_dtype_of(onnx_int(c, "dtype", 1));
  return finish(c, onnx_wrap_type(c, TYPE_SEQUENCE, type_unranked(&c->graph->types, dtype)));
}

rule_status rule_onnx_sequence_erase(rule_context *c) {
  return finish(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0)));
}

// ONNX: SequenceInsert.
rule_status rule_onnx_sequence_insert(rule_context *c) {
  type_id element = onnx_element_type(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0)));
  type_id added = onnx_type_of_value(c, graph_operand(c->graph, c->op, 1));
  return finish(c, onnx_wrap_type(c, TYPE_SEQUENCE, join_types(c, element, added)));
}

// Result 0 is a value of that type, or an element of a sequence.
static rule_status set_element(rule_context *c, type_id element) {
  value_info v;
  if (element == TYPE_NONE) return onnx_unknown(c);
  if (!type_is_tensor(&c->graph->types, element)) return finish(c, element);
  onnx_set_dtype(c, 0, (shape_dtype)type_get(&c->graph->types, element)->dtype);
  if (onnx_result(c, 0)->visited) return RULE_DONE;
  onnx_value_of_type(c, element, &v);
  rule_set_dims_like(c, 0, &v);
  return RULE_DONE;
}

rule_status rule_onnx_sequence_at(rule_context *c) {
  return set_element(c,
                     onnx_element_type(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0))));
}

// ONNX: Optional.
rule_status rule_onnx_optional(rule_context *c) {
  const graph_attr *given = graph_attr_get(c->graph, rule_attr(c, "type"));
  type_id element = onnx_has(c, 0) ? onnx_type_of_value(c, graph_operand(c->graph, c->op, 0))
                    : given        ? given->type
                                   : TYPE_NONE;
  return finish(c, onnx_wrap_type(c, TYPE_OPTIONAL, element));
}

// ONNX: OptionalGetElement (18: a tensor or a sequence passes).
rule_status rule_onnx_optional_get(rule_context *c) {
  value_id v = graph_operand(c->graph, c->op, 0);
  type_id type = onnx_value_type(c, v);
  if (type == TYPE_NONE) return onnx_unknown(c);
  if (type_get(&c->graph->types, type)->kind == TYPE_OPTIONAL)
    return set_element(c, onnx_element_type(c, type));
  onnx_set_type(c, 0, onnx_type_of_value(c, v));
  rule_set_value(c, 0, rule_value(c, v));
  return RULE_DONE;
}

rule_status rule_onnx_scalar(rule_context *c) {
  rule_set_dims(c, 0, NULL, 0);
  return RULE_DONE;
}

// ONNX: Identity (14: sequences, 16: optionals).
rule_status rule_onnx_identity(rule_context *c) {
  value_id v = graph_operand(c->graph, c->op, 0);
  type_id type = onnx_value_type(c, v);
  if (type != TYPE_NONE && !type_is_tensor(&c->graph->types, type)) return finish(c, type);
  onnx_set_dtype(c, 0, rule_operand_dtype(c, 0));
  rule_set_value(c, 0, rule_operand(c, 0));
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

// ONNX: SplitToSequence: without split, pieces of size 1 (dropped where keepdims is 0); a scalar split gives equal
// pieces but the last.
rule_status rule_onnx_split_to_sequence(rule_context *c) {
  const value_info *in = rule_operand(c, 0), *split = rule_operand(c, 1);
  shape_dtype dtype = rule_operand_dtype(c, 0);
  uint32_t axis;
  int64_t size, total;
  if (!in->ranked)
    return finish(c, onnx_wrap_type(c, TYPE_SEQUENCE, type_unranked(&c->graph->types, dtype)));
  if (!onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return onnx_unknown(c);
  value_info piece = *in;
  term_id *dims = onnx_copy_dims(c, in);
  piece.dims = dims;
  dims[axis] = TERM_NONE;
  if (!onnx_has(c, 1)) {
    dims[axis] = TERM_ONE;
    if (!onnx_int(c, "keepdims", 1)) {
      for (uint32_t i = axis; i + 1 < in->rank; i++) dims[i] = dims[i + 1];
      piece.rank--;
    }
  } else if (split->ranked && split->rank == 0 && onnx_scalar_int(c, 1, &size)) {
    if (size < 1) rule_error(c, "attribute", "split is %lld", (long long)size);
    if (size >= 1 && onnx_constant_int(c, in->dims[axis], &total) && total % size == 0)
      dims[axis] = rule_int_term(c, size);
  } else if (split->elements && split->rank == 1) {
    bool same = split->element_count > 0, known = true;
    for (uint32_t i = 0; i < split->element_count; i++)
      known = known && split->elements[i] != TERM_NONE;
    if (known)
      rule_require_eq(c, term_sum_of(c->terms, split->elements, split->element_count),
                      in->dims[axis], "the parts make up the operand");
    for (uint32_t i = 1; i < split->element_count; i++)
      same = same && split->elements[i] == split->elements[0];
    if (same) dims[axis] = split->elements[0];
  }
  return finish(c, onnx_wrap_type(c, TYPE_SEQUENCE, tensor_type(c, dtype, &piece)));
}

// ONNX: ConcatFromSequence (new_axis 1: the elements are stacked).
rule_status rule_onnx_concat_from_sequence(rule_context *c) {
  type_id element = onnx_element_type(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0)));
  value_info v;
  bool stacked = onnx_int(c, "new_axis", 0) != 0;
  uint32_t axis, from = 0;
  if (element == TYPE_NONE) return onnx_unknown(c);
  onnx_set_dtype(c, 0, (shape_dtype)type_get(&c->graph->types, element)->dtype);
  if (onnx_result(c, 0)->visited && onnx_result(c, 0)->ranked) return RULE_DONE;
  onnx_value_of_type(c, element, &v);
  if (!v.ranked) return onnx_unknown(c);
  uint32_t rank = v.rank + (stacked ? 1 : 0);
  if (!onnx_axis(c, onnx_int(c, "axis", 0), rank, &axis)) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) {
    if (!stacked || i != axis) dims[i] = v.dims[from++];
    if (i == axis) dims[i] = rule_fresh_size(c);
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// ONNX: If, Loop, Scan, SequenceMap: infer follows their regions.
rule_status rule_onnx_control(rule_context *c) {
  (void)c;
  return RULE_DONE;
}

rule_status rule_onnx_if(rule_context *c) {
  if (c->graph->ops[c->op].region_count != 2)
    rule_error(c, "region", "there are %u branches, 2 are needed",
               c->graph->ops[c->op].region_count);
  return RULE_DONE;
}
