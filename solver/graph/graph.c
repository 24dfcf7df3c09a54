// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/graph.h"

#include <assert.h>
#include <string.h>

#include "solver/base/gather.h"
#include "solver/base/pages.h"

enum { NAMES_FEW = 48 };  // what small programs need

void graph_init(shape_graph *g, shape_arena *arena, graph_format format, const char *text,
                size_t length) {
  memset(g, 0, sizeof *g);
  // Spans are 32-bit offsets, and UINT32_MAX is no location.
  if (length >= UINT32_MAX) arena_fail(arena, SHAPE_SIZE);
  g->arena = arena;
  g->format = format;
  g->source.text = text;
  g->source.length = (uint32_t)length;
  intern_init(&g->names, arena);
  intern_reserve(&g->names, NAMES_FEW);
  type_table_init(&g->types, arena, &g->names);
  diag_init(&g->diags, arena);
}

void graph_clear(shape_graph *g) {
  struct shape_budget *budget = g->budget;
  uint32_t limit = g->diags.limit;
  graph_init(g, g->arena, g->format, g->source.text, g->source.length);
  g->budget = budget;
  g->diags.limit = limit;
}

// Makes room for `extra` more elements after `count` ones; returns the array. Ids stay below ID_LIMIT.
static void *room(shape_graph *g, void *array, uint32_t count, uint32_t extra, uint32_t *capacity,
                  size_t size) {
  size_t need = (size_t)count + extra;
  if (need <= *capacity) return array;
  if (need >= ID_LIMIT) arena_fail(g->arena, SHAPE_SIZE);
  return arena_grow(g->arena, array, count, need, capacity, size);
}

// In a typical program an operation has one result, less than two operands and half an attribute.
void graph_reserve(shape_graph *g, uint32_t n) {
#ifdef SHAPE_DEBUG
  return;  // the arrays move as they grow (arena.h)
#endif
  g->ops = room(g, g->ops, g->op_count, n, &g->capacity.ops, sizeof *g->ops);
  g->values = room(g, g->values, g->value_count, n, &g->capacity.values, sizeof *g->values);
  g->operands =
      room(g, g->operands, g->operand_count, n + n / 2, &g->capacity.operands, sizeof *g->operands);
  g->attributes.entries = room(g, g->attributes.entries, g->attributes.entry_count, n / 2,
                               &g->attributes.entry_capacity, sizeof *g->attributes.entries);
  g->attributes.items = room(g, g->attributes.items, g->attributes.count, n / 2,
                             &g->attributes.capacity, sizeof *g->attributes.items);
}

// How many of `count` things there will be if the rest of the text is as what is in front of `at`, and some more.
static uint32_t projected(const shape_graph *g, uint32_t count, uint32_t at) {
  const uint64_t total = (uint64_t)count * g->source.length / at;
  return total < ID_LIMIT / 2 ? (uint32_t)(total + total / 16) : ID_LIMIT / 2;
}

#ifdef SHAPE_DEBUG
enum { ALWAYS_MOVES = 1 };
#else
enum { ALWAYS_MOVES = 0 };
#endif

// Where the operations of a large program have no room, its arrays get a block with pages of 2 MB that has room for what is
// to come, so that they do not grow step by step. In debug builds they move whenever operations have no room (arena.h).
static void project(shape_graph *g, uint32_t at) {
  enum { MANY = 4096, ARRAYS = 3 };
  if (!ALWAYS_MOVES && (g->op_count < MANY || !at || at >= g->source.length)) return;
  arena_array all[ARRAYS] = {
      {g->ops, g->op_count, &g->capacity.ops, 0, sizeof *g->ops},
      {g->values, g->value_count, &g->capacity.values, 0, sizeof *g->values},
      {g->operands, g->operand_count, &g->capacity.operands, 0, sizeof *g->operands}};
  size_t bytes = 0;
  for (size_t i = 0; i < ARRAYS; i++) {
    all[i].wanted = ALWAYS_MOVES ? *all[i].capacity : projected(g, all[i].used, at);
    if (all[i].wanted < *all[i].capacity) return;
    bytes += all[i].wanted * all[i].size;
  }
  if (!ALWAYS_MOVES && (all->wanted / 2 < g->op_count || bytes < PAGES_LARGE)) return;
  arena_gather(g->arena, all, ARRAYS);
  g->ops = all[0].array;
  g->values = all[1].array;
  g->operands = all[2].array;
}

