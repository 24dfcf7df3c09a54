// SPDX-License-Identifier: Apache-2.0
// A program as a graph: functions, regions, blocks, operations, values. Filled by the readers of solver/formats (MLIR, JSON,
// ONNX), read by infer. Everything is an index into arrays of the graph; nothing is removed.
//
// Invariants: operations have ids in the order of their first byte, an outer one before those in its regions, and so do
// values; results of an operation and arguments of a block are consecutive values. Operands point into `operands`.
// An operand VALUE_NONE is an optional operand that is absent (ONNX) or was undefined (after a diagnostic).
#ifndef SHAPE_GRAPH_GRAPH_H
#define SHAPE_GRAPH_GRAPH_H

#include <assert.h>

#include "solver/graph/attr.h"
#include "solver/graph/declared.h"
#include "solver/graph/diag.h"
#include "solver/graph/format.h"

typedef uint32_t op_id;
typedef uint32_t value_id;
typedef uint32_t region_id;
typedef uint32_t block_id;
typedef uint32_t func_id;
#define ID_NONE    UINT32_MAX
#define ID_LIMIT   ((uint32_t)1 << 30)  // all ids are below it
#define VALUE_NONE UINT32_MAX

typedef struct graph_op {
  name_id name;       // "stablehlo.add", "func.call", "onnx.Reshape", ...
  uint32_t operands;  // first, in graph->operands
  uint32_t operand_count;
  value_id results;  // first
  uint32_t result_count;
  uint32_t attrs;  // first, in graph->attr_entries
  uint32_t attr_count;
  region_id regions;  // first
  uint32_t region_count : 31;
  bool
      unread : 1;  // its own syntax was not understood: which operand is which is not known, and no rule applies
  block_id parent;   // the block that holds it
  op_id next;        // in that block, or ID_NONE
  source_span span;  // the whole operation, from its first result name to its end
  source_span name_span;
} graph_op;

// A value's name is the text after the % ("%x#1" is name x, index 1); ONNX and JSON: the value's name. Numbered
// values of MLIR and JSON have NAME_NONE here; graph_value_text finds theirs in the text.
typedef struct graph_value {
  type_id type;       // as declared; TYPE_NONE where the source gives none (ONNX)
  uint32_t def : 30;  // the op, or the block for an argument
  uint32_t is_argument : 1;
  // PyTorch: a list that grows or shrinks where it is: its elements are not followed. ONNX: a rule found its type, and each
  // visit may find another.
  uint32_t changes : 1;
  uint32_t name;  // name_id or NAME_NONE
  uint32_t at;    // byte offset of its name where it is defined: of the %, in JSON after the quote
} graph_value;

typedef struct graph_block {
  value_id arguments;  // first
  uint32_t argument_count;
  op_id first, last;  // ID_NONE when empty
  region_id region;
} graph_block;

// Where the end of a block may go on, in the order of the operation's list.
typedef struct graph_successor {
  op_id op;
  uint32_t block;  // index in the region that holds the operation
  uint32_t first,
      count;  // operands that the block's arguments take; count GRAPH_OPERANDS_UNKNOWN: not known which
} graph_successor;
#define GRAPH_OPERANDS_UNKNOWN UINT32_MAX

typedef struct graph_region {
  block_id first_block;
  uint32_t block_count;
  op_id op;      // that holds it, or ID_NONE for a function's body
  func_id func;  // the function it is part of
} graph_region;

typedef struct graph_func {
  name_id name;  // without @
  uint32_t
      module;  // modules of a file ("// -----" parts and nested modules) are numbered; names are per module
  bool is_private, is_declaration;
  region_id body;                 // ID_NONE for a declaration
  type_id type;                   // FUNCTION
  const attr_id *argument_attrs;  // DICT or ATTR_NONE each; NULL: none has any
  const attr_id *result_attrs;
  uint32_t attrs, attr_count;  // of the function, in attr_entries
  source_span span, name_span;
  const source_span *result_spans;  // of each result type in the signature; NULL where unknown
} graph_func;

