// SPDX-License-Identifier: Apache-2.0
// Figures of several runs, in order: their median, the least and the most.
#ifndef TESTS_BENCH_SPREAD_H
#define TESTS_BENCH_SPREAD_H

#include <stdio.h>
#include <stdlib.h>

static inline int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

enum { SPREAD_MAX = 32 };

typedef struct spread {
  double values[SPREAD_MAX];
  unsigned count;
} spread;

// What is more than SPREAD_MAX is left out.
static inline void spread_add(spread *s, double value) {
  if (s->count < SPREAD_MAX) s->values[s->count++] = value;
}

// "3.68 (3.11 to 5.31)", or that there is none.
static inline void spread_print(spread *s) {
  qsort(s->values, s->count, sizeof *s->values, compare_doubles);
  if (s->count) {
    printf("%.2f (%.2f to %.2f)", s->values[s->count / 2], s->values[0], s->values[s->count - 1]);
  } else {
    printf("none");
  }
}

#endif
