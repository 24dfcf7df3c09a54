// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/cost.h"

#include "tests/unit/analysed.h"

static const cost_function *cost_of(analysed *a, const char *text) {
  analysed_open(a, text);
  const cost_answer *answer = cost_make(a->report);
  cr_assert_geq(answer->function_count, 1u);
  return &answer->functions[0];
}

static void expect(analysed *a, term_id have, const char *want) {
  cr_expect_str_eq(analysed_text(a, have), want);
}

Test(cost, counts_a_chain) {
  analysed a;
  const cost_function *f = cost_of(&a, "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
                                       "  %a = stablehlo.add %x, %x : tensor<?x4xf32>\n"
                                       "  %b = stablehlo.tanh %a : tensor<?x4xf32>\n"
                                       "  return %b : tensor<?x4xf32>\n"
                                       "}\n");
  expect(&a, f->argument_bytes, "16*S0");
  expect(&a, f->result_bytes, "16*S0");
  expect(&a, f->constant_bytes, "0");
  expect(&a, cost_peak_term(a.report, &f->peak), "48*S0");
  expect(&a, f->work.flops, "4*S0");
  expect(&a, f->work.transcendentals, "4*S0");
  expect(&a, f->work.int_ops, "0");
  expect(&a, f->work.moved, "80*S0");
  cr_assert_eq(f->peak.count, 1u);
  cr_expect_str_eq(graph_op_name(a.report->graph, f->peak.items[0].op), "stablehlo.tanh");
  analysed_close(&a);
}

Test(cost, a_function_without_operations_has_its_arguments) {
  analysed a;
  const cost_function *f = cost_of(&a, "func.func @main(%x: tensor<?xi1>, %t: !stablehlo.token) -> "
                                       "(tensor<?xi1>, tensor<?xi1>) {\n"
                                       "  return %x, %x : tensor<?xi1>, tensor<?xi1>\n"
                                       "}\n");
  expect(&a, f->argument_bytes, "S0");
  expect(&a, f->result_bytes, "2*S0");
  expect(&a, cost_peak_term(a.report, &f->peak), "S0");
  cr_expect_eq(f->peak.items[0].op, ID_NONE);
  analysed_close(&a);
}

Test(cost, bytes_of_packed_and_quantised_types) {
  analysed a;
  const cost_function *f =
      cost_of(&a, "func.func @main(%x: tensor<?xi4>, %q: tensor<?x!quant.uniform<i8:f32, 0.5>>, "
                  "%c: tensor<?xcomplex<f32>>, %e: tensor<0xf32>) -> tensor<?xi4> {\n"
                  "  return %x : tensor<?xi4>\n"
                  "}\n");
  expect(&a, f->result_bytes, "ceildiv(S0, 2)");
  expect(&a, f->argument_bytes, "S1 + 8*S2 + ceildiv(S0, 2)");
  analysed_close(&a);
}

// What is live around a call, its result, and what is live inside.
Test(cost, a_call_counts_what_it_runs) {
  analysed a;
  const cost_function *f =
      cost_of(&a, "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                  "  %a = stablehlo.abs %x : tensor<?xf32>\n"
                  "  %b = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
                  "  %c = func.call @f(%b) : (tensor<?xf32>) -> tensor<?xf32>\n"
                  "  return %c : tensor<?xf32>\n"
                  "}\n"
                  "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                  "  %k = stablehlo.constant dense<1.0> : tensor<8xf32>\n"
                  "  %a = stablehlo.abs %x : tensor<?xf32>\n"
                  "  %b = stablehlo.abs %a : tensor<?xf32>\n"
                  "  return %b : tensor<?xf32>\n"
                  "}\n");
  expect(&a, f->constant_bytes, "32");
  expect(&a, f->work.flops, "5*S0");
  expect(&a, cost_peak_term(a.report, &f->peak), "20*S0 + 32");
  analysed_close(&a);
}

// Every branch counts at every point, whatever its condition says.
Test(cost, branches_are_taken_without_their_conditions) {
  analysed a;
  const cost_function *f = cost_of(
      &a, "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
          "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
          "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
          "  %p = stablehlo.compare EQ, %n, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "  %r = \"stablehlo.if\"(%p) ({\n"
          "    %a = stablehlo.abs %x : tensor<?xf32>\n"
          "    %b = stablehlo.abs %a : tensor<?xf32>\n"
          "    stablehlo.return %b : tensor<?xf32>\n"
          "  }, {\n"
          "    %c = stablehlo.abs %x : tensor<?xf32>\n"
          "    stablehlo.return %c : tensor<?xf32>\n"
          "  }) : (tensor<i1>) -> tensor<?xf32>\n"
          "  return %r : tensor<?xf32>\n"
          "}\n");
  expect(&a, f->work.flops, "2*S0");
  expect(&a, f->work.int_ops, "1");
  analysed_close(&a);
}

Test(cost, what_data_decides_is_not_known) {
  analysed a;
  const cost_function *f = cost_of(
      &a, "func.func @main(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {\n"
          "  %b = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
          "  %c = \"stablehlo.fft\"(%x) {fft_type = #stablehlo<fft_type RFFT>, fft_length = "
          "array<i64: 4>} : (tensor<?xf32>) -> tensor<?xcomplex<f32>>\n"
          "  return %b : tensor<?xf32>\n"
          "}\n");
  expect(&a, f->result_bytes, "?");
  cr_expect(f->peak.unknown);
  cr_expect_not_null(f->unknown);
  cr_assert_eq(f->uncounted_count, 1u);
  cr_expect_str_eq(intern_text(&a.report->graph->names, f->uncounted[0]), "stablehlo.fft");
  analysed_close(&a);
}

Test(cost, sums_of_many_parts) {
  analysed a;
  const cost_function *f = cost_of(&a, "func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {\n"
                                       "  return %x : tensor<?xi8>\n"
                                       "}\n");
  term_table *t = a.report->infer->terms;
  for (uint32_t count = 0; count < 20; count++) {
    size_sum sum = {0};
    term_id expected = TERM_ZERO;
    for (uint32_t i = 0; i < count; i++) {
      term_id part = term_scale(t, f->argument_bytes, NUM(i + 1));
      if (i % 3 == 2) part = term_int(t, i);
      size_sum_add(t, &sum, part);
      expected = term_add(t, expected, part);
    }
    cr_expect_eq(size_sum_total(t, &sum), expected);
    size_sum_add(t, &sum, TERM_NONE);
    cr_expect_eq(size_sum_total(t, &sum), TERM_NONE);
  }
  analysed_close(&a);
}
