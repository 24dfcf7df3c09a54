// SPDX-License-Identifier: Apache-2.0
// Which blocks of a region come before others on every way to them (MLIR LangRef, "Control flow and SSACFG regions").
#ifndef SHAPE_GRAPH_DOMINANCE_H
#define SHAPE_GRAPH_DOMINANCE_H

#include "solver/base/budget.h"
#include "solver/graph/graph.h"

// By index in the region: the index of the block's immediate dominator. The first block is its own; ID_NONE: no way leads
// there. Near linear in blocks and successors for what structured programs become; each round takes steps. NULL for a
// region without blocks.
uint32_t *graph_dominators(const shape_graph *g, region_id region, shape_arena *arena,
                           struct shape_budget *budget);
// All blocks, by index: each after its immediate dominator, and else in the order of the text. O(blocks).
uint32_t *graph_block_order(const uint32_t *dominators, uint32_t count, shape_arena *arena);

#endif
