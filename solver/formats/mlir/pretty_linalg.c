// SPDX-License-Identifier: Apache-2.0
// Structured operations in their own syntax: ins(...) and outs(...) with attributes around them in any order, those of
// unknown dialects too, and the two whose dims mix numbers and operands, pack and unpack (LinalgOps.cpp, parseCommonStructuredOpParts).
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/pretty.h"
#include "solver/ops/destinations.h"
#include "solver/ops/registry.h"

static void push_named(mlir_parser *p, const char *name, attr_id value) {
  mlir_push_entry(p, intern_add(&p->g->names, name, strlen(name)), value);
}

static void segments(mlir_parser *p, const int64_t *counts, uint32_t count) {
  int64_t *kept = arena_alloc(p->g->arena, count * sizeof *kept);
  memcpy(kept, counts, count * sizeof *kept);
  mlir_push_key(p, KEY_operandSegmentSizes, mlir_make_ints(p, kept, count, p->at));
}

// (%a, %b : A, B)
static bool typed_operands(mlir_parser *p, int64_t *count) {
  uint32_t height = p->stacks.operands.count;
  if (!mlir_expect(p, '(')) return false;
  if (mlir_accept(p, ')')) return true;
  do {
    if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
    if (!mlir_push_operand(p)) return false;
  } while (mlir_accept(p, ','));
  *count = p->stacks.operands.count - height;
  if (!mlir_expect(p, ':')) return false;
  for (uint32_t i = 0; i < *count; i++) {
    type_id type;
    if ((i && !mlir_expect(p, ',')) || !mlir_type(p, &type)) return false;
    mlir_check_use(p, p->stacks.operands.items[height + i], type);
  }
  return mlir_expect(p, ')');
}

// `name = value` and the words that end in parentheses: dimension(1), fmr(F_4_3).
static bool keyed(mlir_parser *p, mlir_word word) {
  name_id name = intern_add(&p->g->names, word.text, word.length);
  attr_id value;
  if (mlir_accept(p, '(')) {
    if (!mlir_attr_bare(p, &value) || !mlir_expect(p, ')')) return false;
  } else if (!mlir_expect(p, '=') || !mlir_attr_bare(p, &value)) {
    return false;
  }
  mlir_push_entry(p, name, value);
  return true;
}

// { arith.addf { ... } }: an operation instead of a region.
static bool combiner(mlir_parser *p) {
  const char *from = p->at++;
  mlir_word word;
  mlir_skip(p);
  if (mlir_word_here(p, &word) && memchr(word.text, '.', word.length) &&
      (mlir_peek(p) == '}' || mlir_peek(p) == '{')) {
    p->at = from;
    return mlir_skip_balanced(p);
  }
  p->at = from;
  return false;
}

// (%in: f32, %out: f32) { ... }
static bool payload(mlir_parser *p) {
  uint32_t height = p->stacks.arguments.count;
  if (!mlir_expect(p, '(') || !mlir_arguments(p, ')')) return false;
  uint32_t count = p->stacks.arguments.count - height;
  mlir_argument *copy = arena_alloc(p->g->arena, (count + 1) * sizeof *copy);
  memcpy(copy, p->stacks.arguments.items + height, count * sizeof *copy);
  p->stacks.arguments.count = height;
  return mlir_region_with(p, copy, count);
}

// Nothing of the statement is left.
static bool ends_here(mlir_parser *p) {
  char c = mlir_peek(p);
  mlir_word word;
  if (!c || c == '}' || mlir_begins_next(p)) return true;
  const char *at = p->at;
  bool is_location = mlir_is_letter(c) && mlir_word_here(p, &word) && mlir_word_is(word, "loc");
  p->at = at;
  return is_location;
}

