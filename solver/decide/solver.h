// SPDX-License-Identifier: Apache-2.0
// What the parts of the decision procedure share; private to solver/decide.
//
// A query is answered by trying to refute two problems: the premises with the query, and with its negation. Both
// refuted: the premises conflict. One refuted: the answer. Both satisfiable, each with a point that was checked by
// evaluation: contingent.
//
//   problem  literals (e == 0, e >= 0, e != 0) over terms, and a solved form: atoms mapped to terms that hold
//            no mapped atom. Equalities are eliminated with integrality (Pugh, The Omega Test, 1991), and since the
//            elimination substitutes inside floordiv, mod, min, max and products, congruence closure and the residues
//            of products fall out of the canonical form of terms.
//   rows     linear constraints over the monomials of what is left, with the definitions of the atoms;
//            bounds are propagated through rows and products to a fixpoint with integer rounding.
//   differences  Bellman and Ford, for rows x - y >= c.
//   simplex  exact, over integers with one denominator per row, with branch and bound; also for the ends of bounds.
//   boxes    every point, where there are few; of polynomials that are linear in each symbol, the corners.
//   lemmas   products of constraints (Sherali and Adams 1990), tangents of squares, residues of polynomials.
//   search   case splits: min, max, select, disequalities, signs, small ranges, residues of one variable.
//
// Soundness: each step derives consequences of the literals only, so a refutation holds whatever was left out; a model
// counts only when it was evaluated on the premises as they were given. All memory is scratch of query.arena.
#ifndef SHAPE_DECIDE_SOLVER_H
#define SHAPE_DECIDE_SOLVER_H

#include "solver/decide/query.h"
#include "solver/num/modular.h"
#include "solver/term/limits.h"

typedef enum literal_kind { LITERAL_EQ, LITERAL_GE, LITERAL_NE } literal_kind;

typedef struct literal {
  term_id e;
  uint8_t kind;  // literal_kind: e == 0, e >= 0, e != 0
} literal;

typedef enum verdict { VERDICT_REFUTED, VERDICT_MODEL, VERDICT_OPEN } verdict;

typedef struct simplex_end {
  bool has;  // false: no end is proven
  num value;
} simplex_end;

// What a search is for. search_any: for any model of the problem.
typedef struct search_options {
  uint32_t nodes;    // case splits
  uint32_t attempt;  // the first way of looking for models to try
  const predicate
      *asked;         // NULL, or what a model must satisfy besides the premises: that it holds,
  bool holds;         // or that it does not
  bool sampling;      // models are to differ in the symbols of the objective
  uint32_t samples;   // that are wanted; 0: one
  term_id goal;       // TERM_NONE, or a term that must be >= 0 in a model
  term_id objective;  // TERM_NONE, or the term whose values models report
  // TERM_NONE, or a symbol of the solver's that denotes the objective in rows: models are to make it large.
  term_id top;
  num least;  // that it must have
} search_options;

static inline search_options search_any(uint32_t nodes) {
  return (search_options){
      .nodes = nodes, .goal = TERM_NONE, .objective = TERM_NONE, .top = TERM_NONE};
}

// Ranges of atoms and products, by term: valid where the stamp is that of the ranges of the problem.
typedef struct range_memo {
  interval *range;
  uint32_t *stamp, capacity;
} range_memo;

// One query's state.
typedef struct qsolver {
  const query *q;
  term_table *t;
  shape_arena *arena;
  shape_budget *budget;
  term_id *memo;  // of substitution, valid where memo_stamp is the stamp of the problem
  uint32_t *memo_stamp;
  uint32_t memo_capacity, stamp;  // stamp: the last one given to a state of some map, or of ranges
  range_memo ranges;
  uint32_t first_fresh;   // symbols from this number on were made by the solver
  search_options sought;  // by the search that runs, or by what inspects models without one
  uint32_t nodes_left;    // of the case split
  bool spent;             // some budget was
  bool endless;           // the last model is one of a ray along which the objective is unbounded
  simplex_end ceiling;    // of the objective, where a search for such models was left open
  const num *model;  // of the last VERDICT_MODEL: values of the symbols of the query in their order
  const num *
      sampled[SIMPLIFY_SAMPLES];  // models of the last search for samples that were found before it
  uint32_t sampled_count;
  num objective_value;
  num *env;  // by symbol number: scratch of evaluation
  uint8_t *env_known;
  uint32_t env_capacity;
  bool undefined;  // what is evaluated, at some point of it
} qsolver;

