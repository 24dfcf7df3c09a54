// SPDX-License-Identifier: Apache-2.0
// The inside of a session. Private to solver/session.
//
// Three graphs: `graph` is the program with the session's ids, edited and never analysed; the run's graph is a copy of
// it in program order, which infer works on and which gets new operations at its end during incremental edits; a
// fragment is what the text of one edit was read into.
// Arenas: the session's own, which only grows; the run's, emptied when the program is analysed anew; a second one of
// that kind, which keeps the run from before a session_push; scratch, rewound at the start of every call. The others
// are children of the first, so a failure in any leaves through arena_protect of that one.
#ifndef SHAPE_SESSION_STATE_H
#define SHAPE_SESSION_STATE_H

#include "solver/graph/copy.h"
#include "solver/ops/registry.h"
#include "solver/session/session.h"
#include "solver/term/extract.h"

enum { STICKY = 1, QUEUED = 2, TOUCHED = 4 };  // flags of operations

typedef struct doc_op {
  uint64_t order;  // within its block, increasing
  op_id previous;  // in its block
  bool there;      // in the program
  uint8_t flags;   // STICKY: a change at it asks for a whole analysis
} doc_op;

typedef struct doc_value {
  uint32_t first_use;  // slot of graph->operands, or ID_NONE
  uint32_t use_count;
  shape_key shape;
  bool there;
  uint32_t position;  // of an argument of the entry, among them
  bool late;          // changed after some user had read it: users are not visited alone
} doc_value;

typedef struct doc_use {  // by slot of graph->operands
  op_id op;
  uint32_t next, previous;
} doc_use;

// How to take one step of an edit back. Nothing is allocated for that.
typedef enum undo_kind {
  UNDO_INSERT,
  UNDO_REMOVE,
  UNDO_OPERAND,       // slot `id` had value `was`
  UNDO_REPLACE,       // operation `id` was `op`
  UNDO_VALUE,         // value `id` was `value`
  UNDO_ARGUMENT_IN,   // `id` came to the arguments of function `was`, `at` this position
  UNDO_ARGUMENT_OUT,  // it went from there
  UNDO_SYMBOL,        // row `id` was `symbol`, gone or not
  UNDO_ASSUMPTION,    // `id`, gone or not
  UNDO_LEVELS         // count of pushed assumptions and levels
} undo_kind;

typedef struct undo_step {
  undo_kind kind;
  uint32_t id, was;
  graph_op op;
  graph_value value;
  graph_symbol symbol;
  uint32_t at;
} undo_step;

// What the run's log says (classes.c). Two symbols are of one class when some predicate over both was stated, whether it
// said something new or not; so what is known of a class rests on what was stated about it alone.
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

typedef struct run_classes {
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
} run_classes;

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

typedef struct session_run {
  bool valid;
  bool spoiled;  // an incremental edit that was given up has begun to change it
  bool
      plain;  // incremental edits are possible: the entry has one frame and nothing else is in the way
  infer_options options;
  infer_log log;
  run_classes classes;
  term_ages *ages;
  run_row *rows;  // of the graph's symbols
  uint32_t row_count, row_capacity;
  value_id *arguments;  // of the entry, as they are now
  uint32_t argument_capacity;
  uint32_t undeclared;  // rows without a declaration
  bool reordered;       // while rows are declared otherwise: in another order, perhaps
  bool defines;         // some name denotes an expression
  bool names_symbols;   // some operation looks symbols up by name
  bool odd_arguments;   // some argument has symbols that are not its dims or elements
  shape_graph graph;
  infer_result *infer;
  graph_copier copier;
  uint32_t value_room;  // of frame 0's values
  uint32_t *ordinals;   // by symbol number: which of its kind and position
  uint32_t ordinal_count, ordinal_capacity;
  uint32_t *stable;  // by symbol number: the session's symbol + 1, 0 where not asked for yet
  uint32_t stable_capacity;
  uint32_t *frame_keys, frame_key_count, frame_key_capacity;
  uint32_t *first_frame, *next_frame;  // frames by function
  extraction extract;
  shape_intern shape_memo;  // raw shapes of this run -> index in memo_keys
  shape_key *memo_keys;
  uint32_t memo_capacity;
  uint32_t *newest;  // by the session's symbol: the run's symbol + 1 that it is now; 0: none
  uint32_t newest_capacity;
  size_t bytes_at_start;
} session_run;

