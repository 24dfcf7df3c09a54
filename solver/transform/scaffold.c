// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/scaffold.h"

#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/new_node.h"
#include "solver/ops/traits.h"
#include "solver/report/cell.h"
#include "solver/transform/tracked.h"

typedef struct scaffold {
  const shape_report *report;
  shape_graph *graph;
  const infer_frame *frame;  // of the main graph
  block_id block;            // its body
  constant_value *constants;
  shape_imap numbers;  // memo of term_substitute
  value_id *instead;   // by value_id: what is used instead; VALUE_NONE: itself
  bool *stays;         // by value_id: its name is used where it cannot be changed
  bool *settled;       // by index in graph->operands: a new constant is used instead
  bool *live;          // by op_id, of the main graph
  op_id *stack;
  uint32_t stack_count;
  op_id *
      outermost;  // by op_id: the operation of the main graph that it is in; ID_NONE: of another function
  onnx_changes *out;
} scaffold;

static bool is_named(const shape_graph *g, op_id op, const char *name) {
  return strcmp(graph_op_name(g, op), name) == 0;
}

// Of ONNX's own domain, with one result.
static bool is_plain(const scaffold *s, op_id op) {
  return op_has(s->graph, op, TRAIT_ONNX) && s->graph->ops[op].result_count == 1;
}

static bool is_required(const scaffold *s, op_id op) {
  assert(op < s->graph->op_count);
  return s->report->unproven && s->report->unproven[op];
}

static const graph_type *type_of(const scaffold *s, value_id value) {
  assert(value < s->graph->value_count);
  type_id id = s->report->shapes[s->report->value_shapes[value]].type;
  return id == TYPE_NONE ? NULL : type_get(&s->graph->types, id);
}

static const value_info *info_of(const scaffold *s, value_id value) {
  const infer_frame *f = s->frame;
  if (value == VALUE_NONE || value < f->value_base || value >= f->value_end) return NULL;
  const value_info *v = &f->values[value - f->value_base];
  return v->visited && v->ranked && !v->in_conflict ? v : NULL;
}

// --- terms

// A dim of an input as the number that the written model gives it.
static term_id number_of(void *data, term_id atom) {
  const scaffold *s = data;
  const infer_result *infer = s->report->infer;
  const term_node *node = term_get(infer->terms, atom);
  shape_cell cell;
  num number;
  if (node->kind != TERM_SYMBOL || !cell_of_symbol(infer, node->as.symbol, &cell) ||
      cell.value == VALUE_NONE || cell.element || !s->graph->values[cell.value].is_argument ||
      s->graph->values[cell.value].def != s->block)
    return atom;
  const report_shape *shape = &s->report->shapes[s->report->value_shapes[cell.value]];
  bool known = shape->ranked && cell.index < shape->rank && shape->dims[cell.index] != TERM_NONE &&
               report_constant(s->report, shape->dims[cell.index], &number);
  return known ? term_const(infer->terms, number) : atom;
}

static term_id stated(scaffold *s, term_id term) {
  if (term == TERM_NONE) return term;
  return term_substitute(s->report->infer->terms, term, number_of, s, &s->numbers);
}

static bool same_dims(scaffold *s, value_id a, value_id b) {
  const value_info *x = info_of(s, a), *y = info_of(s, b);
  if (!x || !y || x->rank != y->rank) return false;
  for (uint32_t i = 0; i < x->rank; i++) {
    term_id dim = stated(s, x->dims[i]);
    if (dim == TERM_NONE || dim != stated(s, y->dims[i])) return false;
  }
  return true;
}

// --- new nodes

static onnx_new_node *add_node(scaffold *s) {
  onnx_changes *c = s->out;
  c->nodes = arena_grow(s->graph->arena, c->nodes, c->node_count, (size_t)c->node_count + 1,
                        &c->capacity, sizeof *c->nodes);
  c->nodes[c->node_count] = (onnx_new_node){.op_type = "Constant"};
  return &c->nodes[c->node_count++];
}

static const char *name_of(const scaffold *s, value_id value) {
  assert(value < s->graph->value_count);
  uint32_t length;
  const char *name = graph_value_text(s->graph, value, &length);
  return arena_strndup(s->graph->arena, name, length);
}

