// SPDX-License-Identifier: Apache-2.0
// MLIR -> graph -> JSON -> graph gives the same program again, for every program that is at hand: the dumps are equal
// (where blocks are in another order than JSON has them, those of JSON alone are held against each other),
// encoding what was decoded gives the same bytes, and JSON takes at most 1.5 times the bytes of MLIR over all programs.
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/json/validate.h"
#include "solver/formats/mlir/mlir.h"
#include "tests/support/graph_dump.h"
#include "solver/graph/dominance.h"
#include "solver/graph/verify.h"

typedef struct trip {
  shape_arena arena;
  const char *text;
  size_t length;
  size_t json_bytes;
  const char *wrong;
  bool skipped;
} trip;

static bool same(const shape_strbuf *a, const shape_strbuf *b) {
  return a->length == b->length && (!a->length || memcmp(a->data, b->data, a->length) == 0);
}

// Whether every block comes after its dominator: JSON has the blocks in that order.
static bool in_order(trip *t, const shape_graph *g, shape_budget *budget) {
  for (region_id r = 0; r < g->region_count; r++) {
    const uint32_t *dominators = graph_dominators(g, r, &t->arena, budget);
    uint32_t count = g->regions[r].block_count;
    const uint32_t *order = dominators ? graph_block_order(dominators, count, &t->arena) : NULL;
    for (uint32_t i = 0; order && i < count; i++) {
      if (order[i] != i) return false;
    }
  }
  return true;
}

static void round_trip(void *data) {
  trip *t = data;
  shape_budget budget;
  budget_init(&budget, &t->arena, UINT64_MAX, NULL);
  shape_graph *from = arena_alloc(&t->arena, sizeof *from),
              *to = arena_alloc(&t->arena, sizeof *to);
  graph_init(from, &t->arena, GRAPH_MLIR, t->text, t->length);
  mlir_read(from);
  if (from->diags.errors) {
    t->skipped = true;
    return;
  }
  shape_strbuf json, again, before, after;
  strbuf_init(&json, &t->arena);
  graph_json_encode(from, &json);
  t->json_bytes = json.length;
  const char *clean;
  size_t clean_length;
  json_error error;
  const json_limits limits = {0, JSON_DEPTH_MAX};
  if (!json_validate(&t->arena, &limits, json.data, json.length, &clean, &clean_length, &error)) {
    // The reader of MLIR lets an attribute be there twice; JSON has no way to say that.
    t->skipped = strstr(error.message, "twice") != NULL;
    if (!t->skipped) t->wrong = arena_strndup(&t->arena, error.message, strlen(error.message));
    return;
  }
  graph_init(to, &t->arena, GRAPH_JSON, json.data, json.length);
  graph_json_decode(to, &budget);
  if (to->diags.errors) {
    t->wrong = to->diags.items[0].message;
    return;
  }
  t->wrong = graph_verify(to);
  if (t->wrong) return;
  strbuf_init(&again, &t->arena);
  strbuf_init(&before, &t->arena);
  strbuf_init(&after, &t->arena);
  graph_json_encode(to, &again);
  graph_dump(from, &before);
  graph_dump(to, &after);
  if (!same(&before, &after) && in_order(t, from, &budget)) {
    t->wrong = "the dumps differ";
    if (getenv("VERBOSE")) printf("%s\n---\n%s\n", strbuf_text(&before), strbuf_text(&after));
  } else if (!same(&json, &again)) {
    t->wrong = "encoding again gives other bytes";
  }
}

// The counters that nftw has no argument for.
static struct { uint64_t passed, failed, mlir, json; } total;

static int visit(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)where;
  size_t length = strlen(path);
  if (type != FTW_F || length < 5 || strcmp(path + length - 5, ".mlir") != 0) return 0;
  if (info->st_size > 1 << 22) return 0;
  FILE *file = fopen(path, "rb");
  char *text = malloc((size_t)info->st_size + 1);
  if (file && text) {
    trip t = {.text = text, .length = fread(text, 1, (size_t)info->st_size, file)};
    arena_init(&t.arena, 0);
    if (arena_protect(&t.arena, round_trip, &t) != SHAPE_OK) t.wrong = "the arena failed";
    if (t.wrong) {
      printf("FAILED %s: %s\n", path, t.wrong);
      total.failed++;
    } else if (!t.skipped) {
      total.passed++;
      total.mlir += t.length;
      total.json += t.json_bytes;
    }
    arena_destroy(&t.arena);
  }
  if (file) fclose(file);
  free(text);
  return 0;
}

int main(int argc, char **argv) {
  static const char *const FOLDERS[] = {"deploy/demo", "tests/golden",
                                        "../shared/corpus/stablehlo"};
  if (argc > 1) {
    for (int i = 1; i < argc; i++) nftw(argv[i], visit, 16, FTW_PHYS);
  } else {
    for (unsigned i = 0; i < 3; i++) nftw(FOLDERS[i], visit, 16, FTW_PHYS);
  }
  double ratio = total.mlir ? (double)total.json / (double)total.mlir : 0;
  printf("JSON takes %.2f times the bytes of MLIR\n", ratio);
  if (ratio > 1.5) total.failed++;
  printf("%llu passed, %llu failed\n", (unsigned long long)total.passed,
         (unsigned long long)total.failed);
  return total.failed != 0;
}