// The run that a session_push has put aside; session_pop takes it up again where nothing else happened in between.
// It lives in the run arena that is not in use.
typedef struct session_aside {
  bool there;
  uint64_t version;  // of the program since the push
  session_run run;
  uint8_t *op_flags, *value_late;  // what the run said of operations and values
  uint32_t op_count, value_count;
  session_change *changes;  // of the push
  uint32_t change_count;
} session_aside;

struct shape_session {
  shape_arena arena, run_arenas[2], scratch;
  uint32_t run_side;  // the run arena in use
  arena_mark scratch_start;
  shape_budget budget;
  session_limits limits;
  uint64_t ops_max, rank_max;  // 0: any
  // the program
  shape_graph graph;
  doc_op *ops;
  doc_value *values;
  doc_use *uses;
  uint32_t op_capacity, value_capacity, use_capacity;
  shape_imap names;           // (function, name) -> value
  uint32_t op_count;          // that are there
  copy_arguments *arguments;  // by function: those that were edited; ids NULL: as in the graph
  uint8_t *symbol_gone, *assumption_gone;
  uint32_t symbol_gone_capacity, assumption_gone_capacity;
  const char *entry;
  infer_binding *bindings;
  uint32_t binding_count;
  graph_assumption *pushed;
  uint32_t pushed_count, pushed_capacity;
  uint32_t *levels;  // where each begins in pushed
  uint32_t level_count, level_capacity;
  uint64_t version;
  bool open;
  // names and shapes that never change
  term_table terms;           // over the session's symbols
  shape_intern functions;     // names of unknown functions
  shape_intern symbol_keys;   // what a symbol is, as bytes -> its number
  shape_intern name_texts;    // names of symbols
  shape_imap symbol_by_name;  // name in name_texts -> the session's symbol
  const char **symbol_names;
  term_id *symbol_term;
  uint32_t symbol_capacity, symbol_term_capacity, next_symbol;
  shape_intern frame_keys;
  shape_intern shape_keys;
  session_shape *shapes;
  uint32_t shape_capacity;
  shape_imap term_texts;  // term -> index in texts
  const char **texts;
  uint32_t text_count, text_capacity;
  // what was last reported
  session_diag *diags;
  uint32_t diag_count;
  shape_arena diag_arenas[2];  // of diags, in turns
  arena_mark diag_starts[2];
  uint32_t diag_side;
  // the request under way
  undo_step *undo;
  uint32_t undo_count, undo_capacity;
  value_id *moved;     // arguments of the entry that came, went, or have another type
  uint32_t *declared;  // rows of the program's symbols that are declared otherwise, or no longer
  uint32_t moved_count, moved_capacity, declared_count, declared_capacity;
  uint32_t *assumed, *retracted;  // rows of the program's assumptions
  uint32_t assumed_count, assumed_capacity, retracted_count, retracted_capacity;
  uint32_t pushed_from, popped_to;  // rows of pushed that are new, that are gone; ID_NONE: none
  op_id *touched, *removed;
  uint32_t touched_count, touched_capacity, removed_count, removed_capacity;
  bool structural;  // the edits are more than operations of the entry's own body
  session_run run;
  session_aside aside;
  session_stats stats;
};

static inline shape_arena *run_arena(shape_session *s) { return &s->run_arenas[s->run_side]; }

#define SESSION_GROW(arena, array, count, need, capacity)                                          \
  ((array) = arena_grow((arena), (array), (count), (need), &(capacity), sizeof *(array)))

// --- document.c: the program as linked lists with uses and names
void document_adopt(shape_session *s);          // the graph was read: everything in it is there
void document_room(shape_session *s);           // tables as long as the graph's
bool document_in_step(const shape_session *s);  // whether they are
func_id document_func(const shape_session *s, op_id op);
void document_link(shape_session *s, op_id op, op_id next_to, bool after);  // with uses and names
void document_unlink(shape_session *s, op_id op);
void document_relink(shape_session *s, op_id op);  // where it was when it was unlinked
void document_use(shape_session *s, op_id op);     // uses and names of an operation and its regions
void document_unuse(shape_session *s, op_id op);
void document_set_operand(shape_session *s, uint32_t slot, value_id value);
bool document_dominates(const shape_session *s, value_id value, op_id op);
void document_set_there(shape_session *s, func_id func, value_id value,
                        bool there);  // its name, too
