// SPDX-License-Identifier: Apache-2.0
// Types that verify, where a format changes types and nothing else.
#include "solver/transform/fit.h"

#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

static fit_result fitted(refined_program *p, graph_format format, bool specialised) {
  fit_request q = {.report = shape_run_report(p->a.program),
                   .uses = &p->a.uses,
                   .format = format,
                   .steps = 1000000,
                   .budget = shape_run_budget(p->a.program),
                   .specialised = specialised};
  return fit_types(&q);
}

#define SLICE                                                                                      \
  "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                        \
  "  %a = stablehlo.negate %x : tensor<?xf32>\n  return %a : tensor<?xf32>\n}\n"

Test(fit, a_program_without_regions_takes_what_was_found) {
  refined_program p;
  refined_open(&p, SLICE, NULL);
  fit_result out = fitted(&p, GRAPH_MLIR, false);
  cr_expect(out.types && !out.kept && !out.refused);
  cr_expect_eq(out.op, ID_NONE);
  refined_close(&p);
}

Test(fit, given_arguments_are_judged_and_leave_the_graph_as_it_was) {
  refined_program p;
  refined_open(&p, SLICE, "tensor<8xf32>");
  const shape_graph *g = p.types->graph;
  const uint32_t assumptions = g->declared.assumption_count;
  fit_result out = fitted(&p, GRAPH_JSON, true);
  cr_expect(!out.refused && out.kept);
  for (op_id op = 0; op < g->op_count; op++) cr_expect_eq(out.kept[op], 0);
  p.types = out.types;
  cr_expect_str_eq(refined_type_of(&p, "a"), "tensor<8xf32>");
  cr_expect_eq(g->declared.assumption_count, assumptions);
  refined_close(&p);
}

// The verifier refuses the branch that never runs with the dims that are given: it keeps its types.
Test(fit, an_operation_that_would_be_refused_keeps_its_types) {
  refined_program p;
  refined_open(&p,
               "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
               "  %p = stablehlo.constant dense<true> : tensor<i1>\n"
               "  %r = \"stablehlo.if\"(%p) ({\n"
               "    stablehlo.return %x : tensor<?xf32>\n  }, {\n"
               "    %b = stablehlo.add %x, %y : tensor<?xf32>\n"
               "    stablehlo.return %b : tensor<?xf32>\n"
               "  }) : (tensor<i1>) -> tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n",
               "tensor<2xf32>,tensor<3xf32>");
  fit_result out = fitted(&p, GRAPH_JSON, true);
  cr_assert(out.kept);
  const shape_graph *g = p.types->graph;
  const bool *values = fit_kept_values(g, out.kept);
  uint32_t kept = 0;
  for (op_id op = 0; op < g->op_count; op++) kept += out.kept[op] != 0;
  cr_expect(kept >= 1 && values, "%u are kept: %s", kept, out.refused ? out.refused : "");
  for (op_id op = 0; op < g->op_count; op++) {
    if (out.kept[op] && g->ops[op].result_count) cr_expect(values[g->ops[op].results]);
  }
  refined_close(&p);
}
