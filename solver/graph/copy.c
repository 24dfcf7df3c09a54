// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/copy.h"

#include <assert.h>
#include <string.h>

void copier_init(graph_copier *c, const shape_graph *from, shape_graph *to, shape_arena *arena) {
  assert(from != to);
  *c = (graph_copier){.from = from, .to = to, .arena = arena};
}

uint32_t copy_of(const copy_map *map, uint32_t id) {
  return id < map->capacity ? map->ids[id] : ID_NONE;
}

void copy_set(graph_copier *c, copy_map *map, uint32_t id, uint32_t copy) {
  if (id >= map->capacity) {
    uint32_t old = map->capacity;
    map->ids =
        arena_grow(c->arena, map->ids, old, (size_t)id + 1, &map->capacity, sizeof *map->ids);
    memset(map->ids + old, 0xff, (map->capacity - old) * sizeof *map->ids);
  }
  map->ids[id] = copy;
}

name_id copy_name(graph_copier *c, name_id name) {
  if (name == NAME_NONE) return name;
  name_id made = copy_of(&c->names, name);
  if (made != ID_NONE) return made;
  const shape_intern *names = &c->from->names;
  made = intern_add(&c->to->names, intern_text(names, name), intern_length(names, name));
  copy_set(c, &c->names, name, made);
  return made;
}

static const void *copy_bytes(graph_copier *c, const void *from, size_t size) {
  if (!c->deep || !from || !size) return from;
  void *made = arena_alloc(c->to->arena, size);
  return memcpy(made, from, size);
}

void copy_symbol_row(graph_copier *c, uint32_t from, uint32_t to) {
  assert(from < c->from->declared.symbol_count && to < c->to->declared.symbol_count);
  graph_symbol row = c->from->declared.symbols[from];
  row.name = copy_name(c, row.name);
  row.ranges = copy_bytes(c, row.ranges, row.range_count * 2 * sizeof *row.ranges);
  row.likely = copy_bytes(c, row.likely, row.likely_count * sizeof *row.likely);
  if (row.definition) row.definition = copy_bytes(c, row.definition, strlen(row.definition) + 1);
  c->to->declared.symbols[to] = row;
}

static uint32_t copy_symbol(graph_copier *c, uint32_t symbol) {
  assert(symbol < c->from->declared.symbol_count);
  uint32_t made = copy_of(&c->symbols, symbol);
  if (made != ID_NONE) return made;
  name_id name = copy_name(c, c->from->declared.symbols[symbol].name);
  made = graph_find_symbol(c->to, name);
  if (made == ID_NONE) made = graph_add_symbol(c->to, name, c->from->declared.symbols[symbol].span);
  copy_set(c, &c->symbols, symbol, made);
  return made;
}

// --- types

static const int64_t *copy_dims(graph_copier *c, const graph_type *t) {
  bool symbolic = false;
  for (uint32_t i = 0; i < t->rank; i++) symbolic |= dim_is_symbol(t->dims[i]);
  if (!symbolic) return t->dims;
  int64_t *dims = arena_alloc(c->to->arena, t->rank * sizeof *dims);
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = t->dims[i];
    if (dim_is_symbol(dims[i])) dims[i] = dim_of_symbol(copy_symbol(c, dim_symbol(dims[i])));
  }
  return dims;
}

type_id copy_type(graph_copier *c, type_id type) {
  if (type == TYPE_NONE) return type;
  type_id made = copy_of(&c->types, type);
  if (made != ID_NONE) return made;
  graph_type t = *type_get(&c->from->types, type);
  t.text = copy_name(c, t.text);
  t.encoding = copy_name(c, t.encoding);
  t.dims = copy_dims(c, &t);
  if (t.param_count) {
    type_id *params = arena_alloc(c->to->arena, t.param_count * sizeof *params);
    for (uint32_t i = 0; i < t.param_count; i++) params[i] = copy_type(c, t.params[i]);
    t.params = params;
  }
  made = type_intern(&c->to->types, &t);
  copy_set(c, &c->types, type, made);
  return made;
}

// --- attributes: a tree as deep as the input was nested

static attr_id copy_attr(graph_copier *c, attr_id attr);

static attr_entry *copy_entries(graph_copier *c, const attr_entry *entries, uint32_t count) {
  attr_entry *made = arena_alloc(c->to->arena, ((size_t)count + 1) * sizeof *made);
  for (uint32_t i = 0; i < count; i++)
    made[i] = (attr_entry){copy_name(c, entries[i].name), copy_attr(c, entries[i].value)};
  return made;
}

