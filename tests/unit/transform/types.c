// SPDX-License-Identifier: Apache-2.0
// One type for what must have one.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

Test(types, what_must_be_one_type_gets_what_covers_all_of_it) {
  const refine_case c = {
      .program = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                 "  %n = stablehlo.constant dense<4> : tensor<1xi32>\n"
                 "  %r = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<1xi32>) -> "
                 "tensor<4xf32>\n"
                 "  %s = stablehlo.negate %a : tensor<?xf32>\n"
                 "  return %s : tensor<?xf32>\n}\n"};
  expect_refined(&c, "@main(%a: tensor<4xf32>) -> tensor<4xf32>", NULL);
  expect_refined(&c, "stablehlo.negate %a : tensor<4xf32>", "tensor<?xf32>");
}

Test(types, a_dim_that_is_dynamic_is_an_error_where_none_may_be) {
  const refine_case open = {.program = ASSERTION("GE"), .options = {.require_static = true}};
  const refine_case fixed = {.program = ASSERTION("GE"),
                             .options = {.require_static = true},
                             .argument_types = "tensor<8xf32>"};
  expect_refined(&open, NULL, "func.func");
  expect_refined(&fixed, "func.func", NULL);
}

// An integer or a list beside tensors ties nothing; a list that is made of them has the types that it says.
Test(types, tensors_of_torch_are_refined_beside_other_values) {
#define T "!torch.vtensor<[?,4],f32>"
#define U "!torch.vtensor<[?,?],f32>"
  const refine_case c = {
      .program =
          "func.func @main(%a: " T ", %b: " T ") -> " U " {\n  %i = torch.constant.int 0\n"
          "  %one = torch.constant.int 1\n"
          "  %n = torch.symbolic_int \"n\" {min_val = 2, max_val = 9} : !torch.int\n"
          "  %s = torch.aten.slice.Tensor %a, %i, %i, %i, %one : " T
          ", !torch.int, !torch.int, !torch.int, !torch.int -> " U "\n"
          "  %t = torch.aten.select.int %b, %i, %i : " T ", !torch.int, !torch.int -> "
          "!torch.vtensor<[?],f32>\n"
          "  %l = torch.prim.ListConstruct %t, %t : (!torch.vtensor<[?],f32>, "
          "!torch.vtensor<[?],f32>) -> !torch.list<vtensor<[?],f32>>\n"
          "  %r = torch.aten.stack %l, %i : !torch.list<vtensor<[?],f32>>, !torch.int -> " U "\n"
          "  torch.bind_symbolic_shape %r, [%n], affine_map<()[s0] -> (2, 4)> : " U "\n"
          "  return %r : " U "\n}\n"};
  expect_refined(&c, "-> !torch.vtensor<[0,4],f32>", U);
  expect_refined(&c, "!torch.list<vtensor<[?],f32>>, !torch.int -> !torch.vtensor<[2,4],f32>", U);
  expect_refined(&c, "(2, 4)> : !torch.vtensor<[2,4],f32>", U);
  expect_refined(&c, "%t, %t : (!torch.vtensor<[?],f32>", U);
#undef T
#undef U
}
