// SPDX-License-Identifier: Apache-2.0
// Shape analysis of an MLIR module in memory, for compilers that use MLIR's C API (LLVM 22).
//
//   ShapedAnalysis *a = shapedAnalyze(module, NULL);
//   shape_value x = shapedGetValue(a, value);                       // handles of shape.h
//   shape_answer same = shape_analysis_same_element_count(shapedGetAnalysis(a), x, y);
//   shapedAnalysisDestroy(a);
//
// The program is built through shape.h: no text is written or read. Functions of the module itself are analysed: operations
// with a symbol name, a builtin function type and one region. Those of nested modules have no handles. `main`, or the only
// function, is the entry, as in shape.h; each other function is analysed for what its callers give it.
//
// An analysis describes the module as it was. It holds no reference into MLIR but handles, and does not see changes: after
// a change, analyse again. The functions below that change a module say which handles stay valid.
//
// Threads: as in shape.h. One module is used by one thread at a time.
#ifndef SHAPE_MLIR_H
#define SHAPE_MLIR_H

#include <mlir-c/IR.h>
#include <mlir-c/Pass.h>
#include <shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ShapedAnalysis ShapedAnalysis;

// Analyses a module; options may be NULL. NULL: no memory. Otherwise shapedGetError says how it ended; where that was no
// success there are no handles. Errors of the program are diagnostics of shapedGetAnalysis. O(operations) and an analysis.
ShapedAnalysis *shapedAnalyze(MlirModule module, const shape_options *options);
void shapedAnalysisDestroy(ShapedAnalysis *analysis);
const shape_error *shapedGetError(const ShapedAnalysis *analysis);

// The analysis of shape.h; it belongs to this one. NULL: the module could not be imported.
shape_analysis *shapedGetAnalysis(const ShapedAnalysis *analysis);
// Handles, both ways. SHAPE_NO_ID and null handles: there is none. O(1).
shape_value shapedGetValue(const ShapedAnalysis *analysis, MlirValue value);
MlirValue shapedGetMlirValue(const ShapedAnalysis *analysis, shape_value value);
MlirOperation shapedGetMlirOperation(const ShapedAnalysis *analysis, shape_op op);
MlirOperation shapedGetMlirFunction(const ShapedAnalysis *analysis, shape_function function);

// Reports the errors to the diagnostic handlers of the module's context, each at its operation, and returns how many there are.
// shape_analysis_diagnostic has the warnings and notes.
uint32_t shapedReport(const ShapedAnalysis *analysis);

// Gives ranked tensors the static dims that are known, in place. Where an operation does not verify with them, it keeps its
// types: `tensor.cast` goes before its operands, after its results, and into its regions. Types of functions stay, so arguments
// and returned values are cast. The module verifies as before. *changed (may be NULL) counts the values. Failure: the context has
// no tensor dialect; then the module is as before. Handles of values stay; casts have none.
MlirLogicalResult shapedRefineTypes(ShapedAnalysis *analysis, uint32_t *changed);

// Attaches what is known as discardable attributes, in the names of the analysis: `shaped.result_dims` of an operation with
// tensor results, an array of texts for each, and `shaped.argument_dims` of a function. [] is a value without a rank. Handles stay.
MlirLogicalResult shapedAttachDims(ShapedAnalysis *analysis);

// Computes the requirements on the arguments of the entry at its begin, as `cf.assert`, from `tensor.dim`, `memref.dim` and
// `arith`. The context has these dialects loaded or can load them. *asserted (may be NULL) counts the assertions. Failure: the
// error says why, and the module is as before. Handles stay.
MlirLogicalResult shapedMaterializeGuards(ShapedAnalysis *analysis, uint32_t *asserted);

typedef struct ShapedPassOptions {
  bool refine;            // shapedRefineTypes
  bool dims;              // shapedAttachDims
  bool guards;            // shapedMaterializeGuards
  const char *entry;      // NULL: "main", or the only function
  const char *assume[8];  // predicates; NULL ends them
} ShapedPassOptions;

// A pass over builtin.module that does what the options ask for, in the order guards, types, dims, and reports diagnostics. It
// fails where the program has errors. `options` are copied, their texts are not; `id` comes from an allocator that outlives
// the pass.
MlirPass shapedCreatePass(MlirTypeID id, const ShapedPassOptions *options);

#ifdef __cplusplus
}
#endif

#endif