static const char *fresh_name(scaffold *s, value_id value) {
  for (uint32_t k = 0;; k++) {
    shape_strbuf text;
    strbuf_init(&text, s->graph->arena);
    strbuf_printf(&text, "%s_shape", name_of(s, value));
    if (k) strbuf_printf(&text, "_%u", k);
    if (intern_find(&s->graph->names, text.data, text.length) != NAME_NONE) continue;
    intern_add(&s->graph->names, text.data, text.length);
    return strbuf_text(&text);
  }
}

// --- targets of Reshape

typedef struct target {
  op_id op;
  const value_info *data, *shape;
  int64_t *items;
  uint32_t
      open;  // the one element that is neither a number nor a dim of the data; ID_NONE: there is none
} target;

static bool at_least(const scaffold *s, term_id term, int64_t least) {
  interval range = store_range(s->report->infer->store, term);
  return range.has_lo && num_compare(range.lo, NUM(least)) >= 0;
}

// Numbers and dims of the data. False: more is open than one element, or an element may be -1.
static bool fill_in(scaffold *s, target *t) {
  const infer_result *infer = s->report->infer;
  const term_id *elements = value_stated(t->shape);
  bool hole = false;
  for (uint32_t i = 0; i < t->shape->element_count; i++) {
    term_id e = stated(s, elements[i]);
    if (e == TERM_NONE) return false;
    if (term_int_value(infer->terms, e, &t->items[i])) {
      hole |= t->items[i] < 0;
    } else if (i < t->data->rank && e == stated(s, t->data->dims[i])) {
      t->items[i] = 0;
    } else {
      if (t->open != ID_NONE || !at_least(s, e, 0)) return false;
      t->open = i;
    }
  }
  return t->open == ID_NONE || !hole;
}

// -1 is what the element is: the numbers of elements are the same expression, and what is around it is not 0.
static bool can_infer(scaffold *s, const target *t) {
  term_table *terms = s->report->infer->terms;
  const term_id *elements = value_stated(t->shape);
  term_id have = TERM_ONE, want = TERM_ONE;
  for (uint32_t i = 0; i < t->data->rank; i++) {
    if (t->data->dims[i] == TERM_NONE) return false;
    have = term_mul(terms, have, stated(s, t->data->dims[i]));
    if (term_outweighs(terms, have, VALUE_MAX_WEIGHT)) return false;
  }
  for (uint32_t i = 0; i < t->shape->element_count; i++) {
    // A number 0 is a dim of the data.
    term_id e = stated(s, elements[i]);
    bool copied = i != t->open && t->items[i] == 0;
    if (copied && i >= t->data->rank) return false;
    if (copied) e = stated(s, t->data->dims[i]);
    if (i != t->open && !at_least(s, e, 1)) return false;
    want = term_mul(terms, want, e);
    if (term_outweighs(terms, want, VALUE_MAX_WEIGHT)) return false;
  }
  return have == want;
}

static void settle_reshape(scaffold *s, op_id op) {
  shape_graph *g = s->graph;
  int64_t zeros = 0;
  if (!is_named(g, op, "onnx.Reshape") || !is_plain(s, op) || g->ops[op].operand_count != 2) return;
  graph_attr_int(g, graph_attr_named(g, op, "allowzero"), &zeros);
  value_id shape = graph_operand(g, op, 1);
  target t = {op, info_of(s, graph_operand(g, op, 0)), info_of(s, shape), NULL, ID_NONE};
  if (zeros || !t.data || !t.shape || t.shape->rank != 1 || !t.shape->elements) return;
  if (s->constants[shape].items || !t.shape->element_count) return;
  t.items = arena_alloc(g->arena, (t.shape->element_count + 1) * sizeof *t.items);
  if (!fill_in(s, &t)) return;
  if (t.open != ID_NONE) {
    if (is_required(s, op) || !can_infer(s, &t)) return;
    t.items[t.open] = -1;
  }
  assert(t.open == ID_NONE || t.items[t.open] == -1);
  onnx_new_node *node = add_node(s);
  node->output = fresh_name(s, g->ops[op].results);
  node->value = t.items;
  node->value_rank = 1;
  node->value_count = t.shape->element_count;
  s->out->inputs[g->ops[op].operands + 1] = node->output;
  s->settled[g->ops[op].operands + 1] = true;
}

// --- what makes way for its input

static bool all_are(const scaffold *s, value_id value, int64_t item) {
  const constant_value *c = &s->constants[value];
  for (uint32_t i = 0; c->items && i < c->count; i++) {
    if (c->items[i] != item) return false;
  }
  return c->items && c->count;
}

