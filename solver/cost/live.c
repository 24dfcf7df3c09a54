// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/live.h"

#include "solver/base/budget.h"

// The operation of `region` that is `op` or has it in one of its regions; ID_NONE: there is none.
static op_id live_ancestor(const shape_graph *g, op_id op, region_id region) {
  while (op != ID_NONE) {
    assert(op < g->op_count);
    block_id block = g->ops[op].parent;
    if (block == ID_NONE) return ID_NONE;
    if (g->blocks[block].region == region) return op;
    budget_take(g->budget, 1);
    op = g->regions[g->blocks[block].region].op;
  }
  return ID_NONE;
}

static region_id region_of(const shape_graph *g, value_id v) {
  assert(v < g->value_count);
  const graph_value *value = &g->values[v];
  block_id block = value->is_argument ? value->def : g->ops[value->def].parent;
  return block == ID_NONE ? ID_NONE : g->blocks[block].region;
}

// The last operation of a region in the order of the text; ID_NONE: its last block has none.
static op_id end_of(const shape_graph *g, region_id region) {
  const graph_region *r = &g->regions[region];
  return graph_terminator(g, r->first_block + r->block_count - 1);
}

// What is used in front of the line that defines it (blocks are in any order in the text) is kept until its region ends.
static void use(const shape_graph *g, live_map *m, value_id v, op_id op) {
  region_id region = region_of(g, v);
  if (region == ID_NONE) return;
  op_id at = live_ancestor(g, op, region);
  if (at != ID_NONE && !g->values[v].is_argument && at < g->values[v].def) at = end_of(g, region);
  if (at != ID_NONE && (m->last[v] == ID_NONE || at > m->last[v])) m->last[v] = at;
}

void live_make(const shape_graph *g, live_map *m) {
  m->last = arena_alloc(g->arena, (g->value_count + 1) * sizeof *m->last);
  m->sibling = arena_alloc(g->arena, (g->value_count + 1) * sizeof *m->sibling);
  m->dying = arena_alloc(g->arena, (g->op_count + 1) * sizeof *m->dying);
  for (value_id v = 0; v < g->value_count; v++) m->last[v] = ID_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    m->dying[op] = VALUE_NONE;
    for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
      value_id v = graph_operand(g, op, i);
      if (v != VALUE_NONE) use(g, m, v, op);
    }
  }
  for (value_id v = g->value_count; v-- > 0;) {
    m->sibling[v] = VALUE_NONE;
    if (g->values[v].is_argument) continue;
    if (m->last[v] == ID_NONE) m->last[v] = g->values[v].def;
    op_id at = m->last[v];
    assert(at >= g->values[v].def);
    m->sibling[v] = m->dying[at];
    m->dying[at] = v;
  }
}
