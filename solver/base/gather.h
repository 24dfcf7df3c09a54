// SPDX-License-Identifier: Apache-2.0
// Arrays of one owner in one block, which has pages of 2 MB sooner than each on its own (pages.h).
#ifndef SHAPE_BASE_GATHER_H
#define SHAPE_BASE_GATHER_H

#include "solver/base/arena.h"

typedef struct arena_array {
  void *array;  // changed, as is *capacity
  uint32_t used, *capacity, wanted;
  size_t size;
} arena_array;

// Each has room for as many elements as are wanted from then on, not less than it had. They may grow out of the block, for
// which they are copied. Does nothing where the block would take more than a quarter of what the arena may still have: what
// is wanted is a guess, and an input may lie.
void arena_gather(shape_arena *arena, arena_array *all, uint32_t count);

#endif
