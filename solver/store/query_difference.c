// SPDX-License-Identifier: Apache-2.0
// Difference constraints x - y >= c by Bellman and Ford's algorithm (bounds are edges of a node for 0).
//
// The values are the longest paths from a source that reaches every node with 0: the least solution above it, so it is
// integral. A cycle of positive length in the graph of parents refutes the rows. The edges are taken in reverse postorder
// of a depth-first search, so that a chain settles in one pass whatever the order of its rows; the parents are searched
// for a cycle after each pass, so a contradiction shows after few.
#include <string.h>

#include "solver/store/query_solver.h"

enum { MAX_PASSES = 64 };

typedef struct edge {  // to >= from + length
  uint32_t from, to;
  num length;
} edge;

typedef struct graph {
  shape_budget *b;
  edge *edges;
  uint32_t edge_count, node_count;
  uint32_t *first, *next;  // lists of edges by `from`
  uint32_t *rank;          // by node: its place in the order
  num *value;
  uint32_t *parent;  // edge by which a node got its value
} graph;

static void add_edge(graph *g, uint32_t from, uint32_t to, num length) {
  g->edges[g->edge_count++] = (edge){from, to, length};
}

// x + c >= 0, x - y + c >= 0 or neither.
static bool add_row(graph *g, const row *r, int sign) {
  uint32_t zero = g->node_count - 1, plus = zero, minus = zero;
  for (uint32_t i = 0; i < r->count; i++) {
    int k = num_is(r->parts[i].k, sign) ? 1 : num_is(r->parts[i].k, -sign) ? -1 : 0;
    if (k > 0 && plus == zero) {
      plus = r->parts[i].var;
    } else if (k < 0 && minus == zero) {
      minus = r->parts[i].var;
    } else {
      return false;
    }
  }
  // plus >= minus - sign*c
  add_edge(g, minus, plus, sign > 0 ? num_neg(g->b, r->c) : r->c);
  return true;
}

// Ranks nodes in reverse postorder.
static void order_nodes(graph *g, shape_arena *arena) {
  uint32_t n = g->node_count, rank = n, *stack = arena_alloc(arena, (n + 1) * sizeof *stack);
  uint32_t *at = arena_alloc(arena, n * sizeof *at);
  for (uint32_t i = 0; i < n; i++) {
    at[i] = g->first[i];
    g->rank[i] = UINT32_MAX;
  }
  for (uint32_t root = 0; root < n; root++) {
    uint32_t depth = 0;
    if (g->rank[root] != UINT32_MAX) continue;
    g->rank[root] = n;  // on the stack
    stack[depth++] = root;
    while (depth) {
      uint32_t node = stack[depth - 1], e = at[node];
      if (e == UINT32_MAX) {
        g->rank[node] = --rank;
        depth--;
        continue;
      }
      at[node] = g->next[e];
      uint32_t to = g->edges[e].to;
      if (g->rank[to] == UINT32_MAX) {
        g->rank[to] = n;
        stack[depth++] = to;
      }
    }
  }
}

static bool parents_cycle(graph *g, uint8_t *seen) {
  memset(seen, 0, g->node_count);
  for (uint32_t i = 0; i < g->node_count; i++) {
    uint32_t at = i;
    while (seen[at] == 0 && g->parent[at] != UINT32_MAX) {
      seen[at] = 1;
      at = g->edges[g->parent[at]].from;
    }
    if (seen[at] == 1 && g->parent[at] != UINT32_MAX) return true;
    for (at = i; seen[at] == 1; at = g->edges[g->parent[at]].from) seen[at] = 2;
  }
  return false;
}

static verdict settle(graph *g, shape_arena *arena) {
  uint32_t n = g->node_count, *order = arena_alloc(arena, n * sizeof *order);
  uint8_t *seen = arena_alloc(arena, n);
  for (uint32_t i = 0; i < n; i++) {
    order[g->rank[i]] = i;
    g->parent[i] = UINT32_MAX;
  }
  for (uint32_t pass = 0; pass < MAX_PASSES; pass++) {
    bool moved = false;
    if (!budget_spend(g->b, g->edge_count + 1)) return VERDICT_OPEN;
    for (uint32_t k = 0; k < n; k++) {
      for (uint32_t e = g->first[order[k]]; e != UINT32_MAX; e = g->next[e]) {
        num to = num_add(g->b, g->value[g->edges[e].from], g->edges[e].length);
        if (num_compare(to, g->value[g->edges[e].to]) <= 0) continue;
        g->value[g->edges[e].to] = to;
        g->parent[g->edges[e].to] = e;
        moved = true;
      }
    }
    if (!moved) return VERDICT_MODEL;
    if (parents_cycle(g, seen)) return VERDICT_REFUTED;
  }
  return VERDICT_OPEN;
}

verdict difference_check(context *c, num *values) {
  shape_arena *arena = c->s->arena;
  graph g = {.b = c->s->budget, .node_count = c->var_count + 1};
  uint32_t n = g.node_count, zero = c->var_count;
  g.edges = arena_alloc(arena, (2 * (size_t)c->row_count + 2 * (size_t)c->var_count + 1) *
                                   sizeof *g.edges);
  bool all = true;
  uint32_t rows = 0;
  for (uint32_t i = 0; i < c->row_count; i++) {
    const row *r = &c->rows[i];
    bool ok = r->count <= 2 && add_row(&g, r, 1);
    if (ok && r->eq) add_row(&g, r, -1);
    all &= ok;
    rows += ok;
  }
  if (!all && rows < 2) return VERDICT_OPEN;
  for (uint32_t i = 0; i < c->var_count; i++) {
    if (c->range[i].has_lo) add_edge(&g, zero, i, c->range[i].lo);
    if (c->range[i].has_hi) add_edge(&g, i, zero, num_neg(g.b, c->range[i].hi));
  }
  uint32_t *links = arena_alloc(arena, ((size_t)n * 3 + g.edge_count) * sizeof *links);
  g.first = links;
  g.rank = links + n;
  g.parent = links + 2 * (size_t)n;
  g.next = links + 3 * (size_t)n;
  memset(g.first, 0xff, n * sizeof *g.first);
  for (uint32_t e = g.edge_count; e-- > 0;) {
    g.next[e] = g.first[g.edges[e].from];
    g.first[g.edges[e].from] = e;
  }
  g.value = arena_alloc(arena, n * sizeof *g.value);
  for (uint32_t i = 0; i < n; i++) g.value[i] = NUM(0);
  order_nodes(&g, arena);
  verdict v = settle(&g, arena);
  if (v != VERDICT_MODEL) return v;
  for (uint32_t i = 0; i < c->var_count; i++) values[i] = num_sub(g.b, g.value[i], g.value[zero]);
  return all ? VERDICT_MODEL : VERDICT_OPEN;
}
