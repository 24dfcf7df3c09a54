// SPDX-License-Identifier: Apache-2.0
// A graph as text, for debugging and for comparing graphs in tests: two programs that mean the same to the solver dump
// the same, whatever their spelling, because spans and names of values are left out.
#ifndef SHAPE_GRAPH_DUMP_H
#define SHAPE_GRAPH_DUMP_H

#include "solver/graph/graph.h"

void graph_dump(const shape_graph *g, shape_strbuf *out);
void graph_dump_attr(const shape_graph *g, shape_strbuf *out, attr_id attr);

#endif
