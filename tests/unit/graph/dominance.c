// SPDX-License-Identifier: Apache-2.0
// Random control flow: dominators are what reachability without a block says, and the order has them first.
#include "solver/graph/dominance.h"

#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/mlir/mlir.h"

enum { BLOCKS_MAX = 9, ROUNDS = 400 };

typedef struct flow {
  shape_arena arena;
  shape_graph g;
  uint32_t count;
  bool edges[BLOCKS_MAX][BLOCKS_MAX];
} flow;

static uint32_t next(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33);
}

// The entry may not be branched to.
static void read_flow(flow *f) {
  shape_strbuf text;
  arena_init(&f->arena, 0);
  strbuf_init(&text, &f->arena);
  strbuf_puts(&text, "func.func @main() {\n");
  for (uint32_t i = 0; i < f->count; i++) {
    bool any = false;
    if (i) strbuf_printf(&text, "^b%u:\n", i);
    strbuf_puts(&text, "  \"x.end\"()");
    for (uint32_t k = 1; k < f->count; k++) {
      if (!f->edges[i][k]) continue;
      strbuf_printf(&text, "%s^b%u", any ? ", " : "[", k);
      any = true;
    }
    strbuf_puts(&text, any ? "] : () -> ()\n" : " : () -> ()\n");
  }
  strbuf_puts(&text, "}\n");
  graph_init(&f->g, &f->arena, GRAPH_MLIR, text.data, text.length);
  mlir_read(&f->g);
  cr_assert_eq(f->g.diags.errors, 0, "%.*s", (int)text.length, text.data);
}

static void reach(const flow *f, uint32_t from, uint32_t without, bool *seen) {
  if (from == without || seen[from]) return;
  seen[from] = true;
  for (uint32_t k = 0; k < f->count; k++) {
    if (f->edges[from][k]) reach(f, k, without, seen);
  }
}

static bool is_above(const uint32_t *dominators, uint32_t block, uint32_t wanted) {
  for (uint32_t at = block; at; at = dominators[at]) {
    if (at == wanted) return true;
  }
  return wanted == 0;
}

static void check(const flow *f) {
  const uint32_t *dominators = graph_dominators(&f->g, 0, f->g.arena, NULL);
  bool all[BLOCKS_MAX] = {false}, taken[BLOCKS_MAX] = {false};
  reach(f, 0, BLOCKS_MAX, all);
  for (uint32_t i = 0; i < f->count; i++) cr_expect_eq(dominators[i] != ID_NONE, all[i]);
  for (uint32_t d = 0; d < f->count; d++) {
    bool seen[BLOCKS_MAX] = {false};
    reach(f, 0, d, seen);
    for (uint32_t i = 0; i < f->count; i++) {
      if (all[i] && all[d]) cr_expect_eq(is_above(dominators, i, d), !seen[i]);
    }
  }
  const uint32_t *order = graph_block_order(dominators, f->count, f->g.arena);
  for (uint32_t i = 0; i < f->count; i++) {
    cr_assert(order[i] < f->count && !taken[order[i]]);
    cr_expect(order[i] == 0 || dominators[order[i]] == ID_NONE || taken[dominators[order[i]]]);
    taken[order[i]] = true;
  }
}

Test(dominance, is_what_reachability_says) {
  uint64_t seed = 4711;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    flow f = {.count = 1 + next(&seed) % BLOCKS_MAX};
    for (uint32_t i = 0; i < f.count; i++) {
      for (uint32_t k = 1; k < f.count; k++) f.edges[i][k] = next(&seed) % 4 == 0;
    }
    read_flow(&f);
    check(&f);
    arena_destroy(&f.arena);
  }
}

// The order of the text stays where it has dominators first.
Test(dominance, keeps_the_order_of_the_text) {
  const uint32_t plain[] = {0, 0, 1, ID_NONE, 1}, late[] = {0, 2, 3, 0};
  shape_arena arena;
  arena_init(&arena, 0);
  const uint32_t *order = graph_block_order(plain, 5, &arena);
  for (uint32_t i = 0; i < 5; i++) cr_expect_eq(order[i], i);
  order = graph_block_order(late, 4, &arena);
  cr_expect(order[0] == 0 && order[1] == 3 && order[2] == 2 && order[3] == 1);
  arena_destroy(&arena);
}
