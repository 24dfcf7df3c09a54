// SPDX-License-Identifier: Apache-2.0
// What a caller assumes is not written into a program; what holds without it is.
#include "solver/emit/plain.h"

#include <criterion/criterion.h>

#include "tests/unit/collected.h"
#include "tests/unit/transform/refine.h"

#define T "tensor<?xf32>"

static char *refined_under(const char *program, const char *binding, const char *bound,
                           const char *assumption) {
  collected out = {calloc(1, 1), 0};
  analysis_reply reply;
  program_options options = {.cleanup = true};
  analysis_request request = {.name = "x",
                              .text = program,
                              .length = strlen(program),
                              .bindings = &binding,
                              .binding_count = binding ? 1 : 0,
                              .bounds = &bound,
                              .bound_count = bound ? 1 : 0,
                              .assumptions = &assumption,
                              .assumption_count = assumption ? 1 : 0};
  emit_analyze(&request, emit_as_mlir(&options), collect, &out, &reply);
  return out.text;
}

static const char SELECTED[] =
    "func.func @main(%x: " T ", %y: " T ") -> (tensor<1xi32>, " T ", " T ") {\n"
    "  %n = stablehlo.get_dimension_size %x, dim = 0 : (" T ") -> tensor<i32>\n"
    "  %m = stablehlo.get_dimension_size %y, dim = 0 : (" T ") -> tensor<i32>\n"
    "  %c = stablehlo.constant dense<4> : tensor<i32>\n"
    "  %p = stablehlo.compare LT, %m, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "  %s = stablehlo.select %p, %n, %c : tensor<i1>, tensor<i32>\n"
    "  %v = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>\n"
    "  return %v, %x, %y : tensor<1xi32>, " T ", " T "\n}\n";

static void expect(const char *assumption, const char *bound, bool constant) {
  char *text = refined_under(SELECTED, "arg0.0=3", bound, assumption);
  cr_expect_eq(strstr(text, "dense<[3]> : tensor<1xi32>") != NULL, constant, "%s", text);
  cr_expect_neq(strstr(text, "tensor<3xf32>"), NULL, "%s", text);
  free(text);
}

Test(plain, what_is_assumed_is_not_written) {
  expect("arg1.0 < 4", NULL, false);
  expect("arg1.0 < 9", NULL, false);
  expect(NULL, "arg1.0=3", true);  // the type of the argument says so then
}

Test(plain, what_holds_without_it_is) {
  const char *program = "func.func @main(%x: " T ", %y: " T ") -> (tensor<1xi32>, " T ") {\n"
                        "  %n = stablehlo.get_dimension_size %x, dim = 0 : (" T ") -> tensor<i32>\n"
                        "  %v = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
                        "  return %v, %y : tensor<1xi32>, " T "\n}\n";
  char *text = refined_under(program, "arg0.0=3", NULL, "arg1.0 >= 2");
  cr_expect_neq(strstr(text, "dense<[3]> : tensor<1xi32>"), NULL, "%s", text);
  free(text);
}

Test(plain, other_requests_need_no_second_analysis) {
  analysis_request request = {0};
  cr_expect_not(plain_is_other(&request));
  request.bound_count = 1;
  cr_expect(plain_is_other(&request));
  request = (analysis_request){.mode = {.suggested = true}};
  cr_expect(plain_is_other(&request));
}
