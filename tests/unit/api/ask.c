// SPDX-License-Identifier: Apache-2.0
// What passes ask of an analysis: dims, products, bounds, slices, trips, each with reasons, and by addresses.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/shape.h"

static const char PROGRAM[] =
    "func.func @main(%a: tensor<?x?xf32>, %n: index, %b: memref<?xf32>) -> tensor<?xf32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  %c64 = arith.constant 64 : index\n"
    "  %w = arith.muli %n, %c4 : index\n"
    "  %m = arith.minsi %n, %c64 : index\n"
    "  %e = tensor.empty(%w, %m) {shaped.tag = \"scratch\"} : tensor<?x?xf32>\n"
    "  %f = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>\n"
    "  %r:2 = scf.for %i = %c0 to %n step %c4 iter_args(%x = %f, %y = %f) -> (tensor<?xf32>, "
    "tensor<?xf32>) {\n"
    "    %s = memref.subview %b[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: "
    "?>>\n"
    "    %j = arith.addi %i, %c4 : index\n"
    "    %t = memref.subview %b[%j] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: "
    "?>>\n"
    "    %u = memref.subview %b[%j] [%n] [2] : memref<?xf32> to memref<?xf32, strided<[2], offset: "
    "?>>\n"
    "    scf.yield %y, %x : tensor<?xf32>, tensor<?xf32>\n"
    "  }\n"
    "  return %r#1 : tensor<?xf32>\n"
    "}\n"
    "func.func @other(%a: tensor<3xf32>, %q: tensor<?xf32>) -> tensor<3xf32> {\n"
    "  %z = stablehlo.abs %a : tensor<3xf32> loc(\"dir/model.py\":12:7)\n"
    "  return %z : tensor<3xf32>\n"
    "}\n";

typedef struct asked_program {
  shape_program *p;
  shape_analysis *a;
} asked_program;

static asked_program analyzed(const char *text) {
  asked_program t = {shape_program_new(NULL), NULL};
  cr_assert_eq(shape_program_load(t.p, text, strlen(text), "ask.mlir"), SHAPE_OK);
  t.a = shape_program_analyze(t.p, NULL);
  cr_assert_eq(shape_analysis_error(t.a)->status, SHAPE_OK, "%s",
               shape_analysis_error(t.a)->message);
  cr_assert_eq(shape_analysis_error_count(t.a), 0);
  return t;
}

static void done(asked_program t) {
  shape_analysis_free(t.a);
  shape_program_free(t.p);
}

static shape_dim at(asked_program t, const char *address) {
  shape_dim d;
  cr_assert_eq(shape_analysis_address(t.a, address, &d), SHAPE_OK, "%s: %s", address,
               shape_analysis_error(t.a)->message);
  return d;
}

static shape_op op_at(asked_program t, const char *address) {
  shape_op op = shape_analysis_op_of(t.a, at(t, address).value);
  cr_assert_neq(op, SHAPE_NO_ID);
  return op;
}

Test(ask, addresses) {
  asked_program t = analyzed(PROGRAM);
  shape_dim d;
  cr_expect_eq(at(t, "%f").value, shape_analysis_find(t.a, "main", "f"));
  cr_expect_eq(at(t, "%f").axis, SHAPE_NO_ID);
  cr_expect_eq(at(t, "%e.1").axis, 1);
  cr_expect_eq(at(t, "%r#1").value, at(t, "r").value + 1);
  cr_expect_eq(at(t, "%r#1.0").value, at(t, "%r").value + 1);
  cr_expect_eq(at(t, "#0").value, 0);
  cr_expect_eq(at(t, "%a").value, 0, "the entry's, not that of @other");
  cr_expect_neq(at(t, "@other:%a").value, 0);
  cr_expect_neq(at(t, "%{@other:%a}.0").value, 0);
  cr_expect_eq(at(t, "scratch").value, at(t, "%e").value);
  cr_expect_eq(at(t, "%scratch.0").value, at(t, "%e").value);
  cr_expect_eq(at(t, "8:10").value, at(t, "%e").value);
  cr_expect_eq(at(t, "%{11:10}").value, at(t, "%s").value);
  cr_expect_eq(at(t, "dir/model.py:12:7").value, at(t, "%z").value);
  cr_expect_eq(at(t, "model.py:12").value, at(t, "%z").value);
  static const char *const WRONG[] = {
      "",       "%",    "%none",  "%r#2", "%r#99",    "#999",   "#",        "0:0",          "999:1",
      "@no:%a", "@:%a", "@main:", "%{}",  "%{%{%f}}", "%f#1.0", "el.py:12", "%f#4294967297"};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    cr_expect_eq(shape_analysis_address(t.a, WRONG[i], &d), SHAPE_INVALID, "'%s'", WRONG[i]);
    cr_expect_eq(d.value, SHAPE_NO_ID);
  }
  done(t);
}

