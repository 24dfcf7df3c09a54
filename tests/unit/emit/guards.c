// SPDX-License-Identifier: Apache-2.0
// Guards of arguments that lie in a profile.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/emit/emitter.h"
#include "tests/unit/collected.h"

static const char SLICE[] = "func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {\n"
                            "  %0 = stablehlo.slice %x [0:4] : (tensor<?xf32>) -> tensor<4xf32>\n"
                            "  return %0 : tensor<4xf32>\n}\n";

// A requirement whose message has a name that is not ASCII.
static const char NAMED[] = "func.func @main(%x: tensor<?xf32> {shaped.dims = "
                            "[\"\xc3\xa9\xf0\x9f\x98\x80\"]}) -> tensor<4xf32> {\n"
                            "  %0 = stablehlo.slice %x [0:4] : (tensor<?xf32>) -> tensor<4xf32>\n"
                            "  return %0 : tensor<4xf32>\n}\n";

static shape_status guards(const char *profile, collected *out) {
  const guard_options options = {.profile = profile};
  analysis_reply reply;
  analysis_request request = {.name = "x", .text = SLICE, .length = strlen(SLICE)};
  *out = (collected){NULL, 0};
  emit_analyze(&request, emit_as_guards_python(&options), collect, out, &reply);
  return reply.status;
}

Test(guards, what_holds_at_all_points_of_the_profile_is_left_out) {
  collected c;
  cr_assert_eq(guards(NULL, &c), SHAPE_OK);
  cr_expect(strstr(c.text, "line 2: a slice ends"));
  free(c.text);
  cr_assert_eq(guards("arg0.0=4:8:16", &c), SHAPE_OK);
  cr_expect_null(strstr(c.text, "line 2: a slice ends"));
  cr_expect(strstr(c.text, "S0 <= 16"), "the ranges are checked");
  free(c.text);
  cr_assert_eq(guards("arg0.0=3:8:16", &c), SHAPE_OK);
  cr_expect(strstr(c.text, "line 2: a slice ends"));
  free(c.text);
}

Test(guards, a_profile_that_cannot_be_is_refused) {
  collected c;
  cr_expect_eq(guards("arg0.0=1:2:3", &c), SHAPE_INVALID);
  free(c.text);
  cr_expect_eq(guards("arg0.0=8:4:2", &c), SHAPE_INVALID);
  free(c.text);
  cr_expect_eq(guards("", &c), SHAPE_INVALID);
  free(c.text);
}

Test(guards, of_one_operation_in_front_of_it) {
  static const struct {
    uint32_t line, column;
    shape_status status;
  } ROWS[] = {{2, 3, SHAPE_OK},      {2, 20, SHAPE_OK},     {3, 3, SHAPE_INVALID},
              {1, 1, SHAPE_INVALID}, {2, 1, SHAPE_INVALID}, {9, 1, SHAPE_INVALID},
              {4, 1, SHAPE_INVALID}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const guard_options options = {.line = ROWS[i].line, .column = ROWS[i].column};
    analysis_reply reply;
    analysis_request request = {.name = "x", .text = SLICE, .length = strlen(SLICE)};
    collected c = {NULL, 0};
    emit_analyze(&request, emit_as_guards_mlir(&options), collect, &c, &reply);
    cr_expect_eq(reply.status, ROWS[i].status, "%u:%u", ROWS[i].line, ROWS[i].column);
    const char *assertion = c.text ? strstr(c.text, "@shape_assertion") : NULL;
    bool before = assertion && assertion < strstr(c.text, "  %0 = ");
    cr_expect_eq(before, ROWS[i].status == SHAPE_OK, "%u", ROWS[i].line);
    free(c.text);
  }
}

// Strings are bytes in C, and characters in Python.
Test(guards, names_are_quoted_as_the_language_reads_them) {
  const guard_options options = {0};
  analysis_reply reply;
  analysis_request request = {.name = "x", .text = NAMED, .length = strlen(NAMED)};
  collected c = {NULL, 0};
  emit_analyze(&request, emit_as_guards_python(&options), collect, &c, &reply);
  cr_expect(strstr(c.text, "4 <= \\U000000e9\\U0001f600 (line 2"), "%s", c.text);
  free(c.text);
  c = (collected){NULL, 0};
  emit_analyze(&request, emit_as_guards_c(&options), collect, &c, &reply);
  cr_expect(strstr(c.text, "4 <= \\303\\251\\360\\237\\230\\200 (line 2"), "%s", c.text);
  free(c.text);
}

static collected mlir_guards(const char *text) {
  const guard_options options = {0};
  analysis_reply reply;
  analysis_request request = {.name = "x", .text = text, .length = strlen(text)};
  collected c = {NULL, 0};
  emit_analyze(&request, emit_as_guards_mlir(&options), collect, &c, &reply);
  return c;
}

// Three numbers: 2^63 - 1, 2^63 - 1 and 7 are 5 where their sum wraps.
#define SUM(type)                                                                                  \
  "func.func @main(%v: tensor<3x" type ">, %y: tensor<?xf32>) -> tensor<?xf32> {\n"                \
  "  %0 = stablehlo.slice %v [0:1] : (tensor<3x" type ">) -> tensor<1x" type ">\n"                 \
  "  %1 = stablehlo.slice %v [1:2] : (tensor<3x" type ">) -> tensor<1x" type ">\n"                 \
  "  %2 = stablehlo.slice %v [2:3] : (tensor<3x" type ">) -> tensor<1x" type ">\n"                 \
  "  %3 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1x" type ">) -> tensor<?xf32>\n"            \
  "  %4 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1x" type ">) -> tensor<?xf32>\n"            \
  "  %5 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1x" type ">) -> tensor<?xf32>\n"            \
  "  %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<?xf32>, tensor<?xf32>, "             \
  "tensor<?xf32>) -> tensor<?xf32>\n"                                                              \
  "  %7 = stablehlo.add %6, %y : tensor<?xf32>\n  return %7 : tensor<?xf32>\n}\n"

