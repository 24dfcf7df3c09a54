// SPDX-License-Identifier: Apache-2.0
// Terms as instructions with numbered results: sums and products step by step, each term once. What a number, an atom
// or a step looks like is for the writer to say. O(size of the terms).
#ifndef SHAPE_EMIT_INSTRUCTIONS_H
#define SHAPE_EMIT_INSTRUCTIONS_H

#include "solver/term/term.h"

typedef struct instructions {
  term_table *terms;
  shape_arena *arena;
  // Each writes what is needed and returns the number of the result.
  uint32_t (*number)(void *writer, num x);
  uint32_t (*atom)(void *writer, term_id atom);
  uint32_t (*step)(void *writer, bool product, uint32_t a, uint32_t b);
  void *writer;
  shape_imap known;  // term -> number
} instructions;

uint32_t instructions_put(instructions *i, term_id term);

#endif
