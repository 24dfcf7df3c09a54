// SPDX-License-Identifier: Apache-2.0
// The types after the ':' of a pretty form: `(A, B) -> C`, `A -> B`, `A to B`, or a list that its row explains
// (StableHLO, AssemblyFormat.cpp: SameOperandsAndResultType, SelectOpType, ComplexOpType, ...).
#include "solver/formats/mlir/pretty.h"

static type_id first_type(const mlir_parser *p, const mlir_op *op) {
  if (p->stacks.operands.count == op->operands) return TYPE_NONE;
  value_id value = p->stacks.operands.items[op->operands].value;
  return value == VALUE_NONE ? TYPE_NONE : p->g->values[value].type;
}

// The type's own dims with another element.
static type_id with_element(mlir_parser *p, type_id like, shape_dtype dtype) {
  if (like == TYPE_NONE) return TYPE_NONE;
  graph_type type = *type_get(&p->g->types, like);
  type.dtype = (uint8_t)dtype;
  type.text = NAME_NONE;
  if (type.kind != TYPE_TENSOR && type.kind != TYPE_UNRANKED)
    return type_scalar(&p->g->types, dtype);
  type.params = NULL;
  type.param_count = 0;
  return type_intern(&p->g->types, &type);
}

static type_id element_of(mlir_parser *p, type_id tensor) {
  graph_type type = *type_get(&p->g->types, tensor);
  if (type.kind != TYPE_TENSOR && type.kind != TYPE_UNRANKED) return TYPE_NONE;
  graph_type scalar = {.kind = TYPE_SCALAR,
                       .dtype = type.dtype,
                       .text = type.text,
                       .encoding = NAME_NONE,
                       .params = type.params,
                       .param_count = type.param_count};
  return type_intern(&p->g->types, &scalar);
}

static type_id real_part(mlir_parser *p, type_id type) {
  shape_dtype dtype = (shape_dtype)type_get(&p->g->types, type)->dtype;
  if (!dtype_is_complex(dtype)) return TYPE_NONE;
  return with_element(p, type, dtype == DTYPE_C128 ? DTYPE_F64 : DTYPE_F32);
}

static type_id named_type(mlir_parser *p, pretty_types types) {
  graph_type type = {.text = NAME_NONE, .encoding = NAME_NONE};
  switch (types) {
  case TYPES_WITNESS:
    type.kind = TYPE_OPAQUE;
    type.text = intern_add(&p->g->names, "!shape.witness", 14);
    break;
  case TYPES_VALUE_SHAPE:
    type.kind = TYPE_OPAQUE;
    type.text = intern_add(&p->g->names, "!shape.value_shape", 18);
    break;
  case TYPES_SHAPE: type.kind = TYPE_SHAPE; break;
  case TYPES_SIZE: type.kind = TYPE_SIZE; break;
  case TYPES_INDEX:
  case TYPES_TO_INDEX: return type_scalar(&p->g->types, DTYPE_INDEX);
  default: return type_scalar(&p->g->types, DTYPE_I1);
  }
  return type_intern(&p->g->types, &type);
}

static void check_operands(mlir_parser *p, const mlir_op *op, uint32_t from, type_id type) {
  for (uint32_t i = op->operands + from; i < p->stacks.operands.count; i++) {
    mlir_check_use(p, p->stacks.operands.items[i], type);
  }
}

// One written type for each operand.
static bool check_list(mlir_parser *p, const mlir_op *op, const char *at) {
  uint32_t count = p->stacks.operands.count - op->operands,
           types = p->stacks.types.count - op->types;
  if (count != types) {
    mlir_wrong(p, at, p->at, "expected %u operand types but had %u", count, types);
    return true;
  }
  for (uint32_t i = 0; i < count; i++) {
    mlir_check_use(p, p->stacks.operands.items[op->operands + i],
                   p->stacks.types.items[op->types + i]);
  }
  return true;
}

static bool only_type(mlir_parser *p, const mlir_op *op, const char *at) {
  if (p->stacks.types.count - op->types == 1) return true;
  return mlir_wrong(p, at, p->at, "expected one type or '(types) -> types'");
}

