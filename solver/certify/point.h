// SPDX-License-Identifier: Apache-2.0
// Points of a query: premises and query evaluated exactly at all of them, where the ranges hold few, or at some.
#ifndef SHAPE_CERTIFY_POINT_H
#define SHAPE_CERTIFY_POINT_H

#include "solver/certify/check.h"
#include "solver/term/limits.h"

typedef struct survey {
  bool all;  // every point of the ranges was inspected
  bool any, any_true,
      any_false;  // points that satisfy the premises; where the query holds, or does not
} survey;

// query: NULL: only whether there is a point. All points where the ranges hold at most `most`, else a few hundred.
survey check_survey(const query *q, const predicate *goal, uint64_t most);
// Where the symbols of the query are, by term.
shape_imap check_positions(const query *q);
// Runs body(data); false when it ran out of memory or bits.
bool check_guarded(const query *q, void (*body)(void *data), void *data);
// The value of a term at a point; false where it has none.
bool check_value(const query *q, const num *values, term_id t, num *out);

#endif