typedef struct successor_table {
  graph_successor *items;  // by op
  uint32_t count, capacity;
} successor_table;

typedef struct graph_capacity {
  uint32_t ops, values, operands, regions, blocks, funcs;
} graph_capacity;

// An operation that is another one for a while: graph_show.
typedef struct graph_shown {
  op_id op;
  graph_op was;
  bool is;
} graph_shown;

typedef struct shape_graph {
  shape_arena *arena;
  struct shape_budget *budget;  // that reading into the graph takes steps from, or NULL
  shape_intern names;
  type_table types;
  diag_list diags;
  source_text source;
  graph_format format;
  uint32_t onnx_opset;  // version of the default domain that a program imports; 0: the newest
  graph_op *ops;
  graph_value *values;
  value_id *operands;
  graph_region *regions;
  graph_block *blocks;
  graph_func *funcs;
  uint32_t op_count, value_count, operand_count, region_count, block_count, func_count;
  graph_capacity capacity;
  graph_attr_table attributes;
  graph_declared declared;
  successor_table successors;  // of regions with several blocks
  graph_shown shown;
} shape_graph;

// The text of the source. A reader may have left out a part of it, which is written now: that takes memory.
const char *graph_complete(shape_graph *g);
static inline const char *graph_text(const shape_graph *g) {
  // The graph itself is never a const object.
  return g->source.complete ? graph_complete((shape_graph *)g) : g->source.text;
}

static inline bool graph_is_text(const shape_graph *g) { return format_is_text(g->format); }

void graph_init(shape_graph *graph, shape_arena *arena, graph_format format, const char *text,
                size_t length);

// As graph_init left it, but for the budget and the limit of diagnostics: for a reader that begins again.
void graph_clear(shape_graph *graph);

// Room for about this many operations, so that the arrays do not grow step by step. Optional.
void graph_reserve(shape_graph *g, uint32_t operations);

// --- building (readers). Each appends and returns the id.
op_id graph_add_op(shape_graph *g, name_id name, block_id parent, source_span span);
void graph_grow_operands(shape_graph *g);
void graph_set_operands(shape_graph *g, op_id op, const value_id *operands, uint32_t count);
// One more, while nothing else gets operands.
static inline void graph_add_operand(shape_graph *g, op_id op, value_id value) {
  if (g->operand_count == g->capacity.operands) graph_grow_operands(g);
  if (!g->ops[op].operand_count++) g->ops[op].operands = g->operand_count;
  g->operands[g->operand_count++] = value;
}
value_id graph_add_results(shape_graph *g, op_id op, uint32_t count);  // types TYPE_NONE at first
void graph_set_attrs(shape_graph *g, op_id op, const attr_entry *entries, uint32_t count);
// Those of an operation before, which is written the same: their spans stay in the text of that one. Not of symbols, which
// transforms rename where they are.
void graph_share_attrs(shape_graph *g, op_id op, uint32_t entries, uint32_t count);
bool graph_may_share_attrs(const shape_graph *g, attr_id first);  // from there on
region_id graph_add_regions(shape_graph *g, op_id op, func_id func,
                            uint32_t count);  // consecutive, empty
// Blocks of one region are consecutive: when another block came between, those of the region move to the end (and the
// cost is that of their operations). A reader that meets blocks in nested order adds them with region ID_NONE and calls
// graph_set_region_blocks once they are all there.
block_id graph_add_block(shape_graph *g, region_id region);
void graph_set_region_blocks(shape_graph *g, region_id region, const block_id *blocks,
                             uint32_t count);
region_id graph_add_body(shape_graph *g, func_id func);  // the body of a function, empty
value_id graph_add_block_arguments(shape_graph *g, block_id block, uint32_t count);
func_id graph_add_func(shape_graph *g, name_id name, uint32_t module,
                       source_span span);  // body ID_NONE
void graph_name_func(shape_graph *g, func_id func,
                     name_id name);  // for a reader that learns the name last
