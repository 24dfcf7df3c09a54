// SPDX-License-Identifier: Apache-2.0
// A set is shrunk to what is needed, in a number of calls that grows with what is needed.
#include "solver/decide/shrink.h"

#include <criterion/criterion.h>

enum { MEMBERS = 200 };

typedef struct needs {
  uint8_t keep[MEMBERS];
  const uint32_t *needed;
  uint32_t count, calls;
} needs;

static bool follows(void *data) {
  needs *n = data;
  n->calls++;
  for (uint32_t i = 0; i < n->count; i++) {
    if (!n->keep[n->needed[i]]) return false;
  }
  return true;
}

Test(shrink, keeps_exactly_what_is_needed) {
  static const uint32_t NEEDED[] = {0, 3, 4, 77, 199};
  for (uint32_t count = 0; count <= sizeof NEEDED / sizeof *NEEDED; count++) {
    shape_arena arena;
    needs n = {.needed = NEEDED, .count = count};
    memset(n.keep, 1, sizeof n.keep);
    arena_init(&arena, 0);
    shrink_set(&arena, n.keep, MEMBERS, follows, &n);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < MEMBERS; i++) kept += n.keep[i];
    cr_expect_eq(kept, count);
    cr_expect(follows(&n));
    cr_expect_leq(n.calls, 4 * MEMBERS);
    cr_expect_leq(n.calls, 8 + 24 * (count + 1), "%u calls for %u", n.calls, count);
    arena_destroy(&arena);
  }
}