// The results of operations that do not write them: the types of outs that are tensors.
static void results_of_outs(mlir_parser *p, const mlir_op *op, const int64_t *counts) {
  assert(op->operands + counts[0] + counts[1] <= p->stacks.operands.count);
  for (int64_t i = counts[0]; i < counts[0] + counts[1]; i++) {
    value_id v = p->stacks.operands.items[op->operands + i].value;
    type_id type = v == VALUE_NONE ? TYPE_NONE : p->g->values[v].type;
    const graph_type *t = type == TYPE_NONE ? NULL : type_get(&p->g->types, type);
    if (!t || t->container == CONTAINER_TENSOR) mlir_push_type(p, type);
  }
}

// At the brace after outs, of a body or of a dictionary: `name =`, `name,` or `name }`.
static bool dict_follows(mlir_parser *p) {
  const char *at = p->at;
  mlir_word word;
  p->at++;
  bool is = mlir_word_here(p, &word);
  char next = is ? mlir_peek(p) : 0;
  p->at = at;
  return next == '=' || next == ',' || (next == '}' && !memchr(word.text, '.', word.length));
}

// The parts of an operation up to its results. known: the dialect is.
static bool structured(mlir_parser *p, const mlir_op *op, bool known, int64_t *counts) {
  bool outs = false;
  for (;;) {
    char c = mlir_peek(p);
    const char *at = p->at;
    mlir_word word;
    mlir_step(p);
    // What a region holds is not taken back: nothing else is tried after one.
    if (!known && p->stacks.regions.count > op->regions) break;
    if (c == '{') {
      if (known && combiner(p)) continue;
      if (p->at != at) return false;  // its brackets have an error
      // A body without operations.
      bool empty = known && outs && p->stacks.regions.count == op->regions && !dict_follows(p);
      if (empty || mlir_region_begins(p) ? !mlir_region_here(p) : !mlir_attr_dict(p)) return false;
      continue;
    }
    if (c == '(' && outs && known) {
      if (!payload(p)) return false;
      continue;
    }
    if (!mlir_is_letter(c) || mlir_statement_begins(p) || !mlir_word_here(p, &word)) break;
    if (mlir_word_is(word, "loc")) {
      p->at = at;
      break;
    }
    if (mlir_word_is(word, "ins") && !counts[0] && !outs) {
      if (!typed_operands(p, &counts[0])) return false;
    } else if (mlir_word_is(word, "outs") && !outs) {
      outs = true;
      if (!typed_operands(p, &counts[1])) return false;
    } else if (mlir_word_is(word, "attrs")) {
      if (!mlir_expect(p, '=') || mlir_peek(p) != '{' || !mlir_attr_dict(p)) return false;
    } else if (!keyed(p, word)) {
      return false;
    }
  }
  return outs || counts[0] || mlir_expected(p, "'outs'");
}

bool mlir_pretty_structured(mlir_parser *p, mlir_op *op) {
  int64_t counts[2] = {0};
  if (!structured(p, op, true, counts)) return false;
  if (mlir_peek(p) == '-') {
    if (!mlir_accept_arrow(p) || !mlir_result_types(p, TYPE_NONE)) return false;
    if (mlir_peek(p) == ',') return mlir_expected(p, "'(' around several results");
  } else if (op->bound) {
    results_of_outs(p, op, counts);
  }
  segments(p, counts, 2);
  return true;
}

static bool results_are_destinations(const mlir_parser *p, const mlir_op *op, int64_t count) {
  const type_id *results = p->stacks.types.items + op->types;
  uint32_t result_count = p->stacks.types.count - op->types;
  assert(count >= 0 && (uint64_t)count <= p->stacks.operands.count - op->operands);
  type_id *types = arena_alloc(p->g->arena, ((size_t)count + 1) * sizeof *types);
  for (int64_t i = 0; i < count; i++) {
    value_id v = p->stacks.operands.items[p->stacks.operands.count - count + i].value;
    types[i] = v == VALUE_NONE ? TYPE_NONE : p->g->values[v].type;
  }
  return (!op->name_count || result_count == op->bound) &&
         destinations_fit(&p->g->types, types, (uint32_t)count, results, result_count);
}

