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

#include "solver/facts/theory.h"
#include "solver/term/limits.h"

#define NONE UINT32_MAX

// Per term. All bytes 0xff at first.
typedef struct term_info {
  // memo
  term_id canon;
  proof_id proof;
  uint32_t stamp;  // definition count at which `canon` was last seen to be canonical
  uint32_t
      uses_atom;  // 1: a definition of an atom that is no symbol was used; void once any of those is taken back
  // atoms
  term_id def;
  proof_id def_proof;
  uint32_t watch;  // first watch cell
  uint32_t form;   // whose term this is
  uint32_t rules;  // first cell of products with a definition that are kept at this atom
  // properties of the term itself, never undone
  term_id base;  // its form's term
  uint32_t mark;
} term_info;

typedef struct store_form {
  term_id term;
  bool live;  // false: an atom in it was defined; what it said is on the bus
  bool queued;
  interval range;
  proof_id lo_proof, hi_proof;
  residue res;
  proof_id res_proof;
  uint32_t excluded;  // first cell of values that it does not have
  term_id rule;       // the product in it that the solved form replaces, or TERM_NONE
} store_form;

typedef struct excluded_cell {
  num value;
  proof_id proof;
  uint32_t next;
} excluded_cell;

// What is to be inspected again when an atom is defined or its bounds move. A link leads to the list of a defined atom,
// whose items stayed there (define.c).
typedef enum watch_kind { WATCH_FORM, WATCH_ATOM, WATCH_LINK, WATCH_RULE } watch_kind;

typedef struct watch_cell {
  uint32_t item;  // a form, an atom with a definition, a defined atom, a product (in `rules`)
  uint32_t next : 30;
  uint32_t kind : 2;
} watch_cell;
#define WATCH_END 0x3fffffffu

typedef struct proof_node {
  uint32_t a, b;  // b == PROOF_LEAF: a is a fact
  uint32_t mark;
} proof_node;
#define PROOF_LEAF (UINT32_MAX - 1)

typedef enum trail_kind { TRAIL_MEMO, TRAIL_ATOM, TRAIL_FORM } trail_kind;

typedef struct trail_entry {
  trail_kind kind;
  uint32_t id;
  uint32_t old[5];
} trail_entry;

// Dims of everything that only grows, to go back to.
typedef struct store_mark {
  uint32_t trail, forms, saved_forms, watches, excluded, proofs, live_facts;
} store_mark;

typedef struct store_scope {
  store_mark mark;
  uint32_t scope;  // number of the scope outside
} store_scope;

// A term on the way to its canonical term, and what the step from it rests on.
typedef struct reduction_step {
  term_id term;
  proof_id proof;
  bool uses_atom;
} reduction_step;

typedef struct symbol_record {
  symbol_info info;
  term_id term;
  // Fresh symbols: floordiv(meaning, divisor) is what they denote, over older symbols; exact where the fact holds
  // that made them. TERM_NONE for others.
  term_id meaning;
  num divisor;
  bool open;           // see store_is_open
  bool name;           // made by store_name: exact everywhere
  uint32_t forgotten;  // definition count when it was last forgotten; 0: never
} symbol_record;

typedef struct event_queue {
  store_event *items;
  uint32_t head, count, capacity;
} event_queue;

typedef struct answer_cache answer_cache;  // of full queries, see solver/decide/component.h

struct shape_store {
  shape_arena *arena;
  term_table *terms;
  shape_budget *budget;

  term_info *infos;
  uint32_t info_capacity;
  symbol_record *symbols;
  uint32_t symbol_count, symbol_capacity;

  fact *facts;
  uint32_t fact_count, fact_capacity;
  fact_id *live_facts;  // those of the open scopes
  uint32_t live_count, live_capacity;

  proof_node *proofs;
  uint32_t proof_count, proof_capacity, proof_stamp;
  store_form *forms;
  uint32_t form_count, form_capacity;
  uint32_t sum_forms;  // forms that are no atoms: 0 saves look-ups
  watch_cell *watches;
  uint32_t watch_count, watch_capacity;
  excluded_cell *excluded;
  uint32_t excluded_count, excluded_capacity;

  trail_entry *trail;
  uint32_t trail_count, trail_capacity;
  store_form *saved_forms;
  uint32_t saved_count, saved_capacity;
  store_scope *scopes;
  uint32_t scope_count, scope_capacity;
  uint32_t scope;  // number that facts get
  bool in_add;     // an add is under way: everything goes on the trail

  uint32_t defs;  // counts definitions made or taken back
  uint32_t
      atoms_undone;  // `defs` when a definition of an atom that is no symbol was last taken back
  uint32_t mark;     // for walks
  uint32_t depth;    // of recursion
  uint64_t version;

  event_queue equations, others;
  uint32_t *dirty;  // forms to propagate
  uint32_t dirty_head, dirty_count, dirty_capacity;
  uint32_t credit;     // see FACTS_CREDIT_FIRST
  bool is_short;       // see store_is_short
  uint32_t forgotten;  // definition count at the last store_forget
  store_log *log;      // NULL: none is kept
  uint32_t rounds;     // left in this add; see FACTS_ROUNDS
  bool in_conflict;
  proof_id conflict_proof;
  fact_id *conflict;
  uint32_t conflict_count, conflict_capacity;

  term_part *parts;  // scratch stack of reduce
  uint32_t part_count, part_capacity;
  term_id *args;
  uint32_t arg_count, arg_capacity;
  reduction_step *steps;  // scratch stack of follow
  uint32_t step_count, step_capacity;
  uint32_t *walk;  // scratch stack of walks
  uint32_t walk_count, walk_capacity;
  uint32_t *chain;  // scratch stack of resolve
  uint32_t chain_count, chain_capacity;

  shape_imap names,
      named_canon;  // term and canonical term -> the symbol that store_name made for it

  answer_cache *answers;  // NULL: none yet
  shape_arena scratch;    // of queries; rewound after each
  shape_store *shadow;    // for explanations: solves subsets of the facts
  shape_store *parent;    // of a shadow
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
  if (symbol >= s->symbol_count) store_enlarge_symbols(s, symbol);
  return &s->symbols[symbol];
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
// Marks, with a new mark, all atoms of t that are inside products or other atoms; *mark is that mark.
uint32_t canon_mark_inner(shape_store *s, term_id t);
bool canon_is_marked(shape_store *s, term_id t, uint32_t mark);
// Calls for each distinct atom of t, those inside atoms included.
void canon_each_atom(shape_store *s, term_id t,
                     void (*visit)(shape_store *s, void *data, term_id atom), void *data);

// The item, a form or a defined atom, is inspected again when `atom` gets a definition.
void store_watch(shape_store *s, term_id atom, uint32_t item, watch_kind kind);

// --- form.c
// t == *scale * base + *offset, with base a form's term; t is no constant. *scale may be negative.
term_id form_split(shape_store *s, term_id t, num *scale, num *offset);
uint32_t form_find(shape_store *s, term_id base);  // or NONE
uint32_t form_make(shape_store *s, term_id base);
// Tightens a form; each returns false on a conflict, which it reports.
bool form_bound_low(shape_store *s, uint32_t form, num lo, proof_id proof);
bool form_bound_high(shape_store *s, uint32_t form, num hi, proof_id proof);
bool form_restrict(shape_store *s, uint32_t form, residue res, proof_id proof);
bool form_exclude(shape_store *s, uint32_t form, num value, proof_id proof);
bool form_is_excluded(shape_store *s, uint32_t form, num value, proof_id *proof);
void form_touch(shape_store *s, uint32_t form);  // queues it for propagation
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

#endif
