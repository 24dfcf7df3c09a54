// SPDX-License-Identifier: Apache-2.0
// What the free dims of the arguments have to fulfil, as predicates over them, at points and over boxes.
//
// The checks of the report (solver/report/checks.h) are sufficient: a point that passes all of them is legal, where none is
// open. Each symbol of theirs is what an argument shows: operand == factor*symbol + rest gives
// symbol == floordiv(operand - rest, factor), with divisible(operand - rest, factor) as one more condition. Terms are in a
// table of their own, in which symbol i is free dim i.
//
// A condition that speaks of what no dim shows (an element of an argument) is not known: then no point is known to be legal by
// the conditions.
// Cost: making them O(size of the checks); at a point O(size); over a box a query of the decision procedure for each.
#ifndef SHAPE_PROFILE_CONDITIONS_H
#define SHAPE_PROFILE_CONDITIONS_H

#include "solver/profile/free_dims.h"
#include "solver/term/extract.h"

typedef struct condition {
  predicate p;
  const predicate *when;  // it counts only where all of these hold
  uint32_t when_count;
  const int64_t *ranges;  // not NULL: p.left lies in one of these pairs; p says nothing else then
  uint32_t range_count;
} condition;

typedef enum condition_answer {
  CONDITIONS_HOLD,      // at all points
  CONDITIONS_VIOLATED,  // at some point
  CONDITIONS_UNKNOWN
} condition_answer;

typedef struct conditions {
  const free_dims *dims;
  shape_arena arena, scratch;
  shape_budget budget;
  term_table terms;
  term_id *symbols;  // by free dim
  condition *items;
  uint32_t count, capacity;
  bool complete;        // every check is here
  shape_imap divisors;  // that are conditions already
  extraction extraction;
  shape_imap shown;   // symbol number of the report -> index in meanings
  term_id *meanings;  // over the free dims; TERM_NONE: not known
  uint32_t meaning_count, meaning_capacity;
} conditions;

// In the arena of the report, which has no errors.
conditions *conditions_of(const free_dims *dims);
// A term of the report in answer form, over the free dims; TERM_NONE: they do not determine it.
term_id conditions_term(conditions *c, term_id term);

// At one point: a number for each free dim. *which: the first that does not hold.
condition_answer conditions_at(conditions *c, const int64_t *point, uint32_t *which);
// The value of a term at a point; false where it has none, or not one of 64 bits.
bool conditions_value(const conditions *c, const int64_t *point, term_id term, int64_t *value);
// Over all points between minimum and maximum. VIOLATED: `point` is one that breaks *which. UNKNOWN: the budget was spent,
// or a condition is not known.
condition_answer conditions_over(conditions *c, const dim_range *box, uint32_t *which,
                                 int64_t *point);
// The smallest and the largest value of a term over a box, where both are known and fit 64 bits.
bool conditions_bounds(conditions *c, const dim_range *box, term_id term, int64_t bounds[2]);
// In the words of the profile: "arg0.1 <= 384"; in the arena of the report. NULL where there is no text.
const char *conditions_text(conditions *c, const condition *item);

#endif
