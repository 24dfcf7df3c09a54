// SPDX-License-Identifier: Apache-2.0
// The parts of infer among themselves. Private to solver/infer.
#ifndef SHAPE_INFER_STATE_H
#define SHAPE_INFER_STATE_H

#include <assert.h>

#include "solver/base/trace_line.h"
#include "solver/infer/infer.h"
#include "solver/ops/registry.h"

enum {
  INFER_MAX_ROUNDS = 8,     // visits of an undecided rule
  INFER_MAX_DEPTH = 150,    // of regions and calls in one another
  INFER_MAX_UNROLL = 1024,  // trips of a loop that is run with constants
  INFER_MAX_RECURSION = 32  // calls of one function in one another
};

typedef struct pending_op {
  uint32_t frame;
  op_id op;
  bool judged;  // what it requires was stated before facts that hold only after later operations
} pending_op;

// An operation whose regions have scopes of their own: analysed for good when the scope around it is complete.
typedef struct deferred_op {
  uint32_t frame;
  op_id op;
  uint32_t done;      // index of a region that was run in the outer scope already; ID_NONE: none
  const bool *final;  // by region: it has had its last pass; NULL: none has
  bool dead;          // the regions that are left, of a loop its body, never run
  bool blocks;        // the blocks of the function after the entry block, which `op` ends
  const value_info *carried;  // of a loop: what holds at the start of every trip
  const term_id *counters;    // of a counted loop: the numbers of the trip
  uint32_t carried_count;
  term_id condition;  // of a loop: not 0 where its body runs at all; TERM_NONE: not known
} deferred_op;

typedef struct call_memo {
  func_id func;
  uint32_t frame;  // that was analysed
  uint32_t argument_count;
  const value_info *arguments;
  uint32_t next;  // with the same hash, or ID_NONE
} call_memo;

// What is known of a name of operations.
typedef struct infer_row {
  const op_row *row;  // unknown_row where the registry has none; NULL: not looked up as yet
  bool noted;         // an unknown operation's note is given
} infer_row;

// The same of all names, and of operations that were inspected.
typedef struct infer_rows {
  infer_row *of;  // by name_id
  uint32_t count;
  bool revisits;                 // of a caller that gives such notes itself
  shape_imap verified;           // see walk.c
  struct repeat_table *repeats;  // see repeat.h; NULL: nothing is remembered
} infer_rows;

// What is left for the ends of scopes; that of the scope being walked begins at the bases.
typedef struct infer_left {
  pending_op *pending;  // undecided rules
  uint32_t pending_count, pending_capacity;
  deferred_op *deferred;
  uint32_t deferred_count, deferred_capacity;
  uint32_t base_pending, base_deferred, base_depth;
} infer_left;

typedef struct infer_calls {
  call_memo *memos;
  uint32_t memo_count, memo_capacity;
  shape_imap memo_by_hash;
  value_id *func_values, *func_ends;  // by func_id: its values
  // By name_id: how many operations call a function of this name, at most 2; made with the first call.
  uint8_t *sites;
  uint8_t *endless;         // by func_id: calls of itself were not followed to their end
  bool *left;               // by func_id: some of its calls were not followed
  bool *open;               // by func_id: something else than its calls runs it
  const bool *constraints;  // by func_id: see constraint_graph.h; NULL: not asked as yet
  bool *met;                // by op_id: a call that was walked
  uint32_t met_count;
  bool lost;  // regions were not followed: whatever is called may be called there
} infer_calls;

// Symbols by name.
typedef struct infer_named {
  term_id *symbols;  // of graph->symbols
  uint32_t room;
  // Of the arguments that the entry began with: index in graph->symbols of a value's name, or ID_NONE.
  uint32_t *arguments;
  uint32_t argument_count;
} infer_named;

typedef struct infer_state {
  infer_result *r;
  shape_graph *g;
  term_table *terms;
  shape_store *store;
  shape_budget *budget;
  shape_arena *arena;
  const infer_options *options;
  const uint8_t *understood;  // of the options
  rule_log log;
  rule_context context;  // what the context of every rule has
  term_namer namer;
  infer_rows row;
  infer_left left;
  infer_calls calls;
  infer_named named;
  bool trips_only;  // a loop that is walked here says nothing of its end
  uint32_t scope;   // whose facts are being stated
  uint32_t frame;
  uint32_t depth;
  bool conditional;  // the scope may not run
  bool quiet;        // a trial: no diagnostics, no claims
  bool whole;        // a trial for infer_whole: branches run whatever their conditions say
  uint64_t visits, visit_limit;
} infer_state;

