// SPDX-License-Identifier: Apache-2.0
// Copies programs, whole or by the operation, from one graph into another.
//
// What is copied gets the ids that a reader of the copied text would give: operations, values and blocks in the order
// of the lists that hold them, whatever their ids were. Types, names, attributes and symbols are copied when they
// are first used. So a graph that was edited (operations taken out of lists, others appended far from their list position)
// has a copy that looks as if it had been written that way.
// Locations: `span` of the copy of an operation is [i, i] with i the id of the original; there is no source text.
// Cost: O(size of what is copied). Numbers of attributes and symbols are shared with the original, which must outlive
// the copy then, unless `deep` is set.
#ifndef SHAPE_GRAPH_COPY_H
#define SHAPE_GRAPH_COPY_H

#include "solver/graph/graph.h"

// From ids of the original to ids of the copy; ID_NONE where there is none (yet).
typedef struct copy_map {
  uint32_t *ids, capacity;
} copy_map;

// Arguments of a block that are others than those in the graph: any values that are its arguments, in any order.
typedef struct copy_arguments {
  value_id *ids;
  uint32_t count, capacity;
} copy_arguments;

typedef struct graph_copier {
  const shape_graph *from;
  shape_graph *to;     // graph_init'ed
  shape_arena *arena;  // of the maps
  bool deep;
  const copy_arguments
      *arguments;  // by function, of its first block; ids NULL: those in the graph. NULL: all are
  uint32_t argument_lists;  // of that many functions
  copy_map names, types, attrs, symbols, values, ops;
  bool late;  // an operand had no copy as yet
} graph_copier;

void copier_init(graph_copier *c, const shape_graph *from, shape_graph *to, shape_arena *arena);

// Everything. skip_symbol, skip_assumption: one flag each, by index; NULL: none is left out. A symbol that is left out
// and is still used in a type is declared by that use, as a reader would.
void copy_program(graph_copier *c, const uint8_t *skip_symbol, const uint8_t *skip_assumption);

// One operation with its regions, at the end of a block of the copy (ID_NONE: in none), in function `func`. Operands
// that have no copy become VALUE_NONE.
op_id copy_op(graph_copier *c, op_id op, block_id block, func_id func);
// Name, operands, attributes and result types of an operation once more, over its first copy. It has no regions.
void copy_op_again(graph_copier *c, op_id op);
// An argument more: a value of `block`, which keeps the range of those that it has.
value_id copy_argument(graph_copier *c, value_id argument, block_id block);
void copy_value_again(graph_copier *c, value_id value);  // type and name, over its copy
type_id copy_type(graph_copier *c, type_id type);
name_id copy_name(graph_copier *c, name_id name);
void copy_symbol_row(graph_copier *c, uint32_t from, uint32_t to);  // over an existing one

// Names and types of `to`, which has none, are those of `from`, which outlives it.
void copy_tables(shape_graph *to, const shape_graph *from);

uint32_t copy_of(const copy_map *map, uint32_t id);  // ID_NONE where there is none
void copy_set(graph_copier *c, copy_map *map, uint32_t id, uint32_t copy);

#endif
