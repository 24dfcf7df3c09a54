// SPDX-License-Identifier: Apache-2.0
// shape-mlir-opt: reads what mlir-opt reads, runs the pass, prints.
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/RegisterEverything.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/mlir/analysis.h"

static const char USAGE[] =
    "usage: shape-mlir-opt [OPTION]... [FILE]\n"
    "\n"
    "Reads MLIR (text or bytecode, every dialect of LLVM's MLIR), runs the shape\n"
    "analysis on it in memory, and prints the module. FILE: default standard input.\n"
    "\n"
    "options:\n"
    "      --refine        static dims into types, casts where a verifier needs them\n"
    "      --dims          dims as attributes: shaped.result_dims\n"
    "      --guards        what the arguments must fulfil, as cf.assert\n"
    "      --entry NAME    the function to analyse (default: main, or the only one)\n"
    "      --assume PRED   assume a predicate, such as 'arg0.1 % 8 == 0'; up to 8\n"
    "      --allow-unregistered-dialect\n"
    "      --print-shapes  instead of the module: each tensor with its dims\n"
    "      --emit FORM     instead of the module: the answer in a form of shape.h,\n"
    "                      such as json, text, guards-c, guards-python, smt2\n"
    "  -h, --help          print this help and exit\n"
    "\n"
    "exit status: 0 fine, 1 errors in the program, 2 wrong usage, 3 FILE cannot be read\n"
    "\n"
    "examples:\n"
    "  shape-mlir-opt --refine --guards program.mlir\n"
    "  mlir-opt-22 --canonicalize program.mlir | shape-mlir-opt --print-shapes\n";

typedef struct options {
  ShapedPassOptions pass;
  uint32_t assumed;
  bool unregistered, shapes;
  const char *emit;  // NULL: the module is printed
  const char *file;
} options;

static int wrong(const char *what, const char *argument) {
  fprintf(stderr, "shape-mlir-opt: %s '%s'\nhint: shape-mlir-opt --help lists what there is\n",
          what, argument);
  return 2;
}

// -1: go on.
static int read_options(int argc, char **argv, options *o) {
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    bool value = !strcmp(a, "--entry") || !strcmp(a, "--assume") || !strcmp(a, "--emit");
    if (!strcmp(a, "-h") || !strcmp(a, "--help")) return fputs(USAGE, stdout), 0;
    if (value && i + 1 == argc) return wrong("no value for", a);
    if (!strcmp(a, "--refine")) {
      o->pass.refine = true;
    } else if (!strcmp(a, "--dims")) {
      o->pass.dims = true;
    } else if (!strcmp(a, "--guards")) {
      o->pass.guards = true;
    } else if (!strcmp(a, "--allow-unregistered-dialect")) {
      o->unregistered = true;
    } else if (!strcmp(a, "--print-shapes")) {
      o->shapes = true;
    } else if (!strcmp(a, "--emit")) {
      o->emit = argv[++i];
    } else if (!strcmp(a, "--entry")) {
      o->pass.entry = argv[++i];
    } else if (!strcmp(a, "--assume")) {
      if (o->assumed == sizeof o->pass.assume / sizeof *o->pass.assume)
        return wrong("too many assumptions, at", argv[i + 1]);
      o->pass.assume[o->assumed++] = argv[++i];
    } else if (a[0] == '-' && a[1]) {
      return wrong("unknown option", a);
    } else if (o->file) {
      return wrong("a second file", a);
    } else {
      o->file = a;
    }
  }
  return -1;
}

static bool read_file(const char *name, shaped_text *text) {
  char room[1 << 16];
  size_t count;
  FILE *in = !name || !strcmp(name, "-") ? stdin : fopen(name, "rb");
  if (!in) return false;
  while ((count = fread(room, 1, sizeof room, in)) > 0) shaped_text_write(text, room, count);
  bool good = !ferror(in) && !text->failed;
  if (in != stdin) fclose(in);
  return good;
}

