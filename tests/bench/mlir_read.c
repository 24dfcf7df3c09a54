// SPDX-License-Identifier: Apache-2.0
// What reading MLIR costs per operation at three dims; it should stay flat. The program is made here: chains of
// elementwise operations, size arithmetic and matrix products, some 90 bytes of text each.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "solver/formats/mlir/mlir.h"

typedef struct job {
  shape_graph graph;
  const char *text;
  size_t length;
  shape_arena *arena;
} job;

static void read_body(void *data) {
  job *j = data;
  graph_init(&j->graph, j->arena, GRAPH_MLIR, j->text, j->length);
  mlir_read(&j->graph);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Eight operations a round; %{8k} is the tensor that the next round goes on with.
static char *program(unsigned rounds, size_t *length) {
  static const char HEAD[] =
      "func.func @main(%arg0: tensor<?x?x64xf32>, %arg1: tensor<64x64xf32>) -> "
      "tensor<?x?x64xf32> {\n"
      "  %0 = stablehlo.abs %arg0 : tensor<?x?x64xf32>\n";
  static const char ROUND[] =
      "  %%%u = stablehlo.dot_general %%%u, %%arg1, contracting_dims = [2] x [0] : "
      "(tensor<?x?x64xf32>, "
      "tensor<64x64xf32>) -> tensor<?x?x64xf32>\n"
      "  %%%u = stablehlo.get_dimension_size %%%u, dim = 0 : (tensor<?x?x64xf32>) -> tensor<i32>\n"
      "  %%%u = stablehlo.reshape %%%u : (tensor<i32>) -> tensor<1xi32>\n"
      "  %%%u = stablehlo.constant dense<64> : tensor<1xi32>\n"
      "  %%%u = stablehlo.concatenate %%%u, %%%u, %%%u, dim = 0 : (tensor<1xi32>, tensor<1xi32>, "
      "tensor<1xi32>) -> tensor<3xi32>\n"
      "  %%%u = stablehlo.dynamic_reshape %%%u, %%%u : (tensor<?x?x64xf32>, tensor<3xi32>) -> "
      "tensor<?x?x64xf32>\n"
      "  %%%u = stablehlo.add %%%u, %%%u : tensor<?x?x64xf32>\n"
      "  %%%u = stablehlo.tanh %%%u : tensor<?x?x64xf32>\n";
  size_t room = 900 * (size_t)rounds + sizeof HEAD + 100;
  char *text = malloc(room);
  if (!text) abort();
  size_t at = (size_t)snprintf(text, room, "%s", HEAD);
  for (unsigned i = 0, n = 0; i < rounds; i++, n += 8) {
    at += (size_t)snprintf(text + at, room - at, ROUND, n + 1, n, n + 2, n + 1, n + 3, n + 2, n + 4,
                           n + 5, n + 3, n + 3, n + 4, n + 6, n + 1, n + 5, n + 7, n + 6, n + 1,
                           n + 8, n + 7);
  }
  at +=
      (size_t)snprintf(text + at, room - at, "  return %%%u : tensor<?x?x64xf32>\n}\n", 8 * rounds);
  *length = at;
  return text;
}

static void measure(unsigned rounds) {
  job j;
  j.text = program(rounds, &j.length);
  double best = 1e9;
  size_t bytes = 0;
  int repeats = rounds > 10000 ? 10 : rounds > 1000 ? 50 : 300;
  for (int i = 0; i < repeats; i++) {
    shape_arena arena;
    arena_init(&arena, 0);
    j.arena = &arena;
    double begin = seconds();
    shape_status status = arena_protect(&arena, read_body, &j);
    double spent = seconds() - begin;
    if (status != SHAPE_OK || j.graph.diags.errors) abort();
    if (spent < best) best = spent;
    bytes = arena.peak;
    arena_destroy(&arena);
  }
  double ops = (double)j.graph.op_count;
  printf("%8u ops  %5.0f ns/op  %4.0f bytes/op  %4.0f MB/s\n", j.graph.op_count, best * 1e9 / ops,
         (double)bytes / ops, (double)j.length / best * 1e-6);
  free((char *)(uintptr_t)j.text);
}

int main(void) {
  measure(125);
  measure(1250);
  measure(12500);
  return 0;
}
