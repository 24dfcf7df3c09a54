// SPDX-License-Identifier: Apache-2.0
// Random queries about a few integers, as trees of their own with an evaluator of their own, and the truth about them by
// enumeration. Where every symbol is bounded the enumeration is the truth; otherwise it is a window.
#ifndef TESTS_SUPPORT_RANDOM_CASE_H
#define TESTS_SUPPORT_RANDOM_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  CASE_SYMBOLS = 3,
  CASE_NODES = 64,
  CASE_ASSUME = 4,
  CASE_WINDOW = 6,
  CASE_TEXT = 4096,
  CASE_POINTS = 4096
};

typedef struct node {
  char
      op;  // c s + - * / % m M C: constant, symbol, sum, difference, product, floordiv, mod, min, max, ceildiv
  int value, left, right;
} node;

typedef struct query_case {
  node nodes[CASE_NODES];
  int count;
  int symbols, lo[CASE_SYMBOLS], hi[CASE_SYMBOLS], step[CASE_SYMBOLS];
  bool open_lo[CASE_SYMBOLS], open_hi[CASE_SYMBOLS];
  bool gap[CASE_SYMBOLS];  // no value from gap_lo to gap_hi, which lie within lo and hi
  int gap_lo[CASE_SYMBOLS], gap_hi[CASE_SYMBOLS];
  int assume, rel[CASE_ASSUME + 1], left[CASE_ASSUME + 1], right[CASE_ASSUME + 1];
  int kind;  // 0 query, 1 bounds, 2 simplify
} query_case;

typedef struct truth {
  bool any, any_true, any_false, complete;
  long least, most;
  int points;
} truth;

void case_make(query_case *q, uint64_t seed);
int case_print_expr(const query_case *q, int at, char *to);  // CASE_TEXT bytes
// Assumption i, or the query (i == q->assume); 2*CASE_TEXT bytes.
void case_print_predicate(const query_case *q, int i, char *to);
// As a line of `shape decide --jsonl`. backward: the symbols and the assumptions in the other order; explain: asks why;
// only: a mask of the assumptions that are given.
void case_print(const query_case *q, bool backward, bool explain, unsigned only, char *line,
                size_t size);

long case_floor_div(long a, long b);
// False where a divisor is 0.
bool case_eval(const query_case *q, int at, const int *env, long *out);
bool case_eval_predicate(const query_case *q, int i, const int *env, bool *out);
// Under the assumptions in the mask `only`. points (or NULL): for an expression, where it is defined.
truth case_enumerate(const query_case *q, unsigned only, int (*points)[CASE_SYMBOLS]);

#endif
