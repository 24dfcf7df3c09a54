// SPDX-License-Identifier: Apache-2.0
// ONNX sequences and optionals. What is known of their elements is in the type of the value: numbers and named
// dims; any other size of an element is not known.
#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

type_id onnx_element_type(rule_context *c, type_id id) {
  if (id == TYPE_NONE) return TYPE_NONE;
  const graph_type *t = type_get(&c->graph->types, id);
  bool wraps = t->kind == TYPE_SEQUENCE || t->kind == TYPE_OPTIONAL;
  return wraps && t->param_count ? t->params[0] : TYPE_NONE;
}

type_id onnx_wrap_type(rule_context *c, uint32_t kind, type_id element) {
  assert(kind == TYPE_SEQUENCE || kind == TYPE_OPTIONAL);
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
  for (uint32_t i = 0; c->symbols && i < c->graph->declared.symbol_count; i++) {
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
type_id onnx_join_types(rule_context *c, type_id a, type_id b) {
  if (a == b || b == TYPE_NONE) return a;
  if (a == TYPE_NONE) return b;
  const graph_type *x = type_get(&c->graph->types, a), *y = type_get(&c->graph->types, b);
  if (x->kind == y->kind && (x->kind == TYPE_SEQUENCE || x->kind == TYPE_OPTIONAL)) {
    type_id element = onnx_element_type(c, b);
    return onnx_wrap_type(c, x->kind, onnx_join_types(c, onnx_element_type(c, a), element));
  }
  if (!type_is_tensor(&c->graph->types, a)) return a;
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

// A sequence of that many elements; TERM_NONE: how many is not known.
static rule_status finish_counted(rule_context *c, type_id type, term_id length) {
  rule_status status = finish(c, type);
  rule_set_length(c, 0, length);
  return status;
}

static term_id length_of(const rule_context *c, uint32_t operand) {
  return value_length(rule_operand(c, operand));
}

void onnx_require_of_length(rule_context *c, predicate p, const char *what) {
  rule_context run = *c;
  run.by_condition |= c->conditional;
  rule_require(&run, p, what);
}

// A position counts from the front, or from the end where it is negative: -length..length-1, and up to length for an
// insertion.
static void require_position(rule_context *c, uint32_t operand, term_id length, bool insertion) {
  static const char WHAT[] = "the position is within the sequence";
  const value_info *at = rule_operand(c, operand);
  onnx_require_one(c, operand, "the position is one number");
  if (length == TERM_NONE || !at->elements || at->element_count != 1 ||
      at->elements[0] == TERM_NONE) {
    rule_unchecked(
        c, WHAT, length == TERM_NONE ? "the length of the sequence is not known" : ONNX_NO_VALUES);
    return;
  }
  term_id position = at->elements[0];
  int64_t value;
  bool number = onnx_constant_int(c, position, &value);
  if (!number || value < 0)
    onnx_require_of_length(c, predicate_make(REL_GE, position, term_neg(c->terms, length)), WHAT);
  if (!number || value >= 0)
    onnx_require_of_length(c, predicate_make(insertion ? REL_LE : REL_LT, position, length), WHAT);
}

static void require_not_empty(rule_context *c, term_id length) {
  static const char WHAT[] = "the sequence is not empty";
  if (length == TERM_NONE) {
    rule_unchecked(c, WHAT, "the length of the sequence is not known");
  } else {
    onnx_require_of_length(c, predicate_make(REL_GE, length, TERM_ONE), WHAT);
  }
}

rule_status rule_onnx_sequence_construct(rule_context *c) {
  type_id element = TYPE_NONE;
  for (uint32_t i = 0; i < rule_operand_count(c); i++)
    element = onnx_join_types(c, element, onnx_type_of_value(c, graph_operand(c->graph, c->op, i)));
  term_id count = rule_int_term(c, rule_operand_count(c));
  return finish_counted(c, onnx_wrap_type(c, TYPE_SEQUENCE, element), count);
}

rule_status rule_onnx_sequence_empty(rule_context *c) {
  shape_dtype dtype = onnx_dtype_of(onnx_int(c, "dtype", 1));
  return finish_counted(c, onnx_wrap_type(c, TYPE_SEQUENCE, type_unranked(&c->graph->types, dtype)),
                        TERM_ZERO);
}

rule_status rule_onnx_sequence_length(rule_context *c) {
  term_id length = length_of(c, 0);
  rule_set_dims(c, 0, NULL, 0);
  if (length != TERM_NONE) rule_set_elements(c, 0, &length, 1);
  return RULE_DONE;
}

rule_status rule_onnx_sequence_erase(rule_context *c) {
  term_id length = length_of(c, 0);
  if (onnx_has(c, 1))
    require_position(c, 1, length, false);
  else
    require_not_empty(c, length);
  if (length != TERM_NONE) length = term_sub(c->terms, length, TERM_ONE);
  return finish_counted(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0)), length);
}

// ONNX: SequenceInsert.
rule_status rule_onnx_sequence_insert(rule_context *c) {
  assert(rule_operand_count(c) >= 2);
  type_id element = onnx_element_type(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0)));
  type_id added = onnx_type_of_value(c, graph_operand(c->graph, c->op, 1));
  term_id length = length_of(c, 0);
  if (onnx_has(c, 2)) require_position(c, 2, length, true);
  if (length == TERM_ZERO) element = TYPE_NONE;  // there is no other element
  if (length != TERM_NONE) length = term_add(c->terms, length, TERM_ONE);
  return finish_counted(c, onnx_wrap_type(c, TYPE_SEQUENCE, onnx_join_types(c, element, added)),
                        length);
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
  require_position(c, 1, length_of(c, 0), false);
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