static void print(MlirStringRef piece, void *to) { fwrite(piece.data, 1, piece.length, to); }

// --- answers

static void write_out(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }

// %2 : tensor<?x4xf32>  [N, 4]
static void print_value(const ShapedAnalysis *a, MlirAsmState names, shape_value v) {
  MlirValue value = shapedGetMlirValue(a, v);
  const char *shape = shape_analysis_shape(shapedGetAnalysis(a), v);
  if (!shape || !mlirTypeIsAShaped(mlirValueGetType(value))) return;
  mlirValuePrintAsOperand(value, names, print, stdout);
  printf(" : ");
  mlirTypePrint(mlirValueGetType(value), print, stdout);
  printf("  %s\n", shape);
}

static void print_shapes(const ShapedAnalysis *a, MlirOperation module) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  MlirAsmState names = mlirAsmStateCreateForOperation(module, flags);
  for (shape_value v = 0; !mlirValueIsNull(shapedGetMlirValue(a, v)); v++) print_value(a, names, v);
  mlirAsmStateDestroy(names);
  mlirOpPrintingFlagsDestroy(flags);
}

static int answer(MlirModule module, const options *o) {
  shape_options analysis = SHAPE_STRUCT(shape_options);
  shape_status status = SHAPE_OK;
  analysis.entry = o->pass.entry;
  analysis.assumptions = o->pass.assume;
  analysis.assumption_count = o->assumed;
  ShapedAnalysis *a = shapedAnalyze(module, &analysis);
  if (!a) return 1;
  bool errors = shapedReport(a) > 0;
  if (o->shapes) print_shapes(a, mlirModuleGetOperation(module));
  if (o->emit && shapedGetAnalysis(a))
    status = shape_analysis_emit(shapedGetAnalysis(a), o->emit, write_out, stdout);
  if (status != SHAPE_OK)
    fprintf(stderr, "shape-mlir-opt: %s\n", shape_analysis_error(shapedGetAnalysis(a))->message);
  shapedAnalysisDestroy(a);
  return errors || status != SHAPE_OK ? 1 : 0;
}

// --- the pass

static int run_pass(MlirContext context, MlirModule module, const options *o) {
  MlirTypeIDAllocator ids = mlirTypeIDAllocatorCreate();
  MlirPassManager passes = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(passes,
                              shapedCreatePass(mlirTypeIDAllocatorAllocateTypeID(ids), &o->pass));
  MlirLogicalResult result = mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module));
  if (mlirLogicalResultIsSuccess(result)) {
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
    fputc('\n', stdout);
  }
  mlirPassManagerDestroy(passes);
  mlirTypeIDAllocatorDestroy(ids);
  return mlirLogicalResultIsSuccess(result) ? 0 : 1;
}

// A file that is one function is read without a module around it.
static MlirModule module_of(MlirContext context, MlirOperation op) {
  if (mlirOperationIsNull(op)) return (MlirModule){NULL};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirStringRefEqual(name, shaped_string("builtin.module"))) return mlirModuleFromOperation(op);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), op);
  return module;
}

int main(int argc, char **argv) {
  options o = {0};
  shaped_text text = {0};
  int status = read_options(argc, argv, &o);
  if (status >= 0) return status;
  if (!read_file(o.file, &text)) {
    fprintf(stderr, "shape-mlir-opt: %s: cannot be read\n", o.file ? o.file : "standard input");
    return 3;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextSetAllowUnregisteredDialects(context, o.unregistered);
  MlirStringRef source = {text.data ? text.data : "", text.length};
  MlirOperation op =
      mlirOperationCreateParse(context, source, shaped_string(o.file ? o.file : "<stdin>"));
  MlirModule module = module_of(context, op);
  status = 1;
  if (!mlirModuleIsNull(module)) {
    status = o.shapes || o.emit ? answer(module, &o) : run_pass(context, module, &o);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  shaped_text_free(&text);
  return status;
}
