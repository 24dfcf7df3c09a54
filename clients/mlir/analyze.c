// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include <mlir-c/Diagnostics.h>

#include "clients/mlir/analysis.h"

ShapedAnalysis *shapedAnalyze(MlirModule module, const shape_options *options) {
  ShapedAnalysis *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->module = module;
  a->program = shape_program_new(NULL);
  if (!a->program) {
    shaped_fail(a, SHAPE_MEMORY, shape_status_message(SHAPE_MEMORY));
  } else if (shaped_import(a)) {
    a->analysis = shape_program_analyze(a->program, options);
    if (a->analysis) {
      a->error = *shape_analysis_error(a->analysis);
    } else {
      shaped_fail(a, SHAPE_MEMORY, shape_status_message(SHAPE_MEMORY));
    }
  }
  if (a->error.status == SHAPE_OK) return a;
  a->value_count = a->op_count = a->function_count = 0;  // no handles
  shaped_table_free(&a->values);
  return a;
}

void shapedAnalysisDestroy(ShapedAnalysis *a) {
  if (!a) return;
  shape_analysis_free(a->analysis);
  shape_program_free(a->program);
  shaped_table_free(&a->values);
  free(a->mlir_values);
  free(a->mlir_ops);
  free(a->mlir_functions);
  free(a);
}

const shape_error *shapedGetError(const ShapedAnalysis *a) { return &a->error; }

shape_analysis *shapedGetAnalysis(const ShapedAnalysis *a) { return a->analysis; }

shape_value shapedGetValue(const ShapedAnalysis *a, MlirValue value) {
  return shaped_table_get(&a->values, value.ptr);
}

MlirValue shapedGetMlirValue(const ShapedAnalysis *a, shape_value value) {
  return value < a->value_count ? a->mlir_values[value] : (MlirValue){NULL};
}

MlirOperation shapedGetMlirOperation(const ShapedAnalysis *a, shape_op op) {
  return op < a->op_count ? a->mlir_ops[op] : (MlirOperation){NULL};
}

MlirOperation shapedGetMlirFunction(const ShapedAnalysis *a, shape_function f) {
  return f < a->function_count ? a->mlir_functions[f] : (MlirOperation){NULL};
}

uint32_t shapedReport(const ShapedAnalysis *a) {
  MlirLocation whole = mlirOperationGetLocation(mlirModuleGetOperation(a->module));
  shape_diagnostic d;
  uint32_t errors = 0;
  if (a->error.status != SHAPE_OK) {
    mlirEmitError(whole, a->error.message);
    return 1;
  }
  for (uint32_t i = 0; shape_analysis_diagnostic(a->analysis, i, &d); i++) {
    if (d.severity != SHAPE_SEVERITY_ERROR) continue;
    MlirOperation op = shapedGetMlirOperation(a, d.op);
    mlirEmitError(mlirOperationIsNull(op) ? whole : mlirOperationGetLocation(op), d.message);
    errors++;
  }
  return errors;
}
