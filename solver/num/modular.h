// SPDX-License-Identifier: Apache-2.0
// Residue classes x == r (mod m) with m >= 0: m == 1 says nothing, m == 0 says x == r exactly.
// Closed under + - * and exact division; meet is the Chinese remainder theorem. Invariant: 0 <= r <
// m where m > 0.
#ifndef SHAPE_NUM_MODULAR_H
#define SHAPE_NUM_MODULAR_H

#include "solver/num/num.h"

typedef struct residue {
  num m, r;
} residue;

static inline residue residue_any(void) { return (residue){NUM(1), NUM(0)}; }
static inline residue residue_exact(num x) { return (residue){NUM(0), x}; }
residue residue_make(shape_budget *b, num m, num r);
residue residue_add(shape_budget *b, residue x, residue y);
residue residue_scale(shape_budget *b, residue x, num k);
residue residue_mul(shape_budget *b, residue x, residue y);
bool residue_meet(shape_budget *b, residue x, residue y, residue *out);  // false: no common member
bool residue_contains(shape_budget *b, residue x, num value);
bool residue_excludes_zero(shape_budget *b, residue x);

#endif