static void copy_payload(graph_copier *c, graph_attr *a) {
  uint32_t count;
  switch ((attr_holds)a->holds) {
  case HOLDS_NOTHING: return;
  case HOLDS_INTS: {
    const int64_t *ints = attr_held_ints(a, &count);
    attr_set_ints(a, copy_bytes(c, ints, count * sizeof *ints), count);
    return;
  }
  case HOLDS_FLOATS: {
    const double *floats = attr_held_floats(a, &count);
    attr_set_floats(a, copy_bytes(c, floats, count * sizeof *floats), count);
    return;
  }
  case HOLDS_ITEMS: {
    const attr_id *from = attr_items(a, &count);
    attr_id *items = arena_alloc(c->to->arena, ((size_t)count + 1) * sizeof *items);
    for (uint32_t i = 0; i < count; i++) items[i] = copy_attr(c, from[i]);
    attr_set_items(a, items, count);
    return;
  }
  case HOLDS_ENTRIES: {
    const attr_entry *entries = attr_entries(a, &count);
    attr_set_entries(a, copy_entries(c, entries, count), count);
    return;
  }
  }
}

static attr_id copy_attr(graph_copier *c, attr_id attr) {
  if (attr == ATTR_NONE) return attr;
  attr_id known = copy_of(&c->attrs, attr);
  if (known != ID_NONE) return known;
  graph_attr a = c->from->attributes.items[attr];
  a.type = copy_type(c, a.type);
  a.text = copy_name(c, a.text);
  copy_payload(c, &a);
  attr_id made = graph_add_attr(c->to, &a);
  copy_set(c, &c->attrs, attr, made);
  return made;
}

static const attr_id *copy_attr_list(graph_copier *c, const attr_id *list, uint32_t count) {
  if (!list) return NULL;
  attr_id *made = arena_alloc(c->to->arena, ((size_t)count + 1) * sizeof *made);
  for (uint32_t i = 0; i < count; i++) made[i] = copy_attr(c, list[i]);
  return made;
}

// --- operations

static void copy_value(graph_copier *c, value_id from, value_id to) {
  assert(from < c->from->value_count && to < c->to->value_count);
  const graph_value *v = &c->from->values[from];
  c->to->values[to].type = copy_type(c, v->type);
  c->to->values[to].name = copy_name(c, v->name);
  c->to->values[to].at = from;
  copy_set(c, &c->values, from, to);
}

value_id copy_argument(graph_copier *c, value_id argument, block_id block) {
  graph_block kept = c->to->blocks[block];
  value_id made = graph_add_block_arguments(c->to, block, 1);
  c->to->blocks[block] = kept;
  copy_value(c, argument, made);
  return made;
}

void copy_value_again(graph_copier *c, value_id value) {
  copy_value(c, value, copy_of(&c->values, value));
}

static void copy_operands(graph_copier *c, const graph_op *o, op_id to) {
  enum { FEW = 16 };
  value_id few[FEW];
  uint32_t count = o->operand_count;
  value_id *list = count <= FEW ? few : arena_alloc(c->arena, count * sizeof *list);
  for (uint32_t i = 0; i < count; i++) {
    value_id from = c->from->operands[o->operands + i];
    list[i] = copy_of(&c->values, from);
    c->late |= list[i] == VALUE_NONE && from != VALUE_NONE;
  }
  graph_set_operands(c->to, to, list, count);
}

static void copy_attrs(graph_copier *c, const graph_op *o, op_id to) {
  uint32_t count = o->attr_count;
  if (!count) {
    graph_set_attrs(c->to, to, NULL, 0);
    return;
  }
  attr_entry *entries = copy_entries(c, graph_attr_entries(c->from, o->attrs), count);
  graph_set_attrs(c->to, to, entries, count);
}

// The arguments of the first block of a function's body, where they are others than those in the graph.
static const copy_arguments *other_arguments(const graph_copier *c, func_id func) {
  const copy_arguments *a = c->arguments && func < c->argument_lists ? &c->arguments[func] : NULL;
  return a && a->ids ? a : NULL;
}

static void copy_block_arguments(graph_copier *c, block_id from, block_id made,
                                 const copy_arguments *others) {
  const graph_block *b = &c->from->blocks[from];
  uint32_t count = others ? others->count : b->argument_count;
  value_id first = graph_add_block_arguments(c->to, made, count);
  for (uint32_t k = 0; k < count; k++)
    copy_value(c, others ? others->ids[k] : b->arguments + k, first + k);
}

