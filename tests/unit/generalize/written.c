// SPDX-License-Identifier: Apache-2.0
// Programs with free dims come back in the format that they were given in, and are read again; also where the library made
// the bytes or the text that it analyses of others.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/unit/api/taken.h"

static const char MLIR[] = "func.func @main(%x: tensor<4x6xf32>, %y: tensor<8x6xf32>) -> "
                           "(tensor<24xf32>, tensor<48xf32>) {\n"
                           "  %0 = func.call @flat(%x) : (tensor<4x6xf32>) -> tensor<24xf32>\n"
                           "  %1 = stablehlo.reshape %y : (tensor<8x6xf32>) -> tensor<48xf32>\n"
                           "  return %0, %1 : tensor<24xf32>, tensor<48xf32>\n"
                           "}\n"
                           "func.func private @flat(%x: tensor<4x6xf32>) -> tensor<24xf32> {\n"
                           "  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>\n"
                           "  return %0 : tensor<24xf32>\n"
                           "}\n";
static const char ONNX[] =
    "ir_version: 8 opset_import { domain: \"\" version: 13 } graph { name: \"g\"\n"
    "  node { input: \"x\" input: \"s\" output: \"y\" name: \"/view\" op_type: \"Reshape\" }\n"
    "  initializer { dims: 2 data_type: 7 int64_data: 2 int64_data: 12 name: \"s\" }\n"
    "  input { name: \"x\" type { tensor_type { elem_type: 1 shape {\n"
    "    dim { dim_value: 2 } dim { dim_value: 3 } dim { dim_value: 4 } } } } }\n"
    "  output { name: \"y\" type { tensor_type { elem_type: 1 shape {\n"
    "    dim { dim_value: 2 } dim { dim_value: 12 } } } } } }\n";
static const char JSON[] =
    "{\"functions\": [{\"name\": \"main\", \"arguments\": [{\"name\": \"x\", \"type\": "
    "\"tensor<4x6xf32>\"}],"
    " \"results\": [\"tensor<24xf32>\"], \"ops\": ["
    "[\"stablehlo.reshape\", [\"x\"], [\"0\", \"tensor<24xf32>\"]], [\"func.return\", [\"0\"]]]}]}";

static const char FX[] = "class GraphModule(torch.nn.Module):\n"
                         "    def forward(self, x: \"f32[2, 3, 4]\", dim0: \"f32[4]\"):\n"
                         "        # a comment\n"
                         "        y: \"f32[6, 4]\" = x.view(6, 4) + dim0;  x = None\n"
                         "        z = self.part(y); size = [3, 8]\n"
                         "        return (z, y.view(size), y.reshape([2, 12]))\n"
                         "    class part(torch.nn.Module):\n"
                         "        def forward(self, y):\n"
                         "            return y.view(24)\n";
static const char TORCH[] =
    "func.func @main(%x: !torch.vtensor<[2,12],f32>) -> (!torch.vtensor<[24],f32>, "
    "!torch.vtensor<[2,12],f32>) {\n"
    "  %int24 = torch.constant.int 24\n"
    "  %0 = torch.prim.ListConstruct %int24 : (!torch.int) -> !torch.list<int>\n"
    "  %1 = torch.aten.view %x, %0 : !torch.vtensor<[2,12],f32>, !torch.list<int> -> "
    "!torch.vtensor<[24],f32>\n"
    "  %int2 = torch.constant.int 2\n"
    "  %int12 = torch.constant.int 12\n"
    "  %none = torch.constant.none\n"
    "  %2 = torch.prim.ListConstruct %int2, %int12 : (!torch.int, !torch.int) -> "
    "!torch.list<int>\n"
    "  %3 = torch.aten.zeros %2, %none, %none, %none, %none : !torch.list<int>, !torch.none, "
    "!torch.none, !torch.none, !torch.none -> !torch.vtensor<[2,12],f32>\n"
    "  return %1, %3 : !torch.vtensor<[24],f32>, !torch.vtensor<[2,12],f32>\n"
    "}\n";

// Parts of the input, which is all that a file has of it.
typedef struct spliced {
  taken out;
  const char *input;
} spliced;

static void add(void *to, const char *data, size_t length) {
  take(&((spliced *)to)->out, data, length);
}

static void add_copy(void *to, size_t begin, size_t end) {
  spliced *s = to;
  take(&s->out, s->input + begin, end - begin);
}

static shape_status generalized(const char *bytes, size_t length, const char *form, spliced *to) {
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, bytes, length, "test"), SHAPE_OK);
  shape_generalization *g = shape_program_generalize(p, NULL);
  cr_assert_not_null(g);
  *to = (spliced){.input = bytes};
  shape_status status = shape_generalization_emit(g, form, add, add_copy, to);
  cr_assert_lt(to->out.length, sizeof to->out.data);
  shape_generalization_free(g);
  shape_program_free(p);
  return status;
}

