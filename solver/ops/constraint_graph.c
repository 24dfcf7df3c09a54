// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/constraint_graph.h"

#include <string.h>

#include "solver/ops/traits.h"

const bool *constraint_graphs(const shape_graph *g, shape_arena *arena) {
  bool *is = arena_zalloc(arena, g->func_count + 1);
  shape_imap names = {0};
  uint32_t ignored;
  name_id usual = intern_find(&g->names, "shape_constraint_graph", 22);
  if (usual != NAME_NONE) imap_put(&names, arena, usual, 1);
  bool declares = intern_find(&g->names, "symbolic_shape_graph", 20) != NAME_NONE;
  for (op_id op = 0; declares && op < g->op_count; op++) {
    if (!op_has(g, op, TRAIT_DECLARES_SYMBOL)) continue;
    const char *name = graph_attr_text(g, graph_attr_named(g, op, "symbolic_shape_graph"));
    name_id id = name ? intern_find(&g->names, name, strlen(name)) : NAME_NONE;
    if (id != NAME_NONE) imap_put(&names, arena, id, 1);
  }
  for (func_id f = 0; f < g->func_count; f++)
    is[f] = g->funcs[f].name != NAME_NONE && imap_get(&names, g->funcs[f].name, &ignored);
  return is;
}
