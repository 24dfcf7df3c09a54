// SPDX-License-Identifier: Apache-2.0
// What is known of dims as operations of BladeDISC's shape constraint IR: SymbolicDim declarations and
// @shape_constraint_graph. Private to the writer of that form (disc_shape.h).
#ifndef SHAPE_EMIT_DISC_GRAPH_H
#define SHAPE_EMIT_DISC_GRAPH_H

#include "solver/report/report.h"

// A name for every size: the report's, and new ones for dims that are expressions.
typedef struct disc_names {
  shape_report *report;
  shape_imap by_term;        // term -> symbol of the graph
  shape_imap by_definition;  // hash of its text -> the first symbol of the graph that is defined so
  struct disc_expression {
    term_id term;
    uint32_t symbol;
  } * expressions;  // the new names and what they denote
  uint32_t expression_count, expression_capacity;
  uint32_t next;
  shape_imap used;  // symbols that the text mentions
} disc_names;

void disc_names_init(disc_names *names, shape_report *report);
// The symbol of the graph that names a term in answer form; the text is going to mention it.
uint32_t disc_symbol(disc_names *names, term_id term);
// As it follows its @.
void disc_put_name(const disc_names *names, uint32_t symbol, shape_strbuf *out);
// Declarations and function, each line after a line end and `indent`.
void disc_put_graph(shape_report *report, disc_names *names, report_text indent, bool is_private,
                    shape_strbuf *out);

#endif
