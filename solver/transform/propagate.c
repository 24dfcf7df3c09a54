// SPDX-License-Identifier: Apache-2.0
// The walk: states of values, calls, and what is handed where. The arithmetic is in fold.c.
#include "solver/transform/constants.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/transform/fold.h"

enum { ROUNDS_MAX = 64 };  // each lowers a value; what is not settled then varies

typedef struct propagation {
  shape_graph *graph;
  const type_id *types;
  constant_value *values;
  const constant_value *tracked;  // by value; NULL: nothing
  constant_value **results;       // by func_id: what it returns, where it has a body
  bool changed;
} propagation;

static const constant_value VARIES = {NULL, 0, true};

static bool same(const constant_value *a, const constant_value *b) {
  return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

// Lowers a state by one more value that reaches it.
static void meet(propagation *p, constant_value *to, const constant_value *from) {
  bool is_value = to >= p->values && to < p->values + p->graph->value_count;
  if (is_value && p->tracked && p->tracked[to - p->values].items) return;
  if (to->varies || (!from->varies && !from->items)) return;
  if (!from->varies && !to->items) {
    *to = *from;
  } else if (from->varies || !same(to, from)) {
    *to = VARIES;
  } else {
    return;
  }
  p->changed = true;
}

static func_id enclosing(const shape_graph *g, op_id op) {
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

static block_id entry_block(const shape_graph *g, func_id func) {
  region_id body = g->funcs[func].body;
  return body == ID_NONE || !g->regions[body].block_count ? ID_NONE : g->regions[body].first_block;
}

static void arguments_vary(propagation *p, block_id block) {
  if (block == ID_NONE) return;
  assert(block < p->graph->block_count);
  const graph_block *b = &p->graph->blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++) meet(p, &p->values[b->arguments + i], &VARIES);
}

static void results_vary(propagation *p, op_id op) {
  const graph_op *o = &p->graph->ops[op];
  for (uint32_t i = 0; i < o->result_count; i++) meet(p, &p->values[o->results + i], &VARIES);
}

static func_id callee_of(const shape_graph *g, op_id op, const char *attr) {
  func_id caller = enclosing(g, op);
  const char *name = graph_attr_text(g, graph_attr_named(g, op, attr));
  return name ? graph_find_func(g, g->funcs[caller].module, name, strlen(name)) : ID_NONE;
}

static void follow_call(propagation *p, op_id op, func_id func) {
  const shape_graph *g = p->graph;
  const graph_op *o = &g->ops[op];
  block_id entry = func == ID_NONE ? ID_NONE : entry_block(g, func);
  if (entry == ID_NONE || g->funcs[func].type == TYPE_NONE ||
      g->blocks[entry].argument_count != o->operand_count) {
    arguments_vary(p, entry);
    results_vary(p, op);
    return;
  }
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id value = graph_operand(g, op, i);
    meet(p, &p->values[g->blocks[entry].arguments + i],
         value == VALUE_NONE ? &VARIES : &p->values[value]);
  }
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  for (uint32_t i = 0; i < o->result_count; i++) {
    bool known = i < type->param_count - type->split;
    meet(p, &p->values[o->results + i], known ? &p->results[func][i] : &VARIES);
  }
}

static void follow_return(propagation *p, op_id op) {
  const shape_graph *g = p->graph;
  func_id func = enclosing(g, op);
  if (g->funcs[func].type == TYPE_NONE) return;  // among the operations of the module itself
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
    value_id value = graph_operand(g, op, i);
    if (i >= type->param_count - type->split) return;
    meet(p, &p->results[func][i], value == VALUE_NONE ? &VARIES : &p->values[value]);
  }
}

// Functions that are called by other means than calls take anything.
static void follow_references(propagation *p, op_id op) {
  const shape_graph *g = p->graph;
  const graph_op *o = &g->ops[op];
  func_id caller = enclosing(g, op);
  for (uint32_t i = 0; i < o->attr_count; i++) {
    const graph_attr *attr = &g->attributes.items[g->attributes.entries[o->attrs + i].value];
    uint32_t count = attr->kind == ATTR_ARRAY ? attr->count : 1;
    for (uint32_t k = 0; k < count; k++) {
      const graph_attr *item =
          attr->kind == ATTR_ARRAY ? graph_attr_get(g, attr_item_at(attr, k)) : attr;
      if (!item || item->kind != ATTR_SYMBOL) continue;
      func_id func = graph_find_func(g, g->funcs[caller].module, intern_text(&g->names, item->text),
                                     intern_length(&g->names, item->text));
      if (func != ID_NONE) arguments_vary(p, entry_block(g, func));
    }
  }
}

