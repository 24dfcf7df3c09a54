// SPDX-License-Identifier: Apache-2.0
// Difference constraints x - y >= c by Bellman and Ford's algorithm (bounds are edges of a node for 0).
//
// The values are the longest paths from a source that reaches every node with 0: the least solution above it, so it is
// integral. A cycle of positive length in the graph of parents refutes the rows. The edges are taken in reverse postorder
// of a depth-first search, so that a chain settles in one pass whatever the order of its rows; the parents are searched
// for a cycle after each pass, so a contradiction shows after few.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

typedef struct edge {  // to >= from + length
  uint32_t from, to;
  num length;
} edge;

typedef struct graph {
  shape_budget *b;
  edge *edges;
  uint32_t edge_count, node_count;
  uint32_t *first, *next;  // lists of edges by `from`
  uint32_t *rank;          // by node: its position in the order
  num *value;
  uint8_t *known;    // has the node a value: does a path lead to it?
  uint32_t *parent;  // edge by which a node got its value
} graph;

static void add_edge(graph *g, uint32_t from, uint32_t to, num length) {
  assert(from < g->node_count && to < g->node_count);
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

static bool holds_top(const context *c, const row *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    if (r->parts[i].var == c->top) return true;
  }
  return false;
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
        assert(rank > 0);
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
  assert(rank == 0);
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
    assert(g->rank[i] < n);
    order[g->rank[i]] = i;
    g->parent[i] = UINT32_MAX;
  }
  for (uint32_t pass = 0; pass < DIFFERENCE_PASSES; pass++) {
    bool moved = false;
    if (!budget_spend(g->b, g->edge_count + 1)) return VERDICT_OPEN;
    for (uint32_t k = 0; k < n; k++) {
      for (uint32_t e = g->first[order[k]]; e != UINT32_MAX; e = g->next[e]) {
        const edge *x = &g->edges[e];
        if (!g->known[x->from]) break;
        num to = num_add(g->b, g->value[x->from], x->length);
        if (g->known[x->to] && num_compare(to, g->value[x->to]) <= 0) continue;
        g->value[x->to] = to;
        g->known[x->to] = 1;
        g->parent[x->to] = e;
        moved = true;
      }
    }
    if (!moved) return VERDICT_MODEL;
    if (parents_cycle(g, seen)) return VERDICT_REFUTED;
  }
  return VERDICT_OPEN;
}

// The rows but those of c->top as a graph. False: it would say next to nothing. *all: there are no other rows.
static bool open_graph(context *c, graph *g, bool *all) {
  shape_arena *arena = c->s->arena;
  *g = (graph){.b = c->s->budget, .node_count = c->var_count + 1};
  uint32_t n = g->node_count, zero = c->var_count, rows = 0;
  g->edges = arena_alloc(arena, (2 * (size_t)c->row_count + 2 * (size_t)c->var_count + 1) *
                                    sizeof *g->edges);
  *all = true;
  for (uint32_t i = 0; i < c->row_count; i++) {
    const row *r = &c->rows[i];
    bool ok = r->count <= 2 && add_row(g, r, 1);
    if (ok && r->eq) add_row(g, r, -1);
    *all &= ok || (r->eq && holds_top(c, r));
    rows += ok;
  }
  if (!*all && rows < 2) return false;
  for (uint32_t i = 0; i < c->var_count; i++) {
    if (i == c->top) continue;
    if (c->range[i].has_lo) add_edge(g, zero, i, c->range[i].lo);
    if (c->range[i].has_hi) add_edge(g, i, zero, num_neg(g->b, c->range[i].hi));
  }
  uint32_t *links = arena_alloc(arena, ((size_t)n * 3 + g->edge_count) * sizeof *links);
  g->first = links;
  g->rank = links + n;
  g->parent = links + 2 * (size_t)n;
  g->next = links + 3 * (size_t)n;
  memset(g->first, 0xff, n * sizeof *g->first);
  for (uint32_t e = g->edge_count; e-- > 0;) {
    g->next[e] = g->first[g->edges[e].from];
    g->first[g->edges[e].from] = e;
  }
  g->value = arena_alloc(arena, n * sizeof *g->value);
  g->known = arena_alloc(arena, n);
  order_nodes(g, arena);
  return true;
}

// From every node with 0.
static verdict settle_all(graph *g, shape_arena *arena) {
  for (uint32_t i = 0; i < g->node_count; i++) g->value[i] = NUM(0);
  memset(g->known, 1, g->node_count);
  return settle(g, arena);
}

