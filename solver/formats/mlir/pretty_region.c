// SPDX-License-Identifier: Apache-2.0
// The pretty forms of reduce and while (StableHLO, AssemblyFormat.cpp: printReduceOp, printWhileOp).
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/pretty.h"

// (%a init: %x), (%b init: %y): the operands are the inputs, then the initial values.
static bool reduce_operands(mlir_parser *p, const mlir_op *op) {
  do {
    if (!mlir_expect(p, '(')) return false;
    if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
    if (!mlir_push_operand(p) || !mlir_expect_word(p, "init") || !mlir_expect(p, ':')) return false;
    if (mlir_peek(p) != '%') return mlir_expected(p, "an initial value such as %0");
    if (!mlir_push_operand(p) || !mlir_expect(p, ')')) return false;
  } while (mlir_accept(p, ','));
  uint32_t count = p->stacks.operands.count - op->operands, half = count / 2;
  mlir_operand few[16];
  mlir_operand *inits = half <= 16 ? few : arena_alloc(p->g->arena, half * sizeof *inits);
  mlir_operand *all = p->stacks.operands.items + op->operands;
  for (uint32_t i = 0; i < half; i++) {
    inits[i] = all[2 * i + 1];
    all[i] = all[2 * i];
  }
  memcpy(all + half, inits, half * sizeof *inits);
  return true;
}

static type_id scalar_tensor(mlir_parser *p, type_id like) {
  if (like == TYPE_NONE) return TYPE_NONE;
  graph_type type = *type_get(&p->g->types, like);
  if (type.kind != TYPE_TENSOR && type.kind != TYPE_UNRANKED) return TYPE_NONE;
  type.kind = TYPE_TENSOR;
  type.rank = 0;
  type.dims = type.bounds = NULL;
  type.has_bounds = false;
  type.encoding = NAME_NONE;
  return type_intern(&p->g->types, &type);
}

static value_id operand_value(const mlir_parser *p, const mlir_op *op) {
  return p->stacks.operands.count == op->operands ? VALUE_NONE
                                                  : p->stacks.operands.items[op->operands].value;
}

// The reference reads `applies` with these alone: operations of two operands that may be exchanged.
static bool is_commutative(mlir_word name) {
  static const char *const names[] = {"add", "and", "maximum", "minimum", "multiply", "or", "xor"};
  static const char *const dialects[] = {"stablehlo.", "mhlo."};
  for (uint32_t d = 0; d < 2; d++) {
    size_t prefix = strlen(dialects[d]);
    if (name.length <= prefix || memcmp(name.text, dialects[d], prefix) != 0) continue;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
      if (name.length - prefix == strlen(names[i]) &&
          memcmp(name.text + prefix, names[i], name.length - prefix) == 0)
        return true;
    }
  }
  return false;
}

// `applies stablehlo.add` is short for a body with two scalars, the operation and a return.
void mlir_applied_body(mlir_parser *p, name_id outer, value_id input, mlir_word inner) {
  shape_graph *g = p->g;
  source_span span = mlir_span(p, inner.text, inner.text + inner.length);
  type_id type = scalar_tensor(p, input == VALUE_NONE ? TYPE_NONE : g->values[input].type);
  uint32_t first_block = p->stacks.blocks.count;
  block_id block = mlir_push_block(p);
  value_id arguments = graph_add_block_arguments(g, block, 2);
  for (uint32_t i = 0; i < 2; i++) {
    g->values[arguments + i].type = type;
    g->values[arguments + i].at = span.begin;
  }
  op_id apply = graph_add_op(g, mlir_op_name(p, inner)->name, block, span);
  value_id result = graph_add_results(g, apply, 1);
  g->values[result].type = type;
  g->values[result].at = span.begin;
  graph_set_operands(g, apply, (value_id[]){arguments, arguments + 1}, 2);
  bool mhlo = intern_text(&g->names, outer)[0] == 'm';
  mlir_word name = mhlo ? (mlir_word){"mhlo.return", 11} : (mlir_word){"stablehlo.return", 16};
  op_id end = graph_add_op(g, mlir_op_name(p, name)->name, block, span);
  graph_set_operands(g, end, &result, 1);
  mlir_push_region(p, first_block);
}

