// SPDX-License-Identifier: Apache-2.0
// One size of a value, or one element of a small integer tensor, as a thing of its own: what data flow runs through.
//
// Cells have names in the source ("%0.1" is dim 1 of %0, "%s[2]" its element 2, "%n" the number in a scalar), and so
// have symbols: each by the first cell that holds it alone. Two analyses of one program have other terms but the same
// cells, so a term can be taken from one to the other.
#ifndef SHAPE_REPORT_CELL_H
#define SHAPE_REPORT_CELL_H

#include "solver/report/report.h"

typedef struct shape_cell {
  uint32_t frame;
  value_id value;  // VALUE_NONE: the declared symbol `index` of the graph
  uint32_t index;
  bool element;
} shape_cell;

// As the rules made it; TERM_NONE: it is not tracked, or was not reached.
term_id cell_term(const infer_result *infer, shape_cell cell);
// How many dims (or elements) the value has in that frame; 0: not known.
uint32_t cell_count(const infer_result *infer, uint32_t frame, value_id value, bool elements);
// The cell that made a symbol, the symbol's number given. O(results of one operation).
bool cell_of_symbol(const infer_result *infer, uint32_t symbol, shape_cell *out);
// The frame of a call's function, or ID_NONE. O(calls).
uint32_t cell_callee(const infer_result *infer, uint32_t frame, op_id call);

void cell_print(const shape_graph *graph, shape_strbuf *out, shape_cell cell);
// "%0", "arg name" of JSON and ONNX, or "a value" where the source gives none.
void cell_print_value(const shape_graph *graph, shape_strbuf *out, value_id value);
// A term with symbols as dims of arguments (arg0.1), declared names, or cells; in the arena of the graph.
report_text cell_term_text(const infer_result *infer, term_id term);
report_text cell_predicate_text(const infer_result *infer, predicate p);

// A term on its way to another analysis of the same text.
typedef struct cell_expression {
  const char *text;  // over c0, c1, ...
  uint32_t length;
  shape_cell *cells;
  uint32_t count, capacity;
  bool failed;  // a symbol that no cell made
} cell_expression;
void cell_take(const infer_result *from, term_id term, cell_expression *out);
// TERM_NONE where one of its cells is not known there.
term_id cell_give(const cell_expression *e, const infer_result *from, const infer_result *to);
// The same cell of the other analysis; false where the calls that lead to it are not followed there.
bool cell_move(const infer_result *from, const infer_result *to, shape_cell *cell);

#endif
