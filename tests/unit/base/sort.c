// SPDX-License-Identifier: Apache-2.0
#include "solver/base/sort.h"

#include <criterion/criterion.h>

static bool is_less(const void *keys, uint32_t a, uint32_t b) {
  const uint8_t *key = keys;
  return key[a] < key[b];
}

Test(sort, indices_by_key_and_equal_ones_as_given) {
  enum { MOST = 130 };
  for (uint32_t count = 0; count <= MOST; count++) {
    shape_arena arena;
    uint8_t keys[MOST];
    uint32_t order[MOST + 1], random = count;
    arena_init(&arena, 0);
    for (uint32_t i = 0; i < count; i++) {
      random = random * 1103515245 + 12345;
      keys[i] = random >> 16 & 15;
      order[i] = i;
    }
    order[count] = 77;
    sort_indices(&arena, order, count, is_less, keys);
    for (uint32_t i = 1; i < count; i++) {
      uint32_t a = order[i - 1], b = order[i];
      cr_assert(keys[a] < keys[b] || (keys[a] == keys[b] && a < b), "%u of %u", i, count);
    }
    cr_assert_eq(order[count], 77);
    arena_destroy(&arena);
  }
}
