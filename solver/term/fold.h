// SPDX-License-Identifier: Apache-2.0
// A sum as the items that print it: private to solver/term/. Canonical terms know only floordiv and
// min; here mod, ceildiv and max are folded back wherever that makes the text smaller.
#ifndef SHAPE_TERM_FOLD_H
#define SHAPE_TERM_FOLD_H

#include "solver/term/build.h"

// coefficient * prefix * name(args), or coefficient * prefix where name is NULL.
typedef struct fold_item {
  num coefficient;
  term_id prefix;  // a monomial
  term_id key;     // the monomial that gives the position in the text
  const char *name;
  const term_id *args;
  uint32_t arg_count;
} fold_item;

typedef struct fold_list {
  fold_item *items;
  uint32_t count, capacity;
} fold_list;

// Items in the order of the text, in scratch memory of the table. None for 0. Without `fold`, just
// the parts; without `choices`, no select is made.
fold_list fold_term(term_table *t, term_id id, bool fold, bool choices);
// The best spelling of an atom floordiv or min where nothing around it can help; fills name and
// args.
fold_item fold_atom(term_table *t, term_id atom);

// Puts the items in their order: the first `calls` are of calls, the others parts of a sum.
void fold_order(term_table *t, fold_list *list, uint32_t calls);

// The polynomial by which `atom` is multiplied in the parts of `id` that hold it once.
term_id fold_factor(term_table *t, term_id id, term_id atom);
// A term that equals `id` wherever the indicator `atom` is `truth`, without the indicators whose value follows.
term_id fold_under(term_table *t, term_id id, term_id atom, bool truth);

#endif
