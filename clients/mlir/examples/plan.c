// SPDX-License-Identifier: Apache-2.0
// A planning pass of a compiler, complete: reads a dynamic program, and decides what no type says.
//
//   fusion     elementwise operations of linalg that use one another and have the same number of elements share a number:
//              `plan.cluster`
//   stack      a memref.alloc whose bytes have a small upper bound becomes memref.alloca
//   vectors    an operation whose innermost dim is a multiple of 16, 8 or 4 gets that as `plan.vector_width`
//
// Usage: shape-mlir-plan FILE. Every decision is a query of shape.h on handles of MLIR.
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/RegisterEverything.h>
#include <shape_mlir.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 4096 };

typedef struct plan {
  ShapedAnalysis *shapes;
  shape_analysis *facts;
  MlirContext context;
  uint32_t clusters;
} plan;

static MlirStringRef string(const char *text) { return mlirStringRefCreateFromCString(text); }

static bool is_named(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), string(name));
}

static bool is_linalg(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length > 7 && !memcmp(name.data, "linalg.", 7);
}

static void mark(plan *p, MlirOperation op, const char *name, int64_t number) {
  MlirAttribute value = mlirIntegerAttrGet(mlirIntegerTypeGet(p->context, 64), number);
  mlirOperationSetDiscardableAttributeByName(op, string(name), value);
}

// --- fusion

static bool number_of_cluster(MlirOperation op, int64_t *number) {
  MlirAttribute mark = mlirOperationGetAttributeByName(op, string("plan.cluster"));
  if (mlirAttributeIsNull(mark)) return false;
  *number = mlirIntegerAttrGetValueInt(mark);
  return true;
}

static bool same_elements(const plan *p, MlirValue a, MlirValue b) {
  shape_value x = shapedGetValue(p->shapes, a), y = shapedGetValue(p->shapes, b);
  return x != SHAPE_NO_ID && y != SHAPE_NO_ID &&
         shape_analysis_same_element_count(p->facts, x, y) == SHAPE_YES;
}

// The operation of a cluster that a value comes from, also where it only has another shape by now. Null: there is none.
static MlirOperation clustered(const plan *p, MlirValue value, int64_t *number) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (number_of_cluster(op, number)) return op;
    if (mlirOperationGetNumOperands(op) != 1) break;
    MlirValue from = mlirOperationGetOperand(op, 0);
    if (!same_elements(p, from, value)) break;
    value = from;
  }
  return (MlirOperation){NULL};
}

static void cluster(plan *p, MlirOperation op) {
  int64_t number;
  if (!is_linalg(op) || mlirOperationGetNumResults(op) != 1) return;
  MlirValue result = mlirOperationGetResult(op, 0);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    MlirValue operand = mlirOperationGetOperand(op, k);
    if (mlirOperationIsNull(clustered(p, operand, &number)) || !same_elements(p, operand, result))
      continue;
    mark(p, op, "plan.cluster", number);
    return;
  }
  mark(p, op, "plan.cluster", p->clusters++);
}

// --- stack

// An upper bound of the bytes of a memref. False: none is known.
static bool bytes_of(const plan *p, shape_value value, MlirType type, int64_t *bytes) {
  shape_bounds bounds;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool plain = mlirTypeIsAInteger(element) || mlirTypeIsAFloat(element);
  if (!plain || value == SHAPE_NO_ID) return false;
  uint32_t bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                                              : mlirFloatTypeGetWidth(element);
  shape_expr count = shape_analysis_element_count(p->facts, value);
  if (count == SHAPE_NO_EXPR) return false;
  shape_status status = shape_context_bounds(shape_analysis_context(p->facts), count, &bounds);
  if (status != SHAPE_OK || !bounds.has_max || bounds.max > STACK_BYTES) return false;
  *bytes = bounds.max * ((bits + 7) / 8);
  return true;
}

static void drop_deallocs(MlirValue buffer) {
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use); use = next) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    next = mlirOpOperandGetNextUse(use);
    if (is_named(user, "memref.dealloc")) mlirOperationDestroy(user);
  }
}

// A memref.alloca in place of a memref.alloc that is small.
static void promote(plan *p, MlirOperation op) {
  int64_t bytes;
  if (!is_named(op, "memref.alloc")) return;
  MlirValue old = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(old);
  if (!bytes_of(p, shapedGetValue(p->shapes, old), type, &bytes) || bytes > STACK_BYTES) return;
  MlirOperationState state =
      mlirOperationStateGet(string("memref.alloca"), mlirOperationGetLocation(op));
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    MlirValue operand = mlirOperationGetOperand(op, k);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddResults(&state, 1, &type);
  for (intptr_t k = 0; k < mlirOperationGetNumAttributes(op); k++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, k);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, made);
  drop_deallocs(old);
  mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(made, 0));
  mark(p, made, "plan.bytes", bytes);
  mlirOperationDestroy(op);
}

// --- vectors

static void vectorise(plan *p, MlirOperation op) {
  if (!is_linalg(op) || mlirOperationGetNumResults(op) != 1) return;
  uint32_t rank = 0;
  shape_value value = shapedGetValue(p->shapes, mlirOperationGetResult(op, 0));
  shape_context *context = shape_analysis_context(p->facts);
  if (value == SHAPE_NO_ID || !shape_analysis_rank(p->facts, value, &rank) || !rank) return;
  shape_expr inner = shape_analysis_dim(p->facts, value, rank - 1);
  for (int64_t width = 16; inner != SHAPE_NO_EXPR && width >= 4; width /= 2) {
    shape_expr by = shape_context_integer(context, width);
    if (shape_context_prove(context, SHAPE_DIVISIBLE, inner, by) != SHAPE_YES) continue;
    mark(p, op, "plan.vector_width", width);
    return;
  }
}

// --- the pass

static void run(plan *p) {
  uint32_t count = shape_analysis_op_count(p->facts);
  for (shape_op i = 0; i < count; i++) cluster(p, shapedGetMlirOperation(p->shapes, i));
  for (shape_op i = 0; i < count; i++) vectorise(p, shapedGetMlirOperation(p->shapes, i));
  // Handles are of operations as they were: this comes last, and from the end, as it removes operations that come later.
  for (shape_op i = count; i-- > 0;) promote(p, shapedGetMlirOperation(p->shapes, i));
}

static char *read_file(const char *name) {
  FILE *in = fopen(name, "rb");
  char *text = in ? calloc(1, 1 << 20) : NULL;
  if (text && fread(text, 1, (1 << 20) - 1, in) == 0) text[0] = 0;
  if (in) fclose(in);
  return text;
}

static void print(MlirStringRef piece, void *to) { fwrite(piece.data, 1, piece.length, to); }

int main(int argc, char **argv) {
  char *text = argc == 2 ? read_file(argv[1]) : NULL;
  if (!text) return fputs("usage: shape-mlir-plan FILE\n", stderr), 2;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  MlirModule module = mlirModuleCreateParse(context, string(text));
  int status = 1;
  if (!mlirModuleIsNull(module)) {
    plan p = {.shapes = shapedAnalyze(module, NULL), .context = context};
    if (p.shapes && !shapedReport(p.shapes)) {
      p.facts = shapedGetAnalysis(p.shapes);
      run(&p);
      mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
      fputc('\n', stdout);
      status = 0;
    }
    shapedAnalysisDestroy(p.shapes);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  free(text);
  return status;
}
