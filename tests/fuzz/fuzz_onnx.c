// SPDX-License-Identifier: Apache-2.0
// Any bytes as an ONNX model, or its text form: no crash in the reader or in the rules, and a graph that holds its
// invariants.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/formats/formats.h"
#include "solver/graph/graph.h"
#include "solver/graph/verify.h"
#include "solver/infer/infer.h"
#include "tests/fuzz/support/input.h"

extern const format_reader onnx_format;

enum { FUZZ_STEPS = 20000 };

static void read_and_infer(void *data) {
  fuzz_input *in = data;
  shape_graph *graph = arena_zalloc(in->arena, sizeof *graph);
  shape_budget budget;
  graph_init(graph, in->arena, GRAPH_ONNX, in->bytes, in->length);
  budget_init(&budget, in->arena, FUZZ_STEPS, NULL);
  graph->budget = &budget;
  onnx_format.read(graph, &(format_options){0});
  const char *violation = graph_verify(graph);
  if (violation) {
    fprintf(stderr, "%s\n", violation);
    abort();
  }
  if (!graph->func_count) return;
  budget_init(&budget, in->arena, FUZZ_STEPS, NULL);
  infer_options options = {.entry = NULL};
  infer_run(graph, &budget, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_run(data, size, read_and_infer);
  return 0;
}
