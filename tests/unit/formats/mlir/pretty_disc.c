// SPDX-License-Identifier: Apache-2.0
// The shape constraint IR as its design document writes it: the same graph as the generic form, or one error.
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/formats/mlir/reading.h"

#define DIMS                                                                                       \
  "  %d0 = \"disc_shape.dim\"() {name = @S0} : () -> index\n"                                      \
  "  %d1 = \"disc_shape.dim\"() {name = @S1} : () -> index\n"

static void same(const char *document, const char *generic) {
  enum { ROOM = 1 << 12 };
  static char a[ROOM], b[ROOM];
  static const char HEAD[] = "\"disc_shape.SymbolicDim\"() {sym_name = \"S0\"} : () -> ()\n"
                             "\"disc_shape.SymbolicDim\"() {sym_name = \"S1\"} : () -> ()\n"
                             "func.func @main(%x: tensor<?x?xf32, [@S0, @S1]>) {\n" DIMS;
  snprintf(a, ROOM, "%s  %s\n  return\n}\n", HEAD, document);
  snprintf(b, ROOM, "%s  %s\n  return\n}\n", HEAD, generic);
  expect_same(a, b);
}

Test(mlir_pretty_disc, operations) {
  static const struct {
    const char *document, *generic;
  } PAIRS[] = {
      {"%2 = disc_shape.dim() {ref: @S0} : index",
       "%2 = \"disc_shape.dim\"() {ref = @S0} : () -> index"},
      {"%2 = disc_shape.dim() {name = @S0}",
       "%2 = \"disc_shape.dim\"() {name = @S0} : () -> index"},
      {"disc_shape.tie_predicate_divisible(d0, d1)",
       "\"disc_shape.tie_predicate_divisible\"(%d0, %d1) : (index, index) -> ()"},
      {"disc_shape.tie_predicate_lt %d0, %d1 : index, index",
       "\"disc_shape.tie_predicate_lt\"(%d0, %d1) : (index, index) -> ()"},
      {"disc_shape.tie_predicate_lt(%d0, d1) {guard}",
       "\"disc_shape.tie_predicate_lt\"(%d0, %d1) {guard} : (index, index) -> ()"},
      {"disc_shape.tie_predicate_group_mul_eq([d0, d1], [%d1, d0])",
       "\"disc_shape.tie_predicate_group_mul_eq\"(%d0, %d1, %d1, %d0) {operand_segment_sizes = "
       "array<i32: 2, 2>} : (index, index, index, index) -> ()"},
      {"disc_shape.tie_predicate_group_mul_eq([], [])",
       "\"disc_shape.tie_predicate_group_mul_eq\"() {operand_segment_sizes = array<i32: 0, 0>} : "
       "() -> ()"},
      {"%n = disc_shape.tie_shape(%x, %d0, %d1)",
       "%n = \"disc_shape.tie_shape\"(%x, %d0, %d1) : (tensor<?x?xf32, [@S0, @S1]>, index, index) "
       "-> tensor<?x?xf32, [@S0, @S1]>"},
      {"%n = disc_shape.tie_shape(%x, %d0, %d1) : tensor<?x?xf32, [@S0, @S1]>",
       "%n = \"disc_shape.tie_shape\"(%x, %d0, %d1) : (tensor<?x?xf32, [@S0, @S1]>, index, index) "
       "-> tensor<?x?xf32, [@S0, @S1]>"},
  };
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++)
    same(PAIRS[i].document, PAIRS[i].generic);
}

// What is not of that form is an error, and the rest is read.
Test(mlir_pretty_disc, invalid_forms) {
  static const char *const FORMS[] = {
      "disc_shape.tie_predicate_lt(d0, nothing)",
      "disc_shape.tie_predicate_lt(d0, d7)",
      "disc_shape.tie_predicate_lt(d0",
      "disc_shape.tie_predicate_lt(d0 d1)",
      "disc_shape.tie_predicate_group_mul_eq([d0], [d1], [d0])",
      "disc_shape.tie_predicate_group_mul_eq([d0], d1)",
      "disc_shape.tie_predicate_group_mul_eq([d0, [d1]])",
      "disc_shape.tie_predicate_lt(d0, d1) {guard guard, guard guard}",
      "disc_shape.dim() {ref: }",
      "disc_shape.dim() {= 3}",
      "disc_shape.dim() {ref: @S0",
  };
  for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
    char text[1024];
    snprintf(text, sizeof text, "func.func @main() {\n%s  %s\n  return\n}\n", DIMS, FORMS[i]);
    reading r;
    reading_of(&r, text);
    cr_expect(r.graph.diags.errors > 0, "%s", FORMS[i]);
    reading_destroy(&r);
  }
}
