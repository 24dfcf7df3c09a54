// SPDX-License-Identifier: Apache-2.0
// analyze: the options that it takes, and the forms of its answers.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

Test(analyze_method, takes_each_form_and_option) {
  static const replied ROWS[] = {
      {"{" ADD "}", "'result_dims': [['S0', 4]]"},
      {"{" GRAPH "}", "'result_dims': [['S0', 4]]"},
      // "func.func @main() { return }"
      {"{'blob': 'ZnVuYy5mdW5jIEBtYWluKCkgeyByZXR1cm4gfQ=='}", "'status': 'ok'"},
      {"{" ADD ", 'progress_token': 7}", "'status': 'ok'"},
      {"{" ADD ", 'name': 'a.mlir', 'unknown': [1, {'a': 2}], 'unknown_keys': 'ignore'}",
       "'status': 'ok'"},
      {"{" ADD ", 'options': {'bind': {'arg0.0': 8}}}", "'result_dims': [[8, 4]]"},
      {"{" ADD ", 'options': {'bind': ['arg0.0=8']}}", "'result_dims': [[8, 4]]"},
      {"{" ADD ", 'options': {'bound': {'arg0.0': 8}}}", "'max': 8"},
      {"{" ADD ", 'options': {'assume': ['arg0.0 >= 2', 'arg0.0 <= 9']}}", "'min': 2, 'max': 9"},
      {"{" ADD ", 'options': {'arg_types': 'tensor<2x4xf32>,tensor<2x4xf32>'}}",
       "'result_dims': [[2, 4]]"},
      {"{" ADD
       ", 'options': {'entry': 'main', 'werror': true, 'certify': true, 'refinable': false}}",
       "'status': 'ok'"},
      {"{" ADD ", 'options': {'steps': 1000000, 'memory': 1000000000, 'deadline': 100000}}",
       "'status': 'ok'"},
      {"{" ADD ", 'options': {'render': 'text'}}", "'text': 'program: ok"},
      {"{" ADD ", 'options': {'render': 'colour'}}", "'text': 'program: "},
      {"{" ADD ", 'options': {'render': 'json'}}", "'text': '{"},
      {"{" MISMATCH "}", "'code': 'shape-mismatch'"},
      {"{" MISMATCH ", 'name': 'w.mlir', 'options': {'render': 'text'}}", "'errors': 1"},
      {"{'text': 'func.func @main('}", "'code': 'syntax'"},
      {"{" ADD ", 'options': {'profile': 'none'}}", "'likely': []"},
      {"{" ADD ", 'options': null}", "'error'"},
      {"{" ADD ", 'options': {'entry': 'other'}}", "other"},
      {"{" ADD ", 'options': {'bind': {'arg0.0': -1}}}", "arg0.0"},
      {"{" ADD ", 'options': {'assume': ['nonsense >']}}", "nonsense"},
      {"{" ADD ", 'options': {'memory': 1}}", "'code': 'memory'"},
  };
  expect_table("analyze", ROWS);
}