static __attribute__((noinline)) void grow_ops(shape_graph *g, uint32_t at) {
  project(g, at);
  g->ops = room(g, g->ops, g->op_count, 1, &g->capacity.ops, sizeof *g->ops);
}

// What it has is written where it stays: a copy would wait for the smaller pieces that were just written.
op_id graph_add_op(shape_graph *g, name_id name, block_id parent, source_span span) {
  assert(parent == ID_NONE || parent < g->block_count);
  const op_id id = g->op_count;
  arena_poll_at(g->arena, id);
  if (id == g->capacity.ops) grow_ops(g, span.begin);
  g->op_count++;
  graph_op *op = &g->ops[id];
  op->name = name;
  op->operands = g->operand_count;
  op->operand_count = 0;
  op->results = g->value_count;
  op->result_count = 0;
  op->attrs = g->attributes.entry_count;
  op->attr_count = 0;
  op->regions = g->region_count;
  op->region_count = 0;
  op->unread = false;
  op->parent = parent;
  op->next = ID_NONE;
  op->span = op->name_span = span;
  if (parent != ID_NONE) {
    graph_block *block = &g->blocks[parent];
    if (block->last == ID_NONE) {
      block->first = id;
    } else {
      assert(block->last < id);
      g->ops[block->last].next = id;
    }
    block->last = id;
  }
  return id;
}

void graph_grow_operands(shape_graph *g) {
  g->operands =
      room(g, g->operands, g->operand_count, 1, &g->capacity.operands, sizeof *g->operands);
}

void graph_set_operands(shape_graph *g, op_id op, const value_id *operands, uint32_t count) {
  assert(op < g->op_count);
  g->operands =
      room(g, g->operands, g->operand_count, count, &g->capacity.operands, sizeof *g->operands);
  if (count) memcpy(g->operands + g->operand_count, operands, count * sizeof *operands);
  g->ops[op].operands = g->operand_count;
  g->ops[op].operand_count = count;
  g->operand_count += count;
}

static value_id add_values(shape_graph *g, uint32_t def, uint32_t count, bool is_argument) {
  value_id first = g->value_count;
  if (count > g->capacity.values - first)
    g->values = room(g, g->values, first, count, &g->capacity.values, sizeof *g->values);
  for (uint32_t i = 0; i < count; i++) {
    g->values[first + i] = (graph_value){.type = TYPE_NONE,
                                         .def = def & (ID_LIMIT - 1),
                                         .is_argument = is_argument,
                                         .name = NAME_NONE,
                                         .at = UINT32_MAX};
  }
  g->value_count += count;
  return first;
}

value_id graph_add_results(shape_graph *g, op_id op, uint32_t count) {
  assert(op < g->op_count && !g->ops[op].result_count);
  value_id first = add_values(g, op, count, false);
  g->ops[op].results = first;
  g->ops[op].result_count = count;
  return first;
}

static uint32_t add_entries(shape_graph *g, const attr_entry *entries, uint32_t count) {
  uint32_t first = g->attributes.entry_count;
  g->attributes.entries = room(g, g->attributes.entries, first, count,
                               &g->attributes.entry_capacity, sizeof *g->attributes.entries);
  if (count) memcpy(g->attributes.entries + first, entries, count * sizeof *entries);
  g->attributes.entry_count += count;
  return first;
}

void graph_set_attrs(shape_graph *g, op_id op, const attr_entry *entries, uint32_t count) {
  assert(op < g->op_count);
  g->ops[op].attrs = add_entries(g, entries, count);
  g->ops[op].attr_count = count;
}

