// SPDX-License-Identifier: Apache-2.0
#include "solver/profile/profile.h"

#include "tests/unit/analysed.h"

// T is at most 384, H a multiple of 4.
static const char PROGRAM[] =
    "func.func @main(%x: tensor<?x?xf32>, %h: tensor<?xf32>) -> tensor<?x4xf32> {\n"
    "  %t = stablehlo.constant dense<0.0> : tensor<384xf32>\n"
    "  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>\n"
    "  %z = stablehlo.constant dense<0> : tensor<1xi32>\n"
    "  %o = stablehlo.constant dense<1> : tensor<1xi32>\n"
    "  %l = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
    "  %s = stablehlo.real_dynamic_slice %t, %z, %l, %o : (tensor<384xf32>, tensor<1xi32>, "
    "tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>\n"
    "  %c = stablehlo.constant dense<4> : tensor<i32>\n"
    "  %k = stablehlo.get_dimension_size %h, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
    "  %q = stablehlo.divide %k, %c : tensor<i32>\n"
    "  %qr = stablehlo.reshape %q : (tensor<i32>) -> tensor<1xi32>\n"
    "  %cr = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>\n"
    "  %d = stablehlo.concatenate %qr, %cr, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
    "tensor<2xi32>\n"
    "  %r = stablehlo.dynamic_reshape %h, %d : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>\n"
    "  return %r : tensor<?x4xf32>\n"
    "}\n";

static const profile_answer *ask(analysed *a, const char *text) {
  const char *error = NULL;
  const free_dims *dims = free_dims_of(&a->core);
  const dim_range *ranges = free_dims_parse(dims, text, &error);
  cr_assert_not_null(ranges, "%s", error);
  return profile_check(&a->core, dims, ranges);
}

static const profile_answer *open_and_ask(analysed *a, const char *text) {
  analysed_open(a, PROGRAM);
  return ask(a, text);
}

// The box is as large as it can be, and ends there in that dim.
static void expect_maximal(const profile_answer *p, uint32_t dim, int64_t max) {
  cr_expect(p->maximal);
  cr_expect_eq(p->box[dim].max, max);
}

Test(profile, every_point_is_legal) {
  analysed a;
  const profile_answer *p = open_and_ask(&a, "arg0.0=0:1:64,arg0.1=1:8:384,arg1.0=8");
  cr_expect_eq(p->legal, SHAPE_YES);
  cr_expect_null(p->counterexample);
  expect_maximal(p, 1, 384);
  analysed_close(&a);
}

Test(profile, large_boxes_are_decided_without_their_points) {
  analysed a;
  const profile_answer *p = open_and_ask(&a, "arg0.0=0:1:1000000000,arg0.1=0:8:384,arg1.0=8");
  cr_expect_eq(p->legal, SHAPE_YES);
  p = ask(&a, "arg0.0=0:1:1000000000,arg0.1=0:8:100000,arg1.0=8");
  cr_expect_eq(p->legal, SHAPE_NO);
  cr_expect_eq(p->counterexample[0], 1, "one dim explains it");
  cr_expect_gt(p->counterexample[1], 384);
  cr_expect_eq(p->box[0].max, 1000000000);
  cr_expect_eq(p->box[1].min, 0);
  expect_maximal(p, 1, 384);
  analysed_close(&a);
}

Test(profile, a_counterexample_differs_where_it_has_to) {
  analysed a;
  const profile_answer *p = open_and_ask(&a, "arg0.0=1:8:64,arg0.1=128:128:512,arg1.0=8:8:9");
  cr_assert_eq(p->legal, SHAPE_NO);
  int changed = 0;
  for (uint32_t i = 0; i < 3; i++) changed += p->counterexample[i] != p->ranges[i].typical;
  cr_expect_eq(changed, 1);
  cr_expect_not_null(p->breaks);
  cr_expect_not_null(p->error.message);
  cr_expect_eq(p->box[1].max, 384);
  expect_maximal(p, 2, 8);
  analysed_close(&a);
}

Test(profile, an_illegal_typical_point_has_no_box) {
  analysed a;
  const profile_answer *p = open_and_ask(&a, "arg0.0=1,arg0.1=4,arg1.0=4:5:8");
  cr_expect_eq(p->legal, SHAPE_NO);
  cr_expect_null(p->box);
  cr_expect_eq(p->counterexample[2], 5);
  analysed_close(&a);
}

Test(profile, texts_are_read_whole) {
  static const char *const REFUSED[] = {
      "",
      "arg0.0=1",
      "arg0.0=1,arg0.1=2,arg1.0=3,arg1.1=4",
      "arg0.0=1,arg0.1=2,arg1.0=",
      "arg0.0=1,arg0.1=2,arg1.0=-3",
      "arg0.0=1,arg0.1=2,arg1.0=3:2:4",
      "arg0.0=1,arg0.1=2,arg1.0=3:4",
      "arg0.0=1,arg0.1=2,arg1.0=3:4:5:6",
      "arg0.0=1,arg0.1=2,arg1.0=3,arg1.0=4",
      "arg0.0=1,arg0.1=2,arg1.0=99999999999999999999",
      "min=x:1x1,h:1 opt=x:1x1,h:1 max=x:1x1",
      "min=x:1x1,h:1 opt=x:1x1x1,h:1 max=x:1x1,h:1",
      "min=x:1x1,y:1 opt=x:1x1,y:1 max=x:1x1,y:1",
      "min=x:2x1,h:1 opt=x:1x1,h:1 max=x:1x1,h:1",
  };
  analysed a;
  analysed_open(&a, PROGRAM);
  const free_dims *dims = free_dims_of(&a.core);
  const char *error = NULL;
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    cr_expect_null(free_dims_parse(dims, REFUSED[i], &error), "%s", REFUSED[i]);
    cr_expect_not_null(error);
  }
  const dim_range *r = free_dims_parse(dims, "min=x:1x2,h:4 opt=x:3x4,h:4 max=x:5x6,h:4", &error);
  cr_assert_not_null(r, "%s", error);
  cr_expect_eq(r[0].max, 5);
  cr_expect_eq(r[1].typical, 4);
  cr_expect_eq(r[2].min, 4);
  analysed_close(&a);
}

Test(profile, a_program_without_free_dims_has_one_point) {
  analysed a;
  analysed_open(&a, "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                    "  return %x : tensor<4xf32>\n"
                    "}\n");
  const profile_answer *p = ask(&a, "");
  cr_expect_eq(p->legal, SHAPE_YES);
  cr_expect_eq(p->dims->count, 0u);
  analysed_close(&a);
}