literal literal_of(qsolver *s, predicate p);
literal literal_not(qsolver *s, literal l);

// --- problems
typedef struct problem {
  qsolver *s;
  literal *literals;
  uint32_t count, capacity;
  term_id *to;  // by term: what an atom is mapped to, or TERM_NONE
  uint32_t to_capacity;
  term_id *order;  // mapped atoms in the order of their elimination (some may be unmapped again)
  uint32_t order_count, order_capacity;
  uint32_t fresh_left,
      maps_left;        // steps of elimination: those that may bring in new symbols, and all
  uint32_t other_keys;  // mapped atoms that are no symbols, those unmapped again included
  uint32_t clean, clean_stamp;  // that many literals are in normal form under the map of that stamp
  uint32_t stamp;               // of the state of the map: equal stamps, equal maps
  uint64_t mapped;              // mask of the mapped atoms
  interval *range;              // by symbol number, for those below range_count; others are free
  uint32_t range_count, range_stamp;  // equal stamps, equal ranges
  bool conflict;
  bool ranges_moved;
  bool map_shared;  // with the problem that it was copied from, until it maps something itself
} problem;

// The premises as a problem in solved form. False: they have no solution.
bool query_start(qsolver *s, problem *p, const query *q);
// Searches for a model of the problem with one more literal, or refutes it.
verdict query_search(qsolver *s, problem *base, literal l, const search_options *sought);
void problem_init(problem *p, qsolver *s);
void problem_copy(problem *p, const problem *from);
void problem_add(problem *p, literal l);
// Eliminates, substitutes, normalises to a fixpoint. False: no solution.
bool problem_solve(problem *p);
term_id problem_resolve_mapped(problem *p, term_id id);
// The term under the map.
static inline term_id problem_resolve(problem *p, term_id id) {
  return term_mask(p->s->t, id) & p->mapped ? problem_resolve_mapped(p, id) : id;
}
static inline interval problem_symbol_range(const problem *p, uint32_t symbol) {
  return symbol < p->range_count ? p->range[symbol] : interval_all();
}
static inline void problem_ranges_changed(problem *p) { p->range_stamp = ++p->s->stamp; }
interval problem_range(const problem *p,
                       term_id id);  // by interval arithmetic over the symbols' ranges
bool problem_map(problem *p, term_id atom, term_id value);
// Are they two inequalities whose sum is a negative number?
bool problem_opposed(qsolver *s, literal a, literal b);
// Is the (resolved) literal true or false by intervals alone?
shape_answer problem_quick(const problem *p, literal l);

// --- rows
typedef struct row_part {
  uint32_t var;
  num k;
} row_part;

// sum of k * var + c >= 0, or == 0.
typedef struct row {
  row_part *parts;
  uint32_t count;
  bool eq;
  bool queued;
  bool idle;  // queued for what it tightened itself: an end that it does not rest on
  bool lemma;
  num c;
} row;

typedef struct link {  // of a list of the rows that hold a variable
  uint32_t row, next;
} link;

typedef struct row_queue {  // rows wait from head to tail
  uint32_t *rows;
  uint32_t head, tail, capacity;
  uint32_t running;  // the row that tightens in its first direction
} row_queue;

typedef struct context {
  problem *p;
  qsolver *s;
  uint32_t var_count, var_capacity;
  term_id *term;     // of each variable: a monomial
  interval *range;   // of each variable
  uint32_t *first;   // heads of the lists of links
  uint8_t *queued;   // product or quotient waiting
  uint32_t *var_of;  // by term
  uint32_t var_of_capacity;
  row *rows;
  uint32_t row_count, row_capacity;
  link *links;
  uint32_t link_count, link_capacity;
  row_queue queue;    // rows to propagate
  uint32_t *special;  // variables that are products or quotients with a symbolic divisor
  uint32_t special_count, special_capacity;
  uint32_t split_count;  // variables whose definition needs a case split
  uint32_t defined;      // variables below this number have their definitions as rows
  uint32_t top;  // the variable that denotes the objective, which searches for models leave alone
  bool conflict;
} context;

