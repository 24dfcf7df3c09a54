// SPDX-License-Identifier: Apache-2.0
// What the page of a program is drawn from.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "solver/emit/emitter.h"
#include "tests/unit/collected.h"

static char *data_of(const char *text) {
  collected c = {NULL, 0};
  analysis_reply reply;
  analysis_request request = {.name = "x", .text = text, .length = strlen(text)};
  emit_analyze(&request, emit_as_view_json(NULL), collect, &c, &reply);
  char *out = calloc(c.length + 1, 1);
  memcpy(out, c.text, c.length);
  free(c.text);
  cr_assert_eq(reply.status, SHAPE_OK);
  return out;
}

static void expect_part(const char *text, const char *part) {
  cr_expect(strstr(text, part), "no %s in\n%s", part, text);
}

Test(view, operations_have_operands_shapes_bytes_and_last_uses) {
  char *data = data_of("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                       "  %0 = stablehlo.tanh %x : tensor<?xf32>\n"
                       "  %1 = stablehlo.add %0, %0 : tensor<?xf32>\n"
                       "  return %1 : tensor<?xf32>\n}\n");
  expect_part(data, "\"rows\": [0, 3], \"arguments\": [[0, 0, 0, 1, 0]], \"argument_bytes\": 1");
  expect_part(data, "[3, -1, 2, 3, -1, [0], [[1, 2, 0, 1, 1]], [], 2, ");
  expect_part(data, "[1, 1], [[2, 6, 0, 1, 2]], []");
  expect_part(data, "\"shapes\": [[\"tensor<?xf32>\", [\"S0\"]]]");
  expect_part(data, "\"texts\": [\"x\", \"4*S0\", \"0\", \"stablehlo.tanh\", \"8*S0\"");
  cr_expect_null(strstr(data, "\"ops\": [{"), "the answer is without its operations");
  free(data);
}

Test(view, what_a_reducer_applies_is_left_out_and_regions_that_run_are_not) {
  char *data =
      data_of("func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<f32> {\n"
              "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
              "  %0 = \"stablehlo.reduce\"(%x, %c) ({\n"
              "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
              "    %s = stablehlo.add %a, %b : tensor<f32>\n"
              "    stablehlo.return %s : tensor<f32>\n"
              "  }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<f32>) -> tensor<f32>\n"
              "  %1 = \"stablehlo.if\"(%p) ({\n"
              "    stablehlo.return %0 : tensor<f32>\n"
              "  }, {\n"
              "    %2 = stablehlo.negate %0 : tensor<f32>\n"
              "    stablehlo.return %2 : tensor<f32>\n"
              "  }) : (tensor<i1>) -> tensor<f32>\n"
              "  return %1 : tensor<f32>\n}\n");
  expect_part(data, "\"rows\": [0, 7]");
  cr_expect_null(strstr(data, "stablehlo.add"));
  expect_part(data, "\"stablehlo.negate\"");
  expect_part(data, ", 2, 9, 5, ");  // in row 2, the `if`
  free(data);
}

Test(view, calls_name_the_function_and_what_is_not_called_has_no_bytes) {
  char *data = data_of("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                       "  %0 = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
                       "  return %0 : tensor<?xf32>\n}\n"
                       "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                       "  return %x : tensor<?xf32>\n}\n"
                       "func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                       "  return %x : tensor<4xf32>\n}\n");
  expect_part(data, ", 1, 0], [");  // the call has function 1
  expect_part(data, "\"name\": \"f\", \"reached\": true");
  expect_part(data, "\"name\": \"g\", \"reached\": false");
  free(data);
}