static bool select_types(mlir_parser *p, const mlir_op *op, const char *at) {
  uint32_t count = p->stacks.types.count - op->types;
  if (count != 1 && count != 2) {
    return mlir_wrong(p, at, p->at, "expected the types of the predicate and the result");
  }
  type_id predicate = p->stacks.types.items[op->types],
          type = p->stacks.types.items[op->types + count - 1];
  if (count == 2 && p->stacks.operands.count > op->operands) {
    mlir_check_use(p, p->stacks.operands.items[op->operands], predicate);
  }
  check_operands(p, op, 1, type);
  p->stacks.types.count = op->types;
  mlir_push_type(p, type);
  return true;
}

// The list is on the type stack; what remains there are the results.
static bool interpret(mlir_parser *p, mlir_op *op, const char *at) {
  type_id first = p->stacks.types.items[op->types], result = TYPE_NONE;
  pretty_types types = (pretty_types)op->row->types;
  switch (types) {
  case TYPES_RESULT: return true;
  case TYPES_PAIRWISE: return check_list(p, op, at);
  case TYPES_SELECT: return select_types(p, op, at);
  case TYPES_OPERANDS:
    check_list(p, op, at);
    p->stacks.types.count = op->types;
    return true;
  case TYPES_SAME:
    if (!only_type(p, op, at)) return false;
    check_operands(p, op, 0, first);
    return true;
  case TYPES_COMPLEX:
    if (!only_type(p, op, at)) return false;
    check_operands(p, op, 0, real_part(p, first));
    return true;
  case TYPES_COMPARE:
    if (!only_type(p, op, at)) return false;
    check_operands(p, op, 0, first);
    result = with_element(p, first, DTYPE_I1);
    break;
  case TYPES_INDEX:
  case TYPES_ELEMENT:
    if (p->stacks.operands.count > op->operands)
      mlir_check_use(p, p->stacks.operands.items[op->operands], first);
    result = types == TYPES_INDEX ? named_type(p, types) : element_of(p, first);
    break;
  default:
    check_list(p, op, at);
    result = named_type(p, types);
    break;
  }
  p->stacks.types.count = op->types;
  mlir_push_type(p, result);
  return true;
}

bool mlir_pretty_types(mlir_parser *p, mlir_op *op) {
  const char *at = (mlir_skip(p), p->at);
  type_id type;
  if (mlir_peek(p) == '(') {
    // The type of a reference to a function is one type, though it looks like a signature.
    if (op->row->text != TEXT_SYMBOL || op->row->types != TYPES_RESULT)
      return mlir_signature(p, op);
    if (!mlir_type(p, &type)) return false;
    mlir_push_type(p, type);
    return true;
  }
  uint32_t uses = p->uses ? p->uses->count : 0, count = 0;
  do {
    const char *from = (mlir_skip(p), p->at);
    if (!mlir_type_like(p, count ? TYPE_NONE : first_type(p, op), &type)) return false;
    if (p->uses) mlir_use_listed(p, op, count, from);
    mlir_push_type(p, type);
    count++;
  } while (mlir_accept(p, ','));
  bool arrow = mlir_peek(p) == '-' && mlir_accept_arrow(p);
  if (!arrow && !mlir_accept_word(p, "to") && !mlir_accept_word(p, "into")) {
    if (p->uses) mlir_use_interpret(p, op, uses);
    return interpret(p, op, at);
  }
  // Some dialects write the types of a few operands only.
  bool all = p->stacks.types.count - op->types == p->stacks.operands.count - op->operands;
  if (all || !op->row->lenient) check_list(p, op, at);
  if (!all && p->uses) mlir_add_use(p, SPAN_NONE, MLIR_USE_PINNED, op->id, 0);
  p->stacks.types.count = op->types;
  return mlir_results_of(p, op, TYPE_NONE);
}

bool mlir_pretty_fixed(mlir_parser *p, mlir_op *op) {
  pretty_types types = (pretty_types)op->row->types;
  if (types == TYPES_OPERANDS) return p->stacks.operands.count == op->operands;
  if (types < TYPES_WITNESS) return false;
  mlir_push_type(p, named_type(p, types));
  return true;
}