// reducer(%a: T, %b: T) (%c: U, %d: U) { ... }: the block takes all left sides, then all right sides.
static bool reducer(mlir_parser *p, const mlir_op *op) {
  uint32_t height = p->stacks.arguments.count,
           pairs = (p->stacks.operands.count - op->operands) / 2;
  const char *from = p->at;
  bool ok = mlir_expect_word(p, "reducer");
  while (ok && mlir_accept(p, '(')) ok = mlir_arguments(p, ')');
  uint32_t count = p->stacks.arguments.count - height;
  if (ok && count != 2 * pairs) {
    ok = mlir_wrong(p, from, p->at, "expected %u arguments of the reducer, found %u", 2 * pairs,
                    count);
  }
  if (ok) {
    mlir_argument *ordered = arena_alloc(p->g->arena, count * sizeof *ordered);
    for (uint32_t i = 0; i < pairs; i++) {
      ordered[i] = p->stacks.arguments.items[height + 2 * i];
      ordered[pairs + i] = p->stacks.arguments.items[height + 2 * i + 1];
    }
    ok = mlir_region_with(p, ordered, count);
  }
  p->stacks.arguments.count = height;
  return ok;
}

bool mlir_pretty_reduce(mlir_parser *p, mlir_op *op) {
  if (!reduce_operands(p, op)) return false;
  mlir_word inner = {NULL, 0};
  if (mlir_accept_word(p, "applies")) {
    const char *from = (mlir_skip(p), p->at);
    if (!mlir_word_here(p, &inner)) return mlir_expected(p, "the name of an operation");
    if (!is_commutative(inner))
      return mlir_wrong(p, from, p->at, "expected a commutative operation of two operands");
    mlir_applied_body(p, op->name, operand_value(p, op), inner);
  }
  if (!mlir_expect_word(p, "across") || !mlir_expect_word(p, "dimensions") ||
      !mlir_expect(p, '=')) {
    return false;
  }
  static const pretty_key DIMENSIONS = {"dimensions", KIND_INTS, KEY_dimensions};
  if (!mlir_pretty_value(p, &DIMENSIONS)) return false;
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  if (!mlir_expect(p, ':') || !mlir_signature(p, op)) return false;
  return inner.length || (mlir_location(p) && reducer(p, op));
}

// while(%i = %0, %x = %1) : types [attributes {...}] cond { ... } do { ... }
static bool while_arguments(mlir_parser *p) {
  if (!mlir_expect(p, '(')) return false;
  if (mlir_accept(p, ')')) return true;
  do {
    mlir_argument argument = {.type = TYPE_NONE, .attrs = ATTR_NONE};
    if (!mlir_argument_name(p, &argument.name) || !mlir_expect(p, '=')) return false;
    if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
    if (!mlir_push_operand(p)) return false;
    mlir_push_argument(p, argument);
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ')');
}

static bool while_types(mlir_parser *p, const mlir_op *op, uint32_t arguments) {
  assert(arguments <= p->stacks.arguments.count);
  uint32_t count = p->stacks.arguments.count - arguments, types = 0;
  if (!count) return true;
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_expect(p, ':')) return false;
  do {
    type_id type;
    const char *type_from = (mlir_skip(p), p->at);
    if (!mlir_type(p, &type)) return false;
    if (p->uses) mlir_use_listed(p, op, types, type_from);
    if (types < count) {
      mlir_check_use(p, p->stacks.operands.items[op->operands + types], type);
      p->stacks.arguments.items[arguments + types].type = type;
    }
    mlir_push_type(p, type);
    types++;
  } while (mlir_accept(p, ','));
  if (types == count) return true;
  return mlir_wrong(p, from, p->at, "expected %u operand types but had %u", count, types);
}

static bool while_rest(mlir_parser *p, const mlir_op *op, uint32_t arguments) {
  if (!while_types(p, op, arguments)) return false;
  if (mlir_accept_word(p, "attributes")) {
    if (mlir_peek(p) != '{') return mlir_expected(p, "'{'");
    if (!mlir_attr_dict(p)) return false;
  }
  uint32_t count = p->stacks.arguments.count - arguments;
  mlir_argument *copy = arena_alloc(p->g->arena, (count + 1) * sizeof *copy);
  if (count) memcpy(copy, p->stacks.arguments.items + arguments, count * sizeof *copy);
  return mlir_expect_word(p, "cond") && mlir_region_with(p, copy, count) &&
         mlir_expect_word(p, "do") && mlir_region_with(p, copy, count);
}

bool mlir_pretty_while(mlir_parser *p, mlir_op *op) {
  uint32_t arguments = p->stacks.arguments.count;
  bool ok = while_arguments(p) && while_rest(p, op, arguments);
  p->stacks.arguments.count = arguments;
  return ok;
}
