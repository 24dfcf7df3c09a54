// SPDX-License-Identifier: Apache-2.0
// Memory between requests: what is free stays, or goes back.
#include "server/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)

#include <malloc.h>

enum { PIECES = 256, PIECE_BYTES = 64 << 10, KEPT_BYTES = PIECES * PIECE_BYTES / 2 };

// Bytes that malloc holds for what is freed and needed again.
static size_t free_at_the_end_after_a_burst(void) {
  static char *pieces[PIECES];
  for (int i = 0; i < PIECES; i++) {
    pieces[i] = malloc(PIECE_BYTES);
    cr_assert(pieces[i]);
    memset(pieces[i], 1, PIECE_BYTES);
  }
  for (int i = PIECES; i; i--) free(pieces[i - 1]);
  return mallinfo2().keepcost;
}

Test(memory, what_is_freed_stays_until_it_is_released) {
  memory_keep();
  cr_assert_gt(free_at_the_end_after_a_burst(), KEPT_BYTES);
  memory_release();
  memory_trim_thread();
  cr_expect_lt(mallinfo2().keepcost, KEPT_BYTES);
  cr_expect_lt(free_at_the_end_after_a_burst(), KEPT_BYTES, "and it does not stay again");
  memory_keep();
  cr_expect_gt(free_at_the_end_after_a_burst(), KEPT_BYTES);
  memory_trim();
  cr_expect_lt(mallinfo2().keepcost, KEPT_BYTES, "at once, whatever is to be kept");
}

#endif
