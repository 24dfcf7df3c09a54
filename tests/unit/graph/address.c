// SPDX-License-Identifier: Apache-2.0
// Addresses in a graph from which values were removed.
#include "solver/graph/address.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct named {
  shape_arena arena;
  shape_graph graph;
  func_id funcs[2];
} named;

// In each of two functions an argument x, and an operation with results x and y.
static void build(named *n) {
  static const char *const FUNCS[] = {"main", "other"};
  arena_init(&n->arena, 0);
  graph_init(&n->graph, &n->arena, GRAPH_JSON, "", 0);
  shape_graph *g = &n->graph;
  name_id x = intern_add(&g->names, "x", 1), y = intern_add(&g->names, "y", 1);
  name_id op = intern_add(&g->names, "a.b", 3);
  for (unsigned i = 0; i < 2; i++) {
    name_id name = intern_add(&g->names, FUNCS[i], (uint32_t)strlen(FUNCS[i]));
    n->funcs[i] = graph_add_func(g, name, 0, SPAN_NONE);
    block_id block = graph_add_block(g, graph_add_body(g, n->funcs[i]));
    value_id argument = graph_add_block_arguments(g, block, 1);
    g->values[argument].name = i ? x : y;
    op_id made = graph_add_op(g, op, block, SPAN_NONE);
    value_id first = graph_add_results(g, made, 2);
    g->values[first].name = x;
    g->values[first + 1].name = i ? y : x;
  }
}

static bool without_first(const void *data, value_id value) {
  (void)data;
  return value != 0;
}

static value_id find(const named *n, const char *text, func_id entry, graph_has_value *has) {
  graph_address a;
  const char *error = graph_address_read(&n->graph, text, strlen(text), entry, has, NULL, &a);
  return error ? VALUE_NONE : a.value;
}

Test(address, names_of_functions_and_results) {
  named n;
  build(&n);
  cr_expect_eq(find(&n, "y", n.funcs[0], NULL), 0);
  cr_expect_eq(find(&n, "y", n.funcs[1], NULL), 5);
  cr_expect_eq(find(&n, "y", ID_NONE, NULL), VALUE_NONE, "two functions have it");
  cr_expect_eq(find(&n, "y", ID_NONE, without_first), 5);
  cr_expect_eq(find(&n, "#0", ID_NONE, without_first), VALUE_NONE);
  cr_expect_eq(find(&n, "x", n.funcs[0], NULL), 1, "results of one operation");
  cr_expect_eq(find(&n, "x", n.funcs[1], NULL), VALUE_NONE, "an argument and a result");
  cr_expect_eq(find(&n, "x#1", n.funcs[0], NULL), 2);
  cr_expect_eq(find(&n, "@other:y", n.funcs[0], NULL), 5);
  cr_expect_eq(find(&n, "@other:@main:y", n.funcs[0], NULL), VALUE_NONE);
  cr_expect_eq(graph_value_func(&n.graph, 4), n.funcs[1]);
  arena_destroy(&n.arena);
}
