// SPDX-License-Identifier: Apache-2.0
// Two graphs of one text, read in different ways: equal number by number, with all spans and names.
#ifndef TESTS_SUPPORT_GRAPH_SAME_H
#define TESTS_SUPPORT_GRAPH_SAME_H

#include "solver/graph/graph.h"

// What differs first, or NULL.
const char *graph_difference(const shape_graph *a, const shape_graph *b);

#endif
