// SPDX-License-Identifier: Apache-2.0
// Which values are live when, of a whole program: its structure alone, whatever the dims are.
//
// Operations run in the order of the text. A result is live from the operation that makes it to the last operation of
// its region that uses it, both included; a use inside a region is a use by the operation that has the region. So a value
// that a region or a function returns is live to its end, and one that is not used, during its own operation.
//
// Invariant: ids of operations of a region are in the order of the text, those in nested regions between them.
// Cost: O(uses * depth of regions).
#ifndef SHAPE_COST_LIVE_H
#define SHAPE_COST_LIVE_H

#include "solver/graph/graph.h"

typedef struct live_map {
  op_id *last;        // by value: the last operation of its region that uses it; ID_NONE: none does
  value_id *dying;    // by operation: the first result whose last use it is, or VALUE_NONE
  value_id *sibling;  // by value: the next one with the same last use
} live_map;

void live_make(const shape_graph *graph, live_map *out);  // in the arena of the graph

#endif
