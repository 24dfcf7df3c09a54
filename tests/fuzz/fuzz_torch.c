// SPDX-License-Identifier: Apache-2.0
// Any bytes as an FX graph, with inputs before a NUL where there is one, and as an archive of torch.export, or the JSON in
// one where they begin with a brace, and what is compressed as such: no crash, and graphs that hold their invariants.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/formats.h"
#include "solver/graph/verify.h"
#include "solver/infer/infer.h"
#include "tests/fuzz/support/input.h"
#include "tests/support/stored_zip.h"

enum { FUZZ_STEPS = 20000 };

// Other formats are those of other targets; what is compressed may be one of them.
static void read_and_infer(fuzz_input *in, graph_format format, const format_options *options) {
  shape_graph *graph = arena_zalloc(in->arena, sizeof *graph);
  shape_budget budget;
  graph_init(graph, in->arena, format, in->bytes, in->length);
  budget_init(&budget, in->arena, FUZZ_STEPS, NULL);
  graph->budget = &budget;
  FORMAT_READERS[format]->read(graph, options);
  const char *violation = graph->diags.errors ? NULL : graph_verify(graph);
  if (violation) {
    fprintf(stderr, "%s\n", violation);
    abort();
  }
  if (!graph->func_count || graph->diags.errors) return;
  budget_init(&budget, in->arena, FUZZ_STEPS, NULL);
  infer_options infer = {.entry = NULL};
  infer_run(graph, &budget, &infer);
}

static bool is_compressed(const fuzz_input *in) {
  graph_format format;
  const char *advice;
  return format_of(in->bytes, in->length, &format, &advice) && format == GRAPH_COMPRESSED;
}

static void run(void *data) {
  fuzz_input *in = data, rest = *in;
  format_options options = {0};
  const char *nul = memchr(in->bytes, 0, in->length);
  if (nul) {
    options.beside.inputs = in->bytes;
    rest.bytes = nul + 1;
    rest.length -= (size_t)(nul + 1 - in->bytes);
  }
  if (in->length && *in->bytes == '{' && !nul) {
    unsigned char *zip = arena_alloc(in->arena, in->length + STORED_ZIP_MORE);
    fuzz_input wrapped = {in->arena, (const char *)zip, stored_zip(in->bytes, in->length, zip)};
    read_and_infer(&wrapped, GRAPH_TORCH, &(format_options){0});
  } else if (in->length >= 2 && memcmp(in->bytes, "PK", 2) == 0) {
    read_and_infer(in, GRAPH_TORCH, &(format_options){0});
    if (is_compressed(in)) read_and_infer(in, GRAPH_COMPRESSED, &(format_options){0});
  } else if (is_compressed(in)) {
    read_and_infer(in, GRAPH_COMPRESSED, &(format_options){0});
  } else {
    read_and_infer(&rest, GRAPH_FX, &options);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_run(data, size, run);
  return 0;
}
