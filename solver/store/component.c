// SPDX-License-Identifier: Apache-2.0
// Full questions: the facts connected to the question, in canonical form, go to the decision procedure (query.h).
//
// Connected means through atoms of canonical terms; the equations of the solved form are applied already. So the cost
// of a question depends on its component, not on the program (llvm#163400 tells what happens otherwise).
#include "solver/store/check.h"
#include "solver/store/core.h"

// Larger components are cut off: premises may always be left out, the answer is only weaker.
enum { MAX_PREMISES = 2000 };

typedef struct component {
  shape_store *s;
  bool
      with_proofs;  // keep facts about symbols apart from their ranges, so that `used` tells them apart
  predicate *premises;
  proof_id *proofs;  // of the premises
  uint32_t premise_count, premise_capacity, proof_capacity;
  query_symbol *symbols;
  uint32_t symbol_count, symbol_capacity;
  term_id *atoms;  // reached; a queue
  uint32_t atom_count, atom_capacity;
  shape_imap seen;  // atoms, and watched items above them
} component;

#define GROW(c, array, count, capacity)                                                            \
  ((array) =                                                                                       \
       arena_grow(&(c)->s->scratch, (array), (count), (count) + 1u, &(capacity), sizeof *(array)))

static bool first_time(component *c, uint64_t key) {
  uint32_t value;
  if (imap_get(&c->seen, key, &value)) return false;
  imap_put(&c->seen, &c->s->scratch, key, 1);
  return true;
}

static void reach_atom(shape_store *s, void *data, term_id atom) {
  component *c = data;
  (void)s;
  if (!first_time(c, atom)) return;
  GROW(c, c->atoms, c->atom_count, c->atom_capacity);
  c->atoms[c->atom_count++] = atom;
}

static void reach(component *c, term_id t) { canon_each_atom(c->s, t, reach_atom, c); }

static void add_premise(component *c, relation rel, term_id left, term_id right, proof_id proof) {
  GROW(c, c->premises, c->premise_count, c->premise_capacity);
  GROW(c, c->proofs, c->premise_count, c->proof_capacity);
  c->premises[c->premise_count] = predicate_make(rel, left, right);
  c->proofs[c->premise_count++] = proof;
}

static void add_bounds(component *c, term_id t, interval range, proof_id lo_proof,
                       proof_id hi_proof) {
  shape_store *s = c->s;
  num point;
  if (interval_is_point(range, &point)) {
    proof_id both = proof_join(s, lo_proof, hi_proof);
    add_premise(c, REL_EQ, t, term_const(s->terms, point), both);
    return;
  }
  if (range.has_lo) add_premise(c, REL_GE, t, term_const(s->terms, range.lo), lo_proof);
  if (range.has_hi) add_premise(c, REL_LE, t, term_const(s->terms, range.hi), hi_proof);
}

static void add_form(component *c, uint32_t id, bool bounds) {
  shape_store *s = c->s;
  store_form form = s->forms[id];
  if (!form.live) return;
  proof_id stale = PROOF_NONE;  // why the term is what it is now, where the form was left behind
  term_id t = form.rule == TERM_NONE ? canon_with_proof(s, form.term, &stale) : form.term;
  if (bounds) {
    add_bounds(c, t, form.range, proof_join(s, form.lo_proof, stale),
               proof_join(s, form.hi_proof, stale));
  }
  if (!num_is_one(form.res.m) && !num_is_zero(form.res.m)) {
    term_id rest = term_sub(s->terms, t, term_const(s->terms, form.res.r));
    add_premise(c, REL_DIVISIBLE, rest, term_const(s->terms, form.res.m),
                proof_join(s, form.res_proof, stale));
  }
  for (uint32_t cell = form.excluded; cell != NONE; cell = s->excluded[cell].next) {
    excluded_cell x = s->excluded[cell];
    add_premise(c, REL_NE, t, term_const(s->terms, x.value), proof_join(s, x.proof, stale));
  }
  reach(c, t);
}

static void add_symbol(component *c, term_id symbol) {
  shape_store *s = c->s;
  query_symbol entry = {symbol, range_of(s, symbol, WANT_BOTH, NULL), NUM(1)};
  uint32_t id = form_find(s, symbol);
  if (c->with_proofs) {
    entry.range = store_symbol_record(s, term_get(s->terms, symbol)->as.symbol)->info.range;
  }
  GROW(c, c->symbols, c->symbol_count, c->symbol_capacity);
  c->symbols[c->symbol_count++] = entry;
  if (id != NONE) add_form(c, id, c->with_proofs);
}

static void add_watched(component *c, watch_cell watched) {
  if (watched.kind == WATCH_LINK) {
    reach_atom(c->s, c, watched.item);
    return;
  }
  if (!first_time(c, (1ull << 40) + 2 * (uint64_t)watched.item + (watched.kind == WATCH_ATOM))) {
    return;
  }
  if (watched.kind == WATCH_FORM) {
    add_form(c, watched.item, true);
    return;
  }
  const term_info *info = store_info(c->s, watched.item);
  if (info->def == TERM_NONE) return;
  add_premise(c, REL_EQ, watched.item, info->def, info->def_proof);
  reach(c, info->def);
  reach(c, watched.item);
}

