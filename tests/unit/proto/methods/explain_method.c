// SPDX-License-Identifier: Apache-2.0
// explain: predicates and locations.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

Test(explain_method, answers_predicates_and_locations) {
  static const replied ROWS[] = {
      {"{" ADD ", 'options': {'that': 'arg0.0 == arg1.0'}}", "'yes'"},
      {"{" ADD ", 'options': {'that': 'arg0.0 == 3'}}", "'run': {'arg0.0': "},
      {"{" ADD ", 'options': {'that': 'arg0.0 < 0', 'render': 'text'}}", "'answer': 'no'"},
      {"{" ADD ", 'options': {'that': 'arg0.0 == arg1.0', 'render': 'colour'}}", "'answer': 'yes'"},
      {"{" ADD ", 'options': {'that': 'nonsense >'}}", "'code': 'invalid'"},
      {"{" ADD ", 'options': {'at': {'line': 2, 'column': 3}}}", "'dim': 'arg0.0'"},
      {"{" ADD ", 'options': {'at': {'line': 2, 'column': 3}, 'render': 'text'}}", "stablehlo.add"},
      {"{" ADD ", 'options': {'at': {'line': 99, 'column': 3}}}", "'code': 'invalid'"},
      {"{" ADD "}", "'code': 'invalid'"},
      {"{" ADD ", 'options': {'at': 3}}", "params.options.at"},
      {"{" ADD ", 'options': {'at': {'line': 2}}}", "params.options.at"},
      {"{" ADD ", 'options': {'at': {'line': 0, 'column': 1}}}", "params.options.at"},
      {"{" ADD ", 'options': {'that': 'a', 'at': {'line': 2, 'column': 3}}}", "'code': 'invalid'"},
  };
  expect_table("explain", ROWS);
}
