// SPDX-License-Identifier: Apache-2.0
// What a program or its author declares: symbols, and predicates that hold over them.
#ifndef SHAPE_GRAPH_DECLARED_H
#define SHAPE_GRAPH_DECLARED_H

#include "solver/base/imap.h"
#include "solver/base/intern.h"
#include "solver/graph/loc.h"

// A named size that the program or its author declares.
typedef struct graph_symbol {
  name_id name;
  int64_t min, max;       // max INT64_MAX: unbounded; min INT64_MIN: unbounded
  int64_t multiple_of;    // 1: nothing
  const int64_t *ranges;  // pairs lo, hi; NULL: just min..max
  uint32_t range_count;
  const int64_t *likely;
  uint32_t likely_count;
  source_span span;
  bool in_attribute;       // only shaped.dims has it: no type of the source spells it
  bool by_operation;       // a torch.symbolic_int of the program declares it
  bool is_value;           // names an integer value, not a size (no >= 0 by itself)
  const char *definition;  // NULL, or the expression over other symbols that the name denotes
  uint8_t rank;            // of store.h: which of two equal symbols names both; 0: the author's
} graph_symbol;

// A predicate over symbols that the author gives ("H % 8 == 0"), in the grammar of term/parse.h.
typedef struct graph_assumption {
  const char *text;
  uint32_t length;
  source_span span;
  bool
      found;  // by an earlier analysis: a constraint of the program, not an assumption of the caller
  bool required;    // found, and a run that breaks it ends with a shape error: it may be a guard
  const char *why;  // a sentence; NULL: what the two above say
} graph_assumption;

typedef struct graph_declared {
  graph_symbol *symbols;
  uint32_t symbol_count, symbol_capacity;
  graph_assumption *assumptions;
  uint32_t assumption_count, assumption_capacity;
  shape_imap symbol_by_name;  // name -> index in symbols
  shape_imap func_by_name;    // (module, name) -> func_id; the first of a name
} graph_declared;

#endif