void graph_share_attrs(shape_graph *g, op_id op, uint32_t entries, uint32_t count) {
  assert(op < g->op_count && entries + count <= g->attributes.entry_count);
  g->ops[op].attrs = entries;
  g->ops[op].attr_count = count;
}

bool graph_may_share_attrs(const shape_graph *g, attr_id first) {
  for (attr_id i = first; i < g->attributes.count; i++) {
    if (g->attributes.items[i].kind == ATTR_SYMBOL) return false;
  }
  return true;
}

void graph_set_func_attrs(shape_graph *g, func_id func, const attr_entry *entries, uint32_t count) {
  g->funcs[func].attrs = add_entries(g, entries, count);
  g->funcs[func].attr_count = count;
}

void graph_set_signature(shape_graph *g, func_id func, block_id block) {
  assert(func < g->func_count && block < g->block_count);
  const graph_block *b = &g->blocks[block];
  op_id last = graph_terminator(g, block);
  uint32_t inputs = b->argument_count, outputs = last == ID_NONE ? 0 : g->ops[last].operand_count;
  type_id none = type_unranked(&g->types, DTYPE_NONE);
  type_id *params = arena_alloc(g->arena, ((size_t)inputs + outputs + 1) * sizeof *params);
  for (uint32_t i = 0; i < inputs + outputs; i++) {
    value_id v = i < inputs ? b->arguments + i : graph_operand(g, last, i - inputs);
    type_id type = v == VALUE_NONE ? TYPE_NONE : g->values[v].type;
    params[i] = type == TYPE_NONE ? none : type;
  }
  g->funcs[func].type = type_function(&g->types, params, inputs, outputs);
}

static region_id add_regions(shape_graph *g, op_id op, func_id func, uint32_t count) {
  region_id first = g->region_count;
  g->regions = room(g, g->regions, first, count, &g->capacity.regions, sizeof *g->regions);
  for (uint32_t i = 0; i < count; i++) {
    g->regions[first + i] = (graph_region){.first_block = ID_NONE, .op = op, .func = func};
  }
  g->region_count += count;
  return first;
}

region_id graph_add_regions(shape_graph *g, op_id op, func_id func, uint32_t count) {
  assert(op < g->op_count && !g->ops[op].region_count);
  region_id first = add_regions(g, op, func, count);
  g->ops[op].regions = first;
  g->ops[op].region_count = count & 0x7fffffff;
  return first;
}

region_id graph_add_body(shape_graph *g, func_id func) {
  assert(func < g->func_count && g->funcs[func].body == ID_NONE);
  region_id body = add_regions(g, ID_NONE, func, 1);
  g->funcs[func].body = body;
  return body;
}

static block_id new_block(shape_graph *g, region_id region) {
  block_id id = g->block_count;
  g->blocks = room(g, g->blocks, id, 1, &g->capacity.blocks, sizeof *g->blocks);
  g->blocks[id] = (graph_block){
      .arguments = g->value_count, .first = ID_NONE, .last = ID_NONE, .region = region};
  g->block_count++;
  return id;
}

// Gives a block's contents another id. The old one remains, empty and in no region.
static block_id move_block(shape_graph *g, block_id from) {
  assert(from < g->block_count);
  block_id to = new_block(g, ID_NONE);
  g->blocks[to] = g->blocks[from];
  graph_block *block = &g->blocks[to];
  for (uint32_t i = 0; i < block->argument_count; i++)
    g->values[block->arguments + i].def = to & (ID_LIMIT - 1);
  for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) g->ops[op].parent = to;
  g->blocks[from] = (graph_block){
      .arguments = block->arguments, .first = ID_NONE, .last = ID_NONE, .region = ID_NONE};
  return to;
}

void graph_set_region_blocks(shape_graph *g, region_id region, const block_id *blocks,
                             uint32_t count) {
  assert(region < g->region_count && !g->regions[region].block_count);
  bool consecutive = true;
  for (uint32_t i = 1; i < count; i++) consecutive &= blocks[i] == blocks[0] + i;
  block_id first = count ? blocks[0] : ID_NONE;
  for (uint32_t i = 0; i < count; i++) {
    block_id block = consecutive ? blocks[i] : move_block(g, blocks[i]);
    if (i == 0) first = block;
    g->blocks[block].region = region;
  }
  g->regions[region].first_block = first;
  g->regions[region].block_count = count;
}

