// SPDX-License-Identifier: Apache-2.0
// Functions that run with arguments of which nothing is known: those that nothing calls, and besides their calls those
// that call themselves further than they are followed, that are called where nothing is followed, and that something
// else than a call refers to. What is said of a function holds in all its frames, so each of them gets one more.
#include <assert.h>

#include "solver/infer/state.h"

// Its facts hold in a scope of its own.
static void run_root(infer_state *s, func_id func) {
  region_scope outer = scope_enter(s, ID_NONE, 0, false);
  uint32_t frame = frame_new(s, func, ID_NONE, ID_NONE);
  s->r->scopes[s->scope].frame = frame;
  s->frame = frame;
  arguments_make(s, frame, false);
  frame_run(s, frame);
  assert(s->frame == frame);
  scope_leave(s, outer, s->g->regions[s->g->funcs[func].body].first_block, 1);
}

// --- functions that are referred to

static void open_named(infer_state *s, op_id op, const graph_attr *symbol) {
  const shape_graph *g = s->g;
  func_id around = g->regions[g->blocks[g->ops[op].parent].region].func;
  func_id func = graph_find_func(g, g->funcs[around].module, intern_text(&g->names, symbol->text),
                                 intern_length(&g->names, symbol->text));
  if (func != ID_NONE) s->calls.open[func] = true;
}

static void open_referred(infer_state *s, op_id op) {
  const shape_graph *g = s->g;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->attr_count; i++) {
    const graph_attr *attr = graph_attr_get(g, g->attributes.entries[o->attrs + i].value);
    if (!attr) continue;
    if (attr->kind == ATTR_SYMBOL) open_named(s, op, attr);
    for (uint32_t k = 0; attr->kind == ATTR_ARRAY && k < attr->count; k++) {
      const graph_attr *item = graph_attr_get(g, attr_item_at(attr, k));
      if (item && item->kind == ATTR_SYMBOL) open_named(s, op, item);
    }
  }
}

static void find_open(infer_state *s) {
  const shape_graph *g = s->g;
  for (op_id op = 0; op < g->op_count; op++) {
    arena_poll_at(s->arena, op);
    if (s->calls.lost || op >= s->calls.met_count || !s->calls.met[op]) open_referred(s, op);
  }
}

typedef struct roots {
  infer_state *s;
  bool *called, *root;  // by func_id
  uint32_t seen;        // frames that are in `called`
} roots;

// Those among the functions that are not run as yet. False: there are none.
static bool run_all(roots *r) {
  infer_state *s = r->s;
  bool any = false;
  for (func_id f = 0; f < s->g->func_count; f++) {
    for (; r->seen < s->r->frame_count; r->seen++) r->called[s->r->frames[r->seen].func] = true;
    bool open = (s->calls.open[f] || s->calls.left[f]) && !state_is_constraints(s, f);
    bool wanted = !r->called[f] || open;
    if (!wanted || r->root[f] || s->g->funcs[f].body == ID_NONE) continue;
    r->root[f] = any = true;
    run_root(s, f);
  }
  return any;
}

void roots_run(infer_state *s) {
  uint32_t count = s->g->func_count + 1;
  roots r = {.s = s,
             .called = arena_zalloc(s->arena, count * sizeof(bool)),
             .root = arena_zalloc(s->arena, count * sizeof(bool))};
  run_all(&r);
  if (s->g->func_count > 1) find_open(s);  // one alone has run
  while (run_all(&r)) arena_poll_at(s->arena, 0);
}

bool infer_is_endless(const infer_result *r, func_id func) {
  assert(func < r->graph->func_count);
  return r->state->calls.left[func];
}