// Its type: those of the arguments of its first block, and of what the last operation of that returns. Where a type is not
// known it is a tensor of unknown rank.
void graph_set_signature(shape_graph *g, func_id func, block_id block);
void graph_set_func_attrs(shape_graph *g, func_id func, const attr_entry *entries, uint32_t count);
// In order: no row of an earlier operation comes after one of a later.
void graph_add_successor(shape_graph *g, graph_successor successor);
// An operation without regions that has the attributes of one before. Here, so that what the caller says of it need not be
// written down to be read again.
typedef struct graph_repeated {
  name_id name;
  block_id parent;
  source_span span, name_span;
  const value_id *operands;
  uint32_t operand_count;
  uint32_t result_count;  // 0 or 1
  type_id result;
  uint32_t entries, entry_count;  // of the earlier one, in the graph
} graph_repeated;
static inline op_id graph_repeat_op(shape_graph *g, const graph_repeated *r) {
  assert(r->result_count <= 1 && r->entries + r->entry_count <= g->attributes.entry_count);
  const op_id id = graph_add_op(g, r->name, r->parent, r->span);
  graph_op *op = &g->ops[id];
  op->name_span = r->name_span;
  op->operand_count = r->operand_count;
  for (uint32_t i = 0; i < r->operand_count; i++) {
    if (g->operand_count == g->capacity.operands) graph_grow_operands(g);
    g->operands[g->operand_count++] = r->operands[i];
  }
  op->attrs = r->entries;
  op->attr_count = r->entry_count;
  if (!r->result_count) return id;
  const value_id result = graph_add_results(g, id, 1);
  g->values[result].type = r->result;
  return id;
}
// What a copy of an attribute holds from attribute `from` on is `by` attributes later.
void graph_move_payload(shape_graph *g, graph_attr *attr, attr_id from, uint32_t by);
attr_id graph_add_attr(shape_graph *g,
                       const graph_attr *attr);  // arrays inside must live in the arena
// Whether it holds what its kind and type say.
bool graph_attr_is_whole(const shape_graph *g, const graph_attr *attr);
uint32_t graph_add_symbol(shape_graph *g, name_id name, source_span span);  // min 0, unbounded
// Whether some number is in the declared ranges, is a multiple of `multiple_of`, and, for a dim, is at least 0.
bool graph_symbol_is_possible(const graph_symbol *symbol);
bool graph_symbol_allows(const graph_symbol *s, int64_t value);  // what is declared does
void graph_note_unlikely(shape_graph *g,
                         const graph_symbol *s);  // of likely values that it does not
uint32_t graph_add_assumption(shape_graph *g, graph_assumption a);  // its row
uint32_t graph_find_symbol(const shape_graph *g, name_id name);     // ID_NONE when there is none