static value_id same_as(scaffold *s, op_id op) {
  const shape_graph *g = s->graph;
  if (!is_plain(s, op) || !g->ops[op].operand_count || is_required(s, op)) return VALUE_NONE;
  value_id from = graph_operand(g, op, 0), result = g->ops[op].results;
  if (is_named(g, op, "onnx.Where") && g->ops[op].operand_count == 3 && from != VALUE_NONE) {
    if (!all_are(s, from, 0) && !all_are(s, from, 1)) return VALUE_NONE;
    from = graph_operand(g, op, all_are(s, from, 1) ? 1 : 2);
    return from != VALUE_NONE && same_dims(s, from, result) ? from : VALUE_NONE;
  }
  if (from == VALUE_NONE) return VALUE_NONE;
  if (op_has(g, op, TRAIT_IDENTITY)) return from;
  const graph_type *a = type_of(s, from), *b = type_of(s, result);
  if (is_named(g, op, "onnx.Cast"))
    return a && b && a->kind == TYPE_TENSOR && b->kind == TYPE_TENSOR && a->dtype == b->dtype &&
                   a->dtype < DTYPE_QUANTIZED
               ? from
               : VALUE_NONE;
  bool shapes = is_named(g, op, "onnx.Expand") || is_named(g, op, "onnx.Reshape");
  return shapes && same_dims(s, from, result) ? from : VALUE_NONE;
}

static value_id lead(const scaffold *s, value_id value) {
  while (value != VALUE_NONE && s->instead[value] != VALUE_NONE) value = s->instead[value];
  return value;
}

static void use_instead(scaffold *s, op_id op) {
  assert(s->graph->ops[op].parent == s->block);
  const graph_op *o = &s->graph->ops[op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id value = s->graph->operands[o->operands + i], to = lead(s, value);
    if (to != value && !s->settled[o->operands + i])
      s->out->inputs[o->operands + i] = name_of(s, to);
  }
}

// --- constants

static bool becomes_constant(const scaffold *s, op_id op) {
  const shape_graph *g = s->graph;
  // What is in a subgraph may end the run.
  if (!is_plain(s, op) || is_required(s, op) || g->ops[op].region_count) return false;
  if (is_named(g, op, "onnx.Constant")) return false;
  value_id value = g->ops[op].results;
  const graph_type *type = type_of(s, value);
  return s->constants[value].items && type && type->kind == TYPE_TENSOR && type->rank <= 1 &&
         type->dtype == DTYPE_I64;
}

static void make_constant(scaffold *s, op_id op) {
  value_id value = s->graph->ops[op].results;
  onnx_new_node *node = add_node(s);
  assert(s->constants[value].items && type_of(s, value)->rank <= 1);
  node->output = name_of(s, value);
  node->value = s->constants[value].items;
  node->value_rank = type_of(s, value)->rank;
  node->value_count = s->constants[value].count;
  s->out->becomes[op] = s->out->node_count;
}

static void find_constants(scaffold *s) {
  shape_graph *g = s->graph;
  type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
  for (value_id v = 0; v < g->value_count; v++) {
    const value_info *info = info_of(s, v);
    bool argument = g->values[v].is_argument && g->values[v].def == s->block;
    bool states = argument || (info && info->elements);
    types[v] = states ? s->report->shapes[s->report->value_shapes[v]].type : TYPE_NONE;
  }
  s->constants = tracked_constants(s->report, types, NULL, 0);
}

// --- what is needed

static void need(scaffold *s, op_id op) {
  op = s->outermost[op];
  if (op == ID_NONE || s->live[op]) return;
  assert(s->stack_count < s->graph->op_count);
  s->live[op] = true;
  s->stack[s->stack_count++] = op;
}

static void need_value(scaffold *s, value_id value) {
  if (value != VALUE_NONE && !s->graph->values[value].is_argument)
    need(s, s->graph->values[value].def);
}

// In the order of the operations, what is in one follows it.
static void find_outermost(scaffold *s) {
  const shape_graph *g = s->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    op_id around = op;
    while (around != ID_NONE && g->ops[around].parent != s->block)
      around = g->regions[g->blocks[g->ops[around].parent].region].op;
    s->outermost[op] = around;
    if (around == ID_NONE || around == op) continue;
    for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) s->stays[value] = true;
    }
  }
}