static inline infer_frame *state_frame(infer_state *s) { return &s->r->frames[s->frame]; }
static inline value_info *state_value(infer_state *s, value_id v) {
  infer_frame *f = state_frame(s);
  // A session gives the first frame room for values that are newer than the run.
  assert(v >= f->value_base && (v < f->value_end || s->options->log));
  return &f->values[v - f->value_base];
}

// --- walk.c: operations in order, and again until nothing changes
void walk_block(infer_state *s, block_id block);
// Undecided rules after first_pending, to a fixpoint. keep: those that stay undecided stay pending, and what they require
// counts as stated.
void walk_again(infer_state *s, uint32_t first_pending, bool keep);
void walk_op(infer_state *s, op_id op);
void walk_origins(infer_state *s, op_id op);  // new symbols belong to op (ID_NONE: to nothing)
const op_row *walk_row(infer_state *s,
                       op_id op);  // of no rule where the operation is unread
rule_context walk_context(infer_state *s, op_id op, const op_row *row);

// --- regions.c
void block_forget(infer_state *s, block_id block);  // values inside become unvisited
void region_forget(infer_state *s, region_id region);
void region_walk(infer_state *s, region_id region);  // all blocks, in the current scope
void walk_not_followed(infer_state *s, op_id op);    // its region or callee is too deep
// Operands of the region's terminator; NULL when it has none.
const value_id *region_results(infer_state *s, region_id region, uint32_t *count);
block_id region_end(const infer_state *s,
                    region_id region);  // its last block; ID_NONE: it has none
// A type that says a rank takes a value of unknown rank: that they fit is left unchecked.
void region_leave_rank(rule_context *c, const value_info *v);
void region_arguments(infer_state *s, region_id region, const value_info *values, uint32_t count);

// Whether an atom is a symbol with this number or a later one; an unknown function may be anything.
static inline bool may_be_made_since(const term_table *t, term_id atom, uint32_t first_symbol) {
  const term_node *node = term_get(t, atom);
  return node->kind == TERM_APPLY || (node->kind == TERM_SYMBOL && node->as.symbol >= first_symbol);
}

enum { SCOPE_TRIAL = 0x40000000 };  // numbers of trials' scopes begin here
// A trial: facts are popped and nothing is reported. A scope: claims and canonical values are kept.
typedef struct region_scope {
  uint32_t scope, pending, deferred, assumed, conflicts;
  uint32_t base_pending, base_deferred, base_depth;
  fact_id first_fact;
  bool conditional, quiet;
} region_scope;
region_scope trial_enter(infer_state *s);
void trial_leave(infer_state *s, region_scope outer);
region_scope scope_enter(infer_state *s, op_id op, uint32_t region, bool dead);
void scope_leave(infer_state *s, region_scope outer, block_id first, uint32_t count);
void region_leave(infer_state *s, region_scope outer,
                  region_id region);                      // scope_leave of all its blocks
void scope_complete(infer_state *s, region_scope outer);  // undecided rules, then the inner scopes
// The same for what is before the operation that is walked, in the scope that is open: facts that hold only after
// that operation can be stated then. Undecided rules run again once more at the end of the scope.
void scope_settle(infer_state *s);
static inline bool scope_is_trial(const infer_state *s) { return s->scope >= SCOPE_TRIAL; }

// whole.c: walks the branches of an operation without their conditions, and keeps what they make in infer_whole.
void whole_walk(infer_state *s, op_id op);
// How the regions of an operation are chosen: then and else; by index, the last for all others; by `cases`, the first for
// all others.
typedef enum branch_kind { BRANCH_IF, BRANCH_CASE, BRANCH_SWITCH } branch_kind;
void structure_branches(infer_state *s, rule_context *c, branch_kind kind);
void structure_apply(infer_state *s, op_id op);
void structure_async(infer_state *s, rule_context *c);
void structure_assuming(infer_state *s, rule_context *c);
// Copies of `count` values with terms that are canonical under the facts of the scope.
value_info *values_canonical(infer_state *s, const value_id *values, uint32_t count);
void defer(infer_state *s, deferred_op entry);

