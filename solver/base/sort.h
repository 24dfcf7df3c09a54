// SPDX-License-Identifier: Apache-2.0
// Stable sorts of indices into a list that stays as it is.
#ifndef SHAPE_BASE_SORT_H
#define SHAPE_BASE_SORT_H

#include <stdbool.h>
#include <string.h>

#include "solver/base/arena.h"

// Whether item a has to come before item b.
typedef bool sort_before(const void *items, uint32_t a, uint32_t b);

// Sorts `count` indices, which the caller has filled; of two items neither of which is before the other, the first stays
// first. Few are inserted one by one, more are merged; inline so that `before` is too. O(count log count), room for `count`
// indices in the arena.
static inline void sort_indices(shape_arena *arena, uint32_t *order, uint32_t count,
                                sort_before *before, const void *items) {
  enum { FEW = 8 };
  if (count <= FEW) {
    for (uint32_t i = 1; i < count; i++) {
      uint32_t moved = order[i], at = i;
      for (; at && before(items, moved, order[at - 1]); at--) order[at] = order[at - 1];
      order[at] = moved;
    }
    return;
  }
  uint32_t *from = order, *to = arena_alloc(arena, count * sizeof *to);
  for (uint64_t width = 1; width < count; width *= 2) {
    for (uint64_t low = 0; low < count; low += 2 * width) {
      uint64_t middle = low + width < count ? low + width : count;
      uint64_t high = middle + width < count ? middle + width : count;
      for (uint64_t i = low, j = middle, k = low; k < high; k++) {
        bool left = j == high || (i < middle && !before(items, from[j], from[i]));
        to[k] = from[left ? i++ : j++];
      }
    }
    uint32_t *other = from;
    from = to;
    to = other;
  }
  if (from != order) memcpy(order, from, count * sizeof *order);
}

#endif
