// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

Test(fx_format, is_known_by_its_text) {
  static const char *const TEXTS[] = {
      "import torch\ndef forward(self, x):\n  return x\n",
      "# a comment\nclass M(torch.nn.Module):\n  def forward(self):\n    pass\n",
      "\n\nfrom torch import device\ndef forward(self): return 1"};
  for (unsigned i = 0; i < 3; i++)
    cr_expect_eq(shape_input_of(TEXTS[i], strlen(TEXTS[i])), SHAPE_INPUT_FX, "%u", i);
  static const char MLIR[] = "#map = affine_map<() -> ()>\nfunc.func @forward() { return }\n";
  cr_expect_eq(shape_input_of(MLIR, strlen(MLIR)), SHAPE_INPUT_MLIR);
  static const char OTHER[] = "import os\nprint(1)\n";
  cr_expect_neq(shape_input_of(OTHER, strlen(OTHER)), SHAPE_INPUT_FX);
}

Test(fx_format, every_beginning_of_a_text_has_an_answer) {
  static const char TEXT[] =
      "import torch as t, math\nfrom torch import (device as d, inf)\n"
      "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[s0, 3]\", n: "
      "torch.SymInt):\n"
      "        a = x[(slice(None, 2, None), Ellipsis)] + {'k': [1, 2]}\n"
      "        x[0] = \"\"\"text\"\"\"; b = -n ** 2 if n > 1 else (n, )\n        return (a, b)\n";
  for (size_t length = 0; length <= strlen(TEXT); length++) {
    char *part = strndup(TEXT, length);
    fx_answer a = fx_analyze(part, NULL, NULL);
    cr_expect(strstr(a.text, "\"status\": "), "%zu: %s", length, a.text);
    free(a.text);
    free(part);
  }
}

Test(fx_format, inputs_are_of_this_format_alone) {
  static const char MLIR[] =
      "func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }\n";
  shape_program *p = shape_program_new(NULL);
  shape_options options = SHAPE_STRUCT(shape_options);
  options.inputs = "{}";
  cr_assert_eq(shape_program_load(p, MLIR, strlen(MLIR), "m"), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, &options);
  cr_expect_eq(shape_analysis_error(a)->status, SHAPE_INVALID);
  shape_analysis_free(a);
  shape_program_free(p);
}
