// SPDX-License-Identifier: Apache-2.0
// Rows for the types that are written in the text. Without a use of them the cost is one test of a pointer.
#include "solver/formats/mlir/uses.h"

#include <assert.h>

#include "solver/formats/mlir/pretty.h"

void mlir_add_use(mlir_parser *p, source_span span, mlir_use_kind kind, uint32_t subject,
                  uint32_t index) {
  mlir_uses *uses = p->uses;
  uses->items = arena_grow(p->g->arena, uses->items, uses->count, (size_t)uses->count + 1,
                           &uses->capacity, sizeof *uses->items);
  uses->items[uses->count++] = (mlir_type_use){span, kind, subject, index};
}

static mlir_op_use *op_use(mlir_parser *p, op_id op) {
  assert(op < p->g->op_count);
  mlir_uses *uses = p->uses;
  if (op >= uses->op_count) {
    uses->ops = arena_grow(p->g->arena, uses->ops, uses->op_count, (size_t)op + 1,
                           &uses->op_capacity, sizeof *uses->ops);
    memset(uses->ops + uses->op_count, 0, (op + 1 - uses->op_count) * sizeof *uses->ops);
    uses->op_count = op + 1;
  }
  return &uses->ops[op];
}

void mlir_use_op(mlir_parser *p, op_id op, mlir_op_use use) { *op_use(p, op) = use; }

void mlir_use_end(mlir_parser *p, op_id op, const char *from) {
  op_use(p, op)->end = mlir_last_offset(p, from);
}

void mlir_use_opaque(mlir_parser *p, op_id op) {
  op_use(p, op)->opaque = true;
  mlir_add_use(p, SPAN_NONE, MLIR_USE_PINNED, op, 0);
}

void mlir_use_whole(mlir_parser *p, op_id op) {
  mlir_use_opaque(p, op);
  op_use(p, op)->whole = true;
}

void mlir_use_hidden(mlir_parser *p, op_id op) {
  mlir_use_opaque(p, op);
  op_use(p, op)->hides = true;
}

void mlir_use_properties(mlir_parser *p, op_id op, uint32_t count) {
  op_use(p, op)->properties = count < UINT16_MAX ? (uint16_t)count : 0;
}

void mlir_use_operands(mlir_parser *p, op_id op, const mlir_operand *operands, uint32_t count) {
  assert(op < p->g->op_count);
  mlir_uses *uses = p->uses;
  uint32_t first = p->g->ops[op].operands, end = first + count;
  if (end <= uses->operand_count && count == 0) return;
  uses->operands = arena_grow(p->g->arena, uses->operands, uses->operand_count, (size_t)end + 1,
                              &uses->operand_capacity, sizeof *uses->operands);
  // Operands that a reader made up have no location.
  for (uint32_t i = uses->operand_count; i < first; i++) uses->operands[i] = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) uses->operands[first + i] = operands[i].at;
  if (end > uses->operand_count) uses->operand_count = end;
}

uint32_t mlir_use_module(mlir_parser *p, mlir_module_use use) {
  mlir_uses *uses = p->uses;
  uses->modules =
      arena_grow(p->g->arena, uses->modules, uses->module_count, (size_t)uses->module_count + 1,
                 &uses->module_capacity, sizeof *uses->modules);
  uses->modules[uses->module_count] = use;
  return uses->module_count++;
}

// One type or (types): rows from `index` on.
static bool listed(mlir_parser *p, const mlir_op *op, mlir_use_kind kind, uint32_t index) {
  bool several = mlir_accept(p, '(');
  if (several && mlir_accept(p, ')')) return true;
  do {
    const char *from = (mlir_skip(p), p->at);
    type_id type;
    if (!mlir_type(p, &type)) return false;
    mlir_add_use(p, mlir_span(p, from, p->at), kind, op->id, index++);
    mlir_push_type(p, type);
  } while (several && mlir_accept(p, ','));
  return !several || mlir_expect(p, ')');
}

bool mlir_results_of(mlir_parser *p, const mlir_op *op, type_id likely) {
  return p->uses ? listed(p, op, MLIR_USE_RESULT, 0) : mlir_result_types(p, likely);
}

bool mlir_carried_types(mlir_parser *p, const mlir_op *op, mlir_use_kind kind, uint32_t first) {
  return p->uses ? listed(p, op, kind, first) : mlir_result_types(p, TYPE_NONE);
}

void mlir_use_listed(mlir_parser *p, const mlir_op *op, uint32_t index, const char *from) {
  assert(op->operands <= p->stacks.operands.count);
  uint32_t operands = p->stacks.operands.count - op->operands;
  value_id value =
      index < operands ? p->stacks.operands.items[op->operands + index].value : VALUE_NONE;
  mlir_add_use(p, mlir_span(p, from, p->at), MLIR_USE_VALUE, value, index);
}

void mlir_use_last(mlir_parser *p, const mlir_op *op, uint32_t first) {
  uint32_t operands = p->stacks.operands.count - op->operands, count = p->uses->count - first;
  assert(first <= p->uses->count);
  if (count > operands) p->uses->count = first;
  for (uint32_t i = first; i < p->uses->count; i++) {
    p->uses->items[i].kind = MLIR_USE_TAKEN;
    p->uses->items[i].subject = op->id;
    p->uses->items[i].index = operands - count + (i - first);
  }
}

// The rows from `first` on are those of the list; they were taken for the types of the operands.
void mlir_use_interpret(mlir_parser *p, const mlir_op *op, uint32_t first) {
  assert(first <= p->uses->count);
  mlir_uses *uses = p->uses;
  mlir_type_use *row = &uses->items[first];
  if (first == uses->count) return;
  uint32_t kind;
  switch ((pretty_types)op->row->types) {
  case TYPES_RESULT:
    for (uint32_t i = first; i < uses->count; i++) {
      uses->items[i].kind = MLIR_USE_RESULT;
      uses->items[i].subject = op->id;
    }
    return;
  case TYPES_SAME: kind = MLIR_USE_SAME; break;
  case TYPES_SELECT: kind = MLIR_USE_SELECT; break;
  case TYPES_COMPLEX: kind = MLIR_USE_COMPLEX; break;
  case TYPES_COMPARE: kind = MLIR_USE_PINNED; break;
  default: return;
  }
  uint32_t end = uses->items[uses->count - 1].span.end;
  *row = (mlir_type_use){{row->span.begin, end}, kind, op->id, uses->count - first};
  uses->count = first + 1;
}