// `form` of what is read, in `to`.
static void emitted(const char *bytes, size_t length, const char *form, taken *to) {
  shape_program *p = shape_program_new(NULL);
  cr_assert_eq(shape_program_load(p, bytes, length, "test"), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_assert_not_null(a);
  *to = (taken){.length = 0};
  cr_assert_eq(shape_analysis_emit(a, form, take, to), SHAPE_OK);
  cr_assert_lt(to->length, sizeof to->data);
  shape_analysis_free(a);
  shape_program_free(p);
}

static void expect_free(const spliced *written, const char *const *lines) {
  taken answer;
  emitted(written->out.data, written->out.length, "text", &answer);
  for (; *lines; lines++)
    cr_expect(strstr(answer.data, *lines), "%s is not in\n%s", *lines, answer.data);
}

Test(generalize, writes_bytecode_of_bytecode) {
  static const char *const LINES[] = {"[S0, S1] f32", "[S2, S3] f32", "[24] f32", "[S2*S3] f32",
                                      NULL};
  taken code;
  spliced written;
  emitted(MLIR, sizeof MLIR - 1, "bytecode", &code);
  cr_assert_eq(generalized(code.data, code.length, "model", &written), SHAPE_OK);
  cr_expect_arr_eq(written.out.data, "ML\xefR", 4);
  expect_free(&written, LINES);
}

Test(generalize, writes_models_in_protobufs_text_form_as_bytes) {
  static const char *const LINES[] = {"[S0, S1, S2] f32", NULL};
  spliced written;
  cr_assert_eq(generalized(ONNX, sizeof ONNX - 1, "model", &written), SHAPE_OK);
  expect_free(&written, LINES);
}

Test(generalize, keeps_literals_of_what_it_does_not_write) {
  spliced answer;
  cr_assert_eq(generalized(JSON, sizeof JSON - 1, "model", &answer), SHAPE_INVALID);
  cr_assert_eq(generalized(JSON, sizeof JSON - 1, "text", &answer), SHAPE_OK);
  cr_expect(strstr(answer.out.data, "S0*S1 == 24"), "%s", answer.out.data);
  cr_expect(!strstr(answer.out.data, "unchecked"), "%s", answer.out.data);
  cr_assert_eq(generalized(MLIR, sizeof MLIR - 1, "text", &answer), SHAPE_OK);
  cr_expect(strstr(answer.out.data, "S0*S1 == 24"), "%s", answer.out.data);
  cr_expect(strstr(answer.out.data, "result 1  [S2*S3]"), "%s", answer.out.data);
}

// Of Python, what is written in the statement that has the list: not a list of another one, nor what a submodule has.
Test(generalize, writes_statements_of_python) {
  static const char *const LINES[] = {"[S0, S1, S2] f32", "[24] f32", "[S0, S1*S2] f32", NULL};
  spliced written;
  cr_assert_eq(generalized(FX, sizeof FX - 1, "model", &written), SHAPE_OK);
  const char *text = written.out.data;
  cr_expect(
      strstr(text, "x: \"f32[S0, S1, S2]\", dim0: \"f32[S2]\"):\n        dim1_0 = x.size(0)\n"),
      "%s", text);
  cr_expect(strstr(text, "        # a comment\n        y = x.view("), "%s", text);
  cr_expect(strstr(text, "size = [3, 8]\n"), "%s", text);
  cr_expect(strstr(text, "            return y.view(24)\n"), "%s", text);
  expect_free(&written, LINES);
}

Test(generalize, writes_lists_of_torch) {
  static const char *const LINES[] = {"[S0, S1]", "[S0*S1]", NULL};
  spliced written;
  cr_assert_eq(generalized(TORCH, sizeof TORCH - 1, "model", &written), SHAPE_OK);
  cr_expect(strstr(written.out.data, " = torch.constant.int -1\n"), "%s", written.out.data);
  cr_expect(strstr(written.out.data, "torch.aten.size.int %x, "), "%s", written.out.data);
  expect_free(&written, LINES);
}

// The symbol of a dim is not the integer that a parameter of the same name is.
Test(generalize, writes_no_symbol_that_a_parameter_is) {
  static const char NAMED[] = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, x: \"f32[4, 2]\", S0: torch.SymInt):\n"
                              "        return x.view(8), torch.zeros(S0)\n";
  spliced written;
  cr_assert_eq(generalized(NAMED, sizeof NAMED - 1, "model", &written), SHAPE_OK);
  cr_expect(strstr(written.out.data, "x: \"f32[?, S1]\""), "%s", written.out.data);
}