// Everything connected to the terms reached so far, breadth first. Symbols are listed even where the facts are cut off.
static void gather(component *c) {
  shape_store *s = c->s;
  for (uint32_t i = 0; i < c->atom_count; i++) {
    term_id atom = c->atoms[i];
    bool is_symbol = term_kind_of(s->terms, atom) == TERM_SYMBOL;
    bool is_defined = store_info(s, atom)->def != TERM_NONE;  // reached through a link
    if (is_symbol && !is_defined) add_symbol(c, atom);
    if (c->premise_count >= MAX_PREMISES) continue;
    uint32_t form = form_find(s, atom);
    if (!is_symbol && form != NONE) add_form(c, form, true);
    uint32_t cell = store_info(s, atom)->watch & WATCH_END;
    while (cell != WATCH_END && c->premise_count < MAX_PREMISES) {
      watch_cell watched = s->watches[cell];
      add_watched(c, watched);
      cell = watched.next;
    }
  }
}

static query make_query(const component *c) {
  return (query){.arena = &c->s->scratch,
                 .terms = c->s->terms,
                 .budget = c->s->budget,
                 .symbols = c->symbols,
                 .symbol_count = c->symbol_count,
                 .premises = c->premises,
                 .premise_count = c->premise_count};
}

// The premises that a derivation of the checker rests on, or all of them where it finds none.
static void join_used(component *c, const query *q, predicate p, query_result r, uint64_t steps,
                      proof_id *proof) {
  uint8_t *used = arena_zalloc(q->arena, c->premise_count + 1u);
  predicate against = r.answer == SHAPE_NO ? p : check_negation(q->terms, p);
  bool found = check_derive(q, r.conflict ? NULL : &against, steps, used);
  for (uint32_t i = 0; i < c->premise_count; i++) {
    if (!found || used[i]) *proof = proof_join(c->s, *proof, c->proofs[i]);
  }
}

store_answer component_ask(shape_store *s, predicate p, proof_id *proof, uint64_t steps) {
  proof_id own = PROOF_NONE;
  shape_answer cheap = holds_with_proof(s, p, proof ? &own : NULL);
  if (cheap != SHAPE_UNKNOWN) {
    if (proof) *proof = proof_join(s, *proof, own);
    return (store_answer){.answer = cheap};
  }
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s, .with_proofs = proof != NULL};
  own = PROOF_NONE;
  p.left = canon_with_proof(s, p.left, &own);
  p.right = canon_with_proof(s, p.right, &own);
  reach(&c, p.left);
  reach(&c, p.right);
  gather(&c);
  query q = make_query(&c);
  query_result r = query_ask(&q, p);
  check_debug_answer(&q, p, &r);
  if (proof && (r.conflict || r.answer != SHAPE_UNKNOWN)) {
    join_used(&c, &q, p, r, steps, &own);
    *proof = proof_join(s, *proof, own);
  }
  arena_rewind(&s->scratch, mark);
  return (store_answer){r.answer, r.conflict, r.reason == UNKNOWN_BUDGET};
}

store_answer store_ask(shape_store *s, predicate p) { return component_ask(s, p, NULL, 0); }

bool store_bounds(shape_store *s, term_id t, interval *out) {
  t = store_canon(s, t);
  interval cheap = range_of(s, t, WANT_BOTH, NULL);
  if (term_kind_of(s->terms, t) == TERM_CONST) {
    *out = cheap;
    return true;
  }
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s};
  reach(&c, t);
  gather(&c);
  query q = make_query(&c);
  interval tight = interval_all();
  bool possible = query_bounds(&q, t, &tight);
  check_debug_bounds(&q, t, possible, tight);
  bool ok = possible && interval_meet(tight, cheap, out);
  arena_rewind(&s->scratch, mark);
  return ok;
}

term_id store_simplify(shape_store *s, term_id t) {
  t = store_canon(s, t);
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s};
  reach(&c, t);
  gather(&c);
  query q = make_query(&c);
  bool conflict = false;
  term_id simple = query_simplify(&q, t, &conflict);
  if (!conflict) check_debug_equal(&q, t, simple);
  arena_rewind(&s->scratch, mark);
  return simple;
}

// Components have no symbol in common, so the facts have a solution when each component has one.
shape_answer store_consistent(shape_store *s) {
  shape_answer answer = SHAPE_YES;
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s};
  for (uint32_t i = 0; i < s->form_count && answer != SHAPE_NO; i++) {
    if (!s->forms[i].live) continue;
    c.premise_count = c.symbol_count = 0;
    uint32_t first = c.atom_count;
    reach(&c, s->forms[i].term);
    if (c.atom_count == first) continue;
    gather(&c);
    query q = make_query(&c);
    query_result r = query_ask(&q, predicate_make(REL_EQ, TERM_ONE, TERM_ZERO));
    if (r.conflict) {
      answer = SHAPE_NO;
    } else if (r.answer == SHAPE_UNKNOWN) {
      answer = SHAPE_UNKNOWN;
    }
  }
  arena_rewind(&s->scratch, mark);
  return answer;
}
