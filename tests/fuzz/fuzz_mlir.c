// SPDX-License-Identifier: Apache-2.0
// Any bytes as MLIR text: no crash, and a graph that holds its invariants. Also as a list of types.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/formats/mlir/mlir.h"
#include "solver/graph/verify.h"
#include "tests/fuzz/support/input.h"

static void read_file(void *data) {
  fuzz_input *in = data;
  shape_graph *graph = arena_zalloc(in->arena, sizeof *graph);
  graph_init(graph, in->arena, GRAPH_MLIR, in->bytes, in->length);
  mlir_read(graph);
  const char *violation = graph_verify(graph);
  if (violation) {
    fprintf(stderr, "%s\n", violation);
    abort();
  }
}

static void read_types(void *data) {
  fuzz_input *in = data;
  shape_graph *graph = arena_zalloc(in->arena, sizeof *graph);
  graph_init(graph, in->arena, GRAPH_MLIR, "", 0);
  const type_id *types;
  const char *error;
  uint32_t count;
  size_t at;
  if (!mlir_parse_type_list(graph, in->bytes, in->length, &types, &count, &error, &at)) return;
  shape_strbuf buf;
  strbuf_init(&buf, in->arena);
  for (uint32_t i = 0; i < count; i++) type_print(&graph->types, &buf, types[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_run(data, size, read_file);
  if (size < 4096) fuzz_run(data, size, read_types);
  return 0;
}
