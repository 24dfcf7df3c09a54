// SPDX-License-Identifier: Apache-2.0
// Nodes that a model gets. Private to what writes models.
#ifndef SHAPE_FORMATS_ONNX_NEW_NODE_H
#define SHAPE_FORMATS_ONNX_NEW_NODE_H

#include <stdbool.h>
#include <stdint.h>

// A node of ONNX's own domain with one output.
typedef struct onnx_new_node {
  const char *op_type;
  const char *inputs[3];    // NULL: no more
  const char *const *more;  // further inputs, more_count of them
  uint32_t more_count;
  const char *output;
  bool has_axis;         // axis = 0
  const int64_t *value;  // Constant: a tensor of int64, of rank 0 or 1; else NULL
  uint32_t value_rank, value_count;
} onnx_new_node;

struct patch;
// As a node of the graph that `graph` is the message of. O(size of the node).
void onnx_put_node(struct patch *graph, const onnx_new_node *node);

#endif
