// SPDX-License-Identifier: Apache-2.0
// refine: the forms that it writes.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

Test(refine_method, writes_each_form) {
  static const replied ROWS[] = {
      {"{" ADD "}", "'text': 'func.func @main("},
      {"{" ADD ", 'options': {'arg_types': 'tensor<2x4xf32>,tensor<?x4xf32>'}}", "tensor<2x4xf32>"},
      {"{" ADD ", 'options': {'bind': {'arg0.0': 2}, 'cleanup': true, 'generic': true}}",
       "func.func"},
      {"{" ADD ", 'options': {'bound': {'arg0.0': 8}, 'dynamism': 'bounded'}}", "bounds<8, ?>"},
      {"{" ADD ", 'options': {'dynamism': 'unbounded'}}", "func.func"},
      {"{" ADD ", 'options': {'require_static': true}}", "stays"},
      {"{" ADD ", 'options': {'emit': 'json'}}", "functions"},
      {"{" ADD ", 'options': {'emit': 'smt2'}}", "declare-"},
      {"{" ADD ", 'options': {'emit': 'disc-shape'}}", "disc_shape"},
      {"{" ADD ", 'options': {'emit': 'guards-c'}}", "int"},
      {"{" ADD ", 'options': {'emit': 'guards-python'}}", "def "},
      {"{" ADD ", 'options': {'emit': 'guards-mlir'}}", "func.func"},
      {"{" ADD ", 'options': {'emit': 'nothing'}}", "'code': 'invalid'"},
      {"{" GRAPH "}", "'code': 'invalid'"},
      {"{" GRAPH ", 'options': {'emit': 'json'}}", "stablehlo.abs"},
      {"{" MISMATCH "}", "shape-mismatch"},
  };
  methods m;
  methods_open(&m);
  expect_replies(&m, "refine", ROWS);
  // What stays dynamic is listed where arguments were given, and where each stays it is said why.
  expect_reply(
      &m, "refine",
      "{'text': 'func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> { %0 = stablehlo.abs %a : "
      "tensor<?x?xf32> return %0 : tensor<?x?xf32> }', 'options': {'bind': {'arg0.0': 2}}}",
      "'dynamic': [{'line': ");
  methods_close(&m);
}
