// SPDX-License-Identifier: Apache-2.0
// Terms without the fresh symbols that elimination made, so that answers are in the user's words.
//
// A fresh t denotes (p - r) / m, so a part c*t with m | c is c/m times the dividend; elsewhere t is a quotient.
#include <assert.h>

#include "solver/facts/core.h"

bool store_fresh_meaning(shape_store *s, uint32_t symbol, term_id *dividend, num *divisor) {
  const symbol_record *record = store_symbol_record(s, symbol);
  if (record->meaning == TERM_NONE) return false;
  *dividend = record->meaning;
  *divisor = record->divisor;
  return true;
}

static bool is_fresh(shape_store *s, term_id atom) {
  if (term_kind_of(s->terms, atom) != TERM_SYMBOL) return false;
  const symbol_record *record = store_symbol_record(s, term_get(s->terms, atom)->as.symbol);
  return record->meaning != TERM_NONE && !record->name;
}

static void find_fresh(shape_store *s, void *data, term_id atom) {
  term_id *newest = data;
  if (is_fresh(s, atom) && (*newest == TERM_NONE || term_get(s->terms, atom)->as.symbol >
                                                        term_get(s->terms, *newest)->as.symbol)) {
    *newest = atom;
  }
}

typedef struct replacement {
  shape_store *s;
  term_id from, to;
} replacement;

static term_id replace(void *data, term_id atom) {
  const replacement *r = data;
  return atom == r->from ? r->to : atom;
}

// The newest fresh symbol goes first: its meaning holds only older ones, so this ends.
static term_id express_one(shape_store *s, term_id t, term_id fresh) {
  const symbol_record *record = store_symbol_record(s, term_get(s->terms, fresh)->as.symbol);
  assert(record->meaning != TERM_NONE);
  term_id dividend = record->meaning;
  num m = record->divisor;
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(s->terms, t, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    num c = parts[i].coefficient;
    if (parts[i].monomial != fresh || !num_divides(s->budget, m, c)) continue;
    t = term_sub(s->terms, t, term_scale(s->terms, fresh, c));
    num k = num_floordiv(s->budget, c, m);
    t = term_add(s->terms, t, term_scale(s->terms, dividend, k));
    break;
  }
  replacement r = {s, fresh, TERM_NONE};
  r.to = term_floordiv(s->terms, dividend, term_const(s->terms, m));
  return term_substitute(s->terms, t, replace, &r, NULL);
}

term_id store_express(shape_store *s, term_id t) {
  for (;;) {
    term_id newest = TERM_NONE;
    canon_each_atom(s, t, find_fresh, &newest);
    if (newest == TERM_NONE) return t;
    t = express_one(s, t, newest);
  }
}