static void copy_region(graph_copier *c, region_id from, func_id func, copy_map *blocks,
                        uint32_t *count) {
  const graph_region *r = &c->from->regions[from];
  *count = r->block_count;
  for (uint32_t i = 0; i < r->block_count; i++) {
    const graph_block *b = &c->from->blocks[r->first_block + i];
    block_id made = graph_add_block(c->to, ID_NONE);
    blocks->ids[blocks->capacity++] = made;
    copy_block_arguments(c, r->first_block + i, made,
                         r->op == ID_NONE && !i ? other_arguments(c, r->func) : NULL);
    for (op_id op = b->first; op != ID_NONE; op = c->from->ops[op].next) copy_op(c, op, made, func);
  }
}

// Blocks of a region are consecutive, and regions are nested: they are put together when all their blocks are there.
static void copy_regions(graph_copier *c, const graph_op *o, op_id to, func_id func) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < o->region_count; i++)
    total += c->from->regions[o->regions + i].block_count;
  copy_map blocks = {arena_alloc(c->arena, ((size_t)total + 1) * sizeof(uint32_t)), 0};
  uint32_t *counts = arena_alloc(c->arena, o->region_count * sizeof *counts);
  for (uint32_t i = 0; i < o->region_count; i++)
    copy_region(c, o->regions + i, func, &blocks, &counts[i]);
  region_id region = graph_add_regions(c->to, to, func, o->region_count);
  const block_id *list = blocks.ids;
  for (uint32_t i = 0; i < o->region_count; i++) {
    graph_set_region_blocks(c->to, region + i, list, counts[i]);
    list += counts[i];
  }
  assert(blocks.capacity == total && list == blocks.ids + total);
}

op_id copy_op(graph_copier *c, op_id op, block_id block, func_id func) {
  const graph_op *o = &c->from->ops[op];
  op_id made = graph_add_op(c->to, copy_name(c, o->name), block, (source_span){op, op});
  c->to->ops[made].unread = o->unread;
  copy_set(c, &c->ops, op, made);
  copy_operands(c, o, made);
  value_id first = graph_add_results(c->to, made, o->result_count);
  for (uint32_t i = 0; i < o->result_count; i++) copy_value(c, o->results + i, first + i);
  copy_attrs(c, o, made);
  uint32_t count;
  const graph_successor *successors = graph_successors(c->from, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    graph_successor s = successors[i];
    s.op = made;
    graph_add_successor(c->to, s);
  }
  if (o->region_count) copy_regions(c, o, made, func);
  assert(c->to->ops[made].operand_count == o->operand_count);
  return made;
}

void copy_op_again(graph_copier *c, op_id op) {
  const graph_op *o = &c->from->ops[op];
  op_id made = copy_of(&c->ops, op);
  assert(made != ID_NONE && !o->region_count && c->to->ops[made].result_count == o->result_count);
  c->to->ops[made].name = copy_name(c, o->name);
  copy_operands(c, o, made);
  copy_attrs(c, o, made);
  for (uint32_t i = 0; i < o->result_count; i++)
    copy_value(c, o->results + i, c->to->ops[made].results + i);
}

// --- functions and the whole

// The function's type with the types that the arguments have.
static type_id copy_type_with(graph_copier *c, type_id function, const copy_arguments *a) {
  const graph_type *t = type_get(&c->from->types, function);
  assert(t->kind == TYPE_FUNCTION && t->split <= t->param_count);
  uint32_t results = t->param_count - t->split, count = a->count + results;
  type_id *params = arena_alloc(c->to->arena, ((size_t)count + 1) * sizeof *params);
  for (uint32_t i = 0; i < a->count; i++) params[i] = copy_type(c, c->from->values[a->ids[i]].type);
  for (uint32_t i = 0; i < results; i++)
    params[a->count + i] = copy_type(c, type_get(&c->from->types, function)->params[t->split + i]);
  graph_type made = *type_get(&c->from->types, function);
  made.text = copy_name(c, made.text);
  made.encoding = copy_name(c, made.encoding);
  made.params = params;
  made.param_count = count;
  made.split = a->count;
  return type_intern(&c->to->types, &made);
}

// Those that are no arguments in the graph have no attributes.
static const attr_id *copy_attrs_with(graph_copier *c, const graph_func *f,
                                      const copy_arguments *a) {
  const graph_block *b = &c->from->blocks[c->from->regions[f->body].first_block];
  if (!f->argument_attrs) return NULL;
  attr_id *made = arena_alloc(c->to->arena, ((size_t)a->count + 1) * sizeof *made);
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t old = a->ids[i] - b->arguments;
    made[i] = old < b->argument_count ? copy_attr(c, f->argument_attrs[old]) : ATTR_NONE;
  }
  return made;
}

