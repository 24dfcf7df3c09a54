// SPDX-License-Identifier: Apache-2.0
// Where a program's text writes types, and what each of them is the type of: for those that change types in place.
// What has no row is not to be changed: types of attributes and constants, and operations of unknown syntax. Besides,
// where operations end, where their operands are, and how modules are written.
#ifndef SHAPE_FORMATS_MLIR_USES_H
#define SHAPE_FORMATS_MLIR_USES_H

#include "solver/formats/mlir/printing.h"

typedef enum mlir_use_kind {
  MLIR_USE_VALUE,     // the type of value `subject`
  MLIR_USE_RESULT,    // of result `index` of op `subject`
  MLIR_USE_SAME,      // one type for all operands and results of op `subject`
  MLIR_USE_SELECT,    // `predicate, others` of op `subject`, or the others alone
  MLIR_USE_COMPLEX,   // of the result of op `subject`; its operands are the real parts
  MLIR_USE_TAKEN,     // of operand `index` of op `subject`, which does not change alone
  MLIR_USE_MADE,      // of its result `index`, which neither does
  MLIR_USE_DECLARED,  // of parameter `index`, results after arguments, of declaration `subject`
  MLIR_USE_FUNCTION,  // the whole type of function `subject`
  MLIR_USE_BODY,      // no type: the '{' that opens the body of function `subject`
  MLIR_USE_PINNED,    // op `subject` keeps the types of all its operands and results
  MLIR_USE_PINNED_RESULTS  // of its results alone
} mlir_use_kind;

typedef struct mlir_type_use {
  source_span span;
  uint32_t kind;  // mlir_use_kind
  uint32_t subject, index;
} mlir_type_use;

// Of an operation: where its own text ends, in front of its location; 0 where a reader made it up.
typedef struct mlir_op_use {
  uint32_t end;
  bool
      opaque;  // its syntax is not known: it may hold operands and attributes that the graph does not have
  bool whole;  // opaque, and all the same the graph has all that its generic form says
  bool hides;  // besides, it was passed over: it may have uses that the graph does not have
  uint16_t properties;  // of its attributes, in front: those that the generic form has in <{...}>
} mlir_op_use;

// Of a module that is written out: `module` or "builtin.module" up to the '{', and its last character.
typedef struct mlir_module_use {
  source_span head;   // from the keyword to the '{', which is part of it
  source_span name;   // with its @; empty where it has none
  source_span attrs;  // the dictionary with its braces; empty where there is none
  uint32_t close;     // of the '}'
  bool generic;
} mlir_module_use;

typedef struct mlir_uses {
  mlir_type_use *items;  // in the arena of the graph
  uint32_t count, capacity;
  mlir_op_use *ops;  // by op_id; those beyond op_count have none
  uint32_t op_count, op_capacity;
  uint32_t *operands;  // by index in graph->operands: where its % is, or UINT32_MAX
  uint32_t operand_count, operand_capacity;
  mlir_module_use *modules;
  uint32_t module_count, module_capacity;
  bool
      whole;  // in spite of errors, what is inside of what is known: an operation with an error is unread
} mlir_uses;

static inline uint32_t mlir_op_end(const mlir_uses *uses, op_id op) {
  return op < uses->op_count ? uses->ops[op].end : 0;
}
static inline bool mlir_op_is_opaque(const mlir_uses *uses, op_id op) {
  return op < uses->op_count && uses->ops[op].opaque;
}
// Its generic form cannot be written.
static inline bool mlir_op_is_partial(const mlir_uses *uses, op_id op) {
  return mlir_op_is_opaque(uses, op) && !uses->ops[op].whole;
}
static inline bool mlir_op_hides_uses(const mlir_uses *uses, op_id op) {
  return op < uses->op_count && uses->ops[op].hides;
}

static inline uint32_t mlir_op_properties(const mlir_uses *uses, op_id op) {
  return uses && op < uses->op_count ? uses->ops[op].properties : 0;
}

// mlir_read, and *uses is filled; it was all zero. Result types of functions have no rows: graph_func.result_spans.
shape_status mlir_read_uses(shape_graph *graph, mlir_uses *uses);
// The same, and `uses` may be NULL, `printing` too. False: a part of the text was not understood and passed over.
bool mlir_read_all(shape_graph *graph, mlir_uses *uses, const mlir_printing *printing);

// --- reread.c: a text that differs from an earlier one in one stretch
// The statements around the edit are read, and those that use what is another value now; of all others what the earlier reading made is taken over, with other ids and spans.
//
// The graph is that of mlir_read_uses, but for the numbers of names and types, which are in the order of the earlier text
// first, and for names and types that nothing has any more. Earlier texts with errors, bounds, symbols, several parts,
// branches between blocks or functions in operations are not taken (NULL), nor edits outside of the body of
// a function, of many statements, or with errors of syntax: then the text is to be read as a whole. An error of syntax in
// one statement is taken where that and those around it have a line each, as deep as the first statement of the body.
typedef struct mlir_earlier mlir_earlier;
// Reads a whole text. Everything is in the arena. NULL: no text can be read from this one.
const mlir_earlier *mlir_read_earlier(shape_arena *arena, const char *text, size_t length);
// Of a graph as graph_init leaves it, with the text after the edit: fills it and *uses, which is all zero. False: it is to
// be read as a whole, and both are as they were. What `earlier` has must outlive the graph. O(text), with little for each
// statement.
bool mlir_read_edited(shape_graph *graph, mlir_uses *uses, const mlir_earlier *earlier);

#endif
