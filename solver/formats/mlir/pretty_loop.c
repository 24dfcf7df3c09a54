// SPDX-License-Identifier: Apache-2.0
// Loops and other control flow of scf and affine in their own syntax (SCFOps.td, SCF.cpp, AffineOps.td, AffineOps.cpp).
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/pretty.h"

static const mlir_word SCF_YIELD = {"scf.yield", 9}, AFFINE_YIELD = {"affine.yield", 12};

static type_id index_type(mlir_parser *p) { return type_scalar(&p->g->types, DTYPE_INDEX); }

static bool one_operand(mlir_parser *p) {
  return mlir_peek(p) == '%' ? mlir_push_operand(p) : mlir_expected(p, "an operand such as %0");
}

static void segments(mlir_parser *p, const int64_t *counts, uint32_t count) {
  int64_t *kept = arena_alloc(p->g->arena, count * sizeof *kept);
  memcpy(kept, counts, count * sizeof *kept);
  mlir_push_key(p, KEY_operandSegmentSizes, mlir_make_ints(p, kept, count, p->at));
}

static void push_named(mlir_parser *p, const char *name, attr_id value) {
  mlir_push_entry(p, intern_add(&p->g->names, name, strlen(name)), value);
}

// %i: an argument of the region, of type index until another is read.
static bool induction_variable(mlir_parser *p) {
  mlir_argument argument = {.type = index_type(p), .attrs = ATTR_NONE};
  if (!mlir_argument_name(p, &argument.name)) return false;
  mlir_push_argument(p, argument);
  return true;
}

static bool induction_variables(mlir_parser *p) {
  if (!mlir_expect(p, '(')) return false;
  if (mlir_accept(p, ')')) return true;
  do {
    if (!induction_variable(p)) return false;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ')');
}

// (%a = %x, %b = %y): operands, and arguments of the region whose types follow.
static bool carried(mlir_parser *p) {
  if (!mlir_expect(p, '(')) return false;
  if (mlir_accept(p, ')')) return true;
  do {
    mlir_argument argument = {.type = TYPE_NONE, .attrs = ATTR_NONE};
    if (!mlir_argument_name(p, &argument.name) || !mlir_expect(p, '=') || !one_operand(p))
      return false;
    mlir_push_argument(p, argument);
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ')');
}

// Types `first`... of the stack are those of the last arguments, and of the operands that they begin with.
static bool give_types(mlir_parser *p, uint32_t arguments, uint32_t first, const char *at) {
  assert(arguments <= p->stacks.arguments.count && first <= p->stacks.types.count);
  uint32_t count = p->stacks.arguments.count - arguments, types = p->stacks.types.count - first;
  if (types < count) return mlir_wrong(p, at, p->at, "expected %u types but had %u", count, types);
  for (uint32_t i = 0; i < count; i++) {
    type_id type = p->stacks.types.items[first + i];
    p->stacks.arguments.items[arguments + i].type = type;
    mlir_check_use(p, p->stacks.operands.items[p->stacks.operands.count - count + i], type);
  }
  return true;
}

