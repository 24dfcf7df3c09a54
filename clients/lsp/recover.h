// SPDX-License-Identifier: Apache-2.0
// What of a text with syntax errors can be analysed.
//
// A function with an error keeps the operations that are complete before the first one: what follows from them holds
// in every program that begins so, as facts of later operations only add to it. A function without an error stays whole.
// Sound by leaving out; calls to a function that was cut see results of which only the declared types are known.
#ifndef SHAPE_CLIENTS_LSP_RECOVER_H
#define SHAPE_CLIENTS_LSP_RECOVER_H

#include "solver/formats/mlir/uses.h"

typedef struct lsp_cuts {
  uint32_t *from;  // by func_id: the byte from where on nothing is known; UINT32_MAX: all is known
  bool outside;    // there are errors outside of functions: names may be missing
} lsp_cuts;

// Cuts the graph at its error diagnostics; uses: of the same reading. Everything lives in the graph's arena. O(errors * log(functions) + operations
// of the functions that are cut).
lsp_cuts lsp_recover(shape_graph *graph, const mlir_uses *uses);

#endif
