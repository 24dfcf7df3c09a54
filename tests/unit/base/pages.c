// SPDX-License-Identifier: Apache-2.0
#include "solver/base/pages.h"

#include <criterion/criterion.h>
#include <stdlib.h>

// Whatever its size and where it begins: what is in it stays, and it can be written, grown and freed.
Test(pages, memory_stays_what_it_is) {
  static const size_t bytes[] = {1, 4096, PAGES_LARGE - 1, PAGES_LARGE, 3 * PAGES_LARGE + 5};
  pages_prefer_large(NULL, 0);
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    unsigned char *memory = malloc(bytes[i]);
    cr_assert(memory);
    for (size_t k = 0; k < bytes[i]; k += 4096) memory[k] = (unsigned char)(k / 4096 + 1);
    pages_prefer_large(memory, bytes[i]);
    unsigned char *grown = realloc(memory, 2 * bytes[i]);
    cr_assert(grown);
    pages_prefer_large(grown, 2 * bytes[i]);
    for (size_t k = 0; k < bytes[i]; k += 4096)
      cr_assert_eq(grown[k], (unsigned char)(k / 4096 + 1), "%zu of %zu", k, bytes[i]);
    grown[2 * bytes[i] - 1] = 1;
    free(grown);
  }
}
