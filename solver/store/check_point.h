// SPDX-License-Identifier: Apache-2.0
// Points of a query: premises and question evaluated exactly at all of them, where the ranges hold few, or at some.
#ifndef SHAPE_STORE_CHECK_POINT_H
#define SHAPE_STORE_CHECK_POINT_H

#include "solver/store/check.h"

typedef struct survey {
  bool all;  // every point of the ranges was looked at
  bool any, any_true,
      any_false;  // points that satisfy the premises; where the question holds, or does not
} survey;

// question: NULL: only whether there is a point. Cost: a fixed number of points at most.
survey check_survey(const query *q, const predicate *question);
// The value of a term at a point; false where it has none.
bool check_value(const query *q, const num *values, term_id t, num *out);

#endif
