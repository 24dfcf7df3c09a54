// SPDX-License-Identifier: Apache-2.0
// Bodies of functions with several blocks. Which of them run, and how often, is for their branches to say: what holds
// outside of a block is only what its entry block says. The others are treated as branches of a region are: a quiet
// pass finds what their values are, and when the scope around is complete each gets a scope of its own.
//
// A value may be used in the blocks that its own dominates (MLIR LangRef, "Blocks"), and its terms hold there too: they
// speak of values that dominate it in turn, in the state they had when it was made. Arguments of blocks are new symbols.
#include "solver/infer/state.h"

static void block_arguments(infer_state *s, block_id block) {
  const graph_block *b = &s->g->blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++) {
    value_info *v = state_value(s, b->arguments + i);
    if (!v->visited)
      value_of_argument(s, v, s->g->values[b->arguments + i].type, s->frame, ID_NONE);
  }
}

void body_walk(infer_state *s, region_id body) {
  const graph_region *r = &s->g->regions[body];
  if (s->depth >= INFER_MAX_DEPTH || !r->block_count) return;
  s->depth++;
  block_arguments(s, r->first_block);
  walk_block(s, r->first_block);
  for (uint32_t i = 1; i < r->block_count; i++) {
    region_scope outer = trial_enter(s);
    block_arguments(s, r->first_block + i);
    walk_block(s, r->first_block + i);
    walk_again(s, outer.pending);
    trial_leave(s, outer);
  }
  op_id last = graph_terminator(s->g, r->first_block);
  if (r->block_count > 1 && last != ID_NONE && !s->quiet)
    defer(s, (deferred_op){.frame = s->frame, .op = last, .blocks = true});
  s->depth--;
}

void body_final(infer_state *s, const deferred_op *entry) {
  region_id body = s->g->funcs[state_frame(s)->func].body;
  const graph_region *r = &s->g->regions[body];
  for (uint32_t i = 1; i < r->block_count; i++) {
    region_scope outer = scope_enter(s, entry->op, i, false);
    block_forget(s, r->first_block + i);
    block_arguments(s, r->first_block + i);
    walk_block(s, r->first_block + i);
    scope_leave(s, outer, r->first_block + i, 1);
  }
}
