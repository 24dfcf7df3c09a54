// SPDX-License-Identifier: Apache-2.0
// Constants replace what computes them; then whatever nothing needs any more goes: operations without effects
// whose results are not used, and private functions that nothing refers to. Operations that conflict, or that require
// what is not proven, stay: without them the program would run where it is refused.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ops/constraint_graph.h"
#include "solver/transform/rewrite.h"

// --- operations that conflict

typedef struct conflicts {
  uint32_t *at;  // where they begin in the text, in order
  uint32_t count;
} conflicts;

static int by_begin(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// Without what conflicts in a region, the program would run where it was refused.
static conflicts find_conflicts(const refine_rewrite *r) {
  const shape_report *report = r->types->report;
  conflicts c = {arena_alloc(r->graph->arena, (report->diag_count + 1) * sizeof *c.at), 0};
  for (uint32_t i = 0; i < report->diag_count; i++) {
    const diag *d = report->diags[i];
    if (!span_is_none(d->inner)) c.at[c.count++] = d->inner.begin;
  }
  qsort(c.at, c.count, sizeof *c.at, by_begin);
  return c;
}

static bool has_conflict(const refine_rewrite *r, const conflicts *c, op_id op) {
  uint32_t begin = r->graph->ops[op].span.begin;
  return c->count && bsearch(&begin, c->at, c->count, sizeof *c->at, by_begin);
}

// What all branches of an operation require is said of the operation: then what is in it may be what requires it.
static bool is_required(const refine_rewrite *r, op_id op) {
  const shape_graph *g = r->graph;
  const uint8_t *unproven = r->types->report->unproven;
  if (!unproven) return false;
  for (; op != ID_NONE; op = g->regions[g->blocks[g->ops[op].parent].region].op) {
    if (unproven[op]) return true;
  }
  return false;
}

// --- constants

static void write_elements(shape_strbuf *out, const graph_type *type, const constant_value *value,
                           uint32_t axis, uint32_t *at) {
  assert(axis <= type->rank);
  if (axis == type->rank) {
    assert(*at < value->count);
    int64_t item = value->items[(*at)++];
    if (type->dtype == DTYPE_I1) {
      strbuf_puts(out, item ? "true" : "false");
    } else {
      strbuf_int(out, item);
    }
    return;
  }
  strbuf_putc(out, '[');
  for (int64_t i = 0; i < type->dims[axis]; i++) {
    if (i) strbuf_puts(out, ", ");
    write_elements(out, type, value, axis + 1, at);
  }
  strbuf_putc(out, ']');
}

void rewrite_constant_text(const refine_rewrite *r, const char *dialect, type_id id,
                           const constant_value *value, shape_strbuf *out) {
  const graph_type *type = type_get(&r->graph->types, id);
  uint32_t at = 0;
  bool same = value->count > 1;
  for (uint32_t i = 1; i < value->count; i++) same &= value->items[i] == value->items[0];
  graph_type scalar = *type;
  if (same) scalar.rank = 0;
  strbuf_printf(out, "%s.constant dense<", dialect);
  if (value->count) write_elements(out, &scalar, value, 0, &at);
  strbuf_puts(out, "> : ");
  type_print(&r->graph->types, out, id);
}

static void fold(refine_rewrite *r, op_id op) {
  shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  uint32_t traits = traits_of(g, op);
  if (r->removed[op] || o->result_count != 1 || !(traits & TRAIT_HLO) || traits & TRAIT_CONSTANT)
    return;
  if (rewrite_keeps(r, op) || rewrite_feeds(r, o->results)) return;
  const constant_value *value = rewrite_constant(r, o->results);
  if (!value || !(traits & TRAIT_PURE) || o->region_count || !mlir_op_end(r->uses, op)) return;
  if (!o->operand_count) return;  // it says as much as a constant, and is shorter
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  rewrite_constant_text(r, traits & TRAIT_MHLO ? "mhlo" : "stablehlo", r->value_types[o->results],
                        value, &text);
  rewrite_replace(r, op, &text);
  g->ops[op].operand_count = 0;
}

// --- what is needed

typedef struct liveness {
  refine_rewrite *r;
  bool *live;  // by op_id
  op_id *stack;
  uint32_t count;
} liveness;

static void need(liveness *l, op_id op) {
  if (l->live[op] || l->r->removed[op]) return;
  assert(l->count < l->r->graph->op_count);
  l->live[op] = true;
  l->stack[l->count++] = op;
}

static op_id parent_of(const shape_graph *g, op_id op) {
  return g->regions[g->blocks[g->ops[op].parent].region].op;
}

// What a needed operation needs: what makes its operands, what it is in, and the ends of its regions.
static void spread(liveness *l, op_id op) {
  const shape_graph *g = l->r->graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id value = graph_operand(g, op, i);
    if (value != VALUE_NONE && !g->values[value].is_argument) need(l, g->values[value].def);
  }
  op_id outer = parent_of(g, op);
  if (outer != ID_NONE) need(l, outer);
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *region = &g->regions[o->regions + i];
    for (uint32_t b = 0; b < region->block_count; b++) {
      op_id last = graph_terminator(g, region->first_block + b);
      if (last != ID_NONE) need(l, last);
    }
  }
}