// --- roots.c: after the entry, functions that run with arguments of which nothing is known
void roots_run(infer_state *s);

// --- blocks.c: bodies of functions, which may have several blocks
void body_walk(infer_state *s, region_id body);
void body_final(infer_state *s, const deferred_op *entry);

// --- loops.c: what a loop carries; shared by while and the loops of ONNX
typedef struct loop {
  region_id condition, body;
  uint32_t count;   // of the values that it carries
  bool hands_on;    // the condition gives the body its values, and the loop its results (scf.while)
  uint32_t handed;  // how many these are; else `count`
  value_info *carried;
  // By value: which dims and elements are widened; NULL where none is.
  bool **wide_dims, **wide_elements;
} loop;
void loop_run(infer_state *s, region_id region, const value_info *values, uint32_t count);
// What the region returns, in canonical form; NULL where it is not `want` values.
const value_info *loop_results(infer_state *s, region_id region, uint32_t want);
bool loop_mark(infer_state *s, loop *l, const value_info *back);  // what came back otherwise
void loop_mark_all(infer_state *s, loop *l);
value_info *loop_widened(infer_state *s, rule_context *c, const loop *l);
// What the body gets, and the loop gives where it ends there, after the condition was run on `values`; NULL: not known.
const value_info *loop_handed(infer_state *s, const loop *l, const value_info *values);
// The condition's value under the facts of the scope, or TERM_NONE.
term_id loop_condition(infer_state *s, region_id region);
void loop_assume(infer_state *s, rule_context *c, region_id condition, bool truth);
void structure_while(infer_state *s, rule_context *c);
void loop_final(infer_state *s, const deferred_op *entry);

// What the body returns has the types of the results.
void loop_require_types(infer_state *s, rule_context *c, region_id body);

// --- counted.c
void structure_counted(infer_state *s, rule_context *c);
void counted_final(infer_state *s, const deferred_op *entry);

// --- induction.c
// States what holds of the widened symbols in l->carried and in `end` (may be NULL) by induction over the trips, which
// start from `first`; symbols from first_symbol on were made by this loop. Counters in `end` become terms. Both were
// made by loop_widened.
// What holds of `end` holds only after the loop: it is added to `late`, not stated.
typedef struct late_fact {
  predicate p;
  const char *what;
} late_fact;
typedef struct late_facts {
  late_fact *items;
  uint32_t count, capacity;
} late_facts;
void loop_induction(infer_state *s, rule_context *c, const loop *l, const value_info *first,
                    value_info *end, uint32_t first_symbol, late_facts *late);

// --- onnx_loops.c
void structure_onnx_loop(infer_state *s, rule_context *c);  // Loop, Scan, SequenceMap
void onnx_loop_final(infer_state *s, const deferred_op *entry);
void structure_onnx_types(infer_state *s, rule_context *c);  // results of If take their types

// --- calls.c
void structure_call(infer_state *s, rule_context *c);
uint32_t frame_new(infer_state *s, func_id func, uint32_t caller, uint32_t parent);
void frame_run(infer_state *s, uint32_t frame);  // walks its body in the current scope

void state_value_range(infer_state *s, func_id func, value_id *base, value_id *end);
bool state_is_constraints(infer_state *s, func_id func);  // the program has it for its facts

// --- arguments.c
void arguments_make(infer_state *s, uint32_t frame, bool entry);
void names_of_arguments(
    infer_state *s);  // jax.global_constant: symbols of the graph for the entry's values
void symbols_make(infer_state *s);
void assumptions_add(infer_state *s, uint32_t frame);
void value_of_argument(infer_state *s, value_info *v, type_id type, uint32_t frame,
                       uint32_t argument);

// --- alone.c
void alone_run(infer_state *s);  // every operation of every function by itself

// --- claims.c
void claims_collect(infer_state *s, fact_id first);

// --- narrate.c: lines of traces, for callers that found them wanted
__attribute__((cold)) void narrate_op(infer_state *s, const rule_context *c, rule_status status,
                                      bool again);
void narrate_frame(infer_state *s, uint32_t frame);
void narrate_scope(infer_state *s, op_id op, uint32_t region, uint32_t outer, bool dead);

#endif
