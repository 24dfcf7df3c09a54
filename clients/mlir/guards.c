// SPDX-License-Identifier: Apache-2.0
// Requirements on the arguments as assertions at the begin of the entry, and dims as attributes.
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>
#include <string.h>

#include "clients/mlir/analysis.h"

static MlirLogicalResult failed(ShapedAnalysis *a, shape_status status, const char *message) {
  shaped_fail(a, status, message);
  return mlirLogicalResultFailure();
}

static MlirOperation entry_of(const ShapedAnalysis *a) {
  shape_function_info info;
  for (uint32_t i = 0; i < a->function_count; i++) {
    if (shape_analysis_function(a->analysis, i, &info) && info.is_entry)
      return a->mlir_functions[i];
  }
  return (MlirOperation){NULL};
}

static bool is_named(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), shaped_string(name));
}

// Moves what computes the checks from one block to the begin of another, whose arguments are the same.
static uint32_t move_checks(MlirBlock from, MlirBlock to) {
  uint32_t asserted = 0;
  MlirOperation at = mlirBlockGetFirstOperation(to), last = mlirBlockGetTerminator(from), next;
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(from); k++)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(from, k), mlirBlockGetArgument(to, k));
  MlirOperation op = mlirBlockGetFirstOperation(from);
  for (; !mlirOperationEqual(op, last); op = next) {
    next = mlirOperationGetNextInBlock(op);
    asserted += is_named(op, "cf.assert");
    mlirOperationMoveBefore(op, at);
  }
  return asserted;
}

// The function that has the checks, in a module of its own; null where MLIR does not read it.
static MlirModule read_checks(ShapedAnalysis *a, MlirContext context) {
  static const char *const DIALECTS[] = {"arith", "cf", "func", "memref", "tensor"};
  shaped_text text = {0};
  MlirModule checks = {NULL};
  for (size_t i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; i++)
    mlirContextGetOrLoadDialect(context, shaped_string(DIALECTS[i]));
  shape_status status =
      shape_analysis_emit(a->analysis, "guards-function", shaped_text_write, &text);
  if (status == SHAPE_OK && !text.failed && text.data)
    checks = mlirModuleCreateParse(context, (MlirStringRef){text.data, text.length});
  shaped_text_free(&text);
  return checks;
}

MlirLogicalResult shapedMaterializeGuards(ShapedAnalysis *a, uint32_t *asserted) {
  uint32_t count = 0;
  if (asserted) *asserted = 0;
  if (a->error.status != SHAPE_OK) return mlirLogicalResultFailure();
  if (shape_analysis_error_count(a->analysis))
    return failed(a, SHAPE_INVALID, "the program has errors");
  MlirOperation entry = entry_of(a);
  if (mlirOperationIsNull(entry)) return failed(a, SHAPE_INVALID, "the module has no entry");
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0));
  if (mlirBlockIsNull(body)) return mlirLogicalResultSuccess();  // a declaration
  MlirModule checks = read_checks(a, mlirModuleGetContext(a->module));
  if (mlirModuleIsNull(checks))
    return failed(a, SHAPE_UNSUPPORTED, "the checks need types that the context cannot read");
  MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(checks));
  MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockGetNumArguments(from) == mlirBlockGetNumArguments(body))
    count = move_checks(from, body);
  mlirModuleDestroy(checks);
  if (asserted) *asserted = count;
  return mlirLogicalResultSuccess();
}

// --- dims as attributes

static bool is_shaped(MlirType type) { return mlirTypeIsAShaped(type); }

// ["N", "2*N"] of a value.
static MlirAttribute dims_of(ShapedAnalysis *a, MlirContext context, shape_value value) {
  enum { RANK_MAX = 64 };
  MlirAttribute dims[RANK_MAX];
  uint32_t rank = 0;
  shape_context *facts = shape_analysis_context(a->analysis);
  if (!shape_analysis_rank(a->analysis, value, &rank) || rank > RANK_MAX) rank = 0;
  for (uint32_t k = 0; k < rank; k++) {
    char room[256] = "?";
    shape_expr dim = shape_analysis_dim(a->analysis, value, k);
    size_t length = dim == SHAPE_NO_EXPR ? 1 : shape_context_text(facts, dim, room, sizeof room);
    char *whole = length < sizeof room ? NULL : malloc(length + 1);
    if (whole) shape_context_text(facts, dim, whole, length + 1);
    dims[k] = mlirStringAttrGet(context, shaped_string(whole ? whole : room));
    free(whole);
  }
  return mlirArrayAttrGet(context, rank, dims);
}

// `values` of them in a row, from the first.
static MlirAttribute dims_of_all(ShapedAnalysis *a, MlirContext context, shape_value first,
                                 uint32_t count) {
  MlirAttribute *lists = malloc((count + 1) * sizeof *lists);
  if (!lists) return mlirAttributeGetNull();
  for (uint32_t k = 0; k < count; k++) lists[k] = dims_of(a, context, first + k);
  MlirAttribute all = mlirArrayAttrGet(context, count, lists);
  free(lists);
  return all;
}

static bool any_shaped(const ShapedAnalysis *a, shape_value first, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    if (is_shaped(mlirValueGetType(a->mlir_values[first + k]))) return true;
  }
  return false;
}

static bool attach(ShapedAnalysis *a, MlirOperation op, const char *name, shape_value first,
                   uint32_t count) {
  if (!count || !any_shaped(a, first, count)) return true;
  MlirAttribute dims = dims_of_all(a, mlirModuleGetContext(a->module), first, count);
  if (mlirAttributeIsNull(dims)) return false;
  mlirOperationSetDiscardableAttributeByName(op, shaped_string(name), dims);
  return true;
}

MlirLogicalResult shapedAttachDims(ShapedAnalysis *a) {
  shape_function_info function;
  shape_op_info op;
  bool done = a->error.status == SHAPE_OK;
  for (uint32_t i = 0; done && i < a->function_count; i++) {
    if (shape_analysis_function(a->analysis, i, &function))
      done = attach(a, a->mlir_functions[i], "shaped.argument_dims", function.first_argument,
                    function.argument_count);
  }
  for (uint32_t i = 0; done && i < a->op_count; i++) {
    if (shape_analysis_op(a->analysis, i, &op))
      done = attach(a, a->mlir_ops[i], "shaped.result_dims", op.first_result, op.result_count);
  }
  return done ? mlirLogicalResultSuccess() : failed(a, SHAPE_MEMORY, "out of memory");
}
