// SPDX-License-Identifier: Apache-2.0
// What the parts of the independent checker share; private to solver/certify.
//
// The prover shows that a conjunction of hypotheses e == 0, e >= 0, e != 0 has no integer solution. Its steps:
//
//   constants    5 >= 0 says nothing, 5 == 0 refutes; e is divided by the gcd of its coefficients, and the constant is
//                rounded (e >= 0) or refutes (e == 0, the gcd test)
//   congruence   an equality that fixes an atom replaces it everywhere, also inside other atoms; where no coefficient
//                is 1, coefficients shrink by x := t - (the whole parts) with a fresh t (Knuth, TAOCP 2, 4.5.2)
//   definitions  d*q <= e < d*q + d of a quotient q = floordiv(e, d), d > 0; a minimum is at most each argument
//   combination  a sum of rows with factors >= 0 that is a negative constant (Farkas). The factors are looked for by
//                exact simplex and are not believed: the terms are added up again.
//   products     of two rows that are >= 0, and of an equality with anything
//   cases        x <= k or x > k, the arguments of a minimum, residues, factors of a product that is 0, each refuted
// Each step derives consequences, so a refutation is one whatever was left out. Nothing here is shared with the theories
// or with solver/decide but terms and numbers.
//
// Every hypothesis carries why it holds: a DAG of premises. The premises after a refutation are what explanations start
// from. Memory: all of query.arena, in arrays that grow and are used again; bounded by the steps of the checker.
#ifndef SHAPE_CERTIFY_PROVER_H
#define SHAPE_CERTIFY_PROVER_H

#include "solver/certify/check.h"
#include "solver/term/limits.h"

#define WHY_NONE UINT32_MAX

// Why something holds. A leaf (b == WHY_LEAF) is premise a, or from FIRST_CASE on a case of a split.
typedef struct why_node {
  uint32_t a, b, stamp;
} why_node;

typedef enum hypothesis_kind { HYPOTHESIS_EQ, HYPOTHESIS_GE, HYPOTHESIS_NE } hypothesis_kind;

typedef struct hypothesis {
  term_id e;
  uint32_t why;
  uint8_t kind;    // hypothesis_kind: e == 0, e >= 0, e != 0
  uint64_t atoms;  // a Bloom mask of those in e, inner ones included
} hypothesis;

// What an attempt may use besides linear rows and the cases that terms ask for.
typedef enum check_means {
  MEANS_PRODUCTS = 1,  // products of rows
  MEANS_DEEP = 2,      // products of products
  MEANS_RESIDUES = 4,  // cases by the residues of a symbol
  MEANS_VALUES = 8,    // cases by halves of a short range
  MEANS_ENDS = 16,     // x at its least value, or above it
  MEANS_BRANCH = 32    // cases at the point that the simplex found
} check_means;

typedef struct check_row {
  term_id e;  // e >= 0
  uint32_t why;
} check_row;

// The linear system of one case. Columns are monomials.
typedef struct check_rows {
  check_row *items;
  uint32_t count, capacity;
  term_id *columns;
  uint32_t column_count, column_capacity;
  shape_imap column_of;
  num *cells;  // row by row: the constant, then one cell per column
  num *denominators;
  uint32_t cell_capacity, row_capacity;
  // Variables are numbered: columns first, then rows.
  uint32_t *basic;     // by row of the tableau
  uint32_t *nonbasic;  // by column
  num *value, *scale;  // of each column at the last point: value/scale
  bool has_point;
} check_rows;

typedef struct prover {
  const query *q;
  term_table *t;
  shape_arena *arena;
  shape_budget *budget;
  hypothesis *stack;  // the current case is stack[first..top)
  uint32_t first, top, capacity;
  why_node *whys;
  uint32_t why_count, why_capacity, stamp, cases;
  uint32_t reason;  // of the last refutation
  unsigned means;
  uint32_t leaves;       // cases that may still be opened
  uint32_t first_fresh;  // symbols from this number on were made here
  num moduli[CERTIFY_MODULI];
  uint32_t modulus_count;
  check_rows rows;
  term_id *atoms;  // of the current case
  uint32_t atom_count, atom_capacity;
} prover;

// --- case.c
uint32_t why_leaf(prover *p, uint32_t premise);
uint32_t why_case(prover *p);
uint32_t why_join(prover *p, uint32_t a, uint32_t b);
bool why_rests_on(prover *p, uint32_t why, uint32_t leaf);
void why_premises(prover *p, uint32_t why, uint8_t *used);  // sets the flags of premises

// Each returns false when the case is refuted; p->reason is then why.
bool case_add(prover *p, term_id e, hypothesis_kind kind, uint32_t why);
bool case_add_predicate(prover *p, predicate x, uint32_t why);
bool case_replace(prover *p, term_id atom, term_id by, uint32_t why);
bool case_solve(prover *p);  // uses up equalities
// Is e >= least proven by one hypothesis, or by the signs of its parts? Joins why.
bool case_at_least(prover *p, term_id e, int64_t least, uint32_t *why);
// The rows that define an atom go to `put`.
void case_define(prover *p, term_id atom, void (*put)(prover *p, term_id e, uint32_t why));
void case_collect_atoms(prover *p);  // to p->atoms, each once

// --- linear.c
void rows_clear(prover *p);
bool rows_push(prover *p, term_id e, uint32_t why);  // e >= 0; false: no room, or it is a constant
bool rows_refuted(prover *p);  // p->reason is why; else p->rows holds a rational point

// --- split.c
// Refutes the current case, by cases where it must. The stack is as before afterwards.
bool case_refute(prover *p, uint32_t depth);

#endif
