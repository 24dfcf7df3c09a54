// SPDX-License-Identifier: Apache-2.0
#include "solver/base/budget.h"

#include <assert.h>

void budget_init(shape_budget *budget, shape_arena *arena, uint64_t steps, const atomic_int *stop) {
  *budget = (shape_budget){.arena = arena,
                           .max_bits = BUDGET_BITS_DEFAULT,
                           .max_elements = BUDGET_ELEMENTS_DEFAULT,
                           .stop = stop,
                           .poll_at = BUDGET_POLL_EVERY};
  budget_allow(budget, steps);
}

static uint64_t add_to(uint64_t steps, uint64_t more) {
  return steps > UINT64_MAX - more ? UINT64_MAX : steps + more;
}

// The allowance is spent by the first step beyond its end.
static void set_check(shape_budget *budget) {
  assert(budget->steps_used <= budget->ends_at && budget->steps_used < budget->poll_at);
  budget->check_at = budget->ends_at < budget->poll_at ? budget->ends_at + 1 : budget->poll_at;
}

void budget_allow(shape_budget *budget, uint64_t steps) {
  budget->ends_at = add_to(budget->steps_used, steps);
  set_check(budget);
}

void budget_count(shape_budget *budget, uint64_t steps) {
  budget->steps_used += steps;
  budget->ends_at = add_to(budget->ends_at, steps);
  budget->poll_at += steps;
  set_check(budget);
}

void budget_add_reading(shape_budget *budget, size_t bytes) {
  enum { STEPS_PER_BYTE = 2 };
  budget_allow(budget, add_to(budget_left(budget), STEPS_PER_BYTE * (uint64_t)bytes));
}

uint64_t budget_begin_reading(shape_budget *budget, size_t bytes) {
  uint64_t steps = budget_left(budget);
  budget_add_reading(budget, bytes);
  budget->steps_read -= budget->steps_used;
  return steps;
}

void budget_end_reading(shape_budget *budget, uint64_t steps) {
  budget_allow(budget, steps);
  budget->steps_read += budget->steps_used;
}

static void poll(shape_budget *budget) {
  budget->poll_at = budget->steps_used + BUDGET_POLL_EVERY;
  if (budget->progress) {
    atomic_store_explicit(budget->progress, budget->steps_used, memory_order_relaxed);
  }
  if (budget->abandon_at && budget->steps_used >= budget->abandon_at) {
    arena_fail(budget->arena, SHAPE_CANCELLED);
  }
  if (!budget->stop) return;
  int status = atomic_load_explicit(budget->stop, memory_order_relaxed);
  if (status != SHAPE_OK) arena_fail(budget->arena, (shape_status)status);
}

bool budget_check(shape_budget *budget) {
  bool spent = budget->steps_used > budget->ends_at;
  if (spent) budget->ends_at = budget->steps_used;
  if (budget->steps_used >= budget->poll_at) poll(budget);
  set_check(budget);
  return !spent;
}