void context_init(context *c, problem *p);
// UINT32_MAX: not there.
static inline uint32_t context_find(const context *c, term_id monomial) {
  return monomial < c->var_of_capacity ? c->var_of[monomial] : UINT32_MAX;
}
uint32_t context_var(context *c, term_id monomial);
// Adds e >= 0 (or == 0), made primitive and rounded. Returns false on a contradiction.
bool context_add(context *c, term_id e, bool eq);
bool context_define(context *c);     // the rows that define the atoms, of all variables so far
bool context_propagate(context *c);  // false: contradiction
bool context_narrow(context *c, uint32_t var, interval to);
interval context_range(context *c, term_id e);  // of any term over the context's variables
void context_save(context *c, interval *to);    // the ranges of all variables
void context_restore(context *c, const interval *from);

// --- difference constraints
// REFUTED by the rows x - y >= c and the ranges; MODEL, with values, when there are no other rows; else OPEN.
verdict difference_check(context *c, num *values);
// MODEL: all rows but those of c->top are such, and *out is the exact range of t; REFUTED: they have no solution; else OPEN.
verdict difference_range(context *c, term_id t, interval *out);

// --- simplex
// REFUTED, or MODEL with integer values of the variables in `values` (room for var_count; the rows hold, the products
// may not), or OPEN.
verdict simplex_check(context *c, num *values);

// The largest value of the variable: MODEL with the point that has it, where end->value is that value, or larger where the
// search for a better point was given up, or no end where there is none. REFUTED: no point of integers. OPEN: none found;
// *end is a bound.
verdict simplex_maximum(context *c, uint32_t objective, num *values, simplex_end *end);

// --- lemmas: adds rows; false on a contradiction. *added counts them.
// Rounds differ in how many new products they may bring in.
bool lemmas_add(context *c, uint32_t round, uint32_t *added);

// --- minima and maxima of symbols
// No solution, whatever the premises: by the orders of the symbols. False: not found so.
bool lattice_refutes(qsolver *s, literal l);

// --- ranges of sums of terms over one free symbol each
// The exact range of e, resolved, where the problem has no literals; false when e is not of that form. *zero: e may be 0
// (exact when all of e is over one symbol).
bool period_range(problem *p, term_id e, interval *out, bool *zero);
// The literal has no solution in a problem that has no literals. False: not found so.
bool period_refutes(problem *p, literal l);

// --- polynomials that are linear in each symbol
// The exact range of e, resolved, where the problem has no literals; false when e is not of that form, or linear.
bool corner_range(const problem *p, term_id e, interval *out);
// The literal has no solution in a problem that has no literals. False: not found so.
bool corners_refute(const problem *p, literal l);

// --- problems with few points
// The exact range of e over the points of the problem, e resolved; false when there are too many, or none.
bool box_range(problem *p, term_id e, interval *out);
// REFUTED: no point satisfies the literals; MODEL: one does, see model_check; OPEN: too many to try.
verdict box_check(problem *p);

// --- models
bool model_evaluate(qsolver *s, term_id id,
                    num *out);  // over env; false: undefined or unknown symbol
// Tries to complete the context's ranges to a point, by fixing symbols one by one.
bool model_search(context *c, uint32_t first_attempt, uint32_t attempts);
bool model_check(problem *p);  // env holds the free symbols: completes, verifies, stores s->model
bool model_from_values(context *c, const num *values);
void model_reset(problem *p);
// Is the point a model that has every free symbol at its lower end, where those of the literals are at least 0 and the
// literals hold? Rows of the problem would find the same.
bool model_at_lower_ends(problem *p);
// Moves the point that has every free symbol at the end of its range next to 0 until the literals hold there, or gives up.
// Where it had to be moved, what is sought holds there, too.
bool model_repair(problem *p, const search_options *sought, bool *moved);

// Has the context all that the problem says, so that a point of integers on its rows is a model?
bool context_is_linear(const context *c);

// --- search
// Uses up the problem. MODEL: s->model, and s->objective_value.
verdict search_problem(qsolver *s, problem *p, const search_options *sought);

#endif
