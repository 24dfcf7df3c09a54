// SPDX-License-Identifier: Apache-2.0
// A reading as pieces: runs of statements that are taken over, and statements that are read, in the order of the text. All
// tables of a graph grow in that order, so a run is a stretch of each, whose ids differ by one number from the old ones.
// Only values of the function are used across pieces; where each of them went is kept.
#include <assert.h>

#include "solver/base/sorted.h"
#include "solver/formats/mlir/parser.h"
#include "solver/graph/copy.h"
#include "solver/ops/traits.h"

struct mlir_earlier {
  shape_graph graph;  // with the text, which both outlive what is read
  mlir_uses uses;
  mlir_points points;
  bool
      by_lines;  // a second reading, as after an error of syntax, reads each of its statements as the first one does
};

enum { STATEMENTS_MAX = 256, BEFORE = 1, NAMES_MAX = 8 };  // statements and names of one edit

typedef struct rereading {
  mlir_parser *p;
  shape_graph *g;
  mlir_uses *uses;
  const mlir_earlier *from;
  const mlir_point *points;          // of the earlier text
  uint32_t first, last;              // the first that is read; where the body ends
  uint32_t begin, old_end, new_end;  // bytes of the edit in both texts
  uint32_t by;                       // that what follows moves, modulo 2^32
  block_id block;                    // the body
  value_id low;                      // values in front of it are where they were
  value_id *values;                  // by old value - low
  uint8_t *touched;                  // the same: what uses it is to be read
  bool touches;
  uint32_t read;  // statements
  bool by_lines;  // the statement of the edit has an error of syntax
  bool failed;    // it was met
  size_t bytes;   // that were inspected to go on after it
} rereading;

static mlir_point all_of(const shape_graph *g, const mlir_uses *uses) {
  return (mlir_point){.at = g->source.length,
                      .ops = g->op_count,
                      .values = g->value_count,
                      .operands = g->operand_count,
                      .entries = g->attributes.entry_count,
                      .attrs = g->attributes.count,
                      .regions = g->region_count,
                      .blocks = g->block_count,
                      .uses = uses->count};
}

void mlir_add_point(mlir_parser *p, bool ends) {
  const shape_graph *g = p->g;
  mlir_points *points = p->points;
  if (!points->count)
    points->aliases = p->declared.attr_aliases.count + p->declared.type_aliases.count;
  points->depth = p->depth;
  points->items = arena_grow(g->arena, points->items, points->count, (size_t)points->count + 1,
                             &points->capacity, sizeof *points->items);
  mlir_point *here = &points->items[points->count++];
  *here = all_of(g, p->uses);
  here->at = mlir_offset(p, p->at);
  here->func = p->func;
  here->ends = ends;
}

static bool are_equal(const mlir_point *a, const mlir_point *b) {
  return a->at == b->at && a->func == b->func && a->ops == b->ops && a->values == b->values &&
         a->operands == b->operands && a->entries == b->entries && a->attrs == b->attrs &&
         a->regions == b->regions && a->blocks == b->blocks && a->uses == b->uses &&
         a->ends == b->ends;
}

// --- taking over: `a` and `z` are the ends of a run in the old tables, `s` what is added to ids

static mlir_point shift_of(const mlir_point *now, const mlir_point *old) {
  return (mlir_point){.ops = now->ops - old->ops,
                      .values = now->values - old->values,
                      .operands = now->operands - old->operands,
                      .entries = now->entries - old->entries,
                      .attrs = now->attrs - old->attrs,
                      .regions = now->regions - old->regions,
                      .blocks = now->blocks - old->blocks,
                      .uses = now->uses - old->uses};
}

static uint32_t later(uint32_t id, uint32_t from, uint32_t by) {
  return id == ID_NONE || id < from ? id : id + by;
}

static source_span moved(source_span span, uint32_t by) {
  if (span_is_none(span)) return span;
  return (source_span){span.begin + by, span.end + by};
}

// Room for what the old table has, and for more.
#define ROOM(arena, array, used, need, capacity)                                                   \
  ((array) = arena_grow((arena), (array), (used), (size_t)(need) + STATEMENTS_MAX, &(capacity),    \
                        sizeof *(array)))

