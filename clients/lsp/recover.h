// SPDX-License-Identifier: Apache-2.0
// What of a text with syntax errors can be analysed.
//
// Where the reader knows what is inside of what in spite of the errors (mlir_uses.whole), no rule applies to an operation
// with an error: what it defines is not known, and everything else is there. Where it does not, a function with an error
// keeps the operations that are complete before the first one. Sound by leaving out: calls to a function that was cut see
// results of which only the declared types are known.
#ifndef SHAPE_CLIENTS_LSP_RECOVER_H
#define SHAPE_CLIENTS_LSP_RECOVER_H

#include "solver/formats/mlir/uses.h"

typedef struct lsp_cuts {
  uint32_t *from;   // by func_id: the byte from where on nothing is known; UINT32_MAX: all is known
  bool whole;       // functions with an error keep what comes after it
  bool outside;     // there are errors outside of functions: names may be missing
  uint8_t *opened;  // by func_id: an error in no operation, such as one in its header
  uint32_t diag_count;     // of the graph, before an analysis
  const uint32_t *errors;  // where each begins, ascending
  uint32_t error_count;
} lsp_cuts;

// Cuts the graph at its error diagnostics; uses: of the same reading. Everything lives in the graph's arena. O(errors * log(functions) + operations
// of the functions that are cut).
lsp_cuts lsp_recover(shape_graph *graph, const mlir_uses *uses);
// Whether a diagnostic of the analysis follows from an error of the text: it is at what holds one, or calls it.
bool lsp_recover_is_echo(const shape_graph *graph, const lsp_cuts *cuts, const diag *d);

#endif
