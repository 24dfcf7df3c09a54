// SPDX-License-Identifier: Apache-2.0
// What the queries of a report share: which facts or constraints speak of a symbol, the symbols that a query is about, and
// a small table of terms for it. All but the uses is in scratch memory.
#ifndef SHAPE_REPORT_USES_H
#define SHAPE_REPORT_USES_H

#include "solver/decide/query.h"
#include "solver/report/report.h"
#include "solver/term/extract.h"

typedef struct symbol_use {
  uint32_t item, next;  // next: the use of this symbol that was added before it, or ID_NONE
  term_id symbol;
} symbol_use;

typedef struct symbol_uses {
  shape_report *r;
  uint32_t *last;  // by number of the symbol: index of its last use, or ID_NONE
  uint32_t symbol_count, symbol_capacity;
  symbol_use *list;
  uint32_t count, capacity;
  uint32_t item;  // that is added
} symbol_uses;

// Adds an item, which speaks of the symbols of the predicate. O(size).
void uses_add(symbol_uses *u, uint32_t item, predicate p);
// The index of the last use of a symbol, or ID_NONE.
uint32_t uses_of(const symbol_uses *u, term_id symbol);

// In the order in which they are met, each once.
typedef struct met_symbols {
  shape_report *r;
  query_symbol *items;
  uint32_t count, capacity;
} met_symbols;

void met_symbols_add(met_symbols *m, predicate p);
// The same of an item that was added when there were `first` uses.
void met_symbols_add_item(met_symbols *m, const symbol_uses *u, uint32_t item, uint32_t first);

typedef struct small_query {
  shape_budget allowance;
  term_table terms;
  extraction from;  // of the report's terms
} small_query;

// The budget is the query's own, stops with the report's, and is traced with it.
void small_query_open(small_query *s, shape_report *r, uint64_t steps);

#endif