static rule_status optional_element(rule_context *c, value_id v, type_id type) {
  assert(v < c->graph->value_count);
  const graph_value *value = &c->graph->values[v];
  const graph_op *def = value->is_argument ? NULL : &c->graph->ops[value->def];
  bool filled = def && def->operand_count && op_has(c->graph, value->def, TRAIT_OPTIONAL);
  if (!filled) rule_unchecked(c, "the optional has an element", "it is known at run time only");
  return set_element(c, onnx_element_type(c, type));
}

// ONNX: OptionalGetElement (18: a tensor or a sequence passes).
rule_status rule_onnx_optional_get(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  value_id v = graph_operand(c->graph, c->op, 0);
  type_id type = onnx_value_type(c, v);
  if (type == TYPE_NONE) return onnx_unknown(c);
  if (type_get(&c->graph->types, type)->kind == TYPE_OPTIONAL) return optional_element(c, v, type);
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
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  value_id v = graph_operand(c->graph, c->op, 0);
  type_id type = onnx_value_type(c, v);
  if (type != TYPE_NONE && !type_is_tensor(&c->graph->types, type))
    return finish_counted(c, type, length_of(c, 0));
  onnx_set_dtype(c, 0, rule_operand_dtype(c, 0));
  rule_set_value(c, 0, rule_operand(c, 0));
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

static const char PARTS[] = "the parts make up the operand";

// Parts of given dims: the size that all have, or TERM_NONE.
static term_id given_parts(rule_context *c, term_id total) {
  const value_info *split = rule_operand(c, 1);
  bool same = split->element_count > 0, known = split->elements != NULL;
  for (uint32_t i = 0; known && i < split->element_count; i++)
    known = split->elements[i] != TERM_NONE;
  if (!known) {
    rule_unchecked(c, PARTS, ONNX_NO_VALUES);
    return TERM_NONE;
  }
  elements_as_sizes(c, split->elements, split->element_count, "a part's dim is >= 0");
  rule_require_eq(c, term_sum_of(c->terms, split->elements, split->element_count), total, PARTS);
  for (uint32_t i = 1; i < split->element_count; i++)
    same = same && split->elements[i] == split->elements[0];
  return same ? split->elements[0] : TERM_NONE;
}

// Equal parts of a given size, the last of which may be smaller. *length: how many.
static term_id equal_parts(rule_context *c, term_id total, term_id *length) {
  static const char WHAT[] = "the size of a part is >= 1";
  const value_info *split = rule_operand(c, 1);
  int64_t size, all;
  if (!split->elements || split->element_count != 1 || split->elements[0] == TERM_NONE) {
    rule_unchecked(c, WHAT, ONNX_NO_VALUES);
    return TERM_NONE;
  }
  if (onnx_constant_int(c, split->elements[0], &size)) {
    if (size < 1) rule_error(c, "attribute", "split is %lld", (long long)size);
    if (size < 1) return TERM_NONE;
  } else if (!rule_require(c, predicate_make(REL_GE, split->elements[0], TERM_ONE), WHAT)) {
    return TERM_NONE;
  }
  *length = math_ceildiv(c, total, split->elements[0]);
  bool fits = onnx_constant_int(c, split->elements[0], &size) &&
              onnx_constant_int(c, total, &all) && all % size == 0;
  return fits ? rule_int_term(c, size) : TERM_NONE;
}

// ONNX: SplitToSequence: without split, pieces of size 1 (dropped where keepdims is 0); a scalar split gives equal
// pieces but the last.
rule_status rule_onnx_split_to_sequence(rule_context *c) {
  const value_info *in = rule_operand(c, 0), *split = rule_operand(c, 1);
  shape_dtype dtype = rule_operand_dtype(c, 0);
  uint32_t axis;
  if (!in->ranked)
    return finish(c, onnx_wrap_type(c, TYPE_SEQUENCE, type_unranked(&c->graph->types, dtype)));
  if (!onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) return onnx_unknown(c);
  value_info piece = *in;
  term_id *dims = onnx_copy_dims(c, in), total = in->dims[axis], length = TERM_NONE;
  piece.dims = dims;
  dims[axis] = TERM_NONE;
  if (!onnx_has(c, 1)) {
    length = total;
    dims[axis] = TERM_ONE;
    if (!onnx_int(c, "keepdims", 1)) {
      for (uint32_t i = axis; i + 1 < in->rank; i++) dims[i] = dims[i + 1];
      piece.rank--;
    }
  } else if (!split->ranked) {
    rule_unchecked(c, PARTS, ONNX_NO_RANK);
  } else if (split->rank == 0) {
    dims[axis] = equal_parts(c, total, &length);
  } else if (split->rank == 1) {
    length = split->dims[0];
    dims[axis] = given_parts(c, total);
  } else {
    rule_error(c, "rank", "split has rank %u, 0 or 1 is needed", split->rank);
  }
  return finish_counted(c, onnx_wrap_type(c, TYPE_SEQUENCE, tensor_type(c, dtype, &piece)), length);
}

// The elements that are joined agree along every other axis, or all when they are stacked; there is at least one.
static void require_elements(rule_context *c, type_id element, bool stacked) {
  assert(element != TYPE_NONE);
  const graph_type *t = type_get(&c->graph->types, element);
  bool fit = t->kind == TYPE_TENSOR;
  int64_t axis = onnx_int(c, "axis", 0);
  if (fit && axis < 0) axis += t->rank;
  for (uint32_t i = 0; fit && i < t->rank; i++)
    fit = (!stacked && i == axis) || t->dims[i] != DIM_DYNAMIC;
  term_id length = length_of(c, 0);
  require_not_empty(c, length);
  if (t->kind != TYPE_TENSOR || (!fit && length != TERM_ONE))
    rule_unchecked(c, "the elements fit together", "their dims are not known");
}

enum { PARTS_MAX = 4096, CHAIN_MAX = 4096 };

// The elements of a sequence that was put together in sight, in no order. False where it was not.
static bool parts_of(rule_context *c, value_id sequence, value_id *parts, uint32_t *count) {
  const shape_graph *g = c->graph;
  *count = 0;
  for (uint32_t steps = 0; steps < CHAIN_MAX && sequence != VALUE_NONE; steps++) {
    const graph_value *v = &g->values[sequence];
    if (v->is_argument) return false;
    op_id op = v->def;
    uint32_t operands = g->ops[op].operand_count;
    bool whole = op_has(g, op, TRAIT_SEQUENCE), inserts = op_has(g, op, TRAIT_INSERTS);
    budget_take(g->budget, 1 + operands);
    if (!whole && !(inserts && operands >= 2) && !op_has(g, op, TRAIT_IDENTITY)) return false;
    for (uint32_t i = inserts; i < (whole ? operands : inserts ? 2 : 0); i++) {
      if (*count == PARTS_MAX || graph_operand(g, op, i) == VALUE_NONE) return false;
      parts[(*count)++] = graph_operand(g, op, i);
    }
    if (whole) return *count > 0;
    sequence = graph_operand(g, op, 0);
  }
  return false;
}

// Of elements that are known: those of Concat, or all have one shape and are stacked along a new axis.
static bool join_parts(rule_context *c, bool stacked) {
  static const char AGREE[] = "the operands agree along every other axis";
  value_id *parts = arena_alloc(c->arena, PARTS_MAX * sizeof *parts);
  uint32_t count, axis, from = 0;
  if (!parts_of(c, graph_operand(c->graph, c->op, 0), parts, &count)) return false;
  const value_info *first = rule_value(c, parts[0]);
  uint32_t rank = first->rank + stacked;
  for (uint32_t i = 0; i < count; i++)
    if (!rule_value(c, parts[i])->ranked || rule_value(c, parts[i])->rank != first->rank)
      return false;
  if (!onnx_axis(c, onnx_int(c, "axis", 0), rank, &axis)) return false;
  // Elements that cannot be joined are left to a run: ONNX's own inference takes them.
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t k = 0; k < first->rank; k++) {
      predicate same = predicate_make(REL_EQ, first->dims[k], rule_value(c, parts[i])->dims[k]);
      if ((stacked || k != axis) && store_holds(c->store, same) == SHAPE_NO) return false;
    }
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  term_id *along = arena_alloc(c->arena, (size_t)count * sizeof *along);
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = rule_value(c, parts[i]);
    along[i] = stacked ? TERM_ONE : v->dims[axis];
    for (uint32_t k = 0; k < first->rank; k++)
      if (i && (stacked || k != axis)) rule_require_eq(c, first->dims[k], v->dims[k], AGREE);
  }
  for (uint32_t i = 0; i < rank; i++) {
    dims[i] = i == axis ? term_sum_of(c->terms, along, count) : first->dims[from];
    from += !stacked || i != axis;
  }
  rule_set_dims(c, 0, dims, rank);
  return true;
}

