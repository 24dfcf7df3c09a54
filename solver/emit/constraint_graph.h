// SPDX-License-Identifier: Apache-2.0
// The constraint graph of the entry function: its symbols, what is known of them as facts between them, and the
// arguments and results whose dims they are. A fact over n symbols is a hyperedge: a node of its own with n ends.
//
// What a symbol or fact speaks of is read from its text in the answer, so that the graph shows what the answer says.
// Order is that of the report; ids (s0, f0, a0, r0) count in that order. Everything lives in the arena of the graph.
// Cost: linear in the texts.
#ifndef SHAPE_EMIT_CONSTRAINT_GRAPH_H
#define SHAPE_EMIT_CONSTRAINT_GRAPH_H

#include "solver/report/report.h"

// What a fact is, as bits: a guard may be a constraint too.
typedef enum cg_role {
  CG_CONSTRAINT = 1,
  CG_GUARD = 2,
  CG_SCOPED = 4,     // holds in an inner scope
  CG_DEFINITION = 8  // a name for an expression
} cg_role;

typedef struct cg_end {
  uint32_t symbol;  // index in `symbols`
  bool
      target;  // the fact says what this symbol is in terms of the others, or it is the larger side
} cg_end;

typedef struct cg_ends {
  cg_end *items;
  uint32_t count, capacity;
} cg_ends;

typedef struct cg_fact {
  unsigned roles;
  const char *kind;  // as in the answer, or "definition"
  report_text expr;
  const report_constraint *constraint;  // NULL for definitions
  const report_symbol *defined;         // of definitions
  cg_ends ends;
} cg_fact;

typedef struct cg_value {
  bool result;
  uint32_t index;
  report_text name;  // as the source spells it; empty: it does not
  report_text type,
      dims;  // dims: "[S0, 4*S1, 768]", or elements: "= 4*S0"; empty where the type says it all
  source_span span;
  cg_ends ends;
} cg_value;

typedef struct constraint_graph {
  shape_report *report;
  report_text function;
  const report_symbol **symbols;
  uint32_t symbol_count;
  cg_fact *facts;
  uint32_t fact_count, fact_capacity;
  cg_value *values;  // arguments, then results
  uint32_t value_count;
} constraint_graph;

// only: names of symbols; with some, the graph has those, the facts that speak of one of them, and the symbols that
// these speak of. False: a name is not there, and *missing (may be NULL) says which.
bool constraint_graph_make(shape_report *report, const char *const *only, uint32_t only_count,
                           constraint_graph *out, const char **missing);

// --- graph_dot.c
enum { CG_DRAWN_MAX = 20000 };  // symbols, facts and values: more are not laid out

// In the language of Graphviz. For `layout` boxes have their final size and no text, so that fonts play no part: the
// answer of `dot -Tplain` is what the other forms want. 72 points are an inch.
void constraint_graph_dot(const constraint_graph *graph, bool layout, shape_strbuf *out);

// --- graph_svg.c
// The picture, drawn by a layout: the answer of `dot -Tplain` to the DOT text for layout. False: it is none. The ids
// of nodes are ids of elements (s0, f0, a0, r0); an edge names both of its ends (data-a, data-b).
bool constraint_graph_svg(const constraint_graph *graph, const char *layout, size_t length,
                          shape_strbuf *out);

// --- graph_page.c
// One page with picture, reasons and filters, that needs no network. name: of the input. False as above.
bool constraint_graph_page(const constraint_graph *graph, const char *name, const char *layout,
                           size_t length, shape_strbuf *out);

#endif
