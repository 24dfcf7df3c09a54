// SPDX-License-Identifier: Apache-2.0
// Transforms of the second stage of the shape constraint IR, on all functions, as edits of their text:
//   tie-shape         a disc_shape.tie_shape for each ranked tensor with a dynamic dim, which all its uses take
//   materialize-dims  tensor.dim and shape.shape_of of what is computed, as arithmetic on dims of arguments
//   scalarize-shapes  shape.shape_of, shape.broadcast and shape.num_elements as tensor.dim, arith and tensor.from_elements
//   shape-legalize-to-stablehlo  the shape dialect in StableHLO, arith and tensor: legalize_shape.h
//   merge-dims        one SSA value per equal dim: tensor.dim of equal dims, and of the same one, are computed once
//   broadcast-hints   known_expanding_dimensions and known_nonexpanding_dimensions of dynamic_broadcast_in_dim
// Dims are equal where the rules computed the same expression; what a requirement makes equal is not taken, for the check
// itself may be made of these dims. Values in regions, extents of !shape.shape, and functions with operations of unknown
// syntax stay as they are; so do dims in functions that are called with several shapes.
#ifndef SHAPE_EMIT_DIM_PASSES_H
#define SHAPE_EMIT_DIM_PASSES_H

#include "solver/formats/mlir/edit.h"
#include "solver/formats/mlir/uses.h"
#include "solver/report/report.h"

typedef enum dims_pass {
  DIMS_TIE,
  DIMS_MATERIALIZE,
  DIMS_SCALARIZE,
  DIMS_LEGALIZE,
  DIMS_MERGE,
  DIMS_HINTS
} dims_pass;

// Of an MLIR program without errors. O(operations + what is written).
// DIMS_LEGALIZE: the first operation that keeps something of the shape dialect, and why; ID_NONE: none does.
op_id dims_rewrite(dims_pass pass, const shape_report *report, const mlir_uses *uses,
                   text_edits *edits, const char **why);

#endif
