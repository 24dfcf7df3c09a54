// SPDX-License-Identifier: Apache-2.0
// Refines types in place: every value first, then each operation that does not verify with them gets its own back.
#include <assert.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>
#include <stdlib.h>

#include "clients/mlir/analysis.h"

enum { RANK_MAX = 64 };

typedef struct refiner {
  ShapedAnalysis *analysis;
  MlirContext context;
  MlirType *old;  // by shape_value; null: as it was
} refiner;

// The type with the static dims that are known. False: nothing to be refined.
static bool refined_type(const refiner *r, shape_value value, MlirType type, MlirType *out) {
  int64_t dims[RANK_MAX], number;
  bool changed = false;
  uint32_t known;
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) > RANK_MAX) return false;
  uint32_t rank = (uint32_t)mlirShapedTypeGetRank(type);
  if (!shape_analysis_rank(r->analysis->analysis, value, &known) || known != rank) return false;
  shape_context *context = shape_analysis_context(r->analysis->analysis);
  for (uint32_t k = 0; k < rank; k++) {
    bool dynamic = mlirShapedTypeIsDynamicDim(type, k);
    dims[k] = dynamic ? mlirShapedTypeGetDynamicSize() : mlirShapedTypeGetDimSize(type, k);
    shape_expr dim = dynamic ? shape_analysis_dim(r->analysis->analysis, value, k) : SHAPE_NO_EXPR;
    if (dim == SHAPE_NO_EXPR || !shape_context_number(context, dim, &number) || number < 0)
      continue;
    dims[k] = number;
    changed = true;
  }
  if (!changed) return false;
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  *out = mlirRankedTensorTypeGet(rank, dims, mlirShapedTypeGetElementType(type), encoding);
  return true;
}

// --- casts

static MlirValue make_cast(MlirValue from, MlirType to, MlirLocation at, MlirOperation *made) {
  MlirOperationState state = mlirOperationStateGet(shaped_string("tensor.cast"), at);
  mlirOperationStateAddOperands(&state, 1, &from);
  mlirOperationStateAddResults(&state, 1, &to);
  *made = mlirOperationCreate(&state);
  assert(!mlirOperationIsNull(*made));
  return mlirOperationGetResult(*made, 0);
}

static MlirType *old_of(const refiner *r, MlirValue value) {
  shape_value id = shapedGetValue(r->analysis, value);
  return id != SHAPE_NO_ID && !mlirTypeIsNull(r->old[id]) ? &r->old[id] : NULL;
}

// The operands as they were declared.
static void restore_operands(const refiner *r, MlirOperation op) {
  MlirOperation cast;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    MlirValue operand = mlirOperationGetOperand(op, k);
    const MlirType *old = old_of(r, operand);
    if (!old || mlirTypeEqual(*old, mlirValueGetType(operand))) continue;
    MlirValue as_was = make_cast(operand, *old, mlirOperationGetLocation(op), &cast);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, cast);
    mlirOperationSetOperand(op, k, as_was);
  }
}

// The value gets the type that it was declared with, and `cast`, which is not in a block yet, the refined one. False: it was
// not refined.
static bool cast_back(const refiner *r, MlirValue value, MlirLocation at, MlirOperation *cast) {
  const MlirType *old = old_of(r, value);
  if (!old) return false;
  MlirType refined = mlirValueGetType(value);
  mlirValueSetType(value, *old);
  MlirValue known = make_cast(value, refined, at, cast);
  mlirValueReplaceAllUsesExcept(value, known, 1, cast);
  return true;
}

static void restore_results(const refiner *r, MlirOperation op) {
  MlirOperation cast;
  for (intptr_t k = mlirOperationGetNumResults(op) - 1; k >= 0; k--) {
    MlirValue result = mlirOperationGetResult(op, k);
    if (cast_back(r, result, mlirOperationGetLocation(op), &cast))
      mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), op, cast);
  }
}

static void restore_arguments(const refiner *r, MlirOperation op, MlirBlock block) {
  MlirOperation cast;
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); k++) {
    MlirValue argument = mlirBlockGetArgument(block, k);
    if (cast_back(r, argument, mlirOperationGetLocation(op), &cast))
      mlirBlockInsertOwnedOperation(block, 0, cast);
  }
}

// What belongs to the type of an operation with regions: their arguments, and the operands that end their blocks.
static void restore_regions(const refiner *r, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation last = mlirBlockGetTerminator(block);
      restore_arguments(r, op, block);
      if (!mlirOperationIsNull(last)) restore_operands(r, last);
    }
  }
}

// --- all values, then each operation

static uint32_t refine_values(refiner *r) {
  uint32_t count = 0;
  for (shape_value v = 0; v < r->analysis->value_count; v++) {
    MlirValue value = r->analysis->mlir_values[v];
    MlirType type = mlirValueGetType(value), refined;
    if (!refined_type(r, v, type, &refined)) continue;
    r->old[v] = type;
    mlirValueSetType(value, refined);
    count++;
  }
  return count;
}

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

// Operations that name a symbol are verified with it, by the table that has both.
static bool names_symbol(MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumAttributes(op); k++) {
    if (mlirAttributeIsASymbolRef(mlirOperationGetAttribute(op, k).attribute)) return true;
  }
  return false;
}

// Operations of regions have higher numbers than the one that holds them, so they come first here.
static void restore_types(const refiner *r) {
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(r->context, ignore, NULL, NULL);
  for (uint32_t i = r->analysis->op_count; i-- > 0;) {
    MlirOperation op = r->analysis->mlir_ops[i];
    if (mlirOperationVerify(op) && !names_symbol(op)) continue;
    restore_operands(r, op);
    restore_results(r, op);
    restore_regions(r, op);
  }
  for (uint32_t i = 0; i < r->analysis->function_count; i++)
    restore_regions(r, r->analysis->mlir_functions[i]);
  mlirContextDetachDiagnosticHandler(r->context, handler);
}

MlirLogicalResult shapedRefineTypes(ShapedAnalysis *a, uint32_t *changed) {
  uint32_t count = 0;
  refiner r = {.analysis = a, .context = mlirModuleGetContext(a->module)};
  if (changed) *changed = 0;
  if (a->error.status != SHAPE_OK) return mlirLogicalResultFailure();
  if (mlirDialectIsNull(mlirContextGetOrLoadDialect(r.context, shaped_string("tensor")))) {
    shaped_fail(a, SHAPE_UNSUPPORTED, "the context does not know the dialect tensor");
    return mlirLogicalResultFailure();
  }
  r.old = calloc(a->value_count + 1u, sizeof *r.old);
  if (!r.old) {
    shaped_fail(a, SHAPE_MEMORY, shape_status_message(SHAPE_MEMORY));
    return mlirLogicalResultFailure();
  }
  count = refine_values(&r);
  if (count) restore_types(&r);
  free(r.old);
  if (changed) *changed = count;
  return mlirLogicalResultSuccess();
}
