// SPDX-License-Identifier: Apache-2.0
// An ONNX model with other declared dims, other inputs of some nodes, and nodes in front of all others. What is not
// named here is copied byte for byte. Not changed: model-local functions, and dims inside of sequences, maps and
// optionals.
#ifndef SHAPE_FORMATS_ONNX_REFORM_H
#define SHAPE_FORMATS_ONNX_REFORM_H

#include "solver/formats/onnx/new_node.h"
#include "solver/formats/onnx/refine.h"

// A node whose input becomes another value.
typedef struct onnx_new_input {
  op_id op;
  uint32_t input;
  const char *name;
} onnx_new_input;

typedef struct onnx_reform {
  shape_graph *graph;  // that onnx_read made of the model
  const type_id *
      types;  // by value_id: a dim that is a number is written so, where the model gives a number; DIM_DYNAMIC: none
  const onnx_new_node *nodes;
  uint32_t node_count;
  const onnx_new_input *inputs;
  uint32_t input_count;
} onnx_reform;

// O(fields) time and memory, whatever the weights.
void onnx_reform_write(const onnx_reform *reform, const onnx_sink *sink);
// The bytes of the model's graph, without those of its functions.
source_span onnx_graph_span(const shape_graph *graph);

#endif