// Is it x + c, x - y + c or the opposite of such?
static bool is_difference(const row *r) {
  if (r->count == 1) return num_is_unit(r->parts[0].k);
  if (r->count != 2 || !num_is_unit(r->parts[0].k)) return false;
  return num_is(r->parts[1].k, -r->parts[0].k.small);
}

// Do the least values from 0 on that the ranges allow satisfy the rows that are differences? Then nothing less than them
// does, and they are what settle_all would give. Propagation mostly leaves them so.
static bool lower_ends_settle(const context *c, num *values, bool *all) {
  shape_budget *b = c->s->budget;
  *all = true;
  for (uint32_t i = 0; i < c->var_count; i++) {
    const interval *x = &c->range[i];
    values[i] = x->has_lo && num_sign(x->lo) > 0 ? x->lo : NUM(0);
    if (x->has_hi && num_compare(x->hi, values[i]) < 0) return false;
  }
  for (uint32_t i = 0; i < c->row_count; i++) {
    const row *r = &c->rows[i];
    if (!is_difference(r)) {
      *all = false;
      continue;
    }
    num sum = r->c;
    for (uint32_t k = 0; k < r->count; k++) {
      num v = values[r->parts[k].var];
      sum = r->parts[k].k.small > 0 ? num_add(b, sum, v) : num_sub(b, sum, v);
    }
    if (r->eq ? !num_is_zero(sum) : num_sign(sum) < 0) return false;
  }
  return true;
}

verdict difference_check(context *c, num *values) {
  graph g;
  bool all;
  if (c->top == UINT32_MAX && lower_ends_settle(c, values, &all))
    return all ? VERDICT_MODEL : VERDICT_OPEN;
  if (!open_graph(c, &g, &all)) return VERDICT_OPEN;
  verdict v = settle_all(&g, c->s->arena);
  if (v != VERDICT_MODEL) return v;
  for (uint32_t i = 0; i < c->var_count; i++)
    values[i] = num_sub(g.b, g.value[i], g.value[c->var_count]);
  return all && c->top == UINT32_MAX ? VERDICT_MODEL : VERDICT_OPEN;
}

// The least value of to - from over all points, if there is one. False: the passes are spent.
static bool longest_path(graph *g, shape_arena *arena, uint32_t from, uint32_t to,
                         simplex_end *out) {
  memset(g->known, 0, g->node_count);
  g->known[from] = 1;
  g->value[from] = NUM(0);
  if (settle(g, arena) != VERDICT_MODEL) return false;
  *out = (simplex_end){g->known[to], g->value[to]};
  return true;
}

// t as plus - minus + c, where the last node is 0.
static bool read_difference(const context *c, term_id t, uint32_t *plus, uint32_t *minus, num *k) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(c->s->t, t, &parts, &one);
  *plus = *minus = c->var_count;
  *k = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    int unit = num_is(parts[i].coefficient, 1) ? 1 : num_is(parts[i].coefficient, -1) ? -1 : 0;
    uint32_t var = context_find(c, parts[i].monomial);
    if (parts[i].monomial == TERM_ONE) {
      *k = parts[i].coefficient;
    } else if (unit > 0 && *plus == c->var_count && var != UINT32_MAX) {
      *plus = var;
    } else if (unit < 0 && *minus == c->var_count && var != UINT32_MAX) {
      *minus = var;
    } else {
      return false;
    }
  }
  return *plus != *minus;
}

verdict difference_range(context *c, term_id t, interval *out) {
  shape_arena *arena = c->s->arena;
  graph g;
  bool all;
  uint32_t plus, minus;
  num k;
  simplex_end low, high;
  if (!context_is_linear(c) || !read_difference(c, t, &plus, &minus, &k) ||
      !open_graph(c, &g, &all) || !all)
    return VERDICT_OPEN;
  verdict v = settle_all(&g, arena);
  if (v != VERDICT_MODEL) return v;
  if (!longest_path(&g, arena, minus, plus, &low) || !longest_path(&g, arena, plus, minus, &high))
    return VERDICT_OPEN;
  *out = (interval){.has_lo = low.has, .has_hi = high.has};
  if (low.has) out->lo = num_add(g.b, low.value, k);
  if (high.has) out->hi = num_sub(g.b, k, high.value);
  assert(!low.has || !high.has || num_compare(out->lo, out->hi) <= 0);
  return VERDICT_MODEL;
}
