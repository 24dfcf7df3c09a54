// SPDX-License-Identifier: Apache-2.0
// Whether operations may require something of shapes, by their rows and the types of their values: nothing is analysed.
#ifndef SHAPE_OPS_REQUIRES_H
#define SHAPE_OPS_REQUIRES_H

#include "solver/graph/graph.h"

// Whether an operation in the regions of `op`, or in regions of these, may.
bool regions_may_require(const shape_graph *g, op_id op);

#endif
