// SPDX-License-Identifier: Apache-2.0
// What the parts of an ONNX model's bytes became in the graph that was read from them: for writers that go through the
// bytes once more. Private to the folder.
#ifndef SHAPE_FORMATS_ONNX_INDEX_H
#define SHAPE_FORMATS_ONNX_INDEX_H

#include "solver/formats/onnx/wire.h"
#include "solver/graph/graph.h"

typedef struct onnx_index {
  shape_imap values;  // (block, name) -> value_id
  shape_imap ops;     // first byte of a node -> op_id
} onnx_index;

// O(values and operations), in the arena of the graph.
onnx_index onnx_index_of(const shape_graph *graph);
value_id onnx_index_value(const onnx_index *index, block_id block,
                          name_id name);                     // VALUE_NONE: none
op_id onnx_index_op(const onnx_index *index, size_t begin);  // ID_NONE: none

// Subgraphs of a node are regions in the order that the reader gives them, then_branch first.
typedef struct onnx_regions {
  uint32_t next[2];
} onnx_regions;
onnx_regions onnx_regions_of(wire_span node);
// Of the next attribute of the node that has a subgraph.
uint32_t onnx_next_region(onnx_regions *regions, wire_span attribute);

#endif
