// SPDX-License-Identifier: Apache-2.0
#include "solver/base/pages.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

static void fill(unsigned char *memory, size_t bytes) {
  for (size_t k = 0; k < bytes; k += 4096) memory[k] = (unsigned char)(k / 4096 + 1);
  memory[bytes - 1] = 1;
}

static void expect_filled(const unsigned char *memory, size_t bytes) {
  for (size_t k = 0; k + 1 < bytes; k += 4096)
    cr_assert_eq(memory[k], (unsigned char)(k / 4096 + 1), "%zu of %zu", k, bytes);
}

// Whatever its size and where it begins: what is in it stays, and it can be written, grown and freed.
Test(pages, memory_stays_what_it_is) {
  static const size_t bytes[] = {1, 4096, PAGES_LARGE - 1, PAGES_LARGE, 3 * PAGES_LARGE + 5};
  pages_prefer_large(NULL, 0);
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    unsigned char *memory = malloc(bytes[i]);
    cr_assert(memory);
    fill(memory, bytes[i]);
    pages_prefer_large(memory, bytes[i]);
    unsigned char *grown = realloc(memory, 2 * bytes[i]);
    cr_assert(grown);
    pages_prefer_large(grown, 2 * bytes[i]);
    expect_filled(grown, bytes[i]);
    grown[2 * bytes[i] - 1] = 1;
    free(grown);
  }
}

Test(pages, large_memory_grows) {
  static const size_t bytes[] = {PAGES_LARGE - 5, PAGES_LARGE, 2 * PAGES_LARGE + 5,
                                 4 * PAGES_LARGE - 4096};
  cr_expect_null(pages_take(PAGES_LARGE / 2), "it is not worth it");
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    unsigned char *memory = pages_take(bytes[i]);
    if (!memory) continue;  // as in other systems
    cr_assert_eq((uintptr_t)memory % 4096, 0);
    for (size_t k = 0; k < bytes[i]; k += 4096) cr_assert_eq(memory[k], 0);
    fill(memory, bytes[i]);
    const size_t more = bytes[i] + bytes[i] / 2;
    unsigned char *grown = pages_resize(memory, bytes[i], more);
    cr_assert(grown);
    expect_filled(grown, bytes[i]);
    grown[more - 1] = 1;
    pages_give(grown, more);
  }
}