block_id graph_add_block(shape_graph *g, region_id region) {
  if (region == ID_NONE) return new_block(g, ID_NONE);
  block_id first = g->regions[region].first_block;
  uint32_t count = g->regions[region].block_count;
  if (!count) {
    g->regions[region].first_block = g->block_count;
  } else if (first + count != g->block_count) {
    g->regions[region].first_block = g->block_count;
    for (uint32_t i = 0; i < count; i++) {
      block_id moved = move_block(g, first + i);  // which moves the table
      g->blocks[moved].region = region;
    }
  }
  assert(g->regions[region].first_block + count == g->block_count);
  g->regions[region].block_count = count + 1;
  return new_block(g, region);
}

value_id graph_add_block_arguments(shape_graph *g, block_id block, uint32_t count) {
  assert(block < g->block_count);
  value_id first = add_values(g, block, count, true);
  g->blocks[block].arguments = first;
  g->blocks[block].argument_count = count;
  return first;
}

static uint64_t func_key(uint32_t module, name_id name) { return ((uint64_t)module << 32) | name; }

func_id graph_add_func(shape_graph *g, name_id name, uint32_t module, source_span span) {
  func_id id = g->func_count;
  g->funcs = room(g, g->funcs, id, 1, &g->capacity.funcs, sizeof *g->funcs);
  g->funcs[id] = (graph_func){.name = NAME_NONE,
                              .module = module,
                              .body = ID_NONE,
                              .type = TYPE_NONE,
                              .attrs = g->attributes.entry_count,
                              .span = span,
                              .name_span = span};
  g->func_count++;
  if (name != NAME_NONE) graph_name_func(g, id, name);
  return id;
}

void graph_name_func(shape_graph *g, func_id func, name_id name) {
  assert(func < g->func_count && name < g->names.count);
  g->funcs[func].name = name;
  uint64_t key = func_key(g->funcs[func].module, name);
  uint32_t known;
  if (!imap_get(&g->declared.func_by_name, key, &known))
    imap_put(&g->declared.func_by_name, g->arena, key, func);
}

attr_id graph_add_attr(shape_graph *g, const graph_attr *attr) {
  assert(graph_attr_is_whole(g, attr));
  attr_id id = g->attributes.count;
  g->attributes.items =
      room(g, g->attributes.items, id, 1, &g->attributes.capacity, sizeof *g->attributes.items);
  g->attributes.items[id] = *attr;
  g->attributes.count++;
  return id;
}

static attr_id later(attr_id id, attr_id from, uint32_t by) {
  return id == ATTR_NONE || id < from ? id : id + by;
}

void graph_move_payload(shape_graph *g, graph_attr *attr, attr_id from, uint32_t by) {
  uint32_t count, entry_count;
  const attr_id *items = attr_items(attr, &count);
  const attr_entry *entries = attr_entries(attr, &entry_count);
  if (count) {
    attr_id *now = arena_alloc(g->arena, count * sizeof *now);
    for (uint32_t k = 0; k < count; k++) now[k] = later(items[k], from, by);
    attr_set_items(attr, now, count);
  }
  if (entry_count) {
    attr_entry *now = arena_alloc(g->arena, entry_count * sizeof *now);
    for (uint32_t k = 0; k < entry_count; k++)
      now[k] = (attr_entry){entries[k].name, later(entries[k].value, from, by)};
    attr_set_entries(attr, now, entry_count);
  }
}

