// SPDX-License-Identifier: Apache-2.0
// The inside of the store, shared by its theories: the solved form, forms with bounds, proofs, the trail.
//
// Solved form. An atom (a symbol, or a quotient, minimum ... whose arguments are canonical) may have a definition, the
// term that it equals. Definitions of symbols are triangular: the term was canonical when it was made, so following
// them ends; canon() follows them and remembers, which is path compression (Tarjan 1975). Definitions of other atoms
// are kept fully reduced: as soon as anything inside one is defined, it is taken back and its equation solved again.
// Otherwise rebuilding an atom could bring back the very atom that it defines, and following would not end.
//
// A memoised canonical term c is known to be canonical as long as no atom in it is defined; `stamp` says at which
// definition count that was last seen, so a look-up is one comparison while nothing changes.
//
// Products may have definitions too, which hold for all their multiples; their right sides are smaller in a graded order
// of monomials, so rewriting ends (as in a Groebner basis, without its completion).
//
// Forms. A form is a term without constant part, content 1, and a positive first coefficient: a symbol, a product,
// x - y. What is not an equation of the solved form is kept as bounds, a residue and excluded values of forms. The
// equation x*y == 12 is the form x*y with the interval [12, 12].
#ifndef SHAPE_FACTS_CORE_H
#define SHAPE_FACTS_CORE_H

#include "solver/facts/parts.h"
#include "solver/facts/theory.h"
#include "solver/term/limits.h"

typedef struct answer_cache answer_cache;  // of full queries, see solver/decide/component.h
typedef struct restated restated;          // of restatements, see solver/decide/restate.c

typedef struct kept_results {  // NULL: none yet
  answer_cache *answers;
  restated *restated;
} kept_results;

struct shape_store {
  shape_arena *arena;
  term_table *terms;
  shape_budget *budget;
  term_info *infos;
  uint32_t info_capacity;
  symbol_records symbols;
  fact_records facts;
  proof_pool proofs;
  form_table forms;
  watch_pool watches;
  excluded_pool excluded;
  store_trail trail;
  scope_stack scopes;
  store_changes changes;
  uint32_t mark;   // for walks
  uint32_t depth;  // of recursion
  store_bus bus;
  store_conflicts conflict;
  store_log *log;  // NULL: none is kept
  store_stacks stacks;
  named_terms named;
  kept_results kept;
  shape_arena scratch;  // of queries; rewound after each
  shape_store *shadow;  // for explanations: solves subsets of the facts
  shape_store *parent;  // of a shadow
};

// Work that may cascade, the moving of what is on a defined symbol and the definition of atoms that are no symbols,
// is paid from a credit that each fact adds to (FACTS_CREDIT_FIRST and others of solver/term/limits.def); so a program
// costs O(1) of it per fact, while one fact may move a lot.

// --- forget.c
void log_note(shape_store *s, store_note_kind kind, uint32_t a, uint32_t b);
static inline void log_asked(shape_store *s, term_id t) {
  if (s->log) log_note(s, NOTE_ASKED, t, TERM_NONE);
}
// Some symbol in t was forgotten after definition count `stamp`.
bool forgot_part_of(shape_store *s, term_id t, uint32_t stamp);

// --- bus.c, state.c
void store_enlarge_infos(shape_store *s, term_id t);
static inline term_info *store_info(shape_store *s, term_id t) {  // valid until the next call
  if (t >= s->info_capacity) store_enlarge_infos(s, t);
  return &s->infos[t];
}
void store_enlarge_symbols(shape_store *s, uint32_t symbol);
static inline symbol_record *store_symbol_record(shape_store *s, uint32_t symbol) {
  if (symbol >= s->symbols.count) store_enlarge_symbols(s, symbol);
  return &s->symbols.items[symbol];
}
term_id store_fresh(shape_store *s, term_id meaning, num divisor);
// The atom speaks of what only a run can determine: a computed size, a result of a function, a quotient made of those.
bool store_is_open(shape_store *s, term_id atom);
bool store_speaks_open(shape_store *s, term_id t);  // an open atom is in t
void store_report_conflict(shape_store *s, proof_id proof);
void store_post(shape_store *s, event_kind kind, term_id term, proof_id proof);
void store_post_divides(shape_store *s, num modulus, term_id term, proof_id proof);
// What the declaration of a symbol alone makes of it.
void store_redeclare(shape_store *s, uint32_t symbol);
// Runs what was posted as one step that is undone as a whole when it conflicts; false then.
bool store_settle(shape_store *s, store_mark mark);
// Hands out events until nothing changes, or a conflict. False: some were left, as the budget is spent.
bool store_run(shape_store *s);
#define STORE_GROW(s, array, count, need, capacity)                                                \
  ((array) = arena_grow((s)->arena, (array), (count), (need), &(capacity), sizeof *(array)))

