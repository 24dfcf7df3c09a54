// SPDX-License-Identifier: Apache-2.0
// What is known of dims as operations of BladeDISC's shape constraint IR: SymbolicDim declarations and
// @shape_constraint_graph. Private to the writer of that form (disc_shape.h).
#ifndef SHAPE_EMIT_DISC_GRAPH_H
#define SHAPE_EMIT_DISC_GRAPH_H

#include "solver/report/cell.h"

// A name for every size: the report's, and new ones for dims that are expressions. A symbol of the report that only names
// an expression is written as that.
typedef struct disc_names {
  shape_report *report;
  shape_imap by_term;        // term -> symbol of the graph
  shape_imap by_definition;  // hash of its text -> the first symbol of the graph that is defined so
  shape_imap meanings;       // term -> the same without such symbols, one step
  struct disc_expression {
    term_id term;
    uint32_t symbol;
  } * expressions;  // the new names and what they denote
  uint32_t expression_count, expression_capacity;
  uint32_t next;
  // Declared symbols that are known to be a product: their names stay, and are the names of that product.
  struct disc_product {
    term_id term, symbol_term;  // TERM_NONE: the name is new
    uint32_t symbol;
  } * products;
  uint32_t product_count, product_capacity;
  shape_imap product_of;  // symbol_term -> its index there
  shape_imap used;        // symbols that the text mentions
  shape_imap redeclared;  // where the declarations began that the text loses
} disc_names;

void disc_names_init(disc_names *names, shape_report *report);
// The symbol of the graph that names a term in answer form.
uint32_t disc_symbol(disc_names *names, term_id term);
// As it follows its @.
void disc_put_name(const disc_names *names, uint32_t symbol, shape_strbuf *out);
// The text mentions a symbol of the graph, in a type.
void disc_mention(disc_names *names, uint32_t symbol);
bool disc_is_mentioned(const disc_names *names, const report_symbol *symbol);
// Where the text can say what a symbol is: the argument of the entry, or the result of an operation that runs once, that
// holds it. False where there is none, or where the author has said it.
bool disc_cell(const shape_report *report, const report_symbol *symbol, shape_cell *out);
// The function, each line after a line end and `indent`; then the declarations of what is mentioned, the same way.
// `sizes`: the constants in types with names, in order.
void disc_put_graph(shape_report *report, disc_names *names, report_text indent, bool is_private,
                    shape_strbuf *out);
void disc_put_declarations(shape_report *report, disc_names *names, report_text indent,
                           const int64_t *sizes, uint32_t size_count, shape_strbuf *out);

#endif
