// SPDX-License-Identifier: Apache-2.0
// Faults that tests inject: the n-th allocation of an arena fails, and each after it, as where memory is spent (unless
// `once`). Carried by the arena (no globals), so that one request can be made to fail while its neighbours go on.
#ifndef SHAPE_BASE_FAULT_H
#define SHAPE_BASE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct shape_fault {
  uint64_t fail_at;  // the first allocation, counted from 1, that fails; 0: never
  uint64_t seen;     // allocations so far
  bool once;         // later ones succeed
} shape_fault;

static inline bool fault_hits(shape_fault *fault) {
  if (!fault->fail_at) return false;
  fault->seen++;
  return fault->once ? fault->seen == fault->fail_at : fault->seen >= fault->fail_at;
}

#endif
