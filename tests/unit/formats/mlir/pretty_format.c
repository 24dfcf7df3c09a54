// SPDX-License-Identifier: Apache-2.0
// Custom syntax that a format says gives the graph of the generic form, as mlir-opt prints it.
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/formats/mlir/reading.h"

#define HEAD "func.func @f(%m: memref<?x8xf32>, %t: tensor<?x8xf32>, %n: index, %x: f32) {\n"
#define TAIL "  return\n}\n"
#define M    "memref<?x8xf32>"
#define DYN  "-9223372036854775808"

static void same(const char *pretty, const char *generic) {
  char a[1024], b[1024];
  snprintf(a, sizeof a, "%s%s\n%s", HEAD, pretty, TAIL);
  snprintf(b, sizeof b, "%s%s\n%s", HEAD, generic, TAIL);
  expect_same(a, b);
}

Test(pretty_format, memref) {
  same("%d = memref.dim %m, %n : " M, "%d = \"memref.dim\"(%m, %n) : (" M ", index) -> index");
  same("%a = memref.alloc(%n) : " M,
       "%a = \"memref.alloc\"(%n) {operandSegmentSizes = array<i32: 1, 0>} : (index) -> " M);
  same("memref.copy %m, %m : " M " to " M, "\"memref.copy\"(%m, %m) : (" M ", " M ") -> ()");
  same("%l = memref.load %m[%n, %n] : " M,
       "%l = \"memref.load\"(%m, %n, %n) : (" M ", index, index) -> f32");
  same("%s = memref.subview %m[%n, 0] [%n, 4] [1, 1] : " M " to memref<?x4xf32, strided<[8, 1], "
       "offset: ?>>",
       "%s = \"memref.subview\"(%m, %n, %n) {static_offsets = array<i64: " DYN
       ", 0>, static_sizes = array<i64: " DYN ", 4>, static_strides = array<i64: 1, 1>, "
       "operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (" M ", index, index) -> "
       "memref<?x4xf32, strided<[8, 1], offset: ?>>");
  same("%s:6 = memref.extract_strided_metadata %m : " M " -> memref<f32>, index, index, index, "
       "index, index",
       "%s:6 = \"memref.extract_strided_metadata\"(%m) : (" M ") -> (memref<f32>, index, index, "
       "index, index, index)");
}

Test(pretty_format, tensor_and_affine) {
  same("%r = tensor.insert %x into %t[%n, %n] : tensor<?x8xf32>",
       "%r = \"tensor.insert\"(%x, %t, %n, %n) : (f32, tensor<?x8xf32>, index, index) -> "
       "tensor<?x8xf32>");
  same("%p = tensor.pad %t low[%n, 0] high[0, 1] {\n^bb0(%i: index, %j: index):\n"
       "tensor.yield %x : f32\n} : tensor<?x8xf32> to tensor<?x9xf32>",
       "%p = \"tensor.pad\"(%t, %n) ({\n^bb0(%i: index, %j: index):\n\"tensor.yield\"(%x) : (f32) "
       "-> ()\n}) {static_low = array<i64: " DYN ", 0>, static_high = array<i64: 0, 1>, "
       "operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<?x8xf32>, index) -> "
       "tensor<?x9xf32>");
  same("%l = affine.linearize_index disjoint [%n, %n] by (%n, 4) : index",
       "%l = \"affine.linearize_index\"(%n, %n, %n) {disjoint, static_basis = array<i64: " DYN
       ", 4>, operandSegmentSizes = array<i32: 2, 1>} : (index, index, index) -> index");
  same("%q:2 = affine.delinearize_index %n into (%n, 4) : index, index",
       "%q:2 = \"affine.delinearize_index\"(%n, %n) {static_basis = array<i64: " DYN
       ", 4>} : (index, index) -> (index, index)");
  same("%z = index.add %n, %n", "%z = \"index.add\"(%n, %n) : (index, index) -> index");
  expect_reads(HEAD "%r = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n]\n" TAIL);
  expect_reads(HEAD "%r = affine.load %m[%n + 1, symbol(%n) floordiv 2] : " M "\n" TAIL);
}

// What is not the syntax of an operation is passed over: it is no error, and no rule applies.
Test(pretty_format, unread) {
  reading r;
  reading_of(&r, HEAD "%d = memref.dim %m at %n : " M "\n%e = unknown.op %d : index\n" TAIL);
  cr_assert_str_eq(reading_errors(&r), "");
  cr_assert(r.graph.ops[0].unread || r.graph.ops[1].unread);
  reading_destroy(&r);
  // A type without an arrow need not be that of the result.
  expect_reads(HEAD "%d = unknown.dim %m, %n : " M "\n%e = arith.addi %d, %d : index\n" TAIL);
  expect_mlir_error(HEAD "%d = memref.dim %q, %n : " M "\n" TAIL, 2, 17, "undeclared");
  expect_reads("util.func public @g(%a: i32) -> %a as i32, i32, i32 {\n  util.return %a, %a, %a : "
               "i32, i32, i32\n}\n");
}

// Functions in executables and modules of other dialects.
Test(pretty_format, nested) {
  reading r;
  reading_of(&r, "flow.executable private @e {\n  flow.executable.export public @d\n"
                 "  builtin.module {\n    func.func @inner(%a: i32) -> i32 {\n      return %a : "
                 "i32\n    }\n  }\n}\nfunc.func @outer() {\n  return\n}\n");
  cr_assert_str_eq(reading_errors(&r), "");
  uint32_t named = 0;
  for (uint32_t i = 0; i < r.graph.func_count; i++) named += r.graph.funcs[i].name != NAME_NONE;
  cr_assert_eq(named, 2);
  reading_destroy(&r);
}
