// SPDX-License-Identifier: Apache-2.0
// What stays dynamic is listed with its location and the reason.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define RESHAPED                                                                                   \
  "func.func @main(%x: tensor<?xf32>, %n: tensor<2xi32>) -> tensor<?x?xf32> {\n"                   \
  "  %a = stablehlo.negate %x : tensor<?xf32>\n"                                                   \
  "  %r = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>\n"  \
  "  return %r : tensor<?x?xf32>\n}\n"                                                             \
  "func.func @other(%x: tensor<?xf32>) {\n  return\n}\n"

typedef struct listed {
  uint32_t count;
  dynamic_value last;
} listed;

static void take(void *to, const dynamic_value *value) {
  listed *l = to;
  l->count++;
  l->last = *value;
}

Test(dynamic, data_and_arguments_have_reasons) {
  refined_program p;
  listed l = {0};
  shape_strbuf out;
  refined_open(&p, RESHAPED, NULL);
  cr_expect_eq(refine_each_dynamic(p.types, take, &l), 3u);
  cr_expect(l.count == 3 && l.last.line == 3);
  cr_expect_str_eq(l.last.what, "result 0 of stablehlo.dynamic_reshape");
  cr_expect_str_eq(l.last.type, "tensor<?x?xf32>");
  strbuf_init(&out, p.types->graph->arena);
  cr_expect_eq(refine_list_dynamic(p.types, "p.mlir", &out), 3u);
  const char *text = strbuf_text(&out);
  cr_expect(strstr(text, "p.mlir:1:11: error: argument 0 stays tensor<?xf32>: "), "%s", text);
  cr_expect(strstr(text, "p.mlir:2:8: error: result 0 of stablehlo.negate stays "), "%s", text);
  refined_close(&p);
}

Test(dynamic, what_the_data_says_stays_where_arguments_are_given) {
  refined_program p;
  listed l = {0};
  refined_open(&p, RESHAPED, "tensor<6xf32>,tensor<2xi32>");
  cr_expect_eq(refine_each_dynamic(p.types, take, &l), 1u);
  cr_expect(l.count == 1 && strstr(l.last.reason, "n[0] of @main is not given"), "%s",
            l.count ? l.last.reason : "none");
  refined_close(&p);
}

Test(dynamic, nothing_is_listed_of_static_programs) {
  refined_program p;
  listed l = {0};
  refined_open(&p, RESHAPE("tensor<?x?xf32>"), NULL);
  cr_expect_eq(refine_each_dynamic(p.types, take, &l), 0u);
  refined_close(&p);
}
