// SPDX-License-Identifier: Apache-2.0
// Any text is decoded without a fault; a graph without errors keeps its invariants, and what is encoded of it is decoded
// to the same graph again.
#include <stdlib.h>
#include <string.h>

#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/json/validate.h"
#include "tests/support/graph_dump.h"
#include "solver/graph/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzz_work {
  shape_arena arena;
  const char *text;
  size_t length;
} fuzz_work;

static shape_graph *decode(shape_arena *arena, const char *text, size_t length) {
  shape_budget budget;
  budget_init(&budget, arena, UINT64_MAX, NULL);
  shape_graph *g = arena_alloc(arena, sizeof *g);
  graph_init(g, arena, GRAPH_JSON, text, length);
  graph_json_decode(g, &budget);
  return g;
}

static void run(void *data) {
  fuzz_work *w = data;
  const char *clean;
  size_t length;
  json_error error;
  // All that is decoded was validated: the graph relies on keys that are given once.
  if (!json_validate(&w->arena, NULL, w->text, w->length, &clean, &length, &error)) return;
  shape_graph *g = decode(&w->arena, w->text, w->length);
  if (g->diags.errors) return;
  if (graph_verify(g)) abort();
  // Dumps show opaque attributes as they are in the source, and there escapes have many spellings.
  if (memchr(w->text, '\\', w->length)) return;
  shape_strbuf json, before, after;
  strbuf_init(&json, &w->arena);
  strbuf_init(&before, &w->arena);
  strbuf_init(&after, &w->arena);
  graph_json_encode(g, &json);
  const json_limits limits = {0, JSON_DEPTH_MAX};
  if (!json_validate(&w->arena, &limits, json.data, json.length, &clean, &length, &error)) abort();
  shape_graph *again = decode(&w->arena, json.data, json.length);
  if (again->diags.errors) abort();
  graph_dump(g, &before);
  graph_dump(again, &after);
  if (before.length != after.length ||
      (before.length && memcmp(before.data, after.data, before.length) != 0))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_work w = {.text = (const char *)data, .length = size};
  arena_init(&w.arena, 64 << 20);
  arena_protect(&w.arena, run, &w);
  arena_destroy(&w.arena);
  return 0;
}