// --- trail.c
void trail_memo(shape_store *s, term_id t);
void trail_atom(shape_store *s, term_id t);
void trail_form(shape_store *s, uint32_t form);
store_mark trail_mark(const shape_store *s);
void trail_undo(shape_store *s, store_mark mark);

// --- check.c
// What is wrong with the store, between two adds; NULL: nothing. O(size): debug builds ask small stores only.
const char *store_check(const shape_store *s);

// --- proof.c
proof_id proof_leaf(shape_store *s, fact_id id);
proof_id proof_join(shape_store *s, proof_id a, proof_id b);
// The facts at the leaves, oldest first, each once; see store_because.
uint32_t proof_facts(shape_store *s, proof_id proof, fact_id *facts, uint32_t room,
                     bool *truncated);

// --- canon.c
// As store_canon; the proof of t == canon(t) is joined to *proof.
term_id canon_with_proof(shape_store *s, term_id t, proof_id *proof);
// Defines `atom` as `term` (canonical, without atom anywhere in it) and posts what the bounds of the atom say now.
void canon_define(shape_store *s, term_id atom, term_id term, proof_id proof);
// Replaces the product by `term` wherever it divides a product; the form, which says that they are equal, carries
// the rule: it ends when the form is released. Every monomial of term is smaller in an order of monomials.
void canon_define_product(shape_store *s, term_id product, term_id term, uint32_t form,
                          proof_id proof);
void canon_release_product(shape_store *s, term_id product);
// The atoms of t are canonical; products may be defined.
bool canon_has_canonical_atoms(shape_store *s, term_id t);
bool canon_is_irreducible(shape_store *s, term_id t);
bool canon_divides(const term_table *terms, term_id product, term_id t);  // as power products
// Marks, with a new mark, which it returns, the monomials of t that are inside products or other atoms too.
uint32_t canon_mark_inner(shape_store *s, term_id t);
bool canon_is_marked(shape_store *s, term_id t, uint32_t mark);
// Calls for each distinct atom of t, those inside atoms included.
void canon_each_atom(shape_store *s, term_id t,
                     void (*visit)(shape_store *s, void *data, term_id atom), void *data);

// The item, a form or a defined atom, is inspected again when an atom of t, those inside atoms included, gets a
// definition. `but`, or TERM_NONE: an atom that does not count.
void store_watch_atoms(shape_store *s, term_id t, term_id but, uint32_t item, watch_kind kind);

// --- form.c
// t == *scale * base + *offset, with base a form's term; t is no constant. *scale may be negative.
term_id form_split(shape_store *s, term_id t, num *scale, num *offset);
static inline uint32_t form_find(shape_store *s, term_id base) {  // or NONE
  return store_info(s, base)->form;
}
uint32_t form_make(shape_store *s, term_id base);
// Tightens a form; each returns false on a conflict, which it reports.
bool form_bound_low(shape_store *s, uint32_t form, num lo, proof_id proof);
bool form_bound_high(shape_store *s, uint32_t form, num hi, proof_id proof);
bool form_restrict(shape_store *s, uint32_t form, residue res, proof_id proof);
bool form_exclude(shape_store *s, uint32_t form, num value, proof_id proof);
bool form_is_excluded(shape_store *s, uint32_t form, num value, proof_id *proof);
void form_touch(shape_store *s, uint32_t form);  // queues it for propagation
// What is remembered of the bounds of terms that hold the form is void.
void form_moved(shape_store *s, uint32_t form);
// Takes a form back and posts all it said; for when something in it was defined.
void form_release(shape_store *s, uint32_t form);

// --- holds.c
// As store_holds; where the answer is not UNKNOWN, its proof is joined to *proof (not NULL).
shape_answer holds_with_proof(shape_store *s, predicate p, proof_id *proof);

// --- equality.c
// x == y for different undefined symbols: the one of worse rank represents the other.
void equality_merge(shape_store *s, term_id x, term_id y, proof_id proof);
// Symbol x goes before symbol y when one of them is to be eliminated.
bool equality_goes_first(shape_store *s, term_id x, term_id y);

// --- range.c: bounds of canonical terms. Where `proof` is not NULL, what the wanted ends rest on is joined to it.
enum want_ends { WANT_LO = 1, WANT_HI = 2, WANT_BOTH = 3 };
interval range_of(shape_store *s, term_id t, unsigned want, proof_id *proof);
// The bounds of a form have nothing in common with those of what it is made of; reports the conflict.
bool range_in_conflict(shape_store *s, uint32_t form);
residue range_residue(shape_store *s, term_id t, proof_id *proof);
bool range_nonzero(shape_store *s, term_id t, proof_id *proof);
// The same of a term that is no constant and has these bounds by range_of.
bool range_nonzero_in(shape_store *s, term_id t, interval x, proof_id *proof);

#endif
