// SPDX-License-Identifier: Apache-2.0
// Every operation by itself, as a verifier sees it: of its operands it knows the types, and the elements of constants. What
// follows from other operations is not known, nor whether it ever runs.
#include "solver/infer/state.h"
#include "solver/ops/rules/common/rules.h"

static bool is_constant(infer_state *s, value_id v) {
  const graph_value *value = &s->g->values[v];
  return !value->is_argument && walk_row(s, value->def)->rule == rule_constant;
}

static void forget_operands(infer_state *s, op_id op) {
  const graph_op *o = &s->g->ops[op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id v = graph_operand(s->g, op, i);
    if (v == VALUE_NONE || is_constant(s, v)) continue;
    value_of_argument(s, state_value(s, v), s->g->values[v].type, s->frame, ID_NONE);
  }
}

static void check_op(infer_state *s, op_id op) {
  region_scope outer = trial_enter(s);
  s->conditional = s->quiet = false;
  forget_operands(s, op);
  walk_op(s, op);
  walk_again(s, outer.pending, false);
  trial_leave(s, outer);
}

void alone_run(infer_state *s) {
  const shape_graph *g = s->g;
  uint32_t *frames = arena_alloc(s->arena, (g->func_count + 1) * sizeof *frames);
  for (func_id f = 0; f < g->func_count; f++) {
    frames[f] = g->funcs[f].body == ID_NONE ? ID_NONE : frame_new(s, f, ID_NONE, ID_NONE);
  }
  for (op_id op = 0; op < g->op_count; op++) {
    arena_poll_at(s->arena, op);
    func_id func = g->regions[g->blocks[g->ops[op].parent].region].func;
    if (func >= g->func_count || frames[func] == ID_NONE) continue;
    s->frame = frames[func];
    check_op(s, op);
  }
}