static bool is_stated(mlir_parser *p, const mlir_op *op) {
  name_id name = intern_add(&p->g->names, DESTINATIONS_ATTR, strlen(DESTINATIONS_ATTR));
  for (uint32_t i = op->entries; i < p->stacks.entries.count; i++) {
    if (p->stacks.entries.items[i].name == name) return true;
  }
  return false;
}

bool mlir_pretty_destinations(mlir_parser *p, mlir_op *op) {
  int64_t counts[2] = {0};
  if (registry_find(intern_text(&p->g->names, op->name), intern_length(&p->g->names, op->name), 0))
    return false;
  const char *from = (mlir_skip(p), p->at);
  if (!structured(p, op, false, counts) || mlir_peek(p) != '-') return false;
  p->errors.quiet++;
  const char *arrow = p->at;
  bool ok = mlir_accept_arrow(p);
  do ok = ok && mlir_result_types(p, TYPE_NONE);
  while (ok && mlir_accept(p, ','));
  ok = ok && ends_here(p) && results_are_destinations(p, op, counts[1]) && !is_stated(p, op);
  p->errors.quiet--;
  if (!ok) {
    p->stacks.types.count = op->types;
    p->at = arrow;
    return false;
  }
  push_named(p, DESTINATIONS_ATTR, mlir_make_int(p, counts[1], DTYPE_I64, from));
  return true;
}

static bool one_operand(mlir_parser *p) {
  return mlir_peek(p) == '%' ? mlir_push_operand(p) : mlir_expected(p, "an operand such as %0");
}

static bool named_ints(mlir_parser *p, const char *name) {
  return mlir_ints_attr(p, intern_add(&p->g->names, name, strlen(name)));
}

// source [padding_value(%z : f32)] [outer_dims_perm = [..]] inner_dims_pos = [..] inner_tiles = [4, %t] into dest : A -> B
// The generic form has the destination second.
static bool relayout(mlir_parser *p, mlir_op *op, bool pads) {
  int64_t counts[4] = {1, 1, 0, 0};
  type_id type;
  if (!one_operand(p)) return false;
  uint32_t height = p->stacks.operands.count;
  if (pads && mlir_accept_word(p, "padding_value")) {
    if (!typed_operands(p, &counts[2]) || counts[2] != 1) return false;
  }
  if (mlir_accept_word(p, "outer_dims_perm")) {
    if (!mlir_expect(p, '=') || !named_ints(p, "outer_dims_perm")) return false;
  }
  if (!mlir_expect_word(p, "inner_dims_pos") || !mlir_expect(p, '=') ||
      !named_ints(p, "inner_dims_pos"))
    return false;
  uint32_t tiles = p->stacks.operands.count;
  if (!mlir_expect_word(p, "inner_tiles") || !mlir_expect(p, '=') ||
      !mlir_mixed_list(p, intern_add(&p->g->names, "static_inner_tiles", 18), '['))
    return false;
  counts[3] = p->stacks.operands.count - tiles;
  if (!mlir_expect_word(p, "into") || !one_operand(p)) return false;
  assert(p->stacks.operands.count > height && height > op->operands);
  mlir_operand *items = p->stacks.operands.items, dest = items[p->stacks.operands.count - 1];
  memmove(items + height + 1, items + height,
          (p->stacks.operands.count - 1 - height) * sizeof *items);
  items[height] = dest;
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  if (!mlir_expect(p, ':') || !mlir_type(p, &type)) return false;
  mlir_check_use(p, items[op->operands], type);
  if (!mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
  if (!mlir_result_types(p, TYPE_NONE)) return false;
  if (!op->bound) p->stacks.types.count = op->types;  // of memrefs
  if (pads) {
    segments(p, counts, 4);
  }
  return true;
}

bool mlir_pretty_pack(mlir_parser *p, mlir_op *op) { return relayout(p, op, true); }

bool mlir_pretty_unpack(mlir_parser *p, mlir_op *op) { return relayout(p, op, false); }
