// SPDX-License-Identifier: Apache-2.0
// Operations that stay dynamic though types may be static: what says their dims is no constant.
#include <assert.h>

#include "solver/ops/dynamic.h"
#include "solver/transform/rewrite.h"

enum { STEPS_MAX = 256 };  // back from an operand to where it comes from

static bool is_integer(const refine_rewrite *r, value_id value) {
  type_id id = r->value_types[value];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&r->graph->types, id);
  bool plain = type && (type->kind == TYPE_TENSOR || type->kind == TYPE_SCALAR);
  return plain && type->dtype < DTYPE_QUANTIZED && dtype_is_integer((shape_dtype)type->dtype);
}

// An operand that is no constant, from `first` on; VALUE_NONE: all are.
static value_id unknown_operand(const refine_rewrite *r, op_id op, uint32_t first) {
  assert(op < r->graph->op_count);
  const graph_op *o = &r->graph->ops[op];
  for (uint32_t i = first; i < o->operand_count; i++) {
    value_id value = graph_operand(r->graph, op, i);
    if (value != VALUE_NONE && is_integer(r, value) && !rewrite_constant(r, value)) return value;
  }
  return VALUE_NONE;
}

static const char *why_dynamic(const refine_rewrite *r, op_id op, uint32_t first) {
  const shape_graph *g = r->graph;
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  if (rewrite_keeps(r, op)) return "its static form would not verify";
  value_id value = unknown_operand(r, op, first), next = value;
  if (value == VALUE_NONE) return "its operands do not say what its type says";
  for (uint32_t i = 0; i < STEPS_MAX && next != VALUE_NONE && !g->values[next].is_argument; i++) {
    value = next;
    next = unknown_operand(r, g->values[value].def, 0);
  }
  if (next != VALUE_NONE) value = next;
  assert(value < g->value_count);
  const graph_value *v = &g->values[value];
  if (!v->is_argument) {
    strbuf_printf(&text, "it depends on what %s computes", graph_op_name(g, v->def));
  } else if (g->regions[g->blocks[v->def].region].op == ID_NONE) {
    strbuf_printf(&text, "it depends on the value of argument %u", graph_value_index(g, value));
  } else {
    strbuf_puts(&text, "it depends on what a loop or a branch hands on");
  }
  return strbuf_text(&text);
}

// Functions that the entry's runs reach.
static const bool *find_reached(const refine_rewrite *r) {
  const infer_result *infer = r->types->report->infer;
  bool *reached = arena_zalloc(r->graph->arena, r->graph->func_count + 1);
  bool *of_entry = arena_zalloc(r->graph->arena, infer->frame_count + 1);
  for (uint32_t i = 0; i < infer->frame_count; i++) {  // a frame's parent is before it
    const infer_frame *f = &infer->frames[i];
    assert(f->parent == ID_NONE || f->parent < i);
    of_entry[i] = f->parent == ID_NONE ? f->func == infer->entry : of_entry[f->parent];
    reached[f->func] |= of_entry[i];
  }
  return reached;
}

// With the operations that it is in.
static bool is_removed(const refine_rewrite *r, op_id op) {
  for (; op != ID_NONE;
       op = r->graph->regions[r->graph->blocks[r->graph->ops[op].parent].region].op) {
    if (r->removed[op]) return true;
  }
  return false;
}

uint32_t rewrite_each_dynamic(const refine_rewrite *r, dynamic_taker *take, void *to) {
  shape_graph *g = r->graph;
  uint32_t count = 0, first = 0;
  const bool *reached = find_reached(r);
  for (op_id op = 0; op < g->op_count; op++) {
    if (!op_is_dynamic(g, op, &first) || r->edit_of[op] || is_removed(r, op)) continue;
    if (!reached[g->regions[g->blocks[g->ops[op].parent].region].func]) continue;
    source_position at = graph_position(g, g->ops[op].name_span);
    shape_strbuf what, type;
    strbuf_init(&what, g->arena);
    strbuf_init(&type, g->arena);
    strbuf_puts(&what, graph_op_name(g, op));
    if (g->ops[op].result_count) type_print(&g->types, &type, r->value_types[g->ops[op].results]);
    const dynamic_value found = {
        at.line, at.column, strbuf_text(&what), strbuf_text(&type), why_dynamic(r, op, first),
        true};
    take(to, &found);
    count++;
  }
  return count;
}
