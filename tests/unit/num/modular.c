// SPDX-License-Identifier: Apache-2.0
// Residue classes against the sets of small integers that they denote.
#include "solver/num/modular.h"

#include <criterion/criterion.h>

enum { MODULI = 7, REACH = 60 };

static int64_t floor_mod(int64_t a, int64_t m) { return (a % m + m) % m; }

static bool member(int64_t m, int64_t r, int64_t x) {
  return m ? floor_mod(x - r, m) == 0 : x == r;
}

static void check_pair(shape_budget *b, int m, int r, int n, int s) {
  residue x = residue_make(b, NUM(m), NUM(r)), y = residue_make(b, NUM(-n), NUM(s)), meet;
  residue add = residue_add(b, x, y), mul = residue_mul(b, x, y);
  residue scaled = residue_scale(b, x, NUM(-4));
  bool meets = residue_meet(b, x, y, &meet), common = false, zero = false;
  for (int i = -REACH; i <= REACH; i++) {
    bool in_x = member(m, r, i), in_y = member(n, s, i);
    cr_assert_eq(residue_contains(b, x, NUM(i)), in_x);
    zero |= in_x && i == 0;
    common |= in_x && in_y;
    cr_assert(!in_x || residue_contains(b, scaled, NUM(-4 * i)));
    if (meets) cr_assert_eq(residue_contains(b, meet, NUM(i)), in_x && in_y);
    for (int j = -10; in_x && j <= 10; j++) {
      if (!member(n, s, j)) continue;
      cr_assert(residue_contains(b, add, NUM(i + j)));
      cr_assert(residue_contains(b, mul, NUM((int64_t)i * j)));
    }
  }
  cr_assert_eq(meets, common, "%d mod %d and %d mod %d", r, m, s, n);
  cr_assert_eq(residue_excludes_zero(b, x), !zero);
}

Test(modular, agrees_with_sets) {
  shape_arena arena;
  shape_budget budget;
  arena_init(&arena, 0);
  budget_init(&budget, &arena, 0, NULL);
  for (int m = 0; m < MODULI; m++) {
    for (int n = 0; n < MODULI; n++) {
      for (int r = -3; r < 8; r++) {
        for (int s = -3; s < 8; s++) check_pair(&budget, m, r, n, s);
      }
    }
  }
  cr_assert(residue_contains(&budget, residue_any(), NUM(-17)));
  cr_assert(residue_contains(&budget, residue_exact(NUM(5)), NUM(5)));
  arena_destroy(&arena);
}