static value_id value_now(const rereading *r, value_id v) {
  assert(v == VALUE_NONE || v < r->from->graph.value_count);
  return v == VALUE_NONE || v < r->low ? v : r->values[v - r->low];
}

static void take_ops(rereading *r, const mlir_point *a, const mlir_point *z, const mlir_point *s) {
  shape_graph *g = r->g;
  const shape_graph *old = &r->from->graph;
  assert(g->op_count == a->ops + s->ops && a->ops <= z->ops && z->ops <= old->op_count);
  ROOM(g->arena, g->ops, g->op_count, z->ops + s->ops, g->capacity.ops);
  for (op_id i = a->ops; i < z->ops; i++) {
    graph_op o = old->ops[i];
    o.operands += s->operands;
    o.results += s->values;
    o.attrs += s->entries;
    o.regions += s->regions;
    o.parent = later(o.parent, a->blocks, s->blocks);
    o.next = later(o.next, 0, s->ops);
    o.span = moved(o.span, r->by);
    o.name_span = moved(o.name_span, r->by);
    g->ops[i + s->ops] = o;
  }
  g->op_count = z->ops + s->ops;
}

static void take_values(rereading *r, const mlir_point *a, const mlir_point *z,
                        const mlir_point *s) {
  shape_graph *g = r->g;
  const shape_graph *old = &r->from->graph;
  assert(g->value_count == a->values + s->values && z->values <= old->value_count);
  ROOM(g->arena, g->values, g->value_count, z->values + s->values, g->capacity.values);
  for (value_id i = a->values; i < z->values; i++) {
    graph_value v = old->values[i];
    v.def = v.is_argument ? later(v.def, a->blocks, s->blocks) : v.def + s->ops;
    if (v.at != UINT32_MAX) v.at += r->by;
    g->values[i + s->values] = v;
    if (i >= r->low) r->values[i - r->low] = i + s->values;
  }
  g->value_count = z->values + s->values;
}

static void take_operands(rereading *r, const mlir_point *a, const mlir_point *z,
                          const mlir_point *s) {
  shape_graph *g = r->g;
  mlir_uses *uses = r->uses;
  const shape_graph *old = &r->from->graph;
  const mlir_uses *had = &r->from->uses;
  uint32_t end = z->operands + s->operands;
  assert(g->operand_count == a->operands + s->operands && z->operands <= old->operand_count);
  ROOM(g->arena, g->operands, g->operand_count, end, g->capacity.operands);
  ROOM(g->arena, uses->operands, uses->operand_count, end, uses->operand_capacity);
  for (uint32_t i = uses->operand_count; i < g->operand_count; i++) uses->operands[i] = UINT32_MAX;
  for (uint32_t i = a->operands; i < z->operands; i++) {
    uint32_t at = i < had->operand_count ? had->operands[i] : UINT32_MAX;
    g->operands[i + s->operands] = value_now(r, old->operands[i]);
    uses->operands[i + s->operands] = at == UINT32_MAX ? at : at + r->by;
  }
  g->operand_count = uses->operand_count = end;
}

static void take_regions(rereading *r, const mlir_point *a, const mlir_point *z,
                         const mlir_point *s) {
  shape_graph *g = r->g;
  const shape_graph *old = &r->from->graph;
  assert(g->region_count == a->regions + s->regions && z->regions <= old->region_count);
  assert(g->block_count == a->blocks + s->blocks && z->blocks <= old->block_count);
  ROOM(g->arena, g->regions, g->region_count, z->regions + s->regions, g->capacity.regions);
  for (region_id i = a->regions; i < z->regions; i++) {
    graph_region region = old->regions[i];
    region.first_block = later(region.first_block, a->blocks, s->blocks);
    region.op = later(region.op, 0, s->ops);
    g->regions[i + s->regions] = region;
  }
  g->region_count = z->regions + s->regions;
  ROOM(g->arena, g->blocks, g->block_count, z->blocks + s->blocks, g->capacity.blocks);
  for (block_id i = a->blocks; i < z->blocks; i++) {
    graph_block block = old->blocks[i];
    block.arguments += s->values;
    block.first = later(block.first, 0, s->ops);
    block.last = later(block.last, 0, s->ops);
    block.region = later(block.region, a->regions, s->regions);
    g->blocks[i + s->blocks] = block;
  }
  g->block_count = z->blocks + s->blocks;
}

