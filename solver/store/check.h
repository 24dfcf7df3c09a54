// SPDX-License-Identifier: Apache-2.0
// The independent checker: confirms answers by simple means that share no code with the theories.
//
//   points       premises and question evaluated exactly at given, enumerated and pseudo-random values
//   enumeration  of all points, where the ranges of the symbols leave few
//   elimination  Fourier and Motzkin's, over integers divided by their gcd and rounded, with the gcd test of equalities;
//                quotients by their definition, min and max by case lists, products by the signs of their factors
// It is small and slow. What it cannot confirm it says so; it never confirms what is false: each means derives
// consequences only, or looks at every point.
#ifndef SHAPE_STORE_CHECK_H
#define SHAPE_STORE_CHECK_H

#include "solver/store/query.h"

typedef enum check_result {
  CHECK_CONFIRMED,
  CHECK_OPEN,   // neither confirmed nor contradicted
  CHECK_WRONG,  // a point contradicts the answer: a defect of the solver
} check_result;

// Do the ranges and premises hold at `values` (of the query's symbols, in their order)? question: its value there; NULL:
// not asked. False also where something is undefined.
bool check_point(const query *q, const num *values, const predicate *question, bool *holds);
// Is the answer to the question right? For UNKNOWN with two witnesses: do they say what they claim?
check_result check_answer(const query *q, predicate question, const query_result *result);

#endif
