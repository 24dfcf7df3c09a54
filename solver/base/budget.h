// SPDX-License-Identifier: Apache-2.0
// What one job may spend: steps, coefficient bits, and one flag by which the caller ends it.
//
// Steps are counted, never timed, so that a budget runs out at the same point on every machine; the code that runs out
// answers SHAPE_UNKNOWN. The flag (cancelled, or past a deadline) is set by another thread and only ever ends the
// request with an error: it can never change an answer.
#ifndef SHAPE_BASE_BUDGET_H
#define SHAPE_BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "solver/base/arena.h"
#include "solver/base/trace.h"

struct shape_strbuf;

typedef struct shape_budget {
  shape_arena *arena;      // whose arena_fail ends the job
  uint64_t steps_used;     // in all
  uint64_t check_at;       // of steps_used: something is due, a poll or the end of the allowance
  uint64_t ends_at;        // of steps_used: the end of the allowance, UINT64_MAX where it has none
  uint64_t steps_read;     // of them, those that reading the program took
  uint32_t max_bits;       // of a coefficient
  uint32_t max_elements;   // of a tensor whose values are kept; more are not known
  const atomic_int *stop;  // a shape_status other than SHAPE_OK ends the job; NULL: never
  uint64_t poll_at;        // of steps_used: the flag is read
  uint64_t abandon_at;     // steps used at which the job ends as if it was cancelled; 0: never
  atomic_uint_least64_t *progress;  // steps_used, for another thread to read; NULL: not reported
  const shape_trace *trace;         // NULL: nothing is traced
  struct shape_strbuf *trace_text;  // of trace_line.h
} shape_budget;

enum { BUDGET_BITS_DEFAULT = 65536, BUDGET_ELEMENTS_DEFAULT = 4096, BUDGET_POLL_EVERY = 1024 };

void budget_init(shape_budget *budget, shape_arena *arena, uint64_t steps, const atomic_int *stop);
// Polls and ends the allowance where that is due; leaves through arena_fail when the flag is set. False: it is spent.
__attribute__((cold)) bool budget_check(shape_budget *budget);

// Takes `steps` from the allowance; false when it is spent (it then stays spent). One counter is all that most calls touch.
static inline bool budget_spend(shape_budget *budget, uint32_t steps) {
  budget->steps_used += steps;
  return budget->steps_used < budget->check_at || budget_check(budget);
}

// Steps that are left of the allowance.
static inline uint64_t budget_left(const shape_budget *budget) {
  return budget->ends_at - budget->steps_used;
}
// From now on `steps` are left.
void budget_allow(shape_budget *budget, uint64_t steps);
// Counts steps that were taken from another allowance.
void budget_count(shape_budget *budget, uint64_t steps);

// Reading takes steps of its own: as many as are left for reasoning, and some for each byte, because it is linear and few
// steps for reasoning do not forbid it. budget_end_reading gives back what budget_begin_reading returned.
uint64_t budget_begin_reading(shape_budget *budget, size_t bytes);
void budget_add_reading(shape_budget *budget,
                        size_t bytes);  // further bytes, which reading has made
void budget_end_reading(shape_budget *budget, uint64_t steps);
// For readers: takes steps, or leaves through arena_fail where they are spent. NULL: nothing is counted.
static inline void budget_take(shape_budget *budget, uint32_t steps) {
  if (budget && !budget_spend(budget, steps)) arena_fail(budget->arena, SHAPE_BUDGET);
}

#endif
