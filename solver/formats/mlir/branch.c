// SPDX-License-Identifier: Apache-2.0
// Labels of blocks, and the terminators that name them: the list of the generic form and the pretty forms of the cf
// dialect. A label may be used before it is defined: names become indices at the end of their region.
// Grammar: MLIR LangRef, "Blocks"; assembly formats in ControlFlowOps.td.
#include <assert.h>

#include "solver/formats/mlir/pretty.h"

enum { SEGMENTS_MAX = 1 << 16 };

void mlir_push_label(mlir_parser *p, mlir_word name, uint32_t block) {
  MLIR_ROOM(p, labels);
  p->stacks.labels.items[p->stacks.labels.count++] = (mlir_label){name, block};
}

// ^name: a row of the graph whose block is found later.
static bool target(mlir_parser *p, op_id op, uint32_t first, uint32_t count) {
  mlir_word name;
  if (mlir_peek(p) != '^') return mlir_expected(p, "a block such as ^bb1");
  p->at++;
  if (!mlir_suffix_id(p, &name)) return mlir_expected(p, "a block name after '^'");
  MLIR_ROOM(p, targets);
  p->stacks.targets.items[p->stacks.targets.count++] = (mlir_label){name, p->g->successors.count};
  graph_add_successor(p->g, (graph_successor){op, 0, first, count});
  return true;
}

// The first label of a name; `known` maps hashes of names to positions after `first`, equal hashes follow one another.
static const mlir_label *label_named(const mlir_parser *p, const shape_imap *known, uint32_t first,
                                     mlir_word name, uint64_t *hash) {
  uint32_t at;
  for (*hash = hash_text(name.text, name.length, p->g->arena->seed) >> 1;
       imap_get(known, *hash, &at); ++*hash) {
    assert(first + at < p->stacks.labels.count);
    const mlir_label *label = &p->stacks.labels.items[first + at];
    if (label->name.length == name.length && memcmp(label->name.text, name.text, name.length) == 0)
      return label;
  }
  return NULL;
}

void mlir_resolve_labels(mlir_parser *p, uint32_t labels, uint32_t targets) {
  assert(labels <= p->stacks.labels.count && targets <= p->stacks.targets.count);
  shape_imap known = {0};
  uint64_t hash;
  for (uint32_t i = labels; i < p->stacks.labels.count; i++) {
    if (!label_named(p, &known, labels, p->stacks.labels.items[i].name, &hash))
      imap_put(&known, p->g->arena, hash, i - labels);
  }
  for (uint32_t i = targets; i < p->stacks.targets.count; i++) {
    mlir_word name = p->stacks.targets.items[i].name;
    const mlir_label *label = label_named(p, &known, labels, name, &hash);
    if (label && label->index == 0) {
      mlir_fail(p, name.text - 1, name.text + name.length, "entry-block",
                "the entry block of a region may not be branched to");
    } else if (label) {
      p->g->successors.items[p->stacks.targets.items[i].index].block = label->index;
    } else {
      mlir_fail(p, name.text - 1, name.text + name.length, "undeclared-block",
                "reference to an undefined block '^%.*s'", (int)name.length, name.text);
    }
  }
  for (uint32_t i = labels; i < p->stacks.labels.count; i++) {
    mlir_word name = p->stacks.labels.items[i].name;
    if (label_named(p, &known, labels, name, &hash) == &p->stacks.labels.items[i]) continue;
    mlir_fail(p, name.text - 1, name.text + name.length, "redefinition",
              "redefinition of block '^%.*s'", (int)name.length, name.text);
  }
  p->stacks.targets.count = targets;
  p->stacks.labels.count = labels;
}

// --- "name"(operands)[^bb1, ^bb2]

bool mlir_successors(mlir_parser *p, const mlir_op *op) {
  if (!mlir_accept(p, '[')) return true;
  do {
    if (!target(p, op->id, 0, GRAPH_OPERANDS_UNKNOWN)) return false;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ']');
}

static bool segments(const mlir_parser *p, const mlir_op *op, const char *key,
                     const int64_t **sizes, uint32_t *count) {
  name_id name = intern_find(&p->g->names, key, strlen(key));
  for (uint32_t i = op->entries; name != NAME_NONE && i < p->stacks.entries.count; i++) {
    if (p->stacks.entries.items[i].name == name)
      return graph_attr_ints(p->g, p->stacks.entries.items[i].value, sizes, count);
  }
  return false;
}

// Hands the operands from `first` on to the rows in turn; nothing where the dims do not fit.
static void hand_out(mlir_parser *p, const mlir_op *op, graph_successor *rows, uint32_t count,
                     const int64_t *sizes, uint32_t first) {
  assert(op->operands <= p->stacks.operands.count);
  uint32_t operands = p->stacks.operands.count - op->operands, at = first;
  for (uint32_t i = 0; i < count; i++) {
    if (sizes[i] < 0 || sizes[i] > operands - at) return;
    at += (uint32_t)sizes[i];
  }
  if (at != operands) return;
  for (uint32_t i = 0; i < count; i++) {
    rows[i].first = first;
    rows[i].count = (uint32_t)sizes[i];
    first += (uint32_t)sizes[i];
  }
}

