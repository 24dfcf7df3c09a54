// SPDX-License-Identifier: Apache-2.0
#ifndef SHAPE_BASE_SORTED_H
#define SHAPE_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

// How many items have a number less than `limit`: items of `stride` bytes, in the order of a uint32_t that each has at
// offset `at`. The items may be NULL where there are none. O(log count).
static inline uint32_t sorted_before(const void *items, uint32_t count, size_t stride, size_t at,
                                     uint64_t limit) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const char *item = (const char *)items + middle * stride;
    if (*(const uint32_t *)(item + at) < limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

#endif
