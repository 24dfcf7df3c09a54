// SPDX-License-Identifier: Apache-2.0
// How small any spelling of a term can be (see simplify.h), so that the search for a smaller one ends there.
//
// A text has each symbol on which the value depends, and joins them by operators and calls. One call of n names is n + 1; only
// a minimum or a maximum takes more than two. So a text of one name, or of more than two, is either an extremum of the names,
// each as it is or negated (of one name: the name), or n + 2 and more. Points show that the value changes with a symbol, and
// that it is no such extremum.
#include "solver/decide/simplify.h"

// Has the best term another value where the symbol alone has another one?
static bool depends(simplifier *x, uint32_t symbol) {
  static const int64_t STEPS[] = {1, -4099, 4099};
  bool other = false;
  for (uint32_t k = 0; k < x->sample_count && !other; k++) {
    num *at = &x->env[k][symbol], before = *at, v;
    for (uint32_t i = 0; i < sizeof STEPS / sizeof *STEPS && !other; i++) {
      *at = num_add(x->s->budget, before, NUM(STEPS[i]));
      other = simplify_value(x, k, x->best, &v) && !num_equal(v, x->value[k]);
    }
    *at = before;
  }
  return other;
}

// Do the samples show that it is not the least (or greatest) of the symbols, each as it is or negated?
static bool is_no_extremum(const simplifier *x, const uint32_t *symbols, uint32_t count, bool low) {
  const uint32_t samples = x->sample_count, all = (1u << samples) - 1;
  uint32_t met = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool fits = false;
    for (int negated = 0; negated < 2; negated++) {
      uint32_t equal = 0, k = 0;
      for (; k < samples; k++) {
        num v = x->env[k][symbols[i]];
        int side = num_compare(negated ? num_neg(x->s->budget, v) : v, x->value[k]);
        if (low ? side < 0 : side > 0) break;
        equal |= (uint32_t)(side == 0) << k;
      }
      if (k < samples) continue;
      fits = true;
      met |= equal;
    }
    if (!fits) return true;
  }
  return met != all;
}

uint32_t simplify_min_size(simplifier *x) {
  const uint32_t kinds = KIND_BIT(TERM_SYMBOL) | KIND_BIT(TERM_FLOORDIV) | KIND_BIT(TERM_MIN);
  qsolver *s = x->s;
  uint32_t symbols[SIMPLIFY_SYMBOLS], count = 0;
  if (!x->sample_count || term_kinds(s->t, x->best) & ~kinds) return 0;
  for (uint32_t i = 0; i < s->q->symbol_count && count < SIMPLIFY_SYMBOLS; i++) {
    term_id id = s->q->symbols[i].symbol;
    uint32_t symbol = term_get(s->t, id)->as.symbol;
    if (term_mentions(s->t, x->best, id) && depends(x, symbol)) symbols[count++] = symbol;
  }
  if (!count) return 1;
  if (count == 2) return 3;
  return is_no_extremum(x, symbols, count, true) && is_no_extremum(x, symbols, count, false)
             ? count + 2
         : count == 1 ? 1
                      : count + 1;
}
