// SPDX-License-Identifier: Apache-2.0
// The independent checker: confirms answers by simple means that share no code with the theories, nor with the decision
// procedure; only terms and numbers are common.
//
//   points      premises and query evaluated exactly: at witnesses, at pseudo-random points, and at all points where
//               the ranges hold few
//   derivation  normal forms of integer rows, congruence steps, sums of rows with factors that are verified, products
//               of rows, lists of cases; see prover.h
// It is small and slow: at most CERTIFY_STEPS of its own, whatever the query's budget is, which it does not touch. What it
// cannot confirm it says so. It never confirms what is false: a derivation derives consequences only, and an enumeration
// inspects every point.
#ifndef SHAPE_CERTIFY_CHECK_H
#define SHAPE_CERTIFY_CHECK_H

#include "solver/term/query.h"

typedef enum check_result {
  CHECK_CONFIRMED,
  CHECK_OPEN,   // neither confirmed nor contradicted
  CHECK_WRONG,  // a point contradicts the claim: a defect of the solver
} check_result;

// Do the ranges and premises hold at `values` (of the query's symbols, in their order)? query: its value there; NULL:
// not asked. WRONG also where something is undefined; OPEN where something cannot be evaluated.
check_result check_point(const query *q, const num *values, const predicate *goal, bool *holds);

// Does the query hold at every point of the premises? `used` (or NULL): one flag per premise, set for those that the
// derivation rests on; all of them where every point was inspected.
check_result check_implied(const query *q, predicate goal, uint8_t *used);
// Have the premises no point?
check_result check_conflict(const query *q, uint8_t *used);
// Is the answer to the query right? For UNKNOWN with two witnesses: do they say what they claim? UNKNOWN otherwise
// claims nothing and is OPEN.
check_result check_answer(const query *q, predicate goal, const query_result *result);
// Is t == value at this point of the premises?
bool check_attained(const query *q, term_id t, num value, const num *values);
// Is form == t at every point of the premises, and are its divisors (those that the parser found) not 0 there?
check_result check_equal(const query *q, term_id t, term_id form, const term_id *divisors,
                         uint32_t divisor_count);

// The derivation alone, without inspecting points: is there no point of the premises at which `against` holds (NULL: no
// point of the premises)? At most `steps` steps.
bool check_derive(const query *q, const predicate *against, uint64_t steps, uint8_t *used);

// Debug builds inspect points after every answer of the procedure, and end the process where one contradicts it.
#ifdef SHAPE_DEBUG
void check_debug_answer(const query *q, predicate goal, const query_result *result);
void check_debug_bounds(const query *q, term_id t, bool possible, interval claimed);
void check_debug_equal(const query *q, term_id t, term_id form);
#else
static inline void check_debug_answer(const query *q, predicate goal, const query_result *result) {
  (void)q, (void)goal, (void)result;
}
static inline void check_debug_bounds(const query *q, term_id t, bool possible, interval claimed) {
  (void)q, (void)t, (void)possible, (void)claimed;
}
static inline void check_debug_equal(const query *q, term_id t, term_id form) {
  (void)q, (void)t, (void)form;
}
#endif

predicate check_negation(term_table *t, predicate p);

#endif
