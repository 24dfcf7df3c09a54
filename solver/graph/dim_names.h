// SPDX-License-Identifier: Apache-2.0
// Names of dims that a program gives where it declares them: the argument attribute {shaped.dims = ["batch", "", "length"]}.
//
// One text for each axis; an empty one leaves the dim unnamed. A name is a declared symbol of the graph, as dim_param is in
// ONNX: the same name twice states equality, and a name of a dim that is a number says what the symbol is. What is no list
// of texts, or is longer than the rank, is an error at the attribute.
#ifndef SHAPE_GRAPH_DIM_NAMES_H
#define SHAPE_GRAPH_DIM_NAMES_H

#include "solver/graph/graph.h"

// Names the dims of the arguments of a function with a body: `?` in their types becomes the symbol. Naming them again
// changes nothing. O(dims of the arguments).
void graph_name_dims(shape_graph *g, func_id func);

#endif