value_id document_find(const shape_session *s, func_id func, name_id name);
bool document_name_taken(const shape_session *s, func_id func, name_id name);

// --- edit.c
bool edit_apply(shape_session *s, const session_edit *e, session_fragment_reader *read,
                op_id *inserted, value_id *argument, session_failure *failure);
bool edit_validate(shape_session *s, session_failure *failure);
undo_step *edit_undo_step(shape_session *s, undo_kind kind, uint32_t id);
void edit_roll_back(shape_session *s);
bool edit_fail(session_failure *failure, shape_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// --- classes.c
void classes_build(shape_session *s);                  // of a new run
uint32_t class_of(shape_session *s, uint32_t symbol);  // its root
run_symbol *class_symbol(shape_session *s, uint32_t symbol);
run_op *class_op(shape_session *s, op_id op);  // valid until the next call
uint32_t class_join(shape_session *s, uint32_t a,
                    uint32_t b);  // the roots of both; the root of the union
void class_add_fact(shape_session *s, uint32_t root, fact_id id);
// What one visit of `op` noted.
void class_note_stated(shape_session *s, op_id op, uint32_t root);
void class_note_asker(shape_session *s, op_id op, uint32_t symbol);
void class_note_made(shape_session *s, op_id op, const uint32_t *symbols, uint32_t count);
// Calls visit for each symbol in t; true where t speaks of a function of no symbol, too.
bool class_each_symbol(shape_session *s, term_id t, void (*visit)(void *data, uint32_t symbol),
                       void *data);
// `value` has the shape of this id in shape_memo now, `fresh` where the id is new; `fixed`: whatever that is, it is not
// found out again when the symbols in it are solved again.
void class_note_shape(shape_session *s, value_id value, uint32_t memo, const term_id *dims,
                      uint32_t rank, bool fresh, bool fixed);
void class_fix(shape_session *s, const term_id *dims, uint32_t rank);  // speaks of them like that
bool run_names_symbols(const shape_session *s, name_id name);  // operations of this name may
bool run_is_own(const shape_session *s,
                op_id op);  // of the run: it is in the entry's own scope

// --- given.c
void given_build(shape_session *s);  // of a new run

// --- ages.c
void ages_build(shape_session *s);                                      // of a new run
void ages_begin(shape_session *s, age_phase phase, uint32_t position);  // of symbols from here on
void ages_order_arguments(shape_session *s);  // the entry's list is another

// --- run.c, stable.c, affected.c
typedef struct change_list {
  session_change *items;
  uint32_t count, capacity;
} change_list;

void run_whole(shape_session *s);      // the program anew; tables of the run are made
void run_make_room(shape_session *s);  // frame 0 gets room for values that are newer than the run
void run_put_aside(shape_session *s);  // there is none then
void run_keep_changes(shape_session *s,
                      const change_list *list);  // that the push made, with the run put aside
void run_forget_aside(shape_session *s);
bool run_take_up(
    shape_session *s,
    change_list *out);  // false: what was put aside, if anything, is of another program
// What the values are now against what was reported. Nothing is kept before changes_commit.
void run_compare(shape_session *s, change_list *out);
bool affected_follow(shape_session *s, change_list *out, uint32_t *visited);  // false: not certain

void stable_begin(shape_session *s);                       // of a new run
shape_key stable_shape(shape_session *s, value_id value);  // of a value of the program, by the run
const char *stable_text(shape_session *s, term_id term);   // of a term of the session's table
// The run's symbol that has this name now, or ID_NONE.
uint32_t stable_find(const shape_session *s, const char *name, size_t length);
term_id stable_term(shape_session *s, term_id term);  // of a term of the run, canonical
// Of those that a visit of op (of the program) made, in that order; some may be older.
void stable_ordinals_of(shape_session *s, const uint32_t *made, uint32_t count);
void stable_ordinals_of_argument(shape_session *s, const uint32_t *made, uint32_t count);

#endif
