// SPDX-License-Identifier: Apache-2.0
// An ONNX model back, with what was found out about its values in it: dims of inputs, outputs and value_info become
// numbers or dim_params, and values of nodes without value_info get one, in subgraphs too. Everything else, weights
// before all, is copied byte for byte, in the order it has.
//
// A size that is a symbol is written by its name, and one that is an expression as exporters write it (infix.h). What has
// no such form has a name made from it: its letters and digits, and 8 digits of a hash, so that the same formula has the
// same name in every model. The formula is in the model's metadata_props under "shape.dim.NAME". Entries of that kind whose name no size has any more are taken out.
// Not written: types inside of model-local functions, and dims inside of sequences, maps and optionals.
#ifndef SHAPE_FORMATS_ONNX_REFINE_H
#define SHAPE_FORMATS_ONNX_REFINE_H

#include "solver/report/report.h"

// Where the new file goes: new bytes, and parts of the old one. In the order of the new file.
typedef struct onnx_sink {
  void *to;
  void (*write)(void *to, const char *data, size_t length);
  void (*copy)(void *to, size_t begin, size_t end);
} onnx_sink;

struct onnx_new_node;  // new_node.h

// What becomes of the nodes of the main graph. NULL where nothing changes.
typedef struct onnx_changes {
  bool *removed;      // by op_id
  uint32_t *becomes;  // by op_id: 1 + the index in `nodes` of the one that it becomes; 0: it stays
  const char *
      *inputs;  // by index in graph->operands: the name that is used instead; NULL: as it is
  struct onnx_new_node *nodes;
  uint32_t node_count, capacity;
  uint32_t first_count;  // of those in front of all others, which are the first of `nodes`
} onnx_changes;

// Whether a caller may replace an initializer: from IR 4 on, one that is an input too is only its default.
bool onnx_has_defaults(const shape_graph *graph);

// The report is of a graph that onnx_read made, without errors. keeps (by value_id, or NULL): values whose types stay. changes may be NULL. O(fields) time and memory, whatever the weights.
void onnx_refine(shape_report *report, const bool *keeps, const onnx_changes *changes,
                 const onnx_sink *sink);

#endif