uint32_t graph_add_symbol(shape_graph *g, name_id name, source_span span) {
  assert(name < g->names.count);
  uint32_t id = g->declared.symbol_count;
  g->declared.symbols = room(g, g->declared.symbols, id, 1, &g->declared.symbol_capacity,
                             sizeof *g->declared.symbols);
  g->declared.symbols[id] =
      (graph_symbol){.name = name, .min = 0, .max = INT64_MAX, .multiple_of = 1, .span = span};
  g->declared.symbol_count++;
  uint32_t known;
  if (!imap_get(&g->declared.symbol_by_name, name, &known)) {
    imap_put(&g->declared.symbol_by_name, g->arena, name, id);
  }
  return id;
}

static bool has_multiple(int64_t low, int64_t high, int64_t of) {
  int64_t over = low % of;
  if (low > high) return false;
  if (over <= 0) return low - over <= high;
  return low <= INT64_MAX - (of - over) && low + (of - over) <= high;
}

bool graph_symbol_is_possible(const graph_symbol *s) {
  int64_t least = s->is_value ? INT64_MIN : 0, of = s->multiple_of;
  assert(of > 0);
  if (!s->range_count) return has_multiple(s->min > least ? s->min : least, s->max, of);
  for (uint32_t i = 0; i < s->range_count; i++) {
    int64_t low = s->ranges[2 * i] > least ? s->ranges[2 * i] : least;
    if (has_multiple(low, s->ranges[2 * i + 1], of)) return true;
  }
  return false;
}

bool graph_symbol_allows(const graph_symbol *s, int64_t value) {
  if (!s->is_value && value < 0) return false;
  if (s->multiple_of > 1 && value % s->multiple_of) return false;
  if (!s->range_count) return value >= s->min && value <= s->max;
  for (uint32_t i = 0; i < s->range_count; i++) {
    if (value >= s->ranges[2 * i] && value <= s->ranges[2 * i + 1]) return true;
  }
  return false;
}

void graph_note_unlikely(shape_graph *g, const graph_symbol *s) {
  for (uint32_t i = 0; i < s->likely_count; i++) {
    if (graph_symbol_allows(s, s->likely[i])) continue;
    diag_add(&g->diags, DIAG_NOTE, "symbol", s->span,
             "%lld is no value that symbol \"%s\" may have: it is not likely",
             (long long)s->likely[i], intern_text(&g->names, s->name));
  }
}

uint32_t graph_add_assumption(shape_graph *g, graph_assumption a) {
  graph_declared *d = &g->declared;
  assert(a.text && (a.found || !a.required));
  d->assumptions = room(g, d->assumptions, d->assumption_count, 1, &d->assumption_capacity,
                        sizeof *d->assumptions);
  d->assumptions[d->assumption_count] = a;
  return d->assumption_count++;
}

uint32_t graph_find_symbol(const shape_graph *g, name_id name) {
  uint32_t id;
  return imap_get(&g->declared.symbol_by_name, name, &id) ? id : ID_NONE;
}

func_id graph_find_func(const shape_graph *g, uint32_t module, const char *name, size_t length) {
  name_id id = intern_find(&g->names, name, length);
  func_id func;
  if (id == NAME_NONE || !imap_get(&g->declared.func_by_name, func_key(module, id), &func))
    return ID_NONE;
  return func;
}

// Left out as it is where there is no memory and nothing that this could end.
const char *graph_complete(shape_graph *g) {
  const shape_status status = g->source.complete(&g->source);
  if (status != SHAPE_OK && arena_is_protected(g->arena)) arena_fail(g->arena, status);
  return g->source.complete ? NULL : g->source.text;
}

// Names such as %17 and "17" stay in the text: a large program has one for each operation.
const char *graph_value_text(const shape_graph *g, value_id v, uint32_t *length) {
  assert(v < g->value_count);
  const graph_value *value = &g->values[v];
  *length = 0;
  if (value->name != NAME_NONE) {
    *length = intern_length(&g->names, value->name);
    return intern_text(&g->names, value->name);
  }
  if (!graph_is_text(g) || value->at >= g->source.length) return "";
  const char *text = graph_text(g), *end = text + g->source.length;
  if (!text) return "";
  text += value->at;
  if (g->format == GRAPH_MLIR ? *text++ != '%' : !value->at || text[-1] != '"') return "";
  const char *at = text;
  while (g->format == GRAPH_JSON && at < end && graph_is_letter(*at)) at++;
  while (at < end && *at >= '0' && *at <= '9') at++;
  *length = (uint32_t)(at - text);
  return text;
}