// --- reading
// The attributes from `first` on. A graph without any has no table, which nothing may be added to.
static inline const attr_entry *graph_attr_entries(const shape_graph *g, uint32_t first) {
  return g->attributes.entries ? g->attributes.entries + first : NULL;
}
static inline const char *graph_op_name(const shape_graph *g, op_id op) {
  assert(op < g->op_count);
  return intern_text(&g->names, g->ops[op].name);
}
static inline value_id graph_operand(const shape_graph *g, op_id op, uint32_t i) {
  assert(op < g->op_count);
  return i < g->ops[op].operand_count ? g->operands[g->ops[op].operands + i] : VALUE_NONE;
}
static inline value_id graph_result(const shape_graph *g, op_id op, uint32_t i) {
  return g->ops[op].results + i;
}
// Among the results of its operation, or the arguments of its block.
static inline uint32_t graph_value_index(const shape_graph *g, value_id v) {
  const graph_value *value = &g->values[v];
  return v - (value->is_argument ? g->blocks[value->def].arguments : g->ops[value->def].results);
}
// NULL where the type is not known, or there is no value.
static inline const graph_type *graph_value_type(const shape_graph *g, value_id v) {
  assert(v == VALUE_NONE || v < g->value_count);
  type_id t = v == VALUE_NONE ? TYPE_NONE : g->values[v].type;
  return t == TYPE_NONE ? NULL : type_get(&g->types, t);
}
// The attribute of a name, or the entry of a DICT; ATTR_NONE when absent. Most names are literals, whose length is known
// where they are.
attr_id graph_attr_find(const shape_graph *g, op_id op, const char *name, size_t length);
attr_id graph_attr_find_entry(const shape_graph *g, attr_id dict, const char *name, size_t length);
static inline attr_id graph_attr_named(const shape_graph *g, op_id op, const char *name) {
  assert(op < g->op_count);
  return g->ops[op].attr_count ? graph_attr_find(g, op, name, strlen(name)) : ATTR_NONE;
}
static inline attr_id graph_attr_entry(const shape_graph *g, attr_id dict, const char *name) {
  return graph_attr_find_entry(g, dict, name, strlen(name));
}
static inline const graph_attr *graph_attr_get(const shape_graph *g, attr_id id) {
  assert(id == ATTR_NONE || id < g->attributes.count);
  return id == ATTR_NONE ? NULL : &g->attributes.items[id];
}
// Whether two attributes are equal wherever they are written; false also where only their text would say so.
bool graph_attr_same(const shape_graph *g, attr_id a, attr_id b);
// A list of integers in any spelling. False when the attribute is absent or is something else. Splats are expanded
// (into the arena). A single INT reads as a list of one.
bool graph_attr_ints(const shape_graph *g, attr_id attr, const int64_t **values, uint32_t *count);
bool graph_attr_int(const shape_graph *g, attr_id attr,
                    int64_t *value);  // INT, BOOL, or a DENSE/INTS of one
const char *graph_attr_text(const shape_graph *g, attr_id attr);  // STRING, ENUM, SYMBOL; else NULL
func_id graph_find_func(const shape_graph *g, uint32_t module, const char *name,
                        size_t length);                        // or ID_NONE
op_id graph_terminator(const shape_graph *g, block_id block);  // last op, or ID_NONE
// Those of an operation, or NULL and 0. O(log of all).
const graph_successor *graph_successors(const shape_graph *g, op_id op, uint32_t *count);
// What may precede the number in the name of a numbered value of JSON.
static inline bool graph_is_letter(char c) {
  return (unsigned char)((c | 0x20) - 'a') < 26 || c == '_';
}
// The name of a function without its @; "" where it has none, as what a module holds beside its functions.
static inline const char *graph_func_name(const shape_graph *g, func_id f) {
  name_id name = g->funcs[f].name;
  return name == NAME_NONE ? "" : intern_text(&g->names, name);
}
// The name of a value without its %, from the table or from the text (%17, "17", "v17"); length 0 when it has none. Where
// no arena_protect is around and memory is spent, it may be length 0, too.
const char *graph_value_text(const shape_graph *g, value_id v, uint32_t *length);
// The name that a model gives the node of an operation, "/decoder/MatMul_9"; length 0 where it gives none, and in text
// formats, where a line says which operation it is.
// An operation becomes another one until graph_show_own, which a walk also calls first: running out of memory may have
// left it so. One at a time.
void graph_show(shape_graph *g, op_id op, const graph_op *as);
void graph_show_own(shape_graph *g);
const char *graph_node_name(const shape_graph *g, op_id op, uint32_t *length);
// Its name as messages have it: onnx.MatMul "/decoder/MatMul_9", or stablehlo.add.
void graph_print_op(const shape_graph *g, op_id op, shape_strbuf *out);
void graph_name_values(shape_graph *g);  // interns the names that are only in the text
// Of a span's begin. It asks for memory once: see graph_position_unprotected.
source_position graph_position(const shape_graph *g, source_span span);
// The line of a span's begin; 0 where there is none: of no span, and of programs that are no text.
uint32_t graph_line(const shape_graph *g, source_span span);
// For callers that no arena_protect is around: where memory is spent or the job was stopped, it scans the text.
source_position graph_position_unprotected(const shape_graph *g, source_span span);

#endif
