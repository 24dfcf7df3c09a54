// SPDX-License-Identifier: Apache-2.0
// Predicates over dimensions: two terms and how they compare.
#ifndef SHAPE_TERM_PREDICATE_H
#define SHAPE_TERM_PREDICATE_H

#include "solver/term/parse.h"
#include "solver/term/print.h"

typedef struct predicate {
  relation rel;  // GT and GE may be used; store_add turns them around
  term_id left, right;
} predicate;

static inline predicate predicate_make(relation rel, term_id left, term_id right) {
  return (predicate){rel, left, right};
}

const char *relation_text(relation rel);  // "==", "!=", "<", "<=", ">", ">=" or "divisible by"
relation relation_not(relation rel);      // holds exactly where `rel` does not; not of DIVISIBLE
// Whether it holds of two numbers, of which the left one is less (order < 0), equal or greater; not of DIVISIBLE.
bool relation_holds(relation rel, int order);

// As text that term_parse_predicate reads: `a <= b`, and of DIVISIBLE `mod(a, b) == 0`.
void predicate_print(term_table *t, shape_strbuf *out, predicate p, const term_namer *namer);

#endif
