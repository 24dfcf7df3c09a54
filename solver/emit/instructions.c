// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/instructions.h"

#include <assert.h>

enum { NOTHING = UINT32_MAX };

static uint32_t joined(instructions *w, bool product, uint32_t a, uint32_t b) {
  return a == NOTHING ? b : w->step(w->writer, product, a, b);
}

static uint32_t monomial(instructions *w, term_id id) {
  assert(id != TERM_ONE);
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(w->terms, id, &powers, &room), product = NOTHING;
  for (uint32_t i = 0; i < count; i++) {
    term_power power = powers[i];
    uint32_t factor = instructions_put(w, power.atom);
    for (uint32_t k = 0; k < power.exponent; k++) product = joined(w, true, product, factor);
  }
  return product;
}

static uint32_t part(instructions *w, term_part p) {
  if (p.monomial == TERM_ONE) return w->number(w->writer, p.coefficient);
  bool one = num_is_one(p.coefficient), atom = term_is_atom(w->terms, p.monomial);
  uint32_t x = atom || !one ? instructions_put(w, p.monomial) : monomial(w, p.monomial);
  if (one) return x;
  return w->step(w->writer, true, instructions_put(w, term_const(w->terms, p.coefficient)), x);
}

uint32_t instructions_put(instructions *w, term_id term) {
  uint32_t known, sum = NOTHING;
  if (imap_get(&w->known, term, &known)) return known;
  if (term_is_atom(w->terms, term)) {
    sum = w->atom(w->writer, term);
  } else {
    term_part room;
    const term_part *parts;
    uint32_t count = term_parts(w->terms, term, &parts, &room);
    for (uint32_t i = 0; i < count; i++) sum = joined(w, false, sum, part(w, parts[i]));
  }
  if (sum == NOTHING) sum = w->number(w->writer, NUM(0));
  assert(sum != NOTHING);
  imap_put(&w->known, w->arena, term, sum);
  return sum;
}