static void copy_func(graph_copier *c, func_id from) {
  const graph_func *f = &c->from->funcs[from];
  source_span span = {UINT32_MAX - 1, UINT32_MAX - 1};
  func_id made = graph_add_func(c->to, copy_name(c, f->name), f->module, span);
  const graph_type *type = f->type == TYPE_NONE ? NULL : type_get(&c->from->types, f->type);
  assert(!type || type->kind == TYPE_FUNCTION);
  uint32_t arguments = type ? type->split : 0;
  if (f->attr_count) {
    attr_entry *entries = copy_entries(c, graph_attr_entries(c->from, f->attrs), f->attr_count);
    graph_set_func_attrs(c->to, made, entries, f->attr_count);
  }
  c->to->funcs[made].is_private = f->is_private;
  c->to->funcs[made].is_declaration = f->is_declaration;
  if (f->body != ID_NONE) {
    const graph_region *body = &c->from->regions[f->body];
    uint32_t count = 0;
    copy_map blocks = {arena_alloc(c->arena, ((size_t)body->block_count + 1) * sizeof(uint32_t)),
                       0};
    region_id region = graph_add_body(c->to, made);
    copy_region(c, f->body, made, &blocks, &count);
    graph_set_region_blocks(c->to, region, blocks.ids, count);
    if (body->block_count) arguments = c->from->blocks[body->first_block].argument_count;
  }
  uint32_t results = type ? type->param_count - type->split : 0;
  const copy_arguments *others = other_arguments(c, from);
  type_id own = others && type ? copy_type_with(c, f->type, others) : copy_type(c, f->type);
  c->to->funcs[made].type = own;
  c->to->funcs[made].argument_attrs =
      others ? copy_attrs_with(c, f, others) : copy_attr_list(c, f->argument_attrs, arguments);
  c->to->funcs[made].result_attrs = copy_attr_list(c, f->result_attrs, results);
}

// Operands that are defined after their uses, in a block that comes first when the program runs.
static void copy_late(graph_copier *c) {
  for (op_id op = 0; op < c->from->op_count; op++) {
    op_id made = copy_of(&c->ops, op);
    for (uint32_t i = 0; made != ID_NONE && i < c->to->ops[made].operand_count; i++) {
      value_id *to = &c->to->operands[c->to->ops[made].operands + i];
      if (*to == VALUE_NONE) *to = copy_of(&c->values, graph_operand(c->from, op, i));
    }
  }
}

void copy_program(graph_copier *c, const uint8_t *skip_symbol, const uint8_t *skip_assumption) {
  const shape_graph *g = c->from;
  shape_graph *to = c->to;
  graph_reserve(to, g->op_count);
  for (uint32_t i = 0; i < g->declared.symbol_count; i++) {
    if (skip_symbol && skip_symbol[i]) continue;
    uint32_t made = copy_symbol(c, i);
    copy_symbol_row(c, i, made);
  }
  for (uint32_t i = 0; i < g->declared.assumption_count; i++) {
    if (skip_assumption && skip_assumption[i]) continue;
    to->declared.assumptions =
        arena_grow(to->arena, to->declared.assumptions, to->declared.assumption_count,
                   (size_t)to->declared.assumption_count + 1, &to->declared.assumption_capacity,
                   sizeof *to->declared.assumptions);
    graph_assumption row = g->declared.assumptions[i];
    row.text = copy_bytes(c, row.text, row.length);
    to->declared.assumptions[to->declared.assumption_count++] = row;
  }
  for (func_id f = 0; f < g->func_count; f++) copy_func(c, f);
  if (c->late) copy_late(c);
  to->onnx_opset = g->onnx_opset;
}

// Hashes of texts depend on the seed of the arena, in which nothing was looked up yet.
void copy_tables(shape_graph *to, const shape_graph *from) {
  shape_arena *arena = to->arena;
  assert(!to->names.count && !to->types.count);
  arena->seed = from->arena->seed;
  intern_share(&to->names, &from->names);
  type_table *types = &to->types;
  const type_table *known = &from->types;
  types->types = arena_grow(arena, types->types, 0, (size_t)known->count + 1, &types->capacity,
                            sizeof *types->types);
  types->chain = arena_grow(arena, types->chain, 0, (size_t)known->count + 1,
                            &types->chain_capacity, sizeof *types->chain);
  if (known->count) memcpy(types->types, known->types, known->count * sizeof *types->types);
  if (known->count) memcpy(types->chain, known->chain, known->count * sizeof *types->chain);
  types->count = known->count;
  types->by_hash = imap_copy(&known->by_hash, arena);
}
