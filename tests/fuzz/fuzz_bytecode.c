// SPDX-License-Identifier: Apache-2.0
// Any bytes as MLIR bytecode, with the magic before them: no crash in the reader, one message that names a byte of the
// file, and a graph that holds its invariants. What is read is written again, as bytecode and as a portable artifact, and
// what is written is read. Reading what the printer says of its text gives the graph that reading the text alone gives,
// and so does reading a text of which lines are left out.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/bytecode/write.h"
#include "solver/graph/verify.h"
#include "solver/infer/infer.h"
#include "tests/fuzz/support/collect.h"
#include "tests/support/graph_same.h"

typedef struct input {
  shape_arena *arena;
  const char *bytes;
  size_t length;
  bool whole;
  collected out;
} input;

enum { FUZZ_STEPS = 20000 };

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  abort();
}

static void write_back(input *in, const bytecode_text *text, const char *target) {
  bytecode_release release = {0};
  if (target && !bytecode_release_parse(target, &release)) fail(target);
  const bytecode_write_options options = {target ? &release : NULL, {in->bytes, in->length}};
  const bytecode_sink sink = {&in->out, collect, collect_copy};
  const bytecode_options whole = {.whole = true};
  bytecode_refusal refusal;
  bytecode_text again;
  bytecode_error error;
  in->out.input = in->bytes;
  in->out.length = 0;
  bytecode_written how =
      bytecode_write(in->arena, NULL, text->text, text->length, &options, &sink, &refusal);
  if (how == BYTECODE_NOT_GENERIC) fail("what was printed is not generic");
  if (how == BYTECODE_REFUSED && !refusal.message[0]) fail("refused without a reason");
  if (how != BYTECODE_WRITTEN) return;
  if (!bytecode_print(in->arena, NULL, in->out.text, in->out.length, &whole, &again, &error) &&
      !strstr(error.message, "too long") && !strstr(error.message, "longer than"))
    fail(error.message);
}

static void print(void *data) {
  static const char *const TARGETS[] = {NULL, "0.9.0", "0.13.0", "1.4.0", "1.20.0"};
  input *in = data;
  bytecode_text text;
  bytecode_error error;
  const bytecode_options options = {.whole = in->whole};
  if (bytecode_print(in->arena, NULL, in->bytes, in->length, &options, &text, &error)) {
    for (size_t i = 0; in->whole && i < sizeof TARGETS / sizeof *TARGETS; i++)
      write_back(in, &text, TARGETS[i]);
    return;
  }
  if (error.offset > in->length || !strstr(error.message, "byte ")) fail(error.message);
}

static void read_and_infer(void *data) {
  input *in = data;
  shape_graph *graph = arena_zalloc(in->arena, sizeof *graph);
  shape_budget budget;
  budget_init(&budget, in->arena, FUZZ_STEPS, NULL);
  graph_init(graph, in->arena, GRAPH_BYTECODE, in->bytes, in->length);
  bytecode_read(graph, NULL, true);
  const char *violation = graph_verify(graph);
  if (violation) fail(violation);
  if (!graph->func_count || graph->diags.errors) return;
  infer_options options = {.entry = NULL};
  infer_run(graph, &budget, &options);
}

static void read_both_ways(void *data) {
  input *in = data;
  bytecode_text text;
  bytecode_error error;
  const bytecode_options options = {.whole = false};
  if (!bytecode_print(in->arena, NULL, in->bytes, in->length, &options, &text, &error)) return;
  shape_graph *graphs = arena_zalloc(in->arena, 2 * sizeof *graphs);
  for (int i = 0; i < 2; i++) {
    graph_init(&graphs[i], in->arena, GRAPH_MLIR, text.text, text.length);
    mlir_read_all(&graphs[i], NULL, i ? NULL : &text.statements);
  }
  const char *difference = graph_difference(&graphs[0], &graphs[1]);
  if (difference) fail(difference);
  if (graphs[1].diags.errors) return;  // of which the reader of bytecode says one
  graph_init(&graphs[0], in->arena, GRAPH_BYTECODE, in->bytes, in->length);
  bytecode_read(&graphs[0], NULL, true);
  difference = graph_difference(&graphs[0], &graphs[1]);
  if (difference) fail(difference);
  if (graphs[0].source.length != text.length ||
      memcmp(graph_text(&graphs[0]), text.text, text.length))
    fail("a text that is completed differs");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char MAGIC[] = "ML\xefR";
  enum { MAGIC_LENGTH = sizeof MAGIC - 1 };
  char *bytes = malloc(size + MAGIC_LENGTH);
  if (!bytes) return 0;
  memcpy(bytes, MAGIC, MAGIC_LENGTH);
  memcpy(bytes + MAGIC_LENGTH, data, size);
  void (*const bodies[])(void *) = {print, print, read_and_infer, read_both_ways};
  for (int i = 0; i < 4; i++) {
    shape_arena arena;
    arena_init(&arena, 64u << 20);
    input in = {&arena, bytes, size + MAGIC_LENGTH, i == 1, {NULL, 0, NULL}};
    arena_protect(&arena, bodies[i], &in);
    free(in.out.text);
    arena_destroy(&arena);
  }
  free(bytes);
  return 0;
}
