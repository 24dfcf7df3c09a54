// SPDX-License-Identifier: Apache-2.0
// What is passed over, and where reading goes on.
#include "solver/ops/absent.h"
#include "tests/unit/formats/mlir/reading.h"
#include "tests/unit/formats/mlir/rows.h"

Test(mlir_skip, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      {FN("foo.bar [ (a } ]"), 2, 16, "no bracket is open that '}' closes"},
      {FN("foo.bar { [ ( \"unclosed"), 2, 17, "expected '\"' to end the string"},
      {FN("stablehlo.add ] , %a\n  %z = \"x.y\"(%nope) : (i32) -> ()"), 2, 17,
       "expected the end of the operation, found ']'"},
  };
  EXPECT_ROWS(ROWS);
}

// Of an operation with a region that is none of its syntax it is not known which operand is which; names that it does not
// define are absent in there.
static void expect_unknown(const char *text, const char *name) {
  reading r;
  reading_init(&r, text, strlen(text), 0);
  cr_assert_eq(r.graph.diags.count, 0u);
  cr_expect_null(absent_operands_check(&r.graph), "%s", name);
  op_id op = 0;
  while (strcmp(graph_op_name(&r.graph, op), name) != 0) op++;
  cr_expect(op_is_unknown(&r.graph, op), "%s", name);
  reading_destroy(&r);
}

Test(mlir_skip, a_region_in_what_is_passed_over_makes_the_operation_an_unknown_one) {
#define REGION " {\n  %1 = \"stablehlo.abs\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n}"
  expect_unknown(FN("%0 = arith.addi %i, %i ?" REGION " : index"), "arith.addi");
  expect_unknown(FN("scf.reduce(%i) ?" REGION), "scf.reduce");
  expect_unknown(FN("%0 = onnx.Abs %a" REGION " : index"), "onnx.Abs");
}
