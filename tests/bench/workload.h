// SPDX-License-Identifier: Apache-2.0
// The graph that requests of the bench carry.
#ifndef TESTS_BENCH_WORKLOAD_H
#define TESTS_BENCH_WORKLOAD_H

#include <stdio.h>
#include <stdlib.h>

// Parameters of `analyze`: blocks of a small network on [batch, tokens, 64], each a product with weights, bias,
// activation, transposition, product. The caller frees the text; NULL: no memory.
static inline char *workload_params(unsigned ops) {
  static const char T[] = "\"tensor<?x?x64xf32>\"";
  char *text = malloc((size_t)ops * 320 + 512), *at = text;
  if (!text) return NULL;
  at +=
      sprintf(at,
              "{\"graph\":{\"functions\":[{\"name\":\"main\",\"arguments\":[[\"v0\",%s],[\"b\",%s],"
              "[\"w\",\"tensor<64x64xf32>\"]],\"ops\":[",
              T, T);
  for (unsigned i = 0; i < ops; i++) {
    if (i) *at++ = ',';
    switch (i % 5) {
    case 0:
      at += sprintf(
          at,
          "[\"stablehlo.dot_general\",[\"v%u\",\"w\"],[\"v%u\",%s],{\"dot_dimension_numbers\":"
          "{\"#stablehlo.dot\":{\"lhs_contracting_dimensions\":[2],"
          "\"rhs_contracting_dimensions\":[0]}}}]",
          i, i + 1, T);
      break;
    case 3:
      at += sprintf(
          at,
          "[\"stablehlo.transpose\",[\"v%u\"],[\"v%u\",%s],{\"permutation\":{\"dense\":[1,0,2],"
          "\"type\":\"tensor<3xi64>\"}}]",
          i, i + 1, T);
      break;
    case 2: at += sprintf(at, "[\"stablehlo.tanh\",[\"v%u\"],[\"v%u\",%s]]", i, i + 1, T); break;
    default:
      at += sprintf(at, "[\"stablehlo.%s\",[\"v%u\",\"%s\"],[\"v%u\",%s]]",
                    i % 5 == 1 ? "add" : "multiply", i, "v1", i + 1, T);
      break;
    }
  }
  sprintf(at, "],\"returns\":[\"v%u\"]}]}}", ops);
  return text;
}

#endif
