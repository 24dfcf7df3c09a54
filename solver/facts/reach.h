// SPDX-License-Identifier: Apache-2.0
// Which terms a change of the store can reach, so that what is remembered of the others stays true.
//
// A term has a larger id than each term in it. So the definition of an atom, or a new bound of a form, changes nothing for
// a term whose id is smaller than that of the atom, or of the youngest monomial of the form. Changes are numbered; for
// those after any number, the least id that they reach is found in O(log FACTS_REACH_KEPT). Only the last ones are kept apart:
// what was remembered before those counts as reached.
#ifndef SHAPE_FACTS_REACH_H
#define SHAPE_FACTS_REACH_H

#include <stdbool.h>

#include "solver/term/limits.h"
#include "solver/term/term.h"

// At most FACTS_REACH_KEPT changes, numbers and ids growing: of two, the earlier one is only here if it reaches further.
typedef struct change_reach {
  uint32_t forgotten;  // the number of the last change that is not kept
  uint32_t count;
  uint32_t numbers[FACTS_REACH_KEPT];
  term_id least[FACTS_REACH_KEPT];
} change_reach;

// Change `number`, greater than all before, reaches the terms from `least` on; 0: all.
void reach_add(change_reach *r, uint32_t number, term_id least);
// None of the changes after number `since` reaches t.
bool reach_spares(const change_reach *r, uint32_t since, term_id t);

#endif