// WORD(%a = %x) -> (types), where it is there.
static bool carried_with(mlir_parser *p, const mlir_op *op, const char *word) {
  if (!mlir_accept_word(p, word)) return true;
  uint32_t arguments = p->stacks.arguments.count, first = p->stacks.operands.count - op->operands;
  const char *at = p->at;
  if (!carried(p) || !mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
  return mlir_carried_types(p, op, MLIR_USE_TAKEN, first) &&
         give_types(p, arguments, op->types, at);
}

static bool loop_body(mlir_parser *p, uint32_t arguments, mlir_word terminator) {
  assert(arguments <= p->stacks.arguments.count);
  uint32_t count = p->stacks.arguments.count - arguments;
  mlir_argument *copy = arena_alloc(p->g->arena, (count + 1) * sizeof *copy);
  memcpy(copy, p->stacks.arguments.items + arguments, count * sizeof *copy);
  p->stacks.arguments.count = arguments;
  if (!mlir_region_ended(p, copy, count, terminator)) return false;
  return mlir_peek(p) != '{' || mlir_attr_dict(p);
}

// scf.for [unsigned] %i = %a to %b step %c [iter_args(...) -> (types)] [: type] { ... }
bool mlir_pretty_for(mlir_parser *p, mlir_op *op) {
  uint32_t arguments = p->stacks.arguments.count;
  const char *from = (mlir_skip(p), p->at);
  if (mlir_accept_word(p, "unsigned"))
    push_named(p, "unsignedCmp", mlir_new_attr(p, ATTR_UNIT, from));
  if (!induction_variable(p) || !mlir_expect(p, '=') || !one_operand(p) ||
      !mlir_expect_word(p, "to") || !one_operand(p) || !mlir_expect_word(p, "step") ||
      !one_operand(p) || !carried_with(p, op, "iter_args"))
    return false;
  if (mlir_accept(p, ':') && !mlir_type(p, &p->stacks.arguments.items[arguments].type))
    return false;
  for (uint32_t i = 0; i < 3; i++)
    mlir_check_use(p, p->stacks.operands.items[op->operands + i],
                   p->stacks.arguments.items[arguments].type);
  return loop_body(p, arguments, SCF_YIELD);
}

static bool operand_tuple(mlir_parser *p, int64_t *count) {
  uint32_t height = p->stacks.operands.count;
  if (!mlir_expect(p, '(') || !mlir_operand_list(p, ')')) return false;
  *count = p->stacks.operands.count - height;
  return true;
}

// scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) [init (%x)] [-> types] { ... }
bool mlir_pretty_parallel(mlir_parser *p, mlir_op *op) {
  (void)op;
  uint32_t arguments = p->stacks.arguments.count;
  int64_t counts[4] = {0};
  if (!induction_variables(p) || !mlir_expect(p, '=') || !operand_tuple(p, &counts[0]) ||
      !mlir_expect_word(p, "to") || !operand_tuple(p, &counts[1]) || !mlir_expect_word(p, "step") ||
      !operand_tuple(p, &counts[2]))
    return false;
  if (mlir_accept_word(p, "init") && !operand_tuple(p, &counts[3])) return false;
  if (mlir_accept_arrow(p) && !mlir_result_types(p, TYPE_NONE)) return false;
  segments(p, counts, 4);
  return loop_body(p, arguments, (mlir_word){"scf.reduce", 10});
}

static bool forall_bounds(mlir_parser *p, const char *name, int64_t *count) {
  uint32_t height = p->stacks.operands.count;
  if (!mlir_mixed_list(p, intern_add(&p->g->names, name, strlen(name)), '(')) return false;
  *count = p->stacks.operands.count - height;
  return true;
}

static void constant_bounds(mlir_parser *p, const char *name, int64_t value, uint32_t count) {
  int64_t *values = arena_alloc(p->g->arena, count * sizeof *values);
  for (uint32_t i = 0; i < count; i++) values[i] = value;
  push_named(p, name, mlir_make_ints(p, values, count, p->at));
}

// scf.forall (%i) in (%n) | = (0) to (%n) step (2)  [shared_outs(...) -> (types)] { ... }
bool mlir_pretty_forall(mlir_parser *p, mlir_op *op) {
  uint32_t arguments = p->stacks.arguments.count;
  int64_t counts[4] = {0};
  if (!induction_variables(p)) return false;
  uint32_t rank = p->stacks.arguments.count - arguments;
  if (mlir_accept_word(p, "in")) {
    constant_bounds(p, "staticLowerBound", 0, rank);
    if (!forall_bounds(p, "staticUpperBound", &counts[1])) return false;
    constant_bounds(p, "staticStep", 1, rank);
  } else if (!mlir_expect(p, '=') || !forall_bounds(p, "staticLowerBound", &counts[0]) ||
             !mlir_expect_word(p, "to") || !forall_bounds(p, "staticUpperBound", &counts[1]) ||
             !mlir_expect_word(p, "step") || !forall_bounds(p, "staticStep", &counts[2])) {
    return false;
  }
  uint32_t height = p->stacks.operands.count;
  if (!carried_with(p, op, "shared_outs")) return false;
  counts[3] = p->stacks.operands.count - height;
  segments(p, counts, 4);
  if (!loop_body(p, arguments, (mlir_word){"scf.forall.in_parallel", 22})) return false;
  op_id last = p->g->blocks[p->stacks.blocks.items[p->stacks.blocks.count - 1]].last;
  assert(last != ID_NONE);
  // A terminator that is left out has an empty region.
  if (!p->g->ops[last].region_count)
    graph_add_block(p->g, graph_add_regions(p->g, last, p->func, 1));
  return true;
}

// scf.while (%a = %x) : (types) -> types [attributes {...}] { ... } do { ... }
bool mlir_pretty_scf_while(mlir_parser *p, mlir_op *op) {
  uint32_t arguments = p->stacks.arguments.count;
  if (mlir_peek(p) == '(' && !carried(p)) return false;
  const char *at = p->at;
  if (!mlir_expect(p, ':')) return false;
  if (mlir_peek(p) != '(') return mlir_expected(p, "'('");
  if (!mlir_carried_types(p, op, MLIR_USE_TAKEN, 0) || !give_types(p, arguments, op->types, at))
    return false;
  p->stacks.types.count = op->types;
  if (!mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
  if (!mlir_carried_types(p, op, MLIR_USE_MADE, 0)) return false;
  if (mlir_accept_word(p, "attributes") && (mlir_peek(p) != '{' || !mlir_attr_dict(p)))
    return mlir_expected(p, "'{'");
  uint32_t count = p->stacks.arguments.count - arguments;
  mlir_argument *copy = arena_alloc(p->g->arena, (count + 1) * sizeof *copy);
  memcpy(copy, p->stacks.arguments.items + arguments, count * sizeof *copy);
  p->stacks.arguments.count = arguments;
  return mlir_region_with(p, copy, count) && mlir_expect_word(p, "do") &&
         mlir_region_ended(p, NULL, 0, SCF_YIELD) && (mlir_peek(p) != '{' || mlir_attr_dict(p));
}

// scf.index_switch %x [{...}] [-> types] case 0 { ... } default { ... }: the default is region 0.
bool mlir_pretty_index_switch(mlir_parser *p, mlir_op *op) {
  int64_t *cases = NULL;
  uint32_t count = 0, capacity = 0;
  if (!one_operand(p) || (mlir_peek(p) == '{' && !mlir_attr_dict(p))) return false;
  if (mlir_accept_arrow(p) && !mlir_carried_types(p, op, MLIR_USE_MADE, 0)) return false;
  while (mlir_accept_word(p, "case")) {
    cases = arena_grow(p->g->arena, cases, count, (size_t)count + 1, &capacity, sizeof *cases);
    if (!mlir_int(p, &cases[count++]) || !mlir_region_ended(p, NULL, 0, SCF_YIELD)) return false;
  }
  push_named(p, "cases", mlir_make_ints(p, cases, count, p->at));
  if (!mlir_expect_word(p, "default") || !mlir_region_ended(p, NULL, 0, SCF_YIELD)) return false;
  mlir_region *regions = p->stacks.regions.items + op->regions, last = regions[count];
  assert(p->stacks.regions.count == op->regions + count + 1);
  memmove(regions + 1, regions, count * sizeof *regions);
  regions[0] = last;
  return true;
}

// scf.execute_region [no_inline] [-> types] { ... }
bool mlir_pretty_execute(mlir_parser *p, mlir_op *op) {
  const char *from = (mlir_skip(p), p->at);
  if (mlir_accept_word(p, "no_inline"))
    push_named(p, "no_inline", mlir_new_attr(p, ATTR_UNIT, from));
  if (mlir_accept_arrow(p) && !mlir_carried_types(p, op, MLIR_USE_MADE, 0)) return false;
  if (mlir_peek(p) != '{') return mlir_expected(p, "'{'");
  return mlir_region_here(p) && (mlir_peek(p) != '{' || mlir_attr_dict(p));
}

// --- affine

static attr_id map_of_text(mlir_parser *p, const char *text, const char *from) {
  return mlir_make_text(p, ATTR_OPAQUE, intern_add(&p->g->names, text, strlen(text)), from);
}

// (%d0)[%s0] after a map or a set.
static bool map_operands(mlir_parser *p) {
  if (!mlir_expect(p, '(') || !mlir_operand_list(p, ')')) return false;
  return !mlir_accept(p, '[') || mlir_operand_list(p, ']');
}

// 4, %n, #map(%a)[%b] or max #map(...): the map as an attribute, and its operands.
static bool bound(mlir_parser *p, const char *name, const char *choice, int64_t *operands) {
  uint32_t height = p->stacks.operands.count;
  const char *from = (mlir_skip(p), p->at);
  attr_id map;
  mlir_accept_word(p, choice);
  char c = mlir_peek(p);
  if (c == '%') {
    if (!mlir_push_operand(p)) return false;
    map = map_of_text(p, "affine_map<()[s0] -> (s0)>", from);
  } else if (c == '-' || mlir_is_digit(c)) {
    int64_t value;
    char text[64];
    if (!mlir_int(p, &value)) return false;
    snprintf(text, sizeof text, "affine_map<() -> (%lld)>", (long long)value);
    map = map_of_text(p, text, from);
  } else if (!mlir_attr_bare(p, &map) || !map_operands(p)) {
    return false;
  }
  push_named(p, name, map);
  *operands = p->stacks.operands.count - height;
  return true;
}

// affine.for %i = BOUND to BOUND [step 2] [iter_args(...) -> (types)] { ... }
bool mlir_pretty_affine_for(mlir_parser *p, mlir_op *op) {
  uint32_t arguments = p->stacks.arguments.count;
  int64_t counts[3] = {0}, step = 1;
  if (!induction_variable(p) || !mlir_expect(p, '=') ||
      !bound(p, "lowerBoundMap", "max", &counts[0]) || !mlir_expect_word(p, "to") ||
      !bound(p, "upperBoundMap", "min", &counts[1]))
    return false;
  const char *from = (mlir_skip(p), p->at);
  if (mlir_accept_word(p, "step") && !mlir_int(p, &step)) return false;
  push_named(p, "step", mlir_make_int(p, step, DTYPE_INDEX, from));
  if (!carried_with(p, op, "iter_args")) return false;
  counts[2] = p->stacks.operands.count - op->operands - counts[0] - counts[1];
  segments(p, counts, 3);
  return loop_body(p, arguments, AFFINE_YIELD);
}

// affine.if #set(%d)[%s] [-> types] { ... } [else { ... }]
bool mlir_pretty_affine_if(mlir_parser *p, mlir_op *op) {
  (void)op;
  attr_id set;
  if (!mlir_attr_bare(p, &set)) return false;
  push_named(p, "condition", set);
  if (!map_operands(p)) return false;
  if (mlir_accept_arrow(p) && !mlir_result_types(p, TYPE_NONE)) return false;
  if (!mlir_region_ended(p, NULL, 0, AFFINE_YIELD)) return false;
  if (mlir_accept_word(p, "else")) {
    if (!mlir_region_ended(p, NULL, 0, AFFINE_YIELD)) return false;
  } else {
    mlir_push_region(p, p->stacks.blocks.count);  // both regions are always there
  }
  return mlir_peek(p) != '{' || mlir_attr_dict(p);
}

// Expressions in brackets, with operands in them.
static bool expressions(mlir_parser *p) {
  uint32_t depth = 0;
  if (mlir_peek(p) != '(') return mlir_expected(p, "'('");
  do {
    char c = mlir_peek(p);
    mlir_step(p);
    if (c == '%') {
      if (!mlir_push_operand(p)) return false;
      continue;
    }
    if (!c || c == '{' || c == '}') return mlir_expected(p, "')'");
    depth += c == '(';
    depth -= c == ')';
    p->at++;
  } while (depth);
  return true;
}

// affine.parallel (%i) = (0) to (%n) [step (2)] [reduce ("addf") -> types] { ... }: what the bounds are is not read.
bool mlir_pretty_affine_parallel(mlir_parser *p, mlir_op *op) {
  (void)op;
  uint32_t arguments = p->stacks.arguments.count;
  if (!induction_variables(p) || !mlir_expect(p, '=') || !expressions(p) ||
      !mlir_expect_word(p, "to") || !expressions(p))
    return false;
  if (mlir_accept_word(p, "step") && !expressions(p)) return false;
  if (mlir_accept_word(p, "reduce")) {
    if (mlir_peek(p) != '(' || !mlir_skip_balanced(p)) return mlir_expected(p, "'('");
    if (mlir_accept_arrow(p) && !mlir_result_types(p, TYPE_NONE)) return false;
  }
  return loop_body(p, arguments, AFFINE_YIELD);
}