// Of attributes in front of the run only those of aliases are referred to, which are where they were.
static void take_attrs(rereading *r, const mlir_point *a, const mlir_point *z,
                       const mlir_point *s) {
  graph_attr_table *to = &r->g->attributes;
  const graph_attr_table *old = &r->from->graph.attributes;
  assert(to->count == a->attrs + s->attrs && z->attrs <= old->count);
  assert(to->entry_count == a->entries + s->entries && z->entries <= old->entry_count);
  ROOM(r->g->arena, to->items, to->count, z->attrs + s->attrs, to->capacity);
  for (attr_id i = a->attrs; i < z->attrs; i++) {
    graph_attr attr = old->items[i];
    attr.span = moved(attr.span, r->by);
    if (s->attrs) graph_move_payload(r->g, &attr, a->attrs, s->attrs);
    to->items[i + s->attrs] = attr;
  }
  to->count = z->attrs + s->attrs;
  ROOM(r->g->arena, to->entries, to->entry_count, z->entries + s->entries, to->entry_capacity);
  for (uint32_t i = a->entries; i < z->entries; i++) {
    attr_entry entry = old->entries[i];
    entry.value = later(entry.value, a->attrs, s->attrs);
    to->entries[i + s->entries] = entry;
  }
  to->entry_count = z->entries + s->entries;
}

static uint32_t position_now(const rereading *r, uint32_t at) {
  return at == UINT32_MAX || at < r->old_end ? at : at + r->by;
}

static source_span span_now(const rereading *r, source_span span) {
  if (span_is_none(span)) return span;
  return (source_span){position_now(r, span.begin), position_now(r, span.end)};
}

static uint32_t subject_now(const rereading *r, const mlir_type_use *row, uint32_t by) {
  switch ((mlir_use_kind)row->kind) {
  case MLIR_USE_VALUE: return value_now(r, row->subject);
  case MLIR_USE_DECLARED:
  case MLIR_USE_FUNCTION:
  case MLIR_USE_BODY: return row->subject;
  default: return row->subject + by;
  }
}

static void take_uses(rereading *r, const mlir_point *a, const mlir_point *z, const mlir_point *s) {
  shape_arena *arena = r->g->arena;
  mlir_uses *uses = r->uses;
  const mlir_uses *had = &r->from->uses;
  assert(uses->count == a->uses + s->uses && z->uses <= had->count);
  ROOM(arena, uses->items, uses->count, z->uses + s->uses, uses->capacity);
  for (uint32_t i = a->uses; i < z->uses; i++) {
    mlir_type_use row = had->items[i];
    row.subject = subject_now(r, &row, s->ops);
    // The type of a function in generic form is in front of the body, and its row after those of the body.
    row.span = row.kind == MLIR_USE_FUNCTION ? span_now(r, row.span) : moved(row.span, r->by);
    uses->items[i + s->uses] = row;
  }
  uses->count = z->uses + s->uses;
  uint32_t end = z->ops + s->ops, first = a->ops + s->ops;
  ROOM(arena, uses->ops, uses->op_count, end, uses->op_capacity);
  for (op_id i = uses->op_count; i < first; i++) uses->ops[i] = (mlir_op_use){0};
  for (op_id i = a->ops; i < z->ops; i++) {
    mlir_op_use use = i < had->op_count ? had->ops[i] : (mlir_op_use){0};
    if (use.end) use.end += r->by;
    uses->ops[i + s->ops] = use;
  }
  uses->op_count = end;
}

// The name of a value without its %; empty where it has none.
static mlir_word word_of(const shape_graph *g, value_id value) {
  const graph_value *v = &g->values[value];
  if (v->name != NAME_NONE)
    return (mlir_word){intern_text(&g->names, v->name), intern_length(&g->names, v->name)};
  if (v->at == UINT32_MAX || g->source.text[v->at] != '%') return (mlir_word){NULL, 0};
  const char *at = g->source.text + v->at + 1, *end = at;
  while (end < g->source.text + g->source.length && mlir_is_digit(*end)) end++;
  return (mlir_word){at, (uint32_t)(end - at)};
}

