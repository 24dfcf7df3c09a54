// SPDX-License-Identifier: Apache-2.0
// Terms as operations stated them, over what the arguments of the entry show, so that code can compute them before a run.
//
// The answer form of a term is what it is in a finished run: requirements made it so, those that follow too. A guard that
// is to say one requirement must not rest on that one. What counts here: arguments, which the signature checks; names of
// large terms and quotients, by what they denote; and what operations made, where facts that no run breaks say it.
#include <assert.h>

#include "solver/report/work.h"

enum {
  DEEPEST = 64,
  HEAVIEST = 8 * VALUE_MAX_WEIGHT
};  // meanings in meanings; more is not followed

static bool is_shown(const shape_report *r, term_id symbol) {
  const symbol_origin *origin = names_origin(r, symbol);
  return origin && origin->function == r->infer->entry;
}

// Whether facts that no run breaks make the symbol equal to its answer form, all of them older than `before`.
static bool is_made(shape_report *r, term_id symbol, term_id answer, fact_id before) {
  fact_id facts[BECAUSE_MAX];
  assert(term_kind_of(r->infer->terms, symbol) == TERM_SYMBOL);
  bool truncated = false;
  predicate p = predicate_make(REL_EQ, symbol, answer);
  uint32_t count = store_because(r->infer->store, p, facts, BECAUSE_MAX, &truncated);
  if (truncated) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (facts[i] >= before || store_fact(r->infer->store, facts[i])->why.required) return false;
  }
  return true;
}

// Names keep terms small: what they denote is written only where facts made the name equal to something else, so that
// nothing shows it any more.
static term_id meaning_of_name(shape_report *r, term_id name, term_id meaning) {
  if (answer_term(r, name) != name) return answer_term(r, meaning);
  return names_determined(r, name, r->infer->entry) ? name : TERM_NONE;
}

// What a symbol denotes; itself where an argument shows it, TERM_NONE where it cannot be computed.
static term_id meaning_of(shape_report *r, term_id symbol, fact_id before) {
  assert(term_kind_of(r->infer->terms, symbol) == TERM_SYMBOL);
  const infer_result *infer = r->infer;
  uint32_t number = term_get(infer->terms, symbol)->as.symbol;
  if (is_shown(r, symbol)) return symbol;
  term_id dividend, meaning = store_named(infer->store, number);
  num divisor;
  if (meaning != TERM_NONE) return meaning_of_name(r, symbol, meaning);
  if (store_fresh_meaning(infer->store, number, &dividend, &divisor))
    return term_floordiv(infer->terms, dividend, term_const(infer->terms, divisor));
  term_id answer = answer_term(r, symbol);
  if (answer == symbol || !names_determined(r, answer, infer->entry)) return TERM_NONE;
  origin_kind kind = number < infer->origin_count ? infer->origins[number].kind : ORIGIN_OPAQUE;
  bool given = kind != ORIGIN_OPAQUE && kind != ORIGIN_FRESH;
  return given || is_made(r, symbol, answer, before) ? answer : TERM_NONE;
}

// Symbols that are their own answer form, and those that are what they denote whatever `before` is.
enum { OWN_ANSWER = 1, OWN_MEANING = 2 };

static uint8_t atom_own(void *data, term_id atom) {
  shape_report *r = data;
  const term_node *node = term_get(r->infer->terms, atom);
  if (node->kind != TERM_SYMBOL) return UINT8_MAX;
  uint32_t number = node->as.symbol;
  assert(number < r->infer->terms->symbol_count);
  bool answered = answer_term(r, atom) == atom;
  bool named = answered && store_named(r->infer->store, number) != TERM_NONE;
  bool meant = is_shown(r, atom) || (named && names_determined(r, atom, r->infer->entry));
  return (answered ? OWN_ANSWER : 0) | (meant ? OWN_MEANING : 0) | TERM_BITS_FINAL;
}

static uint8_t own_forms(shape_report *r, term_id t) {
  work_settled *s = &r->work->settled;
  if (!s->own.of) s->own = (term_bits){.arena = r->work->arena, .of = atom_own};
  return term_bits_of(r->infer->terms, &s->own, t, r);
}

bool exact_is_answered(shape_report *r, term_id t) { return own_forms(r, t) & OWN_ANSWER; }

typedef struct symbol_map {
  shape_imap to;  // symbol -> term
} symbol_map;

static term_id replace(void *data, term_id atom) {
  uint32_t to;
  return imap_get(&((symbol_map *)data)->to, atom, &to) ? to : atom;
}

term_id exact_term(shape_report *r, term_id t, fact_id before) {
  for (uint32_t depth = 0; t != TERM_NONE && depth < DEEPEST; depth++) {
    if (term_kind_of(r->infer->terms, t) == TERM_SYMBOL) {  // as most are: no lists are made
      term_id to = meaning_of(r, t, before);
      assert(to != t || names_determined(r, t, r->infer->entry));
      if (to == t) return t;
      t = to;
      continue;
    }
    symbol_map map = {0};
    bool same = true;
    if (term_outweighs(r->infer->terms, t, HEAVIEST)) return TERM_NONE;
    if (own_forms(r, t) & OWN_MEANING)
      return names_determined(r, t, r->infer->entry) ? t : TERM_NONE;
    term_id *symbols;
    uint32_t count = term_symbols(r->infer->terms, t, r->work->arena, &symbols);
    for (uint32_t i = 0; i < count; i++) {
      term_id to = meaning_of(r, symbols[i], before);
      if (to == TERM_NONE) return TERM_NONE;
      if (to == symbols[i]) continue;
      imap_put(&map.to, r->work->arena, symbols[i], to);
      same = false;
    }
    if (same) return names_determined(r, t, r->infer->entry) ? t : TERM_NONE;
    t = term_substitute(r->infer->terms, t, replace, &map, NULL);
  }
  return TERM_NONE;
}
