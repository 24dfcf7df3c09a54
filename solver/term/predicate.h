// SPDX-License-Identifier: Apache-2.0
// Predicates over dimensions: two terms and how they compare.
#ifndef SHAPE_TERM_PREDICATE_H
#define SHAPE_TERM_PREDICATE_H

#include "solver/term/parse.h"

typedef struct predicate {
  relation rel;  // GT and GE may be used; store_add turns them around
  term_id left, right;
} predicate;

static inline predicate predicate_make(relation rel, term_id left, term_id right) {
  return (predicate){rel, left, right};
}

#endif
