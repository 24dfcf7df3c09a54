// SPDX-License-Identifier: Apache-2.0
// A graph as text, for debugging and for comparing graphs in tests: two programs that mean the same to the solver dump
// the same, whatever their spelling, because spans and names of values are left out.
#ifndef TESTS_SUPPORT_GRAPH_DUMP_H
#define TESTS_SUPPORT_GRAPH_DUMP_H

#include "solver/graph/graph.h"

void graph_dump(const shape_graph *g, shape_strbuf *out);

#endif
