// SPDX-License-Identifier: Apache-2.0
// Boxes that overlap are moved apart. Graphviz does it too, by a triangulation whose order depends on addresses: its
// pictures differ from run to run.
#ifndef SHAPE_EMIT_GRAPH_SPREAD_H
#define SHAPE_EMIT_GRAPH_SPREAD_H

#include "solver/base/arena.h"

enum { GRAPH_SPREAD_GAP = 14 };  // points between boxes, at least

typedef struct graph_spot {
  double x, y, width, height;  // x and y of its centre; points
} graph_spot;

// The picture grows until the boxes cover about a third of it. Each box is then put into the row that is nearest, and along it
// as near to where it was as the others allow; boxes of a row keep their order. The top left corner of all becomes (0, 0).
// O(count * log count).
void graph_spread(graph_spot *spots, uint32_t count, shape_arena *arena);

#endif
