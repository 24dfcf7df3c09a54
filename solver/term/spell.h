// SPDX-License-Identifier: Apache-2.0
// An expression as it is written: a tree, of which a term is the canonical value.
//
// Canonical terms hold a sum expanded, a maximum as a sum with a minimum, a remainder as a sum with a quotient. Text need
// not: (y + z)*x, max(min(x, z), y) and floordiv(min(x + 8, y), 4) are shorter than what the printer makes of their terms.
// A spelling is a sum of parts, each a coefficient times factors; a factor is an atom, a call of spellings, or a spelling in
// parentheses. spell_of gives what the printer writes; spell_term gives the term back; spell_shorten looks for less text.
//
// Size: names, numbers, functions and operators count 1 each, parentheses, commas and signs 0.
// Ownership: forms are immutable, live in the arena that made them, and share subtrees.
// Every step of spell_shorten is an identity over the integers at each point where the term is defined; it uses no facts.
// What it divides by is what the term divides by. Cost: SPELL_NEIGHBOURS forms at most, each as large as the term.
#ifndef SHAPE_TERM_SPELL_H
#define SHAPE_TERM_SPELL_H

#include "solver/term/print.h"

typedef struct term_spelling term_spelling;

typedef struct spell_factor {
  const char *name;  // of a call; NULL: an atom, or a spelling in parentheses
  term_id atom;      // TERM_NONE: a spelling in parentheses, which is args[0]
  const term_spelling *const *args;
  uint32_t count;
} spell_factor;

typedef struct spell_part {
  num coefficient;  // not 0
  const spell_factor *factors;
  uint32_t count;
} spell_part;

struct term_spelling {
  const spell_part *parts;  // none: 0
  uint32_t count, size;
};

typedef struct speller {
  term_table *terms;
  shape_arena *arena;
  // The spelling of an argument at this depth; NULL: spell_at.
  const term_spelling *(*argument)(void *data, term_id id, uint32_t depth);
  void *data;
} speller;

// --- making forms
const term_spelling *spell_of(const speller *m, term_id id);  // as term_print_plain writes it
const term_spelling *spell_at(const speller *m, term_id id, uint32_t depth);
const term_spelling *spell_make(const speller *m, const spell_part *parts, uint32_t count);
const term_spelling *spell_call(const speller *m, const char *name,
                                const term_spelling *const *args, uint32_t count);
const term_spelling *spell_add(const speller *m, const term_spelling *a, const term_spelling *b);
const term_spelling *spell_scale(const speller *m, const term_spelling *a, num k);
// Common factors of parts in front of parentheses, common parts of arguments after them, wherever that is shorter.
const term_spelling *spell_factored(const speller *m, const term_spelling *f);
// The smallest spelling that is found; not larger than spell_of. None is smaller than `min_size`, so that the search ends there.
const term_spelling *spell_shorten(const speller *m, term_id id, uint32_t min_size);

// --- reading forms
term_id spell_term(const speller *m, const term_spelling *f);
void spell_print(const speller *m, shape_strbuf *out, const term_spelling *f,
                 const term_namer *namer);
// The size of an expression that was written.
uint32_t spell_text_size(const char *text, size_t length);

#endif
