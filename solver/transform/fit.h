// SPDX-License-Identifier: Apache-2.0
// Refined types that verify, for the formats that change types and nothing else: the JSON form, BladeDISC's IR,
// ONNX.
#ifndef SHAPE_TRANSFORM_FIT_H
#define SHAPE_TRANSFORM_FIT_H

#include "solver/transform/types.h"

typedef struct fit_request {
  shape_report *report;  // of a program without errors
  mlir_uses *uses;       // all zero where the program is no MLIR text; operations are pinned here
  graph_format format;   // that is written
  const char *entry;
  uint64_t steps;        // of each analysis
  shape_budget *budget;  // whose other limits hold
  bool specialised;      // arguments were given that the program does not state
} fit_request;

typedef struct fit_result {
  refined_types *types;
  const uint8_t *
      kept;  // by op_id: 1 it keeps the types of its results, 2 of its operands, too; NULL: no operation does
  op_id op;             // refused; ID_NONE: none by itself
  const char *refused;  // why; NULL: the types fit
} fit_result;

// Refused: the program has errors with the types of its source already, where nothing is given of its arguments but what
// was found.
// The graph is as it was. At most 16 rounds of two analyses, each of a copy.
fit_result fit_types(const fit_request *request);
// By value_id: an operation keeps its type. In the arena of the graph.
bool *fit_kept_values(const shape_graph *graph, const uint8_t *kept);

#endif