// Which operands go to which block is for each operation to say; of those of other dialects it is not known.
void mlir_finish_successors(mlir_parser *p, const mlir_op *op) {
  uint32_t count, outer, inner;
  const graph_successor *known = graph_successors(p->g, op->id, &count);
  if (!count) return;
  graph_successor *rows = p->g->successors.items + (known - p->g->successors.items);
  const char *name = intern_text(&p->g->names, op->name);
  const int64_t *sizes, *cases;
  int64_t all = p->stacks.operands.count - op->operands;
  if (strcmp(name, "cf.br") == 0 && count == 1) hand_out(p, op, rows, 1, &all, 0);
  if (!segments(p, op, "operandSegmentSizes", &sizes, &outer) || outer != 3 || sizes[0] != 1)
    return;
  if (strcmp(name, "cf.cond_br") == 0 && count == 2) hand_out(p, op, rows, 2, sizes + 1, 1);
  if (strcmp(name, "cf.switch") != 0 || count > SEGMENTS_MAX) return;
  if (!segments(p, op, "case_operand_segments", &cases, &inner) || inner + 1 != count) return;
  int64_t *each = arena_alloc(p->g->arena, count * sizeof *each);
  each[0] = sizes[1];
  for (uint32_t i = 0; i < inner; i++) each[i + 1] = cases[i];
  hand_out(p, op, rows, count, each, 1);
}

// --- cf.br, cf.cond_br, cf.switch

// ^bb1(%a, %b : type, type)
static bool branch_target(mlir_parser *p, const mlir_op *op, int64_t *handed) {
  if (!target(p, op->id, 0, GRAPH_OPERANDS_UNKNOWN)) return false;
  uint32_t first = p->stacks.operands.count;
  *handed = 0;
  if (!mlir_accept(p, '(')) return true;
  do {
    if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
    if (!mlir_push_operand(p)) return false;
  } while (mlir_accept(p, ','));
  if (!mlir_expect(p, ':')) return false;
  for (uint32_t i = first; i < p->stacks.operands.count; i++) {
    type_id type;
    if (i > first && !mlir_expect(p, ',')) return false;
    const char *from = (mlir_skip(p), p->at);
    if (!mlir_type(p, &type)) return false;
    mlir_check_use(p, p->stacks.operands.items[i], type);
    if (p->uses) mlir_use_listed(p, op, i - op->operands, from);
  }
  *handed = p->stacks.operands.count - first;
  return mlir_expect(p, ')');
}

static void push_sizes(mlir_parser *p, mlir_key key, const int64_t *sizes, uint32_t count) {
  int64_t *kept = arena_alloc(p->g->arena, ((size_t)count + 1) * sizeof *kept);
  for (uint32_t i = 0; i < count; i++) kept[i] = sizes[i];
  mlir_push_key(p, key, mlir_make_ints(p, kept, count, p->at));
}

static bool weights(mlir_parser *p) {
  const int64_t *items;
  uint32_t count;
  if (!mlir_accept_word(p, "weights")) return true;
  if (!mlir_expect(p, '(') || !mlir_int_list(p, &items, &count)) return false;
  push_sizes(p, KEY_branch_weights, items, count);
  return mlir_expect(p, ')');
}

static bool conditional(mlir_parser *p, const mlir_op *op) {
  int64_t sizes[3] = {1, 0, 0};
  if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
  if (!mlir_push_operand(p) || !weights(p)) return false;
  for (uint32_t i = 1; i < 3; i++) {
    if (!mlir_expect(p, ',') || !branch_target(p, op, &sizes[i])) return false;
  }
  push_sizes(p, KEY_operandSegmentSizes, sizes, 3);
  return true;
}

// %flag : i32, [default: ^bb1(...), 42: ^bb2]
static bool cases(mlir_parser *p, const mlir_op *op) {
  int64_t *lists = NULL, sizes[3] = {1, 0, 0};  // a value and a number of operands each
  uint32_t count = 0, capacity = 0;
  type_id type;
  if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
  if (!mlir_push_operand(p) || !mlir_expect(p, ':') || !mlir_type(p, &type)) return false;
  if (!dtype_is_integer((shape_dtype)type_get(&p->g->types, type)->dtype))
    return mlir_expected(p, "an integer type such as i32");
  if (!mlir_expect(p, ',') || !mlir_expect(p, '[') || !mlir_expect_word(p, "default") ||
      !mlir_expect(p, ':') || !branch_target(p, op, &sizes[1]))
    return false;
  for (; mlir_accept(p, ','); count++) {
    lists = arena_grow(p->g->arena, lists, 2 * count, 2 * ((size_t)count + 1), &capacity,
                       sizeof *lists);
    if (!mlir_int(p, &lists[2 * count]) || !mlir_expect(p, ':') ||
        !branch_target(p, op, &lists[2 * count + 1]))
      return false;
  }
  int64_t *values = arena_alloc(p->g->arena, (2 * (size_t)count + 1) * sizeof *values);
  for (uint32_t i = 0; i < count; i++) {
    values[i] = lists[2 * i];
    values[count + i] = lists[2 * i + 1];
    sizes[2] += values[count + i];
  }
  push_sizes(p, KEY_operandSegmentSizes, sizes, 3);
  push_sizes(p, KEY_case_operand_segments, values + count, count);
  if (count) {
    const int64_t length = count;
    type_id scalar = type_scalar(&p->g->types, type_get(&p->g->types, type)->dtype);
    graph_attr dense = {.kind = ATTR_DENSE,
                        .type = type_with_dims(&p->g->types, scalar, &length, NULL, 1),
                        .text = NAME_NONE,
                        .span = SPAN_NONE};
    attr_set_ints(&dense, values, count);
    mlir_push_key(p, KEY_case_values, graph_add_attr(p->g, &dense));
  }
  return mlir_expect(p, ']');
}

bool mlir_pretty_branch(mlir_parser *p, mlir_op *op) {
  const char *name = strchr(op->row->name, '.') + 1;
  int64_t handed;
  bool ok = strcmp(name, "br") == 0        ? branch_target(p, op, &handed)
            : strcmp(name, "cond_br") == 0 ? conditional(p, op)
                                           : cases(p, op);
  if (!ok || (mlir_peek(p) == '{' && !mlir_attr_dict(p))) return false;
  mlir_finish_successors(p, op);
  return true;
}
