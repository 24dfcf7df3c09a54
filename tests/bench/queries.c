// SPDX-License-Identifier: Apache-2.0
// What a compiler pass pays for a query of an analysis in its own process: a program below StableHLO with a loop, and random
// queries of each kind about its values, as passes ask them. Figures are ns of wall time per query, the clock included (about
// 25 ns): the median and the 99th percentile of all, and how many queries have an answer.
//
//   queries [MILLIONS [OPS [program]]]   1 million queries, 200 operations; `program`: print it, ask nothing
#include <string.h>
#include <time.h>

#include "solver/shape.h"
#include "tests/bench/record.h"

enum { KINDS = 8, BUCKETS = 1 << 20 };

static const char *const NAMES[KINDS] = {
    "same dim",     "same shape",   "same elements",       "divisible by 8",
    "at most 4096", "same product", "bounds of an affine", "disjoint slices"};

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t next_random(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % below);
}

// A chain of additions and reshapes, and a loop that takes slices.
static char *program_text(unsigned ops) {
  char *text = malloc((size_t)ops * 400 + 2048), *at = text;
  if (!text) return NULL;
  at += sprintf(at, "func.func @main(%%v0: tensor<?x64xf32>, %%n: index, %%b: memref<?xf32>) {\n"
                    "  %%c0 = arith.constant 0 : index\n  %%c8 = arith.constant 8 : index\n"
                    "  %%d = tensor.dim %%v0, %%c0 : tensor<?x64xf32>\n"
                    "  %%w = arith.muli %%n, %%c8 : index\n");
  for (unsigned i = 0; i < ops; i++) {
    if (i % 4 == 3) {
      at +=
          sprintf(at,
                  "  %%f%u = tensor.collapse_shape %%v%u [[0, 1]] : tensor<?x64xf32> into "
                  "tensor<?xf32>\n  %%v%u = tensor.expand_shape %%f%u [[0, 1]] output_shape [%%d, "
                  "64] : tensor<?xf32> into tensor<?x64xf32>\n",
                  i, i, i + 1, i);
    } else {
      at += sprintf(at,
                    "  %%v%u = linalg.exp ins(%%v%u : tensor<?x64xf32>) outs(%%v0 : "
                    "tensor<?x64xf32>) -> tensor<?x64xf32>\n",
                    i + 1, i);
    }
  }
  sprintf(at,
          "  scf.for %%i = %%c0 to %%w step %%c8 {\n"
          "    %%s = memref.subview %%b[%%i] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], "
          "offset: ?>>\n    %%j = arith.addi %%i, %%c8 : index\n"
          "    %%t = memref.subview %%b[%%j] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], "
          "offset: ?>>\n  }\n  return\n}\n");
  return text;
}

static shape_answer ask(shape_analysis *a, unsigned kind, shape_dim x, shape_dim y,
                        const shape_op *slices) {
  shape_bounds bounds;
  shape_dim pair[] = {{x.value, 0}, {x.value, 1}}, other[] = {{y.value, 0}, {y.value, 1}};
  switch (kind) {
  case 0: return shape_analysis_same_dim(a, x, y);
  case 1: return shape_analysis_same_shape(a, x.value, y.value);
  case 2: return shape_analysis_same_element_count(a, x.value, y.value);
  case 3: return shape_analysis_divisible(a, x, 8);
  case 4: return shape_analysis_at_most(a, x, 4096);
  case 5: return shape_analysis_same_product(a, pair, 2, other, 2);
  case 6: {
    shape_affine parts[] = {{x, 2}, {y, -1}};
    if (shape_analysis_affine_bounds(a, parts, 2, 1, &bounds) != SHAPE_OK) return SHAPE_UNKNOWN;
    return bounds.has_max ? SHAPE_YES : SHAPE_UNKNOWN;
  }
  default: return shape_analysis_disjoint(a, slices[x.value % 2], slices[1]);
  }
}

// The values of rank 2, which queries are about; value_bounds.cpp takes the same.
typedef struct matrices {
  shape_value *values;
  uint32_t count;
} matrices;

static matrices find_matrices(const shape_analysis *a) {
  uint32_t all = shape_analysis_value_count(a);
  matrices m = {malloc(all * sizeof *m.values), 0};
  uint32_t rank;
  for (shape_value v = 0; m.values && v < all; v++) {
    if (shape_analysis_rank(a, v, &rank) && rank == 2) m.values[m.count++] = v;
  }
  return m;
}

// The time that a share of all queries is at most.
static uint32_t share(const uint32_t *counts, uint64_t all, double of) {
  uint64_t seen = 0;
  for (uint32_t ns = 0; ns < BUCKETS; ns++) {
    seen += counts[ns];
    if ((double)seen >= of * (double)all) return ns;
  }
  return BUCKETS;
}

static void measure(shape_analysis *a, unsigned kind, uint64_t count, const matrices *of,
                    const shape_op *slices) {
  uint32_t *counts = calloc(BUCKETS, sizeof *counts);
  uint64_t state = kind + 1, decided = 0;
  if (!counts) return;
  for (uint64_t i = 0; i < count; i++) {
    shape_dim x = {of->values[next_random(&state, of->count)], next_random(&state, 2)};
    shape_dim y = {of->values[next_random(&state, of->count)], next_random(&state, 2)};
    uint64_t begin = now();
    shape_answer answer = ask(a, kind, x, y, slices);
    uint64_t spent = now() - begin;
    decided += answer != SHAPE_UNKNOWN;
    counts[spent < BUCKETS ? spent : BUCKETS - 1]++;
  }
  uint32_t median = share(counts, count, 0.5), p99 = share(counts, count, 0.99);
  printf("| %s | %u | %u | %.0f %% |\n", NAMES[kind], median, p99,
         100.0 * (double)decided / (double)count);
  record("{\"section\": \"queries\", \"kind\": \"%s\", \"queries\": %llu, \"median_ns\": %u, "
         "\"p99_ns\": %u}",
         NAMES[kind], (unsigned long long)count, median, p99);
  free(counts);
}

int main(int count, char **arguments) {
  double millions = count > 1 ? atof(arguments[1]) : 1;
  unsigned ops = count > 2 ? (unsigned)atoi(arguments[2]) : 200;
  if (millions <= 0 || millions > 1000 || !ops || ops > 1000000) return 2;
  char *text = program_text(ops);
  if (text && count > 3 && !strcmp(arguments[3], "program")) {
    printf("%s", text);
    free(text);
    return 0;
  }
  shape_program *p = shape_program_new(NULL);
  if (!text || !p || shape_program_load(p, text, strlen(text), "queries.mlir") != SHAPE_OK)
    return 3;
  shape_analysis *a = shape_program_analyze(p, NULL);
  if (!a || shape_analysis_error(a)->status != SHAPE_OK || shape_analysis_error_count(a)) return 3;
  shape_op slices[] = {shape_analysis_op_of(a, shape_analysis_find(a, NULL, "s")),
                       shape_analysis_op_of(a, shape_analysis_find(a, NULL, "t"))};
  matrices of = find_matrices(a);
  if (!of.count) return 3;
  printf("| query, %u operations | median ns | p99 ns | answered |\n|---|---|---|---|\n", ops);
  for (unsigned kind = 0; kind < KINDS; kind++)
    measure(a, kind, (uint64_t)(millions * 1e6 / KINDS), &of, slices);
  free(of.values);
  shape_analysis_free(a);
  shape_program_free(p);
  free(text);
  return 0;
}
