// SPDX-License-Identifier: Apache-2.0
// Random expressions for the tests of terms: a plain tree with an evaluator of its own, which knows
// no identity, and the canonical term that is built from it. Both are evaluated at the same points
// and must agree.
#ifndef TESTS_UNIT_TERM_SAMPLE_H
#define TESTS_UNIT_TERM_SAMPLE_H

#include "solver/term/term.h"

enum { SAMPLE_SYMBOLS = 4, SAMPLE_NODES = 64 };

typedef enum sample_op {
  S_CONST,
  S_SYMBOL,
  S_ADD,
  S_SUB,
  S_MUL,
  S_NEG,
  S_FLOORDIV,
  S_CEILDIV,
  S_MOD,
  S_MIN,
  S_MAX,
  S_MIN3,
  S_BCAST,
  S_SELECT,
  S_EQ,
  S_LT,
  S_LE,
  S_IS_ZERO_OF,
  S_OP_COUNT
} sample_op;

typedef struct sample_node {
  sample_op op;
  int64_t value;
  int args[3];
} sample_node;

typedef struct sample {
  sample_node nodes[SAMPLE_NODES];
  int count, root;
} sample;

typedef __int128 wide;

uint64_t sample_random(uint64_t *state);  // splitmix64
int sample_make(sample *s, uint64_t *state, int depth, bool linear);
term_id sample_term(const sample *s, int node, term_table *t, const term_id *symbols);
// False: outside the domain (a divisor is 0), or too large for the test.
bool sample_eval(const sample *s, int node, const int *point, wide *out);
// The value of a term, by the definitions in kinds.def. `divisor_is_zero` is set when it has none;
// false: too large.
bool sample_eval_term(const term_table *t, term_id id, const int *point, wide *out,
                      bool *divisor_is_zero);

#endif