// The end of a region is needed where its operation is; everything else without results does something.
static bool is_root(const refine_rewrite *r, op_id op) {
  const shape_graph *g = r->graph;
  if (rewrite_is_open(r, op)) return true;
  bool last = graph_terminator(g, g->ops[op].parent) == op;
  if (last && parent_of(g, op) != ID_NONE) return false;
  return !g->ops[op].result_count || !op_has(g, op, TRAIT_PURE);
}

static bool *find_live(refine_rewrite *r, const conflicts *c) {
  shape_graph *g = r->graph;
  liveness l = {.r = r};
  l.live = arena_zalloc(g->arena, g->op_count + 1);
  l.stack = arena_alloc(g->arena, (g->op_count + 1) * sizeof *l.stack);
  for (op_id op = 0; op < g->op_count; op++) {
    if (is_root(r, op) || has_conflict(r, c, op) || is_required(r, op)) need(&l, op);
  }
  while (l.count) spread(&l, l.stack[--l.count]);
  return l.live;
}

// --- functions

static void refer(refine_rewrite *r, op_id op, bool *live, func_id *stack, uint32_t *count) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  uint32_t module = g->funcs[g->regions[g->blocks[o->parent].region].func].module;
  for (uint32_t i = 0; i < o->attr_count; i++) {
    const graph_attr *attr = &g->attributes.items[g->attributes.entries[o->attrs + i].value];
    uint32_t items = attr->kind == ATTR_ARRAY ? attr->count : 1;
    for (uint32_t k = 0; k < items; k++) {
      const graph_attr *item =
          attr->kind == ATTR_ARRAY ? graph_attr_get(g, attr_item_at(attr, k)) : attr;
      if (!item || item->kind != ATTR_SYMBOL) continue;
      func_id func = graph_find_func(g, module, intern_text(&g->names, item->text),
                                     intern_length(&g->names, item->text));
      if (func == ID_NONE || live[func]) continue;
      live[func] = true;
      assert(func < g->func_count && *count < g->func_count);
      stack[(*count)++] = func;
    }
  }
}

// Operations by function, in one array: those of func are at first[func]...first[func + 1].
static op_id *ops_by_function(const shape_graph *g, uint32_t *first) {
  op_id *ops = arena_alloc(g->arena, (g->op_count + 1) * sizeof *ops);
  memset(first, 0, (g->func_count + 2) * sizeof *first);
  for (op_id op = 0; op < g->op_count; op++) {
    first[g->regions[g->blocks[g->ops[op].parent].region].func + 2]++;
  }
  for (func_id f = 0; f < g->func_count; f++) first[f + 2] += first[f + 1];
  for (op_id op = 0; op < g->op_count; op++) {
    ops[first[g->regions[g->blocks[g->ops[op].parent].region].func + 1]++] = op;
  }
  return ops;
}

static void remove_functions(refine_rewrite *r, const bool *live_ops, func_id entry) {
  shape_graph *g = r->graph;
  bool *live = arena_zalloc(g->arena, g->func_count + 1);
  func_id *stack = arena_alloc(g->arena, (g->func_count + 1) * sizeof *stack);
  uint32_t *first = arena_alloc(g->arena, (g->func_count + 3) * sizeof *first), count = 0;
  op_id *ops = ops_by_function(g, first);
  const bool *constraints = constraint_graphs(g, g->arena);
  for (func_id f = 0; f < g->func_count; f++) {
    const char *name = graph_func_name(g, f);
    live[f] = f == entry || !g->funcs[f].is_private || !*name || constraints[f];
    if (live[f]) stack[count++] = f;
  }
  while (count) {
    func_id f = stack[--count];
    for (uint32_t i = first[f]; i < first[f + 1]; i++) {
      if (live_ops[ops[i]]) refer(r, ops[i], live, stack, &count);
    }
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (!live[f]) rewrite_remove_span(r, g->funcs[f].span);
  }
}

void rewrite_cleanup(refine_rewrite *r) {
  const shape_graph *g = r->graph;
  const conflicts c = find_conflicts(r);
  for (op_id op = 0; op < g->op_count; op++) {
    if (!has_conflict(r, &c, op) && !is_required(r, op)) fold(r, op);
  }
  bool *live = find_live(r, &c);
  for (op_id op = 0; op < g->op_count; op++) {
    op_id outer = parent_of(g, op);
    // What is in a removed operation goes with it.
    if (!live[op] && !r->removed[op] && (outer == ID_NONE || live[outer])) rewrite_remove(r, op);
  }
  func_id entry = r->types->report->infer->entry;
  // Without an entry the module is a part of a program, and what refers to a function may be elsewhere.
  if (entry != ID_NONE) remove_functions(r, live, entry);
}