Test(ask, dims) {
  asked_program t = analyzed(PROGRAM);
  shape_reason why[8];
  uint32_t count;
  cr_expect_eq(shape_analysis_same_dim(t.a, at(t, "%e.0"), at(t, "%w")), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_dim(t.a, at(t, "%e.1"), at(t, "%w")), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_same_dim(t.a, at(t, "%e.7"), at(t, "%w")), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_divisible(t.a, at(t, "%e.0"), 4), SHAPE_YES);
  cr_expect_eq(shape_analysis_divisible(t.a, at(t, "%e.0"), 8), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_divisible(t.a, at(t, "%e.0"), 0), SHAPE_NO);
  cr_expect_eq(shape_analysis_divisible(t.a, at(t, "%e.0"), -4), SHAPE_YES);
  cr_expect_eq(shape_analysis_at_most(t.a, at(t, "%e.1"), 64), SHAPE_YES);
  cr_expect_eq(shape_analysis_at_most(t.a, at(t, "%e.1"), 63), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_why(t.a, why, 8, &count), SHAPE_INVALID);
  cr_expect_eq(shape_analysis_at_most(t.a, at(t, "%c4"), 3), SHAPE_NO);
  cr_expect_eq(shape_analysis_at_most(t.a, at(t, "%c4"), INT64_MAX), SHAPE_YES);
  cr_expect_eq(shape_analysis_why(t.a, why, 8, &count), SHAPE_OK);
  shape_dim of_a[] = {at(t, "%a.0"), at(t, "%a.1")}, of_f = at(t, "%f.0");
  cr_expect_eq(shape_analysis_same_product(t.a, of_a, 2, &of_f, 1), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_product(t.a, of_a, 1, &of_f, 1), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_same_product(t.a, NULL, 0, NULL, 0), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_shape(t.a, at(t, "%r").value, of_f.value), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_element_count(t.a, of_a[0].value, of_f.value), SHAPE_YES);
  cr_expect_eq(shape_analysis_same_dim(t.a, (shape_dim){999, 0}, of_f), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_expr(t.a, (shape_dim){999, SHAPE_NO_ID}), SHAPE_NO_EXPR);
  done(t);
}

Test(ask, values_of_loops_know_their_iteration) {
  asked_program t = analyzed(PROGRAM);
  shape_reason why[8];
  uint32_t count;
  shape_dim i = at(t, "%i");
  cr_expect_eq(shape_analysis_divisible(t.a, i, 4), SHAPE_YES);
  shape_affine difference[] = {{at(t, "%n"), 1}, {i, -1}};
  shape_bounds b;
  cr_assert_eq(shape_analysis_affine_bounds(t.a, difference, 2, 0, &b), SHAPE_OK);
  cr_expect(b.has_min && b.min == 1, "n - i >= 1 in each iteration");
  shape_affine twice = {at(t, "%e.1"), 2};
  for (int again = 0; again < 2; again++) {
    cr_assert_eq(shape_analysis_affine_bounds(t.a, &twice, 1, 7, &b), SHAPE_OK);
    cr_expect(b.has_max && b.max == 135 && b.has_min && b.min == 7);
  }
  cr_assert_eq(shape_analysis_affine_bounds(t.a, NULL, 0, -3, &b), SHAPE_OK);
  cr_expect(b.has_min && b.min == -3 && b.max == -3);
  cr_expect_eq(shape_analysis_why(t.a, why, 8, &count), SHAPE_INVALID);
  done(t);
}

