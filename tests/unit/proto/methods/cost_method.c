// SPDX-License-Identifier: Apache-2.0
// cost and profile/check: parameters, and the forms of their answers.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

#define SLICED                                                                                     \
  "'text': 'func.func @main(%x: tensor<?x4xf32>) -> tensor<2x4xf32> { "                            \
  "%0 = stablehlo.slice %x [0:2:1, 0:4:1] : (tensor<?x4xf32>) -> tensor<2x4xf32> "                 \
  "return %0 : tensor<2x4xf32> }'"

Test(cost_method, answers_in_each_form) {
  static const replied ROWS[] = {
      {"{" SLICED "}", "'argument_bytes': '16*S0', 'result_bytes': 32"},
      {"{" SLICED ", 'options': {'point': 'arg0.0=3'}}", "'at': {'argument_bytes': 48"},
      {"{" SLICED ", 'options': {'point': 'arg0.0=1'}}", "'legal': false"},
      {"{" SLICED ", 'options': {'over': 'arg0.0=2:3:4'}}", "'argument_bytes': [32, 64]"},
      {"{" SLICED ", 'options': {'reuse': true}}", "'reuse': {'bytes': 32"},
      {"{" SLICED ", 'options': {'flops_per_byte': 2}}", "'bound': 'memory'"},
      {"{" SLICED ", 'options': {'render': 'text'}}", "'text': 'program: 1 function"},
      {"{" SLICED ", 'options': {'point': 'B=3'}}", "is no free dim"},
      {"{" SLICED ", 'options': {'over': ''}}", "is missing"},
      {"{" SLICED ", 'options': {'flops_per_byte': -1}}", "params.options.flops_per_byte"},
      {"{" SLICED ", 'options': {'points': 'arg0.0=3'}}", "point"},
      {"{'text': 'func.func @main('}", "'status': 'error'"},
  };
  expect_table("cost", ROWS);
}

Test(cost_method, profiles_are_checked) {
  static const replied ROWS[] = {
      {"{" SLICED ", 'options': {'profiles': ['arg0.0=2:3:9']}}", "'verdict': 'legal'"},
      {"{" SLICED ", 'options': {'profiles': ['arg0.0=1:3:9']}}",
       "'counterexample': {'arg0.0': 1}"},
      {"{" SLICED ", 'options': {'profiles': ['arg0.0=1:3:9']}}", "'box': {'arg0.0': [2, 9]}"},
      {"{" SLICED ", 'options': {'profiles': ['arg0.0=1:3:9'], 'render': 'text'}}",
       "'answer': 'no'"},
      {"{" SLICED ", 'options': {'profiles': []}}", "give at least one"},
      {"{" SLICED "}", "params.options.profiles"},
      {"{" SLICED ", 'options': {'profiles': ['arg0.0=3:1:9']}}", "minimum <= typical"},
      {"{" SLICED ", 'options': {'profiles': 3}}", "params.options.profiles"},
  };
  expect_table("profile/check", ROWS);
}