// What conflicts in a subgraph ends the run where the subgraph runs.
static void need_conflicts(scaffold *s) {
  shape_imap begins = {0};
  uint32_t ignored;
  for (uint32_t i = 0; i < s->report->diag_count; i++) {
    const diag *d = s->report->diags[i];
    if (!span_is_none(d->inner)) imap_put(&begins, s->graph->arena, d->inner.begin, 1);
  }
  for (op_id op = 0; op < s->graph->op_count; op++) {
    if (imap_get(&begins, s->graph->ops[op].span.begin, &ignored)) need(s, op);
  }
}

static void mark_live(scaffold *s) {
  const shape_graph *g = s->graph;
  op_id *inner = arena_alloc(g->arena, (g->op_count + 1) * sizeof *inner),
        *next = arena_alloc(g->arena, (g->op_count + 1) * sizeof *next);
  for (op_id op = 0; op < g->op_count; op++) inner[op] = ID_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    op_id around = s->outermost[op];
    if (around == ID_NONE) continue;
    next[op] = inner[around];
    inner[around] = op;
    if (is_required(s, op) || !op_has(g, op, TRAIT_ONNX)) need(s, op);
  }
  need_conflicts(s);
  while (s->stack_count) {
    op_id top = s->stack[--s->stack_count];
    for (op_id op = inner[top]; op != ID_NONE; op = next[op]) {
      const graph_op *o = &g->ops[op];
      if (op == top && s->out->becomes[top]) continue;
      for (uint32_t i = 0; i < o->operand_count; i++) {
        value_id value = g->operands[o->operands + i];
        bool other = s->out->inputs[o->operands + i] != NULL;
        if (!s->settled[o->operands + i]) need_value(s, other ? lead(s, value) : value);
      }
    }
  }
}

// Which nodes become constants, and which make way for an input.
static void settle_nodes(scaffold *s) {
  const shape_graph *g = s->graph;
  const graph_block *body = &g->blocks[s->block];
  for (op_id op = body->first; op != ID_NONE; op = g->ops[op].next) {
    bool outputs = is_named(g, op, "func.return");
    if (becomes_constant(s, op)) {
      make_constant(s, op);
    } else if (g->ops[op].result_count == 1 && !s->stays[g->ops[op].results]) {
      s->instead[g->ops[op].results] = same_as(s, op);
    }
    for (uint32_t i = 0; outputs && i < g->ops[op].operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) s->instead[value] = VALUE_NONE;  // its name is that of the output
    }
  }
  for (op_id op = body->first; op != ID_NONE; op = g->ops[op].next) {
    if (!is_named(g, op, "func.return")) use_instead(s, op);
  }
}

onnx_changes *scaffold_changes(const shape_report *report) {
  shape_graph *g = report->graph;
  const infer_result *infer = report->infer;
  scaffold s = {.report = report, .graph = g};
  if (!infer || infer->entry == ID_NONE || !infer->frame_count || onnx_has_defaults(g)) return NULL;
  assert(infer->frames[0].func == infer->entry);
  s.frame = &infer->frames[0];
  s.block = g->regions[g->funcs[infer->entry].body].first_block;
  s.out = arena_zalloc(g->arena, sizeof *s.out);
  s.out->removed = arena_zalloc(g->arena, g->op_count + 1);
  s.out->becomes = arena_zalloc(g->arena, (g->op_count + 1) * sizeof *s.out->becomes);
  s.out->inputs = arena_zalloc(g->arena, (g->operand_count + 1) * sizeof *s.out->inputs);
  s.instead = arena_alloc(g->arena, (g->value_count + 1) * sizeof *s.instead);
  s.stays = arena_zalloc(g->arena, g->value_count + 1);
  s.settled = arena_zalloc(g->arena, g->operand_count + 1);
  s.live = arena_zalloc(g->arena, g->op_count + 1);
  s.stack = arena_alloc(g->arena, (g->op_count + 1) * sizeof *s.stack);
  s.outermost = arena_alloc(g->arena, (g->op_count + 1) * sizeof *s.outermost);
  for (value_id v = 0; v < g->value_count; v++) s.instead[v] = VALUE_NONE;
  find_constants(&s);
  find_outermost(&s);
  const graph_block *body = &g->blocks[s.block];
  for (op_id op = body->first; op != ID_NONE; op = g->ops[op].next) settle_reshape(&s, op);
  s.out->first_count = s.out->node_count;
  settle_nodes(&s);
  mark_live(&s);
  for (op_id op = body->first; op != ID_NONE; op = g->ops[op].next)
    s.out->removed[op] = !s.live[op] && !is_named(g, op, "func.return");
  return s.out;
}
