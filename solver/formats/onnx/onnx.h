// SPDX-License-Identifier: Apache-2.0
// ONNX models as graphs, read in place from the bytes of the file (of a text form: from those that textproto.h or syntax.h
// makes of it); weights are stepped over, never touched.
//
// The graph that comes out: one function with the graph's inputs as arguments (names kept), an operation per node named
// "onnx.<op_type>" (other domains: "<domain>.<op_type>"), "onnx.Constant" with a DENSE `value` per initializer, and
// "func.return" of the outputs. Subgraphs are regions: then_branch before else_branch, body alone. Calls of model-local
// functions are replaced by their bodies, attributes filled in; where that would make much more of the file than it is,
// they are "func.call"s of private functions, one for each signature. Types of values that the model declares are theirs,
// others are TYPE_NONE. dim_params are symbols of the graph. Nodes are put in an order in which values come before
// their uses; a cycle is an error.
// Attributes: f FLOAT, i INT, s STRING, t DENSE, ints INTS, floats DENSE of f32, strings ARRAY, tp TYPE.
#ifndef SHAPE_FORMATS_ONNX_ONNX_H
#define SHAPE_FORMATS_ONNX_ONNX_H

#include "solver/graph/graph.h"

// Whether the bytes look like an ONNX model (they start with a field of ModelProto and hold a graph).
bool onnx_recognise(const char *bytes, size_t length);

// Reads `length` bytes of a tensor's external data; false when it cannot. The name has been checked to stay below the
// model's folder. NULL: external data is not read (its values are then not known).
typedef bool onnx_external(void *data, const char *name, uint64_t offset, size_t length, void *to);

typedef struct onnx_options {
  onnx_external *external;
  void *external_data;
  bool opaque_names;  // no dim_param is an expression
} onnx_options;

// Fills a graph that graph_init'ed with the bytes. Errors are diagnostics of the graph. options may be NULL.
void onnx_read(shape_graph *graph, const char *bytes, size_t length, const onnx_options *options);

#endif
