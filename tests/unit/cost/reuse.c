// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/reuse.h"

#include "tests/unit/analysed.h"

static const char CHAIN[] = "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
                            "  %a = stablehlo.abs %x : tensor<?x4xf32>\n"
                            "  %b = stablehlo.abs %a : tensor<?x4xf32>\n"
                            "  %c = stablehlo.abs %b : tensor<?x4xf32>\n"
                            "  %d = stablehlo.add %c, %a : tensor<?x4xf32>\n"
                            "  return %d : tensor<?x4xf32>\n"
                            "}\n";

Test(reuse, values_share_what_is_free_by_then) {
  analysed a;
  analysed_open(&a, CHAIN);
  const cost_answer *answer = cost_make(a.report);
  const reuse_answer *r = reuse_make(answer, &answer->functions[0]);
  cr_assert_eq(r->count, 3u, "a, b and c are live at once; d takes b's");
  cr_expect_str_eq(analysed_text(&a, r->bytes), "48*S0");
  cr_expect_eq(r->buffers[0].count, 1u);
  cr_expect_eq(r->buffers[1].count, 2u);
  cr_expect_eq(r->unknown, 0u);
  analysed_close(&a);
}

Test(reuse, an_operand_that_dies_may_be_overwritten) {
  analysed a;
  overwrite *found;
  analysed_open(&a, CHAIN);
  const cost_answer *answer = cost_make(a.report);
  cr_assert_eq(reuse_overwrites(answer, &answer->functions[0], &found), 1u);
  cr_expect_str_eq(analysed_text(&a, found[0].bytes), "16*S0");
  analysed_close(&a);
}
