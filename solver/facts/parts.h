// SPDX-License-Identifier: Apache-2.0
// What a store is made of: a record for each term, symbol, form and proof, and the tables, pools, queues and stacks that
// hold them. Each is kept by the files that core.h lists; nothing here knows the store as a whole.
#ifndef SHAPE_FACTS_PARTS_H
#define SHAPE_FACTS_PARTS_H

#include "solver/base/imap.h"
#include "solver/facts/reach.h"
#include "solver/facts/theory.h"

#define NONE UINT32_MAX

// --- records

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
  term_id
      atom;  // whose list this is in, first when it came: so an undo needs no more than the number of cells
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
  uint32_t old[4];
} trail_entry;

// Dims of everything that only grows, to go back to.
typedef struct store_mark {
  uint32_t trail, forms, saved_forms, watches, excluded, proofs, live_facts;
} store_mark;

typedef struct store_scope {
  store_mark mark;
  uint32_t scope;  // number of the scope outside
  uint64_t state;  // store_state where it began
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

// --- state.c

typedef struct symbol_records {
  symbol_record *items;  // by symbol
  uint32_t count, capacity;
  bool any_open;
} symbol_records;

typedef struct fact_records {
  fact *items;
  uint32_t count, capacity;
  fact_id *live;  // those of the open scopes
  uint32_t live_count, live_capacity;
  uint32_t scope;  // number that the next one gets
} fact_records;

typedef struct scope_stack {
  store_scope *items;
  uint32_t count, capacity;
} scope_stack;

// What has changed, for what is remembered of before.
typedef struct store_changes {
  uint32_t defs;  // counts definitions made or taken back
  uint32_t
      atoms_undone;    // `defs` when a definition of an atom that is no symbol was last taken back
  uint32_t forgotten;  // definition count at the last store_forget
  bool symbols_defined;  // a symbol ever had a definition
  change_reach defined;  // of those definitions, and of those that an undo brought back
  uint32_t bounds;       // counts bounds of forms that moved, and forms that ended
  change_reach bounded;  // of those
  uint64_t version;
  uint64_t
      idle;  // changes of the version that changed nothing else: scopes that ended as they began
} store_changes;

typedef struct store_conflicts {
  bool found;
  proof_id proof;
  fact_id *facts;  // of the last one
  uint32_t count, capacity;
} store_conflicts;

// --- proof.c

typedef struct proof_pool {
  proof_node *nodes;
  uint32_t count, capacity;
  uint32_t stamp;  // of the last walk
} proof_pool;

// --- form.c, range.c

// The bounds of a large term, as they were after change `seen`; see store_changes.
typedef struct known_range {
  term_id term;  // TERM_ZERO: empty
  uint32_t want;
  uint32_t seen;
  interval range;
} known_range;

typedef struct form_table {
  store_form *items;
  uint32_t count, capacity;
  uint32_t sums;        // that are no atoms: 0 saves look-ups
  known_range *ranges;  // of terms that hold them; NULL: none yet
} form_table;

typedef struct watch_pool {
  watch_cell *cells;
  uint32_t count, capacity;
} watch_pool;

typedef struct excluded_pool {
  excluded_cell *cells;
  uint32_t count, capacity;
} excluded_pool;

// --- trail.c

typedef struct store_trail {
  trail_entry *entries;
  uint32_t count, capacity;
  store_form *forms;  // as they were
  uint32_t form_count, form_capacity;
  bool in_add;  // an add is under way: everything goes on the trail
} store_trail;

// --- bus.c

typedef struct event_queue {
  store_event *items;
  uint32_t head, count, capacity;
} event_queue;

typedef struct store_bus {
  event_queue equations, others;
  uint32_t *dirty;  // forms to propagate
  uint32_t dirty_head, dirty_count, dirty_capacity;
  uint32_t credit;  // see FACTS_CREDIT_FIRST
  uint32_t rounds;  // left in this add; see FACTS_ROUNDS
  bool is_short;    // see store_is_short
} store_bus;

// --- canon.c, proof.c: scratch stacks, whose parts belong to those who pushed them

typedef struct store_stacks {
  term_part *parts;  // of reduce
  uint32_t part_count, part_capacity;
  term_id *args;
  uint32_t arg_count, arg_capacity;
  reduction_step *steps;  // of follow
  uint32_t step_count, step_capacity;
  uint32_t *walk;  // of walks
  uint32_t walk_count, walk_capacity;
  uint32_t *chain;  // of resolve
  uint32_t chain_count, chain_capacity;
} store_stacks;

// --- name.c: the symbols that store_name made

typedef struct named_terms {
  shape_imap by_term, by_canon;
} named_terms;

#endif
