// SPDX-License-Identifier: Apache-2.0
// Operations, blocks and regions in generic form.
#include <stdio.h>

#include "tests/unit/formats/mlir/written.h"

Test(mlir_write_op, is_written_and_read_again) {
  static const written_row ROWS[] = {
      {FN("%r = stablehlo.add %a, %a : tensor<?x4xf32>"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r = \"stablehlo.add\"(%a, %a) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("\"x.y\"() ({\n^b0(%z: i32):\n  \"x.z\"(%z)[^b1] : (i32) -> ()\n^b1:\n  \"x.w\"() : () "
          "-> ()\n}, {\n}) {k = 1 : i64} : () -> ()"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  \"x.y\"() ({\n"
       "  ^bb0(%z: i32):\n"
       "    \"x.z\"(%z)[^bb1] : (i32) -> ()\n"
       "  ^bb1:\n"
       "    \"x.w\"() : () -> ()\n"
       "  }, {}) {k = 1 : i64} : () -> ()\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
      {FN("%r:2 = \"x.y\"(%a, %i) : (tensor<?x4xf32>, index) -> (i32, f32)\n  \"x.z\"(%r#1) : "
          "(f32) -> ()"),
       "\"func.func\"() ({\n"
       "^bb0(%a: tensor<?x4xf32>, %i: index, %c: i1):\n"
       "  %r:2 = \"x.y\"(%a, %i) : (tensor<?x4xf32>, index) -> (i32, f32)\n"
       "  \"x.z\"(%r#1) : (f32) -> ()\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"f\", function_type = (tensor<?x4xf32>, index, i1) -> ()} : () -> ()\n"},
  };
  EXPECT_WRITTEN(ROWS);
}

// What is written in the generic form has the parts that the operation's own syntax says in other words.
static void expect_generic(const char *body, const char *part) {
  taken out = {{0}, 0};
  char text[900];
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  options.generic = true;
  snprintf(text, sizeof text,
           "func.func @f(%%a: tensor<?x4xf32>, %%i: index, %%m: memref<?x4xf32>) {\n  %s\n  "
           "return\n}\n",
           body);
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, text, strlen(text), NULL), SHAPE_OK, "%s", body);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_assert_eq(shape_analysis_emit_with(a, "mlir", &options, take, &out), SHAPE_OK);
  cr_expect(part ? strstr(out.data, part) != NULL
                 : strstr(out.data, "its syntax is not known") != NULL,
            "%s: %s", body, out.data);
  if (part) expect_reads(out.data);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(mlir_write_op, operations_with_syntax_of_their_own) {
  expect_generic(
      "scf.for %k = %i to %i step %i {\n  }",
      "\"scf.for\"(%i, %i, %i) ({\n  ^bb0(%k: index):\n    \"scf.yield\"() : () -> ()\n  "
      "}) : (index, index, index) -> ()");
  expect_generic("scf.forall (%k) in (%i) {\n  }",
                 "\"scf.forall.in_parallel\"() ({\n    ^bb0:\n    }) : () -> ()");
  expect_generic("scf.forall (%k) in (%i) {\n  }", "operandSegmentSizes = array<i32: 0, 1, 0, 0>");
  expect_generic("affine.for %k = 2 to %i step 3 {\n  }", "lowerBoundMap = affine_map<() -> (2)>");
  expect_generic("affine.for %k = 2 to %i step 3 {\n  }", "step = 3 : index");
  expect_generic("%k = index.constant 3", "{value = 3 : index}");
  expect_generic("%k = index.cmp slt(%i, %i)", "pred = #index<cmp_predicate slt>");
  expect_generic("%k = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>",
                 "reassociation = [[0, 1]]");
  expect_generic("%k = tensor.extract_slice %a[0, %i] [%i, 1] [1, 1] : tensor<?x4xf32> to "
                 "tensor<?x1xf32>",
                 "static_offsets = array<i64: 0, -9223372036854775808>");
  expect_generic("%k:2 = affine.delinearize_index %i into (2, %i) : index, index",
                 "static_basis = array<i64: 2, -9223372036854775808>");
  expect_generic("%k = memref.transpose %m (x, y) -> (y, x) : memref<?x4xf32> to "
                 "memref<4x?xf32, strided<[1, 4]>>",
                 "permutation = affine_map<(x, y) -> (y, x)>");
  expect_generic(
      "%e = tensor.empty(%i) : tensor<?x4xf32>\n  %k = linalg.generic {indexing_maps = "
      "[affine_map<(x, y) -> (x, y)>], iterator_types = [\"parallel\", \"parallel\"]} "
      "outs(%e : tensor<?x4xf32>) {\n  ^bb0(%q: f32):\n    linalg.yield %q : f32\n  } -> "
      "tensor<?x4xf32>",
      "iterator_types = [#linalg.iterator_type<parallel>, "
      "#linalg.iterator_type<parallel>]");
}

// The generic form has subscripts as a map, and payloads of named operations as regions.
Test(mlir_write_op, operations_whose_syntax_says_less) {
  expect_generic("%k = affine.load %m[%i, %i + 1] : memref<?x4xf32>", NULL);
  expect_generic("%k = linalg.fill ins(%i : index) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>",
                 NULL);
}