// ONNX: ConcatFromSequence (new_axis 1: the elements are stacked).
rule_status rule_onnx_concat_from_sequence(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  type_id element = onnx_element_type(c, onnx_value_type(c, graph_operand(c->graph, c->op, 0)));
  value_info v;
  bool stacked = onnx_int(c, "new_axis", 0) != 0;
  uint32_t axis, from = 0;
  if (element == TYPE_NONE) return onnx_unknown(c);
  onnx_set_dtype(c, 0, (shape_dtype)type_get(&c->graph->types, element)->dtype);
  if (join_parts(c, stacked)) return RULE_DONE;
  require_elements(c, element, stacked);
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
  bool loop = c->row->structure == OP_ONNX_LOOP;
  if (loop && onnx_has(c, 0)) onnx_require_one(c, 0, "the trip count is one number");
  if (loop && onnx_has(c, 1)) onnx_require_one(c, 1, "the condition is one truth value");
  return RULE_DONE;
}

rule_status rule_onnx_if(rule_context *c) {
  if (c->graph->ops[c->op].region_count != 2)
    rule_error(c, "region", "there are %u branches, 2 are needed",
               c->graph->ops[c->op].region_count);
  onnx_require_one(c, 0, "the condition is one truth value");
  return RULE_DONE;
}
