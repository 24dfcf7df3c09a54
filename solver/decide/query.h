// SPDX-License-Identifier: Apache-2.0
// The full decision procedure, as a function of a set of premises: no state is kept between calls but caches.
//
// On linear integer facts (with floordiv, mod, min, max by constants) the answer is complete within the budget; on
// products and symbolic divisors it is sound.
#ifndef SHAPE_DECIDE_QUERY_H
#define SHAPE_DECIDE_QUERY_H

#include "solver/term/spell.h"
#include "solver/term/query.h"

query_result query_ask(const query *q, predicate goal);
// Tight bounds of t; false when the premises conflict.
bool query_bounds(const query *q, term_id t, interval *out);

// Canonical terms have no min of a max: they hold it as a sum. Where that form is smaller it is given as a spelling,
// min(max(a, b), c), or max(min(a, b), c); `found` says whether there is one.
typedef struct query_spelling {
  bool found, min_outside;
  term_id a, b, c;
} query_spelling;

// Points at which the premises hold, found for a term with the same symbols: values in the order of the query's symbols.
typedef struct query_points {
  const num *const *items;
  uint32_t count;
  bool known;  // else they are sought, in memory of the query
} query_points;

typedef struct query_simple {
  term_id
      term;  // the smallest equal form that was found; the term itself where there is a conflict
  bool conflict;  // the premises have no solution
  query_spelling spelling;
  uint32_t min_size;  // no spelling of the term is smaller; 0: not known
} query_simple;

struct simplifier;

typedef struct simplify_options {
  // Looks for a spelling, too: query_spellings, or NULL. What never asks for one is linked without.
  void (*spell)(struct simplifier *x, query_simple *found);
  query_points *points;  // NULL: what is found is not wanted
} simplify_options;

void query_spellings(struct simplifier *x, query_simple *found);
query_simple query_simplify(const query *q, term_id t, const simplify_options *options);
// The least text that is found for what query_simplify found, in the table of the query; NULL where none is smaller than `size`.
const term_spelling *query_spell(const query *q, const speller *m, const query_simple *found,
                                 uint32_t size);

// Premises may belong together, as an assumption and what it divides by not being 0: then they stay or go as one part. A
// premise stays while one of its links stays; QUERY_ALWAYS: it never goes.
typedef struct query_link {
  uint32_t premise, part;
} query_link;
#define QUERY_ALWAYS UINT32_MAX

typedef struct query_parts {
  const query_link *links;
  uint32_t link_count, part_count;
} query_parts;

// Leaves in `keep` (one flag per part) an irreducible set that still gives the answer YES or NO, or the conflict
// (query: NULL): leave out one more and neither this procedure nor the checker derives it. False: there is no such
// answer. It begins with what a derivation of the checker used and leaves out part by part, asking again each time.
// *reduced: false where the set is too large for that, or memory ran out: what is kept is enough, and some may go.
bool query_core(const query *q, const predicate *goal, const query_parts *parts, uint8_t *keep,
                bool *reduced);

#endif
