// SPDX-License-Identifier: Apache-2.0
// Functions and modules in generic form.
#include "tests/unit/formats/mlir/written.h"

Test(mlir_write_program, is_written_and_read_again) {
  static const written_row ROWS[] = {
      {"module @m attributes {x.y = 1 : i64} {\n  func.func private @g(tensor<?xf32>) -> "
       "(tensor<?xf32> {x.z = true})\n  func.func @main(%a: tensor<?xf32> {x.n = \"v\"}) -> "
       "tensor<?xf32> {\n    %0 = call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>\n    return %0 : "
       "tensor<?xf32>\n  }\n}\n",
       "\"builtin.module\"() ({\n"
       "  \"func.func\"() ({}) {sym_name = \"g\", function_type = (tensor<?xf32>) -> "
       "(tensor<?xf32>), sym_visibility = \"private\", res_attrs = [{x.z = true}]} : () -> ()\n"
       "  \"func.func\"() ({\n"
       "  ^bb0(%a: tensor<?xf32>):\n"
       "    %0 = \"func.call\"(%a) {callee = @g} : (tensor<?xf32>) -> tensor<?xf32>\n"
       "    \"func.return\"(%0) : (tensor<?xf32>) -> ()\n"
       "  }) {sym_name = \"main\", function_type = (tensor<?xf32>) -> (tensor<?xf32>), arg_attrs = "
       "[{x.n = \"v\"}]} : () -> ()\n"
       "}) {sym_name = \"m\", x.y = 1 : i64} : () -> ()\n"},
      {"func.func @main() {\n  return\n}\n",
       "\"func.func\"() ({\n"
       "^bb0:\n"
       "  \"func.return\"() : () -> ()\n"
       "}) {sym_name = \"main\", function_type = () -> ()} : () -> ()\n"},
  };
  EXPECT_WRITTEN(ROWS);
}