// How many results from `first` on have one name.
static uint32_t group_of(const shape_graph *g, const graph_op *o, uint32_t first) {
  uint32_t count = 1;
  const graph_value *v = &g->values[o->results + first];
  while (first + count < o->result_count && v[count].at == v->at) count++;
  return count;
}

// The names of old values from one to another, for statements that are read after them.
static void see(rereading *r, value_id from, value_id to, uint32_t by) {
  const mlir_points *points = &r->from->points;
  uint32_t low = sorted_before(points->seen, points->seen_count, sizeof *points->seen,
                               offsetof(mlir_seen, first), from);
  for (; low < points->seen_count && points->seen[low].first < to; low++)
    mlir_see(r->p, &points->seen[low], by);
}

// The run from a statement to another; to the end of the body: of all that is left.
static void take_over(rereading *r, uint32_t from, uint32_t to) {
  shape_graph *g = r->g;
  const mlir_point *a = &r->points[from], now = all_of(g, r->uses), s = shift_of(&now, a);
  assert(r->first < from && from <= to && to <= r->last);
  mlir_point z = r->points[to];
  const bool rest = to == r->last;
  if (rest) z = all_of(&r->from->graph, &r->from->uses);
  take_values(r, a, &z, &s);
  take_operands(r, a, &z, &s);
  take_ops(r, a, &z, &s);
  take_regions(r, a, &z, &s);
  take_attrs(r, a, &z, &s);
  take_uses(r, a, &z, &s);
  if (from < to) {
    graph_block *block = &g->blocks[r->block];
    op_id last = r->points[to - 1].ops + s.ops;
    g->ops[block->last].next = a->ops + s.ops;
    g->ops[last].next = ID_NONE;
    block->last = last;
  }
  if (!rest) see(r, a->values, z.values, s.values);
}

// --- reading

