// SPDX-License-Identifier: Apache-2.0
// The scaffolding that exporters leave in an ONNX model: Shape, Gather, Concat, Where, Equal, Expand and Cast that compute
// what is known. In the main graph
//   what computes integers that are constants becomes a Constant;
//   the target of a Reshape becomes a constant: numbers, 0 where an element is the data's dim of the same axis, -1 where the
//   source has -1, or for one other element where the numbers of elements are equal whatever the dims;
//   Identity, Cast to the type that is there, and Expand, Where and Reshape that change nothing make way for their input;
//   nodes whose results nothing uses are removed.
// A node that requires what nothing else proves stays, so that the model still ends where it ended. For the same reason
// equal means: the same expression of the dims of the inputs, as the rules computed it. What a requirement makes equal is
// not taken. Nodes inside of subgraphs, and of model-local functions, stay as they are.
#ifndef SHAPE_TRANSFORM_SCAFFOLD_H
#define SHAPE_TRANSFORM_SCAFFOLD_H

#include "solver/formats/onnx/refine.h"

// Of a model without errors. In the arena of the graph. O(operations + elements).
onnx_changes *scaffold_changes(const shape_report *report);

#endif
