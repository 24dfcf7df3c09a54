// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "clients/mlir/analysis.h"

typedef ShapedPassOptions pass;  // what the pass manager keeps

static void construct(void *data) { (void)data; }
static void destruct(void *data) { free(data); }

static void *clone(void *data) {
  pass *copy = malloc(sizeof *copy);
  if (copy) *copy = *(const pass *)data;
  return copy;
}

static bool transform(ShapedAnalysis *a, const pass *p) {
  if (shapedReport(a)) return false;
  bool done = !p->guards || mlirLogicalResultIsSuccess(shapedMaterializeGuards(a, NULL));
  done = done && (!p->refine || mlirLogicalResultIsSuccess(shapedRefineTypes(a, NULL)));
  done = done && (!p->dims || mlirLogicalResultIsSuccess(shapedAttachDims(a)));
  if (!done) shapedReport(a);  // the error of the one that failed
  return done;
}

static void run(MlirOperation op, MlirExternalPass self, void *data) {
  const pass *p = data;
  shape_options options = SHAPE_STRUCT(shape_options);
  MlirModule module = mlirModuleFromOperation(op);
  if (!p || mlirModuleIsNull(module)) {
    mlirExternalPassSignalFailure(self);
    return;
  }
  options.entry = p->entry;
  options.assumptions = p->assume;
  while (options.assumption_count < sizeof p->assume / sizeof *p->assume &&
         p->assume[options.assumption_count])
    options.assumption_count++;
  ShapedAnalysis *a = shapedAnalyze(module, &options);
  if (!a || !transform(a, p)) mlirExternalPassSignalFailure(self);
  shapedAnalysisDestroy(a);
}

MlirPass shapedCreatePass(MlirTypeID id, const ShapedPassOptions *options) {
  static const ShapedPassOptions NOTHING = {0};
  MlirExternalPassCallbacks callbacks = {
      .construct = construct, .destruct = destruct, .clone = clone, .run = run};
  return mlirCreateExternalPass(id, shaped_string("Shaped"), shaped_string("shaped"),
                                shaped_string("Refine shapes, and state what must be checked"),
                                shaped_string("builtin.module"), 0, NULL, callbacks,
                                clone((void *)(options ? options : &NOTHING)));
}
