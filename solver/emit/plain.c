// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/plain.h"

#include <assert.h>
#include <string.h>

#include "solver/transform/tracked.h"

typedef struct plain_work {
  shape_graph *graph;  // of the first analysis
  const type_id *types;
  const fixed_argument *fixed;
  uint32_t fixed_count;
  constant_value *out;  // in the arena of the second
} plain_work;

bool plain_is_other(const analysis_request *q) {
  return q->assumption_count || q->bound_count || q->mode.suggested;
}

void plain_open(plain_analysis *p, const analysis_request *request) {
  *p = (plain_analysis){.request = *request, .open = true};
  p->request.assumption_count = p->request.bound_count = 0;
  p->request.mode.suggested = false;
  p->request.werror = p->request.refinable = p->request.certify = false;
  p->request.validated = p->request.recognised = false;
  if (!analysis_open(&p->a, &p->request, false, &p->reply) || p->reply.errors) plain_close(p);
}

void plain_close(plain_analysis *p) {
  if (p->open) analysis_close(&p->a);
  p->open = false;
}

// Dims of the first analysis in the type table of the second.
static type_id move_type(const plain_work *w, shape_graph *to, value_id value) {
  type_id is = to->values[value].type, id = w->types[value];
  if (id == TYPE_NONE || is == TYPE_NONE) return is;
  const graph_type *type = type_get(&w->graph->types, id), *was = type_get(&to->types, is);
  if (type->kind != TYPE_TENSOR || !type_is_tensor(&to->types, is)) return is;
  if (was->kind == TYPE_TENSOR && was->rank != type->rank) return is;
  return type_with_dims(&to->types, is, type->dims, NULL, type->rank);
}

static void find(shape_run *p, void *data) {
  plain_work *w = data;
  shape_graph *g = shape_run_graph(p);
  if (g->value_count != w->graph->value_count) return;
  type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
  for (value_id v = 0; v < g->value_count; v++) types[v] = move_type(w, g, v);
  w->out = tracked_constants(shape_run_report(p), types, w->fixed, w->fixed_count);
}

constant_value *plain_constants(plain_analysis *p, shape_graph *g, const type_id *types,
                                const fixed_argument *fixed, uint32_t fixed_count) {
  constant_value *out = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *out);
  plain_work w = {g, types, fixed, fixed_count, NULL};
  if (!p->open || shape_run_protect(p->a.program, find, &w) != SHAPE_OK || !w.out) return out;
  for (value_id v = 0; v < g->value_count; v++) {
    if (!w.out[v].items) continue;
    int64_t *items = arena_alloc(g->arena, (w.out[v].count + 1) * sizeof *items);
    if (w.out[v].count) memcpy(items, w.out[v].items, w.out[v].count * sizeof *items);
    out[v] = (constant_value){items, w.out[v].count, false};
  }
  return out;
}