static bool names_equal(mlir_word a, mlir_word b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// Whether a value of the earlier text has the name, of those from one to another.
static bool is_among(const shape_graph *old, value_id from, value_id to, mlir_word word) {
  name_id id = intern_find(&old->names, word.text, word.length);
  const bool number = mlir_is_digit(*word.text);
  for (value_id v = from; v < to; v++) {
    const graph_value *value = &old->values[v];
    if (value->name != NAME_NONE ? value->name == id : number && names_equal(word_of(old, v), word))
      return true;
  }
  return false;
}

// Of the function, from a statement on.
static bool is_later(const rereading *r, uint32_t point, mlir_word word) {
  return is_among(&r->from->graph, r->points[point].values, r->points[r->last].values, word);
}

static bool is_earlier(const rereading *r, uint32_t point, mlir_word word) {
  value_id first = r->from->graph.blocks[r->block].arguments;
  return is_among(&r->from->graph, first, r->points[point].values, word);
}

static void touch(rereading *r, value_id v) {
  assert(v >= r->low && v < r->from->graph.value_count);
  r->touched[v - r->low] = 1;
  r->touches = true;
}

// What the results of an old statement are now.
static void map_results(rereading *r, op_id op, value_id since) {
  const shape_graph *old = &r->from->graph;
  const graph_op *o = &old->ops[op];
  for (uint32_t i = 0, count; i < o->result_count; i += count) {
    value_id first, v = o->results + i;
    uint32_t now;
    count = group_of(old, o, i);
    mlir_word word = word_of(old, v);
    bool known = word.length && mlir_meaning(r->p, word, &first, &now) && first >= since;
    for (uint32_t k = 0; k < count; k++) {
      bool there = known && k < now;
      r->values[v + k - r->low] = there ? first + k : VALUE_NONE;
      if (!there || now != count || r->g->values[first + k].type != old->values[v + k].type)
        touch(r, v + k);
    }
  }
}

static bool was_defined(const rereading *r, uint32_t from, uint32_t to, mlir_word word) {
  const shape_graph *old = &r->from->graph;
  for (uint32_t i = from; i < to; i++) {
    const graph_op *o = &old->ops[r->points[i].ops];
    for (uint32_t k = 0; k < o->result_count; k++) {
      if (names_equal(word_of(old, o->results + k), word)) return true;
    }
  }
  return false;
}

// A name that is new must not be one of another statement: what uses that means another value now.
static bool are_names_free(const rereading *r, uint32_t from, uint32_t to, op_id op) {
  uint32_t fresh = 0;
  for (; op != ID_NONE; op = r->g->ops[op].next) {
    const graph_op *o = &r->g->ops[op];
    for (uint32_t k = 0; k < o->result_count; k++) {
      mlir_word word = word_of(r->g, o->results + k);
      if (!word.length || was_defined(r, from, to, word)) continue;
      if (++fresh > NAMES_MAX || is_earlier(r, from, word) || is_later(r, to, word)) return false;
    }
  }
  return true;
}

// The old statement that begins where the cursor is; 0: none does, or it may be another one.
static uint32_t met(const rereading *r, uint32_t from) {
  const uint32_t here = mlir_offset(r->p, r->p->at), at = here - r->by;
  assert(from <= r->last && r->points[r->last].ends);
  if (here < r->new_end) return 0;
  uint32_t low = from + sorted_before(r->points + from, r->last - from, sizeof *r->points,
                                      offsetof(mlir_point, at), at);
  return r->points[low].at == at ? low : 0;
}

static bool goes_on(mlir_parser *p) {
  char c = mlir_peek(p);
  return c && c != '^' && !p->errors.stop && !p->recovery.seen &&
         !(c == 'f' && mlir_function_begins(p));
}

// After an error. Only the statement of the edit may have one, and the next line is another statement.
static bool recovers(rereading *r, const char *begin) {
  mlir_parser *p = r->p;
  const uint32_t edited = r->points[r->first + BEFORE].at;
  if (!r->by_lines || r->failed || mlir_offset(p, begin) != edited || p->errors.stop) return false;
  r->failed = true;
  mlir_recover(p, begin);
  r->bytes = p->recovery.bytes;
  return true;
}

// Reads from one statement on, until another one begins where it did; what follows that is as it was. Returns its number;
// 0: it is not known what follows.
static uint32_t read_from(rereading *r, uint32_t from) {
  mlir_parser *p = r->p;
  shape_graph *g = r->g;
  const op_id last = g->blocks[r->block].last;
  const value_id since = g->value_count;
  uint32_t to = 0;
  p->at = p->text + r->points[from].at;
  if (r->points[from].at >= r->old_end) p->at += (int32_t)r->by;
  while (!to) {
    if (++r->read > STATEMENTS_MAX || mlir_peek(p) == '}') return 0;
    const char *begin = p->at;
    if (!mlir_statement(p, r->block) && !recovers(r, begin)) return 0;
    if (!goes_on(p)) return 0;
    to = met(r, from + 1);
    if (*p->at == '}' && to != r->last) return 0;
  }
  for (uint32_t i = from; i < to; i++) map_results(r, r->points[i].ops, since);
  return are_names_free(r, from, to, g->ops[last].next) ? to : 0;
}

// The next statement that uses what is another value now.
static uint32_t next_touched(const rereading *r, uint32_t from) {
  const shape_graph *old = &r->from->graph;
  if (!r->touches) return r->last;
  for (uint32_t i = from; i < r->last; i++) {
    for (uint32_t k = r->points[i].operands; k < r->points[i + 1].operands; k++) {
      value_id v = old->operands[k];
      if (v != VALUE_NONE && v >= r->low && r->touched[v - r->low]) return i;
    }
  }
  return r->last;
}

// Uses without a definition, which no later statement gives.
static bool are_missing(const rereading *r, uint32_t from) {
  const mlir_missing *all = &r->p->scope.missing;
  if (all->count > STATEMENTS_MAX) return false;
  for (uint32_t i = 0; i < all->count; i++) {
    bool again = i && names_equal(all->items[i].name, all->items[i - 1].name);
    if (!again && is_later(r, from, all->items[i].name)) return false;
  }
  return true;
}

// --- the edit

// Bytes at the begin and at the end that are the same.
static void compare(rereading *r) {
  const source_text *a = &r->from->graph.source, *b = &r->g->source;
  uint32_t most = a->length < b->length ? a->length : b->length, begin = 0, same = 0;
  enum { STEP = 256 };
  while (begin + STEP <= most && memcmp(a->text + begin, b->text + begin, STEP) == 0) begin += STEP;
  while (begin < most && a->text[begin] == b->text[begin]) begin++;
  most -= begin;
  const char *x = a->text + a->length, *y = b->text + b->length;
  while (same + STEP <= most && memcmp(x - same - STEP, y - same - STEP, STEP) == 0) same += STEP;
  while (same < most && x[-(int64_t)same - 1] == y[-(int64_t)same - 1]) same++;
  r->begin = begin;
  r->old_end = a->length - same;
  r->new_end = b->length - same;
  r->by = r->new_end - r->old_end;
  // A text that is the same has its edit anywhere.
  const mlir_points *points = &r->from->points;
  if (begin == a->length && begin == b->length && points->count)
    r->begin = r->old_end = r->new_end = points->items[points->count - 1].at;
}

// The statement in front of that which the edit begins in, and the end of the body: false where the edit is not inside of
// one function.
static bool find_body(rereading *r) {
  const mlir_points *points = &r->from->points;
  const shape_graph *old = &r->from->graph;
  uint32_t low = sorted_before(points->items, points->count, sizeof *points->items,
                               offsetof(mlir_point, at), (uint64_t)r->begin + 1);
  r->points = points->items;
  if (low < 2 + BEFORE) return false;
  if (r->points[low - 1].ends && r->begin == r->points[low - 1].at) low--;
  if (low < 2 + BEFORE || r->points[low - 1].ends) return false;
  r->first = low - 1 - BEFORE;
  func_id func = r->points[low - 1].func;
  for (uint32_t i = r->first - 1; i < low; i++) {
    if (r->points[i].ends || r->points[i].func != func) return false;
  }
  r->last = low;
  while (r->last < points->count && !r->points[r->last].ends) r->last++;
  if (r->last == points->count || r->points[r->last].func != func) return false;
  region_id body = old->funcs[func].body;
  r->block = old->regions[body].first_block;
  r->low = r->points[r->first].values;
  return r->old_end <= r->points[r->last].at && old->regions[body].block_count == 1;
}

// What is in front of the first statement that is read, as it was.
static void begin_tables(rereading *r) {
  shape_graph *g = r->g;
  const shape_graph *old = &r->from->graph;
  const mlir_uses *had = &r->from->uses;
  const mlir_point none = {0}, *first = &r->points[r->first];
  const uint32_t by = r->by, count = old->value_count - r->low;
  copy_tables(g, old);
  g->declared.func_by_name = imap_copy(&old->declared.func_by_name, g->arena);
  g->onnx_opset = old->onnx_opset;
  r->values = arena_alloc(g->arena, ((size_t)count + 1) * sizeof *r->values);
  r->touched = arena_zalloc(g->arena, (size_t)count + 1);
  ROOM(g->arena, g->ops, 0, old->op_count, g->capacity.ops);
  ROOM(g->arena, g->values, 0, old->value_count, g->capacity.values);
  ROOM(g->arena, g->operands, 0, old->operand_count, g->capacity.operands);
  ROOM(g->arena, g->attributes.items, 0, old->attributes.count, g->attributes.capacity);
  ROOM(g->arena, g->attributes.entries, 0, old->attributes.entry_count,
       g->attributes.entry_capacity);
  ROOM(g->arena, r->uses->items, 0, had->count, r->uses->capacity);
  ROOM(g->arena, r->uses->ops, 0, old->op_count, r->uses->op_capacity);
  ROOM(g->arena, r->uses->operands, 0, old->operand_count, r->uses->operand_capacity);
  r->by = 0;
  take_values(r, &none, first, &none);
  take_operands(r, &none, first, &none);
  take_ops(r, &none, first, &none);
  take_regions(r, &none, first, &none);
  take_attrs(r, &none, first, &none);
  take_uses(r, &none, first, &none);
  r->by = by;
  ROOM(g->arena, g->funcs, 0, old->func_count, g->capacity.funcs);
  memcpy(g->funcs, old->funcs, old->func_count * sizeof *g->funcs);
  g->func_count = old->func_count;
  graph_block *block = &g->blocks[r->block];
  block->last = r->points[r->first - 1].ops;
  block->region = ID_NONE;
  g->ops[block->last].next = ID_NONE;
}

// The lines of the statement of the edit and of those around it, where all others are what they were: the edit is inside
// of one line, and the statements around it are on lines of their own.
static bool find_lines(rereading *r) {
  const shape_graph *old = &r->from->graph;
  const mlir_point *at = &r->points[r->first];
  assert(BEFORE == 1);
  if (r->first + 2 >= r->last || r->begin <= at[1].at) return false;
  const uint32_t begins[] = {at[0].at, at[1].at, at[2].at + r->by};
  const char *text = old->source.text, *end = memchr(text + at[1].at, '\n', at[2].at - at[1].at);
  if (!end || text + r->old_end > end) return false;
  while (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r') end--;
  // What the recovery takes for the blanks in front of all statements of the body.
  const uint32_t first = old->ops[old->blocks[r->block].first].span.begin;
  uint32_t indent = 0;
  while (indent < first && (text[first - indent - 1] == ' ' || text[first - indent - 1] == '\t'))
    indent++;
  bool alone = indent < first && text[first - indent - 1] == '\n' && text[first] == '%';
  return alone && end[-1] != '{' && mlir_lines_around(r->p, begins, indent);
}

static bool begin_parser(rereading *r) {
  mlir_parser *p = r->p;
  const mlir_points *points = &r->from->points;
  mlir_parser_init(p, r->g, r->g->source.text, r->g->source.length);
  mlir_init_caches(p, 0);
  p->uses = r->uses;
  p->func = r->points[r->first].func;
  p->depth = points->depth;
  p->scope.level = p->scope.levels = 2;
  p->scope.depth = 1;
  p->scope.in_function = true;
  p->scope.numbered_limit = points->numbered_limit;
  p->modules.count = 1;
  p->declared.attr_aliases = points->attr_aliases;
  p->declared.type_aliases = points->type_aliases;
  see(r, r->g->blocks[r->block].arguments, r->points[r->first].values, 0);
  p->recovery.second = true;  // nothing else asks for the lines of the whole text
  p->recovery.bytes = 1;
  return !r->by_lines || find_lines(r);
}

// --- what is after the body, or holds it

static const attr_id *ids_now(rereading *r, const attr_id *ids, uint32_t count, uint32_t from,
                              uint32_t by) {
  if (!ids || !by) return ids;
  attr_id *now = arena_alloc(r->g->arena, ((size_t)count + 1) * sizeof *now);
  for (uint32_t i = 0; i < count; i++) now[i] = later(ids[i], from, by);
  return now;
}

static void finish_func(rereading *r, func_id f, const mlir_point *end, const mlir_point *s) {
  assert(f < r->g->func_count && end->ends);
  graph_func *func = &r->g->funcs[f];
  const graph_type *type = func->type == TYPE_NONE ? NULL : type_get(&r->g->types, func->type);
  uint32_t arguments = type ? type->split : 0, results = type ? type->param_count - arguments : 0;
  func->body = later(func->body, end->regions, s->regions);
  if (func->attrs >= end->entries) func->attrs += s->entries;
  func->argument_attrs = ids_now(r, func->argument_attrs, arguments, end->attrs, s->attrs);
  func->result_attrs = ids_now(r, func->result_attrs, results, end->attrs, s->attrs);
  func->span = span_now(r, func->span);
  func->name_span = span_now(r, func->name_span);
  if (!func->result_spans || func->span.begin < r->new_end || !r->by) return;
  source_span *spans = arena_alloc(r->g->arena, ((size_t)results + 1) * sizeof *spans);
  for (uint32_t i = 0; i < results; i++) spans[i] = span_now(r, func->result_spans[i]);
  func->result_spans = spans;
}

static void finish_modules(rereading *r) {
  mlir_uses *uses = r->uses;
  const mlir_uses *had = &r->from->uses;
  ROOM(r->g->arena, uses->modules, 0, had->module_count, uses->module_capacity);
  for (uint32_t i = 0; i < had->module_count; i++) {
    mlir_module_use row = had->modules[i];
    row.head = span_now(r, row.head);
    row.name = span_now(r, row.name);
    row.attrs = span_now(r, row.attrs);
    row.close = position_now(r, row.close);
    uses->modules[i] = row;
  }
  uses->module_count = had->module_count;
  uses->whole = had->whole;
}

// After the last statement: the tables of what is not a statement.
static void finish(rereading *r, uint32_t from) {
  shape_graph *g = r->g;
  const mlir_point now = all_of(g, r->uses), s = shift_of(&now, &r->points[from]);
  take_over(r, from, r->last);
  for (func_id f = 0; f < g->func_count; f++) finish_func(r, f, &r->points[r->last], &s);
  g->blocks[r->block].region = g->funcs[r->p->func].body;
  finish_modules(r);
  mlir_settle(r->p);
  budget_take(g->budget, BUDGET_POLL_EVERY - r->p->until_poll);
}

// Of syntax, in the statement of the edit: and nothing was passed over elsewhere.
static bool has_one_error(const rereading *r) {
  const mlir_recovery *recovery = &r->p->recovery;
  return r->failed && recovery->wrong == 1 && recovery->bytes == r->bytes && !r->p->errors.stop;
}

static bool read_edited(rereading *r) {
  begin_tables(r);
  if (!begin_parser(r)) return false;
  const uint32_t after = read_from(r, r->first);
  uint32_t at = after, next;
  while (at && (next = next_touched(r, at)) < r->last) {
    take_over(r, at, next);
    at = read_from(r, next);
  }
  const shape_graph *g = r->g;
  bool plain = !r->p->declared.symbols.count && !g->declared.symbol_count &&
               !g->declared.assumption_count && !g->successors.count;
  if (!at || !plain || !are_missing(r, after) || (r->by_lines && !has_one_error(r))) return false;
  finish(r, at);
  return true;
}

// Else all is as it was.
static bool succeeds(rereading *r) {
  r->touches = false;
  r->read = 0;
  if (read_edited(r)) return true;
  graph_clear(r->g);
  *r->uses = (mlir_uses){0};
  return false;
}

// The lines of the edit; the others are text.
static bool is_text(const rereading *r) {
  const source_text *source = &r->g->source;
  uint32_t begin = r->begin, end = r->new_end;
  while (begin && source->text[begin - 1] != '\n') begin--;
  while (end < source->length && source->text[end] != '\n') end++;
  return mlir_is_text(source->text + begin, end - begin);
}

bool mlir_read_edited(shape_graph *g, mlir_uses *uses, const mlir_earlier *earlier) {
  rereading r = {.g = g, .uses = uses, .from = earlier};
  assert(!g->op_count && !uses->count);
  compare(&r);
  if (!find_body(&r) || !is_text(&r)) return false;
  r.p = arena_alloc(g->arena, sizeof *r.p);
  if (succeeds(&r)) return true;
  r.by_lines = r.p->recovery.seen && earlier->by_lines;
  return r.by_lines && succeeds(&r);
}

// Where brackets are not relied on, the blanks in front of lines must say the same of this text as they do.
static bool agrees_by_lines(const mlir_earlier *e) {
  shape_arena *scratch = arena_alloc(e->graph.arena, sizeof *scratch);
  mlir_uses uses = {0};
  mlir_points points = {0};
  const source_text *source = &e->graph.source;
  arena_init_child(scratch, e->graph.arena);
  shape_graph *g = arena_alloc(scratch, sizeof *g);
  graph_init(g, scratch, GRAPH_MLIR, source->text, source->length);
  const mlir_point all = all_of(&e->graph, &e->uses);
  bool same =
      mlir_read_lines(g, &uses, &points) && !g->diags.count && points.count == e->points.count;
  const mlir_point other = all_of(g, &uses);
  same = same && are_equal(&all, &other);
  for (uint32_t i = 0; same && i < points.count; i++)
    same = are_equal(&points.items[i], &e->points.items[i]);
  arena_destroy(scratch);
  return same;
}

const mlir_earlier *mlir_read_earlier(shape_arena *arena, const char *text, size_t length) {
  mlir_earlier *e = arena_zalloc(arena, sizeof *e);
  shape_graph *g = &e->graph;
  graph_init(g, arena, GRAPH_MLIR, text, length);
  mlir_read_pointed(g, &e->uses, &e->points);
  // What is in no statement any more is still among the names and types: none that has an effect by that is taken.
  bool bounds = traits_name_size_setter(g);
  for (type_id i = 0; i < g->types.count; i++) bounds |= type_get(&g->types, i)->has_bounds;
  bool usable = e->points.plain && !g->diags.count && !bounds && !g->successors.count &&
                !g->declared.symbol_count && !g->declared.assumption_count;
  if (!usable) return NULL;
  e->by_lines = agrees_by_lines(e);
  return e;
}
