// SPDX-License-Identifier: Apache-2.0
#include "solver/num/modular.h"

#include <assert.h>

residue residue_make(shape_budget *b, num m, num r) {
  m = num_abs(b, m);
  return (residue){m, num_is_zero(m) ? r : num_mod(b, r, m)};
}

residue residue_add(shape_budget *b, residue x, residue y) {
  return residue_make(b, num_gcd(b, x.m, y.m), num_add(b, x.r, y.r));
}

residue residue_scale(shape_budget *b, residue x, num k) {
  return residue_make(b, num_mul(b, x.m, k), num_mul(b, x.r, k));
}

// (m*p + r) * (n*q + s) == m*n*p*q + m*s*p + n*r*q + r*s for free p and q.
residue residue_mul(shape_budget *b, residue x, residue y) {
  num m = num_gcd(b, num_mul(b, x.m, y.m), num_mul(b, x.m, y.r));
  m = num_gcd(b, m, num_mul(b, y.m, x.r));
  return residue_make(b, m, num_mul(b, x.r, y.r));
}

// Chinese remainder theorem for moduli that need not be coprime.
bool residue_meet(shape_budget *b, residue x, residue y, residue *out) {
  if (num_is_zero(x.m) || num_is_zero(y.m)) {
    residue exact = num_is_zero(x.m) ? x : y, other = num_is_zero(x.m) ? y : x;
    if (!residue_contains(b, other, exact.r)) return false;
    *out = exact;
    return true;
  }
  assert(num_sign(x.m) > 0 && num_sign(y.m) > 0);
  num s, t, gap = num_sub(b, y.r, x.r);
  num g = num_gcd_ext(b, x.m, y.m, &s, &t);
  if (!num_divides(b, g, gap)) return false;
  assert(num_sign(g) > 0);
  num other = num_truncdiv(b, y.m, g);
  num steps = num_mod(b, num_mul(b, num_truncdiv(b, gap, g), num_mod(b, s, other)), other);
  *out = residue_make(b, num_mul(b, x.m, other), num_add(b, x.r, num_mul(b, x.m, steps)));
  return true;
}

bool residue_contains(shape_budget *b, residue x, num value) {
  assert(num_sign(x.m) >= 0);
  return num_divides(b, x.m, num_sub(b, value, x.r));
}

bool residue_excludes_zero(shape_budget *b, residue x) {
  (void)b;
  return !num_is_zero(x.r);  // 0 <= r < m, or x == r
}
