// SPDX-License-Identifier: Apache-2.0
// Terms as text, in the grammar of the answers: + - * floordiv ceildiv mod min max bcast select is_zero is_neg and
// names. Equal terms print the same; mod and ceildiv are folded back. Parts are in term_order.
#ifndef SHAPE_TERM_PRINT_H
#define SHAPE_TERM_PRINT_H

#include "solver/term/term.h"

// Texts of terms as one namer writes them: large terms are made of terms that are written already.
typedef struct kept_text {
  const char *text;  // of `length` bytes
  uint32_t length;
  uint16_t depth, atoms;  // nesting and atoms in it; private to print.c
} kept_text;

typedef struct term_texts {
  shape_arena *arena;
  shape_imap of;  // term -> index in items
  kept_text *items;
  uint32_t count, capacity;
} term_texts;

// The text of a whole term, or NULL. Until the next one is made.
const kept_text *term_texts_find(const term_texts *texts, term_id id);
// Notes it, or where else it is written; the text must stay there.
void term_texts_add(term_texts *texts, term_id id, const char *text, uint32_t length);

typedef struct term_namer {
  // Writes the name of a symbol, given by its number.
  void (*symbol)(void *data, shape_strbuf *out, uint32_t symbol);
  // Writes an atom that has no spelling in the grammar (apply, bigmul; in a large term also
  // conditions and select) and returns true, or returns false to have it written in functional form. NULL: always functional.
  bool (*opaque)(void *data, shape_strbuf *out, term_id atom);
  const shape_intern *functions;  // names of APPLY; may be NULL
  bool
      plain;  // conditions are written with min and max, and no select: what tools for ONNX dims read
  void *data;
  // NULL: none are kept. Else term_print ends `out` with a NUL, and its text must stay where it is from then on.
  term_texts *texts;
} term_namer;

void term_print(term_table *t, shape_strbuf *out, term_id id, const term_namer *namer);
void term_print_plain(term_table *t, shape_strbuf *out,
                      term_id id);  // symbols as s0, s1, ...; for tests and traces

// Writes a name as the parser reads it: as it is where it is a word and not that of a function, else in quotes, with a
// backslash before each quote and each backslash.
void term_print_name(shape_strbuf *out, const char *name, size_t length);
bool term_is_word(const char *name, size_t length);  // it is written as it is

#endif
