// SPDX-License-Identifier: Apache-2.0
// A query in an order of its own: the same query comes out whatever the order in which its symbols were declared,
// its premises given and its terms made, so that where a search gives up it gives up at the same point.
//
// Symbols are distinguished by where they are: each has a colour, at first a hash of its range, then of what holds it and
// how (the refinement of Weisfeiler and Leman, 1968). They are numbered by colour, premises are sorted by a hash of their
// structure over those numbers, and all is built anew in a table of its own, parts in the order of their hashes. Symbols
// that keep equal colours keep the order given: nearly always they can be exchanged without changing the query.
// Cost: a few walks over the terms of the query, and a table of its size, however large the caller's is.
#ifndef SHAPE_DECIDE_ORDER_H
#define SHAPE_DECIDE_ORDER_H

#include "solver/decide/query.h"

typedef struct query_order {
  query q;  // what to ask; in scratch memory of the query given
  term_table table;
  term_id left, right;  // of the query
  const query *given;
  const uint32_t *rank;    // by symbol of the query given: its position in q.symbols
  const term_id *symbols;  // by symbol number in `table`: the term in the table of the query given
  uint32_t symbol_count;
} query_order;

// False when the query is to be asked as it is: it is in order already, or nested too deep.
bool query_order_make(query_order *o, const query *q, term_id left, term_id right);
// A term of o->table as one of the caller's; TERM_NONE when it holds symbols that are not.
term_id query_order_back(const query_order *o, term_id t);
// Values in the order of o->q.symbols in that of the caller's; NULL stays NULL.
const num *query_order_point(const query_order *o, const num *values);  // and the other way round
const num *query_order_values(const query_order *o, const num *values);

#endif
