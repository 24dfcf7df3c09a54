// SPDX-License-Identifier: Apache-2.0
// Where the end of a block may go on: "successors" of an operation, each [block] or [block, first, count], with the
// block's position among those of its region and which operands of the operation the block's arguments take.
#include <assert.h>

#include "solver/formats/json/decoder.h"

// Rows are in the order of operations; what is in the regions of an operation was read before its successors. Moves
// the rows from `first` on, of one operation, in front of those.
static void put_in_order(shape_graph *g, uint32_t first) {
  assert(first <= g->successors.count);
  uint32_t count = g->successors.count - first, at = first;
  if (!count) return;
  while (at && g->successors.items[at - 1].op > g->successors.items[first].op) at--;
  if (at == first) return;
  graph_successor *rows = arena_alloc(g->arena, count * sizeof *rows);
  memcpy(rows, g->successors.items + first, count * sizeof *rows);
  memmove(g->successors.items + at + count, g->successors.items + at, (first - at) * sizeof *rows);
  memcpy(g->successors.items + at, rows, count * sizeof *rows);
}

void decode_successors(graph_decoder *d, op_id op) {
  assert(op < d->g->op_count);
  uint32_t first = d->g->successors.count;
  if (cursor_word(&d->c, "null") || !decode_array(d)) return;
  while (decode_item(d)) {
    int64_t parts[3] = {-1, 0, GRAPH_OPERANDS_UNKNOWN};
    source_span here = decode_here(d);
    uint32_t count = 0;
    bool good = true;
    if (!decode_array(d)) continue;
    while (decode_item(d)) {
      if (count < 3) {
        good = decode_int(d, &parts[count]) && good;
      } else {
        cursor_skip(&d->c);
      }
      count++;
    }
    good = good && (count == 1 || count == 3);
    for (uint32_t i = 0; i < 3; i++) good = good && parts[i] >= 0 && parts[i] <= UINT32_MAX;
    if (!good) {
      decode_error(d, here, "json", "a successor is [block] or [block, first operand, count]");
    } else {
      graph_add_successor(
          d->g, (graph_successor){op, (uint32_t)parts[0], (uint32_t)parts[1], (uint32_t)parts[2]});
    }
  }
  put_in_order(d->g, first);
}

void check_successors(graph_decoder *d) {
  shape_graph *g = d->g;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->successors.count; i++) {
    graph_successor s = g->successors.items[i];
    assert(s.op < g->op_count && (!i || g->successors.items[i - 1].op <= s.op));
    const graph_op *op = &g->ops[s.op];
    region_id region = op->parent == ID_NONE ? ID_NONE : g->blocks[op->parent].region;
    if (region == ID_NONE || s.block >= g->regions[region].block_count) {
      decode_error(d, op->span, "json", "the region has no block %u to go on with", s.block);
    } else if (s.block == 0) {
      decode_error(d, op->span, "json", "the entry block of a region may not be branched to");
    } else if (s.count != GRAPH_OPERANDS_UNKNOWN &&
               (uint64_t)s.first + s.count > op->operand_count) {
      decode_error(d, op->span, "json", "the operation has no operands %u to %llu to hand on",
                   s.first, (unsigned long long)s.first + s.count);
    } else {
      g->successors.items[kept++] = s;
    }
  }
  g->successors.count = kept;
}
