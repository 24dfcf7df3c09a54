// SPDX-License-Identifier: Apache-2.0
// generalize: parameters, and the forms of its answers.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

#define FIXED                                                                                      \
  "'text': 'func.func @main(%x: tensor<7x5xf32>) -> tensor<35xf32> { "                             \
  "%0 = stablehlo.reshape %x : (tensor<7x5xf32>) -> tensor<35xf32> return %0 : tensor<35xf32> }'"

Test(generalize_method, answers_in_each_form) {
  static const replied ROWS[] = {
      {"{" FIXED "}", "'dims': ['S0', 'S1']"},
      {"{" FIXED "}", "'now': 'S0*S1'"},
      {"{" FIXED ", 'options': {'free': ['x.1']}}", "'dims': [7, 'S0']"},
      {"{" FIXED ", 'options': {'free': ['arg0.0']}}", "'dims': ['S0', 5]"},
      {"{" FIXED ", 'options': {'render': 'text'}}", "'text': '  argument 0  x  [S0, S1]"},
      {"{" FIXED ", 'options': {'render': 'json'}}", "'text': '{"},
      {"{" FIXED ", 'options': {'emit': 'model'}}", "stablehlo.dynamic_reshape"},
      {"{" FIXED ", 'options': {'emit': 'mlir'}}", "params.options.emit"},
      {"{" FIXED ", 'options': {'free': ['x.2']}}", "expected a dim of an argument"},
      {"{" FIXED ", 'options': {'free': ['y.0']}}", "expected a dim of an argument"},
      {"{" FIXED ", 'options': {'free': 'x.0'}}", "params.options.free"},
      {"{" FIXED ", 'options': {'entry': 'other'}}", "other"},
      {"{" FIXED ", 'options': {'memory': 1}}", "'code': 'memory'"},
      {"{" FIXED ", 'options': {'bind': {'arg0.0': 2}}}", "bind"},
      {"{" MISMATCH "}", "'code': 'shape-mismatch'"},
      {"{" MISMATCH ", 'options': {'emit': 'model'}}", "'errors': 1"},
  };
  expect_table("generalize", ROWS);
}
