// SPDX-License-Identifier: Apache-2.0
// Operands that are absent: what may have some, and that what a reader of MLIR text fills has no others.
#include "solver/ops/absent.h"

#include <criterion/criterion.h>

#include "solver/formats/json/encode.h"
#include "tests/unit/formats/json/rows.h"
#include "tests/unit/formats/mlir/reading.h"

// An operation whose syntax is not understood, at the level of the module: its region uses names that nothing defines.
#define PASSED_OVER                                                                                \
  "func.func @main(%a: tensor<?x4xf32>) scf.forall<?x4xf32> {\n"                                   \
  "  %x = stablehlo.add %a, %a : tensor<?x4xf32>\n  return %x : tensor<?x4xf32>\n}\n"

Test(ops_absent, what_is_passed_over_can_be_written_and_read) {
  reading r;
  reading_of(&r, PASSED_OVER);
  cr_assert_str_empty(reading_errors(&r));
  cr_expect_null(absent_operands_check(&r.graph), "%s", absent_operands_check(&r.graph));
  shape_strbuf out;
  strbuf_init(&out, &r.arena);
  graph_json_encode(&r.graph, &out);
  json_graph again;
  json_graph_read(&again, strbuf_text(&out));
  cr_expect_eq(again.graph.diags.errors, 0, "%s", strbuf_text(&out));
  cr_expect_null(absent_operands_check(&again.graph));
  cr_expect(again.graph.ops[0].unread);
  cr_expect_null(graph_verify(&again.graph));
  arena_destroy(&again.arena);
  reading_destroy(&r);
}

Test(ops_absent, a_function_in_an_unknown_operation_sees_no_other_names) {
  expect_mlir_error("some.thing a b {\n  func.func @f(%a: tensor<4xf32>) {\n"
                    "    %x = stablehlo.abs %b : tensor<4xf32>\n    return\n  }\n}\n",
                    3, 24, "use of undeclared value '%b'");
}

Test(ops_absent, the_check_finds_a_null) {
  reading r;
  reading_of(&r, "func.func @main(%a: tensor<4xf32>) {\n  %x = stablehlo.abs %a : tensor<4xf32>\n"
                 "  return\n}\n");
  cr_assert_null(absent_operands_check(&r.graph));
  r.graph.operands[0] = VALUE_NONE;
  cr_expect_str_eq(absent_operands_check(&r.graph),
                   "operand #0 of stablehlo.abs (operation 0) is absent");
  r.graph.ops[0].unread = true;
  cr_expect_null(absent_operands_check(&r.graph));
  reading_destroy(&r);
}
