// SPDX-License-Identifier: Apache-2.0
// The dependency index: which operations and shapes depend on what is known of which symbols, and in which order symbols
// are made. Private to solver/session.
//
// Two symbols are of one class when some predicate over both was stated, whether it said something new or not; so what
// is known of a class rests on what was stated about it alone.
#ifndef SHAPE_SESSION_INDEX_H
#define SHAPE_SESSION_INDEX_H

#include "solver/infer/infer.h"
#include "solver/session/session.h"

typedef struct run_cell {
  uint32_t item, next;  // ID_NONE: the last
} run_cell;

typedef struct run_asker {
  op_id op;  // of the program
  uint32_t symbol;
  uint32_t of_symbol, of_op;  // the next ones
} run_asker;

typedef struct run_symbol {
  uint32_t parent, size;      // of the class: union-find
  uint32_t next;              // member; a circle
  uint32_t askers;            // operations that asked about it or stated something of it
  uint32_t shapes;            // cells of shape_memo's ids that speak of it
  uint32_t facts, facts_end;  // at the root: cells of the facts of the class
  op_id last;      // at the root: the last operation that stated something of the class, or ID_NONE
  uint32_t round;  // at the root: when its members were last listed
  bool fixed;      // something speaks of it that cannot be solved again on its own
  bool late;       // at the root: something was stated out of the order of operations
  bool solving;    // at the root: forgotten, and stated again up to the operation that is visited
} run_symbol;

typedef struct run_op {
  uint32_t asks;    // askers
  uint32_t stated;  // cells of symbols, one of each class that it stated something of
  uint32_t *made;   // symbols, in order
  uint32_t made_count;
} run_op;

typedef enum given_kind { GIVEN_BOUND, GIVEN_GRAPH, GIVEN_PUSHED, GIVEN_KINDS } given_kind;

typedef struct run_given {
  infer_given given;
  given_kind kind;
  uint32_t row;    // of the program's assumptions, or of those pushed
  uint32_t label;  // those of one kind are in the order of their labels
} run_given;

// When a symbol is made: see ages.c.
typedef enum age_phase {
  AGE_DECLARED,                          // position: the row of the run's graph
  AGE_ARGUMENT,                          // the program's value
  AGE_GIVEN,                             // and the kind; the label
  AGE_OTHERS = AGE_GIVEN + GIVEN_KINDS,  // in functions that are walked before the entry
  AGE_OP,                                // the program's operation
  AGE_END
} age_phase;

typedef struct dependency_index {
  run_symbol *symbols;
  uint32_t symbol_count, symbol_capacity;
  uint32_t rounds;
  run_op *ops;  // by operation of the program
  uint32_t op_capacity;
  run_cell *cells;
  uint32_t cell_count, cell_capacity;
  run_asker *askers;
  uint32_t asker_count, asker_capacity;
  run_given *given;
  uint32_t given_count, given_capacity, next_label;
  uint32_t *value_memo, *memo_values;  // by value: its id in shape_memo; by that: cells of values
  uint32_t value_capacity, memo_value_capacity;
  uint8_t *memo_fixed;
  uint32_t memo_fixed_capacity;
  bool
      opaque;  // something was stated or asked of functions of no symbol: classes do not say who depends on it
} dependency_index;

// A row of the run's graph, of its symbols (given.c).
typedef struct run_row {
  uint32_t program;  // the row of the program, or ID_NONE
  uint32_t
      rank;  // in the order in which a fresh analysis declares them; ID_NONE: it has no symbol yet
  uint32_t uses;    // cells of values whose types named it
  bool outside;     // something else names it, too
  bool undeclared;  // it has no declaration: it is there while something names it
  bool visible;     // predicates may name it
  bool edited, shown;
} run_row;

typedef struct run_rows {
  run_row *items;  // of the run's symbols as its graph has them
  uint32_t count, capacity;
  uint32_t undeclared;  // rows without a declaration
  bool reordered;       // while rows are declared otherwise: in another order, perhaps
  bool defines;         // some name denotes an expression
  bool gaps;            // some declaration has several ranges: only a whole analysis states that
} run_rows;

// --- classes.c
void classes_build(session_core *s);                  // of a new run
uint32_t class_of(session_core *s, uint32_t symbol);  // its root
run_symbol *class_symbol(session_core *s, uint32_t symbol);
uint32_t class_join(session_core *s, uint32_t a,
                    uint32_t b);  // the roots of both; the root of the union
void class_add_fact(session_core *s, uint32_t root, fact_id id);
// What one visit of `op` noted.
void class_note_stated(session_core *s, op_id op, uint32_t root);
void class_note_asker(session_core *s, op_id op, uint32_t symbol);
void class_note_made(session_core *s, op_id op, const uint32_t *symbols, uint32_t count);
// Calls visit for each symbol in t; true where t speaks of a function of no symbol, too.
bool class_each_symbol(session_core *s, term_id t, void (*visit)(void *data, uint32_t symbol),
                       void *data);
// `value` has the shape of this id in shape_memo now, `fresh` where the id is new; `fixed`: whatever that is, it is not
// found out again when the symbols in it are solved again.
void class_note_shape(session_core *s, value_id value, uint32_t memo, const term_id *dims,
                      uint32_t rank, bool fresh, bool fixed);
void class_fix(session_core *s, const term_id *dims, uint32_t rank);  // speaks of them like that

// --- given.c
void given_build(session_core *s);  // of a new run

// --- ages.c
void ages_build(session_core *s);                                      // of a new run
void ages_begin(session_core *s, age_phase phase, uint32_t position);  // of symbols from here on
void ages_order_arguments(session_core *s);  // the entry's list is another

#endif
