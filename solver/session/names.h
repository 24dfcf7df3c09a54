// SPDX-License-Identifier: Apache-2.0
// Stable names: symbols by where they come from, dims as terms over those, shapes by what they say. Private to
// solver/session.
#ifndef SHAPE_SESSION_NAMES_H
#define SHAPE_SESSION_NAMES_H

#include "solver/infer/infer.h"
#include "solver/session/session.h"
#include "solver/term/extract.h"

typedef struct stable_symbols {
  shape_intern keys;   // what a symbol is, as bytes -> its number
  shape_intern texts;  // names of symbols
  shape_imap by_name;  // name in texts -> the session's symbol
  const char **names;
  term_id *terms;
  uint32_t count;  // that are whole; `keys` may have one more in the middle of a call
  uint32_t name_capacity, term_capacity, next;
} stable_symbols;

// Names and shapes that never change, however often things are analysed.
typedef struct stable_names {
  term_table terms;        // over the session's symbols
  shape_intern functions;  // names of unknown functions
  stable_symbols symbols;
  shape_intern frame_keys;
  shape_intern shape_keys;
  session_shape *shapes;
  uint32_t shape_count, shape_capacity;  // the count: as that of symbols
  shape_imap term_texts;                 // term -> index in texts
  const char **texts;
  uint32_t text_count, text_capacity;
} stable_names;

// How the numbers of one run are called.
typedef struct run_names {
  uint32_t *ordinals;  // by symbol number: which of its kind and position
  uint32_t ordinal_count, ordinal_capacity;
  uint32_t *stable;  // by symbol number: the session's symbol + 1, 0 where not asked for yet
  uint32_t stable_capacity;
  uint32_t *newest;  // by the session's symbol: the run's symbol + 1 that it is now; 0: none
  uint32_t newest_capacity;
  uint32_t *frame_keys, frame_key_count, frame_key_capacity;
  uint32_t *first_frame, *next_frame;  // frames by function
  extraction extract;
  shape_intern shape_memo;  // raw shapes of this run -> index in memo_keys
  name_id last_memo;        // that was asked for
  shape_key *memo_keys;
  uint32_t memo_capacity;
} run_names;

void stable_open(session_core *s);     // of an empty session
void stable_recover(session_core *s);  // after a call that did not come to its end
void stable_begin(session_core *s);    // of a new run
shape_key stable_shape(session_core *s, value_id value);  // of a value of the program, by the run
const char *stable_text(session_core *s, term_id term);   // of a term of the session's table
// The run's symbol that has this name now, or ID_NONE.
uint32_t stable_find(const session_core *s, const char *name, size_t length);
term_id stable_term(session_core *s, term_id term);  // of a term of the run, canonical
// Of those that a visit of op (of the program) made, in that order; some may be older.
void stable_ordinals_of(session_core *s, const uint32_t *made, uint32_t count);
void stable_ordinals_of_argument(session_core *s, const uint32_t *made, uint32_t count);

#endif
