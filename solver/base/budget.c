// SPDX-License-Identifier: Apache-2.0
#include "solver/base/budget.h"

void budget_init(shape_budget *budget, shape_arena *arena, uint64_t steps, const atomic_int *stop) {
  *budget = (shape_budget){.arena = arena,
                           .steps_left = steps,
                           .max_bits = BUDGET_BITS_DEFAULT,
                           .max_elements = BUDGET_ELEMENTS_DEFAULT,
                           .stop = stop,
                           .until_poll = BUDGET_POLL_EVERY};
}

void budget_add_reading(shape_budget *budget, size_t bytes) {
  enum { STEPS_PER_BYTE = 2 };
  uint64_t steps = budget->steps_left, more = STEPS_PER_BYTE * (uint64_t)bytes;
  budget->steps_left = steps > UINT64_MAX - more ? UINT64_MAX : steps + more;
}

uint64_t budget_begin_reading(shape_budget *budget, size_t bytes) {
  uint64_t steps = budget->steps_left;
  budget_add_reading(budget, bytes);
  budget->steps_read -= budget->steps_used;
  return steps;
}

void budget_end_reading(shape_budget *budget, uint64_t steps) {
  budget->steps_left = steps;
  budget->steps_read += budget->steps_used;
}

void budget_poll(shape_budget *budget) {
  budget->until_poll = BUDGET_POLL_EVERY;
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