Test(guards, sums_of_elements_are_asserted_to_fit) {
  static const char FITS[] =
      "error_message = \"a product or sum of elements of arguments fits in 64 bits";
  static const char *const TEXTS[] = {SUM("i32"), SUM("i64")};
  for (int wide = 0; wide < 2; wide++) {
    collected c = mlir_guards(TEXTS[wide]);
    cr_expect_eq(strstr(c.text, FITS) != NULL, wide, "%s", c.text);
    free(c.text);
  }
}

// Four numbers of 32 bits: three may leave 64 bits, two do not, and dims of a tensor that exists do not.
static const char PRODUCT[] =
    "func.func @main(%x: tensor<?x?x?xf32>, %v: tensor<4xi32>) -> tensor<?x?x?x?xf32> {\n"
    "  %0 = stablehlo.dynamic_reshape %x, %v : (tensor<?x?x?xf32>, tensor<4xi32>) -> "
    "tensor<?x?x?x?xf32>\n"
    "  return %0 : tensor<?x?x?x?xf32>\n}\n";

Test(guards, products_of_elements_are_asserted_to_fit) {
  static const char FITS[] = "a product or sum of elements of arguments fits in 64 bits";
  const guard_options options = {0};
  analysis_reply reply;
  analysis_request request = {.name = "x", .text = PRODUCT, .length = strlen(PRODUCT)};
  for (int function = 0; function < 2; function++) {
    collected c = {NULL, 0};
    uint32_t found = 0;
    emit_analyze(&request,
                 function ? emit_as_guards_function(&options) : emit_as_guards_mlir(&options),
                 collect, &c, &reply);
    for (const char *at = c.text; (at = strstr(at, FITS)); at++) found++;
    cr_expect_eq(found, 1, "%s", c.text);  // of both steps together
    cr_expect(!strstr(c.text, "\nstablehlo.custom_call"), "%s", c.text);
    free(c.text);
  }
}

// What a branch that does not run would multiply may be of any size.
Test(guards, products_of_branches_fit_where_they_run) {
  static const char TEXT[] =
      "func.func @main(%c: tensor<i1>, %v: tensor<2xi64>, %x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %r = \"stablehlo.if\"(%c) ({\n"
      "    %s = stablehlo.slice %v [0:1] : (tensor<2xi64>) -> tensor<1xi64>\n"
      "    %t = stablehlo.slice %v [1:2] : (tensor<2xi64>) -> tensor<1xi64>\n"
      "    %p = stablehlo.multiply %s, %t : tensor<1xi64>\n"
      "    %q = stablehlo.dynamic_iota %p, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>\n"
      "    stablehlo.return %x : tensor<?xf32>\n"
      "  }, {\n"
      "    stablehlo.return %x : tensor<?xf32>\n"
      "  }) : (tensor<i1>) -> tensor<?xf32>\n"
      "  return %r : tensor<?xf32>\n}\n";
  collected c = mlir_guards(TEXT);
  const char *fits = strstr(c.text, "a product or sum of elements of arguments fits in 64 bits");
  cr_assert_not_null(fits, "%s", c.text);
  while (strncmp(fits, "%guard", 6) != 0) fits--;
  char name[40];
  unsigned test = 0, unless = 0, condition = 0;
  cr_assert_eq(sscanf(fits, "%%guard%u", &test), 1);
  snprintf(name, sizeof name, "%%guard%u = ", test);
  cr_assert_eq(sscanf(strstr(c.text, name) + strlen(name), "stablehlo.or %%guard%u", &unless), 1);
  snprintf(name, sizeof name, "%%guard%u = ", unless);
  cr_assert_eq(
      sscanf(strstr(c.text, name) + strlen(name), "stablehlo.compare EQ, %%guard%u", &condition),
      1);
  snprintf(name, sizeof name, "%%guard%u = stablehlo.convert %%c", condition);
  cr_expect(strstr(c.text, name), "%s", c.text);
  free(c.text);
}

// -2^32 times -2^31 is 2^63.
Test(guards, products_that_may_just_wrap_are_asserted_to_fit) {
  static const char TEXT[] =
      "func.func @main(%v: tensor<4xi32>) -> tensor<?xf32> {\n"
      "  %w = stablehlo.convert %v : (tensor<4xi32>) -> tensor<4xi64>\n"
      "  %0 = stablehlo.slice %w [0:1] : (tensor<4xi64>) -> tensor<1xi64>\n"
      "  %1 = stablehlo.slice %w [1:2] : (tensor<4xi64>) -> tensor<1xi64>\n"
      "  %2 = stablehlo.slice %w [2:3] : (tensor<4xi64>) -> tensor<1xi64>\n"
      "  %3 = stablehlo.slice %w [3:4] : (tensor<4xi64>) -> tensor<1xi64>\n"
      "  %4 = stablehlo.add %0, %1 : tensor<1xi64>\n"
      "  %5 = stablehlo.minimum %4, %2 : tensor<1xi64>\n"
      "  %6 = stablehlo.multiply %5, %3 : tensor<1xi64>\n"
      "  %7 = stablehlo.dynamic_iota %6, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>\n"
      "  return %7 : tensor<?xf32>\n}\n";
  collected c = mlir_guards(TEXT);
  cr_expect(strstr(c.text, "a product or sum of elements of arguments fits in 64 bits"), "%s",
            c.text);
  free(c.text);
}