Test(ask, slices_and_trips) {
  asked_program t = analyzed(PROGRAM);
  shape_op s = op_at(t, "%s"), next = op_at(t, "%t"), steps = op_at(t, "%u");
  shape_reason why[8];
  uint32_t count = 9;
  cr_expect_eq(shape_analysis_disjoint(t.a, s, next), SHAPE_YES);
  cr_expect_eq(shape_analysis_why(t.a, why, 8, &count), SHAPE_OK);
  cr_expect_eq(shape_analysis_disjoint(t.a, s, next), SHAPE_YES);
  uint32_t again = 9;
  cr_expect_eq(shape_analysis_why(t.a, why, 8, &again), SHAPE_OK);
  cr_expect_eq(again, count, "remembered answers have the same reasons");
  cr_expect_eq(shape_analysis_disjoint(t.a, next, s), SHAPE_YES);
  cr_expect_eq(shape_analysis_disjoint(t.a, s, s), SHAPE_NO);
  cr_expect_eq(shape_analysis_disjoint(t.a, steps, s), SHAPE_YES);
  cr_expect_eq(shape_analysis_disjoint(t.a, steps, next), SHAPE_UNKNOWN, "a size may be 0");
  cr_expect_eq(shape_analysis_disjoint(t.a, s, op_at(t, "%f")), SHAPE_UNKNOWN);
  cr_expect_eq(shape_analysis_disjoint(t.a, s, 999), SHAPE_UNKNOWN);
  char text[64];
  shape_expr trips = shape_analysis_trip_count(t.a, op_at(t, "%r"), 0);
  cr_assert_neq(trips, SHAPE_NO_EXPR);
  shape_context_text(shape_analysis_context(t.a), trips, text, sizeof text);
  cr_expect_str_eq(text, "ceildiv(S3, 4)");
  cr_expect_eq(shape_analysis_trip_count(t.a, op_at(t, "%r"), 1), SHAPE_NO_EXPR);
  cr_expect_eq(shape_analysis_trip_count(t.a, op_at(t, "%f"), 0), SHAPE_NO_EXPR);
  done(t);
}

Test(ask, interleaved_slices) {
  asked_program t = analyzed(
      "func.func @main(%a: tensor<?xf32>, %n: index, %k: index) -> (tensor<?xf32>, tensor<?xf32>) "
      "{\n"
      "  %x = tensor.extract_slice %a[0] [%n] [2] : tensor<?xf32> to tensor<?xf32>\n"
      "  %y = tensor.extract_slice %a[1] [%k] [2] : tensor<?xf32> to tensor<?xf32>\n"
      "  %z = tensor.insert_slice %y into %a[4] [%k] [2] : tensor<?xf32> into tensor<?xf32>\n"
      "  return %x, %z : tensor<?xf32>, tensor<?xf32>\n"
      "}\n");
  cr_expect_eq(shape_analysis_disjoint(t.a, op_at(t, "%x"), op_at(t, "%y")), SHAPE_YES);
  cr_expect_eq(shape_analysis_disjoint(t.a, op_at(t, "%y"), op_at(t, "%z")), SHAPE_YES);
  cr_expect_eq(shape_analysis_disjoint(t.a, op_at(t, "%x"), op_at(t, "%z")), SHAPE_UNKNOWN);
  done(t);
}

Test(ask, answers_follow_what_is_assumed) {
  asked_program t = analyzed(PROGRAM);
  shape_context *c = shape_analysis_context(t.a);
  shape_dim n = at(t, "%n");
  shape_reason why[8];
  uint32_t count;
  cr_expect_eq(shape_analysis_divisible(t.a, n, 8), SHAPE_UNKNOWN);
  shape_checkpoint before = shape_context_checkpoint(c);
  shape_context_assume(c, SHAPE_DIVISIBLE, shape_analysis_expr(t.a, n),
                       shape_context_integer(c, 16), "tiles", NULL);
  cr_expect_eq(shape_analysis_divisible(t.a, n, 8), SHAPE_YES);
  cr_assert_eq(shape_analysis_why(t.a, why, 8, &count), SHAPE_OK);
  cr_assert_eq(count, 1);
  cr_expect_str_eq(why[0].origin, "tiles");
  cr_expect_eq(shape_analysis_why(t.a, NULL, 0, &count), SHAPE_OK);
  cr_expect_eq(count, 1);
  shape_context_rollback(c, before);
  cr_expect_eq(shape_analysis_divisible(t.a, n, 8), SHAPE_UNKNOWN);
  done(t);
}
