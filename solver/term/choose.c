// SPDX-License-Identifier: Apache-2.0
// What a condition says of the other conditions in an expression, for the text of choices.
#include <assert.h>

#include "solver/term/fold.h"

enum { MAX_KNOWN = 16 };

// The value of an indicator of `a`, where a lies in a range; false where the range does not say.
static bool known_indicator(term_kind kind, interval a, num *value) {
  assert(term_is_indicator(kind));
  bool below = a.has_hi && num_sign(a.hi) < 0, above = a.has_lo && num_sign(a.lo) > 0;
  bool not_below = a.has_lo && num_sign(a.lo) >= 0;
  bool zero = not_below && a.has_hi && num_is_zero(a.lo) && num_is_zero(a.hi);
  *value = NUM(kind == TERM_IS_NEG ? below : zero);
  return below || above || zero || (kind == TERM_IS_NEG && not_below);
}

// The value of `other` where the indicator `atom`, of x, is `truth`: its argument is x + c or c - x.
static bool follows(term_table *t, term_id atom, bool truth, term_id other, num *value) {
  assert(term_is_indicator(term_kind_of(t, atom)) && term_is_indicator(term_kind_of(t, other)));
  *value = NUM(truth);
  if (other == atom) return true;
  term_id x = term_get(t, atom)->as.args[0], a = term_get(t, other)->as.args[0];
  interval range;
  if (term_kind_of(t, atom) == TERM_IS_NEG) {
    range = truth ? interval_at_most(NUM(-1)) : interval_at_least(NUM(0));
  } else if (truth) {
    range = interval_of(0, 0);
  } else {
    return false;
  }
  for (int sign = 1; sign >= -1; sign -= 2) {
    num c;
    term_id rest = sign > 0 ? term_sub(t, a, x) : term_add(t, a, x);
    if (!term_const_value(t, rest, &c)) continue;
    interval moved = sign > 0 ? range : interval_neg(t->budget, range);
    moved = interval_add(t->budget, moved, (interval){c, c, true, true});
    if (known_indicator(term_kind_of(t, other), moved, value)) return true;
  }
  return false;
}

// An indicator that is a factor in the sum and not among the `done`; TERM_NONE: no more.
static term_id next_indicator(const term_table *t, term_id id, const term_id *done,
                              uint32_t count) {
  const term_part *parts;
  term_part room;
  uint32_t n = term_parts(t, id, &parts, &room);
  for (uint32_t i = 0; i < n; i++) {
    const term_power *powers;
    term_power power_room;
    uint32_t m = term_powers(t, parts[i].monomial, &powers, &power_room);
    for (uint32_t j = 0; j < m; j++) {
      if (!term_is_indicator(term_kind_of(t, powers[j].atom))) continue;
      bool known = false;
      for (uint32_t d = 0; d < count; d++) known |= done[d] == powers[j].atom;
      if (!known) return powers[j].atom;
    }
  }
  return TERM_NONE;
}

term_id fold_under(term_table *t, term_id id, term_id atom, bool truth) {
  term_id done[MAX_KNOWN], other;
  uint32_t count = 0;
  while (count < MAX_KNOWN && (other = next_indicator(t, id, done, count)) != TERM_NONE) {
    done[count++] = other;
    num value;
    if (!follows(t, atom, truth, other, &value)) continue;
    term_id factor = fold_factor(t, id, other);
    id = term_sub(t, id, term_mul(t, factor, term_sub(t, other, term_const(t, value))));
  }
  return id;
}