// Whether the loop hands on what it got as its argument k.
static bool hands_on(const shape_graph *g, op_id op, uint32_t k) {
  assert(op < g->op_count);
  const graph_op *o = &g->ops[op];
  if (o->region_count != 2 || k >= o->operand_count) return false;
  const graph_region *body = &g->regions[o->regions + 1];
  if (body->block_count != 1) return false;
  const graph_block *block = &g->blocks[body->first_block];
  op_id last = graph_terminator(g, body->first_block);
  return k < block->argument_count && last != ID_NONE && k < g->ops[last].operand_count &&
         graph_operand(g, last, k) == block->arguments + k;
}

// What is handed on is in every iteration, and after them, what the loop was given.
static void follow_loop(propagation *p, op_id op) {
  const shape_graph *g = p->graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *region = &g->regions[o->regions + i];
    for (uint32_t b = 0; b < region->block_count; b++) {
      const graph_block *block = &g->blocks[region->first_block + b];
      for (uint32_t k = 0; k < block->argument_count; k++) {
        value_id given = b == 0 && hands_on(g, op, k) ? graph_operand(g, op, k) : VALUE_NONE;
        meet(p, &p->values[block->arguments + k],
             given == VALUE_NONE ? &VARIES : &p->values[given]);
      }
    }
  }
  for (uint32_t k = 0; k < o->result_count; k++) {
    value_id given = hands_on(g, op, k) ? graph_operand(g, op, k) : VALUE_NONE;
    meet(p, &p->values[o->results + k], given == VALUE_NONE ? &VARIES : &p->values[given]);
  }
}

static void follow(propagation *p, op_id op) {
  shape_graph *g = p->graph;
  const graph_op *o = &g->ops[op];
  uint32_t traits = traits_of(g, op);
  if (traits & TRAIT_CALL) {
    follow_call(p, op, callee_of(g, op, "callee"));
    return;
  }
  if (traits & TRAIT_RETURN) {
    follow_return(p, op);
    return;
  }
  if (traits & TRAIT_COMPOSITE) {
    follow_call(p, op, callee_of(g, op, "decomposition"));
    return;
  }
  follow_references(p, op);
  if (traits & TRAIT_CARRIES) {
    follow_loop(p, op);
    return;
  }
  for (uint32_t i = 0; i < o->region_count; i++) {
    const graph_region *region = &g->regions[o->regions + i];
    for (uint32_t b = 0; b < region->block_count; b++) arguments_vary(p, region->first_block + b);
  }
  constant_value made;
  fold_outcome outcome = fold_op(g, op, p->types, p->values, &made);
  if (outcome == FOLD_WAITS) return;
  if (outcome == FOLD_DONE) {
    meet(p, &p->values[o->results], &made);
  } else {
    results_vary(p, op);
  }
}

static void start(propagation *p, const bool *roots, const fixed_argument *fixed, uint32_t count) {
  shape_graph *g = p->graph;
  for (func_id f = 0; f < g->func_count; f++) {
    block_id entry = entry_block(g, f);
    const graph_type *type =
        g->funcs[f].type == TYPE_NONE ? NULL : type_get(&g->types, g->funcs[f].type);
    uint32_t results = type ? type->param_count - type->split : 0;
    p->results[f] = arena_zalloc(g->arena, (results + 1) * sizeof **p->results);
    for (uint32_t i = 0; i < results && entry == ID_NONE; i++) p->results[f][i] = VARIES;
    for (uint32_t b = 1; entry != ID_NONE && b < g->regions[g->funcs[f].body].block_count; b++) {
      arguments_vary(p, entry + b);
    }
    for (uint32_t i = 0; entry != ID_NONE && roots[f] && i < g->blocks[entry].argument_count; i++) {
      p->values[g->blocks[entry].arguments + i] = VARIES;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    int64_t *items;
    constant_value made = {NULL, 0, true};
    if (fold_count(g, p->types[fixed[i].value], &made.count)) {
      items = arena_alloc(g->arena, (made.count + 1) * sizeof *items);
      for (uint32_t k = 0; k < made.count; k++) items[k] = fixed[i].item;
      made.items = items;
      made.varies = false;
    }
    p->values[fixed[i].value] = made;
  }
}

constant_value *constants_of(shape_graph *g, const type_id *types, const bool *roots,
                             const fixed_argument *fixed, uint32_t fixed_count,
                             const constant_value *tracked) {
  propagation p = {.graph = g, .types = types, .tracked = tracked};
  p.values = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *p.values);
  p.results = arena_zalloc(g->arena, (g->func_count + 1) * sizeof *p.results);
  start(&p, roots, fixed, fixed_count);
  for (value_id v = 0; tracked && v < g->value_count; v++) {
    if (tracked[v].items) p.values[v] = tracked[v];
  }
  p.changed = true;
  uint32_t round = 0;
  for (; p.changed && round < ROUNDS_MAX; round++) {
    p.changed = false;
    for (op_id op = 0; op < g->op_count; op++) follow(&p, op);
  }
  if (p.changed) memset(p.values, 0, (g->value_count + 1) * sizeof *p.values);
  return p.values;
}
