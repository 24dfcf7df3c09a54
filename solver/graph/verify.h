// SPDX-License-Identifier: Apache-2.0
// The invariants of graph.h, checked one by one. For tests and debug builds: a reader's error shows here and not as
// a wrong answer later.
#ifndef SHAPE_GRAPH_VERIFY_H
#define SHAPE_GRAPH_VERIFY_H

#include "solver/graph/graph.h"

// NULL when every invariant holds, else the first that is violated (text in the graph's arena). O(size of the graph).
const char *graph_verify(const shape_graph *g);

#endif
