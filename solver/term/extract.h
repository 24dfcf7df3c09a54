// SPDX-License-Identifier: Apache-2.0
// Terms copied into another table. The decision procedure keeps arrays over all terms of its table, so a query about
// three dims of a large program goes to a table that holds only those; a session keeps dims beyond the table of
// one analysis.
#ifndef SHAPE_TERM_EXTRACT_H
#define SHAPE_TERM_EXTRACT_H

#include "solver/term/predicate.h"
#include "solver/term/term.h"

typedef struct extraction {
  const term_table *from;
  term_table *to;
  // The term in `to` of a symbol of `from`, by its number; NULL: a new symbol for each.
  term_id (*symbol)(void *data, uint32_t number);
  // The name in `to` of an unknown function (APPLY); NULL: the same.
  name_id (*function)(void *data, name_id function);
  void *data;
  shape_imap memo;  // monomials
} extraction;

// The same polynomial over the other table's symbols. O(size), each monomial once per extraction.
term_id extract_term(extraction *x, term_id id);
// The left side first: atoms have the order in which they are made.
predicate extract_predicate(extraction *x, predicate p);

#endif
