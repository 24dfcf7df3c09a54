// SPDX-License-Identifier: Apache-2.0
// What holds of each atom in a term: terms are asked about again and again, and large ones are made of others.
#ifndef SHAPE_TERM_BITS_H
#define SHAPE_TERM_BITS_H

#include "solver/term/term.h"

// What is kept of terms; all zero but for the arena and `of`.
typedef struct term_bits {
  shape_arena *arena;
  uint8_t (*of)(void *data, term_id atom);  // may make terms
  uint8_t *kept;                            // by term; 0: nothing yet
  uint32_t count;
} term_bits;

// A bit of `of` itself: what it says of the atom stays so.
enum { TERM_BITS_FINAL = 0x80 };

// The bits that each atom in the term has, those inside atoms included; all bits where there is none.
// Cost: of the atoms that were not asked for before.
uint8_t term_bits_of(term_table *t, term_bits *b, term_id id, void *data);

#endif
