// SPDX-License-Identifier: Apache-2.0
// Branches as if every one ran, for callers that count what is in them: in `if N < 5 { A } else { B }` A's dims are
// those of any N, not of N < 5. One trial for each branch that is in no other: linear in the program.
#include <assert.h>

#include "solver/infer/state.h"

const value_info *infer_whole_value(const infer_result *r, uint32_t frame, value_id value) {
  uint32_t index;
  if (!imap_get(&r->whole.of, (uint64_t)frame << 32 | value, &index)) return NULL;
  assert(index < r->whole.count);
  return &r->whole.values[index];
}

static void keep(infer_state *s, value_id value) {
  infer_whole *kept = &s->r->whole;
  bool fresh;
  value_info *now = values_canonical(s, &value, 1);
  uint32_t *index = imap_slot(&kept->of, s->arena, (uint64_t)s->frame << 32 | value, &fresh);
  if (fresh) *index = kept->count++;
  kept->values = arena_grow(s->arena, kept->values, *index, kept->count, &kept->capacity,
                            sizeof *kept->values);
  kept->values[*index] = *now;
}

static void keep_region(infer_state *s, region_id region) {
  const graph_region *r = &s->g->regions[region];
  for (uint32_t b = 0; b < r->block_count; b++) {
    const graph_block *block = &s->g->blocks[r->first_block + b];
    for (uint32_t i = 0; i < block->argument_count; i++) keep(s, block->arguments + i);
    for (op_id op = block->first; op != ID_NONE; op = s->g->ops[op].next) {
      const graph_op *o = &s->g->ops[op];
      for (uint32_t i = 0; i < o->result_count; i++) keep(s, o->results + i);
      for (uint32_t i = 0; i < o->region_count; i++) keep_region(s, o->regions + i);
    }
  }
}

void whole_walk(infer_state *s, op_id op) {
  const graph_op *o = &s->g->ops[op];
  bool outside = s->whole;
  uint32_t regions = o->region_count;
  for (uint32_t i = 0; i < regions; i++) {
    region_id region = s->g->ops[op].regions + i;
    region_scope outer = trial_enter(s);
    s->whole = true;
    region_forget(s, region);
    region_walk(s, region);
    walk_again(s, outer.pending, false);
    keep_region(s, region);
    s->whole = outside;
    trial_leave(s, outer);
  }
}