const char *graph_node_name(const shape_graph *g, op_id op, uint32_t *length) {
  assert(op < g->op_count);
  source_span span = g->ops[op].name_span;
  *length = 0;
  if (graph_is_text(g) || span_is_none(span) || span.end > g->source.length) return "";
  // The span of a node without a name is that of its operator.
  const char *text = g->source.text + span.begin, *name = graph_op_name(g, op);
  uint32_t count = span.end - span.begin;
  size_t all = strlen(name);
  if (all >= count && memcmp(name + all - count, text, count) == 0) return "";
  *length = count;
  return text;
}

void graph_print_op(const shape_graph *g, op_id op, shape_strbuf *out) {
  uint32_t length;
  const char *node = graph_node_name(g, op, &length);
  strbuf_puts(out, graph_op_name(g, op));
  if (!length) return;
  strbuf_puts(out, " \"");
  strbuf_add(out, node, length);
  strbuf_putc(out, '"');
}

void graph_add_successor(shape_graph *g, graph_successor successor) {
  g->successors.items = room(g, g->successors.items, g->successors.count, 1,
                             &g->successors.capacity, sizeof *g->successors.items);
  g->successors.items[g->successors.count++] = successor;
}

const graph_successor *graph_successors(const shape_graph *g, op_id op, uint32_t *count) {
  uint32_t low = sorted_before(g->successors.items, g->successors.count,
                               sizeof *g->successors.items, offsetof(graph_successor, op), op);
  assert(!low || g->successors.items[low - 1].op < op);
  assert(low == g->successors.count || g->successors.items[low].op >= op);
  *count = 0;
  while (low + *count < g->successors.count && g->successors.items[low + *count].op == op) ++*count;
  return *count ? &g->successors.items[low] : NULL;
}

void graph_name_values(shape_graph *g) {
  for (value_id v = 0; v < g->value_count; v++) {
    uint32_t length;
    const char *text = graph_value_text(g, v, &length);
    if (length) g->values[v].name = intern_add(&g->names, text, length);
  }
}

void graph_show(shape_graph *g, op_id op, const graph_op *as) {
  assert(op < g->op_count && !g->shown.is);
  g->shown.op = op;
  g->shown.was = g->ops[op];
  g->shown.is = true;
  g->ops[op] = *as;
}

void graph_show_own(shape_graph *g) {
  if (g->shown.is) g->ops[g->shown.op] = g->shown.was;
  g->shown.is = false;
}

op_id graph_terminator(const shape_graph *g, block_id block) { return g->blocks[block].last; }

const graph_format_row GRAPH_FORMATS[] = {
#define X(id, name, ending, flags) [GRAPH_##id] = {#name, ending, flags},
#include "solver/graph/formats.def"
#undef X
};

// The line table is made when the first location is asked for: most programs are read without one. The graph itself is
// never a const object, so dropping the qualifier for this cache is defined.
static void index_lines(void *data) {
  shape_graph *g = data;
  if (graph_is_text(g)) {
    source_index(&g->source, g->arena);
  } else {
    source_index_bytes(&g->source, g->arena);
  }
}

source_position graph_position(const shape_graph *g, source_span span) {
  index_lines((shape_graph *)g);
  return source_position_of(&g->source, span.begin);
}

uint32_t graph_line(const shape_graph *g, source_span span) {
  return graph_is_text(g) && !span_is_none(span) ? graph_position(g, span).line : 0;
}

source_position graph_position_unprotected(const shape_graph *g, source_span span) {
  if (g->source.line_starts || arena_protect(g->arena, index_lines, (shape_graph *)g) == SHAPE_OK)
    return source_position_of(&g->source, span.begin);
  if (!graph_is_text(g)) return (source_position){1, span.begin + 1};
  return source_position_by_scan(&g->source, span.begin);
}
