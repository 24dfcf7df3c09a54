// SPDX-License-Identifier: Apache-2.0
// Names of dims are written where arguments are declared, and what is written is read as the same.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/transform/refine.h"

static void expect_named(const char *arguments, const char *named) {
  shape_strbuf program, wanted;
  shape_arena arena;
  arena_init(&arena, 0);
  strbuf_init(&program, &arena);
  strbuf_init(&wanted, &arena);
  strbuf_printf(&program,
                "func.func @main(%s) {\n  %%0 = stablehlo.add %%a, %%b : tensor<?x?xf32>\n"
                "  return\n}\n",
                arguments);
  strbuf_printf(&wanted, "@main(%s) {", named);
  const refine_case c = {.program = strbuf_text(&program), .options = {.names = true}};
  char *once = refine_text(&c);
  cr_expect(strstr(once, strbuf_text(&wanted)), "%s", once);
  const refine_case again = {.program = once, .options = {.names = true}};
  char *twice = refine_text(&again);
  cr_expect_str_eq(once, twice);
  free(once);
  free(twice);
  arena_destroy(&arena);
}

Test(name_dims, equal_dims_have_one_name_and_numbers_have_none) {
  expect_named("%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x7xf32>, %n: tensor<f32>",
               "%a: tensor<?x?xf32> {shaped.dims = [\"S0\", \"S1\"]}, "
               "%b: tensor<?x?xf32> {shaped.dims = [\"S0\", \"S1\"]}, "
               "%c: tensor<?x7xf32> {shaped.dims = [\"S2\", \"\"]}, %n: tensor<f32>");
}

Test(name_dims, names_of_the_program_stay_and_name_what_is_equal) {
  expect_named("%a: tensor<?x?xf32> {shaped.dims = [\"n\"]}, %b: tensor<?x?xf32> {k.x = 1 : i32}, "
               "%c: tensor<3xf32> {shaped.dims = [\"w\"]}",
               "%a: tensor<?x?xf32> {shaped.dims = [\"n\", \"S0\"]}, "
               "%b: tensor<?x?xf32> {shaped.dims = [\"n\", \"S0\"], k.x = 1 : i32}, "
               "%c: tensor<3xf32> {shaped.dims = [\"w\"]}");
}

Test(name_dims, attributes_may_be_there_and_empty) {
  expect_named("%a: tensor<?x?xf32> {}, %b: tensor<?x?xf32> loc(\"b\")",
               "%a: tensor<?x?xf32> {shaped.dims = [\"S0\", \"S1\"]}, "
               "%b: tensor<?x?xf32> {shaped.dims = [\"S0\", \"S1\"]} loc(\"b\")");
}

#define GENERIC(attributes)                                                                        \
  "\"func.func\"() <{function_type = (tensor<?xf32>, tensor<4xf32>) -> ()" attributes              \
  ", sym_name = \"main\"}> ({\n^bb0(%a: tensor<?xf32>, %b: tensor<4xf32>):\n"                      \
  "  \"func.return\"() : () -> ()\n}) : () -> ()\n"

Test(name_dims, a_function_in_the_generic_form_has_them_in_its_list) {
  const refine_case none = {.program = GENERIC(""), .options = {.names = true}};
  const refine_case empty = {.program = GENERIC(", arg_attrs = [{}, {}]"),
                             .options = {.names = true}};
  expect_refined(&none, "-> (), arg_attrs = [{shaped.dims = [\"S0\"]}, {}], sym_name", NULL);
  expect_refined(&empty, "arg_attrs = [{shaped.dims = [\"S0\"]}, {}]", NULL);
}

Test(name_dims, types_never_spell_them) {
  const refine_case c = {.program = "func.func @main(%a: tensor<?xf32> {shaped.dims = [\"n\"]}) {\n"
                                    "  %0 = stablehlo.negate %a : tensor<?xf32>\n  return\n}\n",
                         .options = {.generic = true}};
  expect_refined(&c, "shaped.dims = [\"n\"]", "@n");
}
