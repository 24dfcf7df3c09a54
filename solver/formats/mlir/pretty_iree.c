// SPDX-License-Identifier: Apache-2.0
// Operations of IREE that say something of dims and integers (UtilOps.td, FlowOps.td, HALOps.td).
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/pretty.h"

static attr_id list_of(mlir_parser *p, uint32_t height, const char *from) {
  assert(height <= p->stacks.entries.count);
  uint32_t count = p->stacks.entries.count - height;
  attr_id *items = arena_alloc(p->g->arena, count * sizeof *items);
  for (uint32_t i = 0; i < count; i++) items[i] = p->stacks.entries.items[height + i].value;
  p->stacks.entries.count = height;
  graph_attr attr = {
      .kind = ATTR_ARRAY, .type = TYPE_NONE, .text = NAME_NONE, .span = mlir_span(p, from, p->at)};
  attr_set_items(&attr, items, count);
  return graph_add_attr(p->g, &attr);
}

// <umin = 0, umax = 4, udiv = 2>, which may be empty.
static bool assumption(mlir_parser *p) {
  const char *from = (mlir_skip(p), p->at);
  uint32_t height = p->stacks.entries.count;
  if (!mlir_expect(p, '<') || !mlir_key_values(p, '>')) return false;
  attr_id row = mlir_make_dict(p, "util.int.assumption", p->stacks.entries.items + height,
                               p->stacks.entries.count - height, from);
  p->stacks.entries.count = height;
  mlir_push_entry(p, NAME_NONE, row);
  return true;
}

// %a<...> or %a[<...>, <...>]: rows of which one holds. An operand may have none.
static bool assumed(mlir_parser *p) {
  if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
  if (!mlir_push_operand(p)) return false;
  const char *from = (mlir_skip(p), p->at);
  uint32_t height = p->stacks.entries.count;
  if (mlir_accept(p, '[')) {
    do {
      if (!assumption(p)) return false;
    } while (mlir_accept(p, ','));
    if (!mlir_expect(p, ']')) return false;
  } else if (mlir_peek(p) == '<' && !assumption(p)) {
    return false;
  }
  attr_id rows = list_of(p, height, from);
  mlir_push_entry(p, NAME_NONE, rows);
  return true;
}

bool mlir_pretty_assume_int(mlir_parser *p, mlir_op *op) {
  const char *from = (mlir_skip(p), p->at);
  uint32_t height = p->stacks.entries.count;
  do {
    if (!assumed(p)) return false;
  } while (mlir_accept(p, ','));
  attr_id all = list_of(p, height, from);
  mlir_push_entry(p, intern_add(&p->g->names, "assumptions", 11), all);
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  if (!mlir_expect(p, ':')) return false;
  for (uint32_t i = op->operands; i < p->stacks.operands.count; i++) {
    type_id type;
    if ((i > op->operands && !mlir_expect(p, ',')) || !mlir_type(p, &type)) return false;
    mlir_push_type(p, type);
  }
  return true;
}

// {%d0, %d1} after a type: the dims that it does not say.
static bool dims(mlir_parser *p) { return !mlir_accept(p, '{') || mlir_operand_list(p, '}'); }

// %t [attributes] : T{%d0}
bool mlir_pretty_tie_shape(mlir_parser *p, mlir_op *op) {
  (void)op;
  type_id type;
  if (mlir_peek(p) != '%') return mlir_expected(p, "an operand such as %0");
  if (!mlir_push_operand(p)) return false;
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  if (!mlir_expect(p, ':') || !mlir_type(p, &type) || !dims(p)) return false;
  mlir_push_type(p, type);
  return true;
}

// %view ["name"] [{...}] : !hal.buffer_view -> T [as U]{%d0}: the result is the second type.
bool mlir_pretty_import(mlir_parser *p, mlir_op *op) {
  (void)op;
  type_id type;
  if (mlir_peek(p) != '%') return false;  // fences and affinities are passed over
  if (!mlir_push_operand(p)) return false;
  if (mlir_peek(p) == '"' && !mlir_skip_string(p)) return false;
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  if (!mlir_expect(p, ':') || !mlir_type(p, &type) || !mlir_accept_arrow(p) || !mlir_type(p, &type))
    return false;
  if (mlir_accept_word(p, "as") && !mlir_type(p, &type)) return false;
  if (!dims(p)) return false;
  mlir_push_type(p, type);
  return true;
}
