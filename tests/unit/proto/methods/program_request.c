// SPDX-License-Identifier: Apache-2.0
// analyze, refine, explain and diff: parameters, options, and the forms of their answers.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

#define ADD                                                                                        \
  "func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32>"                   \
  " {\\n  %0 = stablehlo.add %a, %b : tensor<?x4xf32>\\n  return %0 : tensor<?x4xf32>\\n}\\n"
#define TEXT "'text': '" ADD "'"
#define WRONG                                                                                      \
  "'text': 'func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) {\\n  %0 = "                     \
  "stablehlo.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>\\n  return\\n}\\n'"
#define GRAPH                                                                                      \
  "'graph': {'functions': [{'name': 'main', 'arguments': [{'name': 'x', 'type': "                  \
  "'tensor<?x4xf32>'}], 'ops': [['stablehlo.abs', ['x'], ['y', 'tensor<?x4xf32>']]], "             \
  "'returns': ['y']}]}"

// What every method that takes a program refuses.
static const refused PROGRAMS[] = {
    {NULL, "invalid", "params"},
    {"[]", "invalid", "params"},
    {"{}", "invalid", "params"},
    {"{" TEXT ", " GRAPH "}", "invalid", "params"},
    {"{'text': 3}", "invalid", "params.text"},
    {"{'graph': []}", "invalid", "params.graph"},
    {"{'blob': 3}", "invalid", "params.blob"},
    {"{'blob': 'Zg'}", "invalid", "params.blob"},
    {"{'blob': '####'}", "invalid", "params.blob"},
    {"{" TEXT ", 'name': 3}", "invalid", "params.name"},
    {"{" TEXT ", 'name': 'a\\u0000'}", "parse-error", ""},
    {"{" TEXT ", 'progress_token': []}", "invalid", "params.progress_token"},
    {"{" TEXT ", 'options': 3}", "invalid", "params.options"},
    {"{" TEXT ", 'options': {'entry': 3}}", "invalid", "params.options.entry"},
    {"{" TEXT ", 'options': {'arg_types': 3}}", "invalid", "params.options.arg_types"},
    {"{" TEXT ", 'options': {'werror': 3}}", "invalid", "params.options.werror"},
    {"{" TEXT ", 'options': {'certify': 'yes'}}", "invalid", "params.options.certify"},
    {"{" TEXT ", 'options': {'assume': 'a'}}", "invalid", "params.options.assume"},
    {"{" TEXT ", 'options': {'assume': [3]}}", "invalid", "params.options.assume[0]"},
    {"{" TEXT ", 'options': {'bind': {'a': 'b'}}}", "invalid", "params.options.bind.a"},
    {"{" TEXT ", 'options': {'bind': [3]}}", "invalid", "params.options.bind[0]"},
    {"{" TEXT ", 'options': {'bound': {'a': 1.5}}}", "invalid", "params.options.bound.a"},
    {"{" TEXT ", 'options': {'steps': 0}}", "invalid", "params.options.steps"},
    {"{" TEXT ", 'options': {'memory': -1}}", "invalid", "params.options.memory"},
    {"{" TEXT ", 'options': {'deadline': 'soon'}}", "invalid", "params.options.deadline"},
    {"{" TEXT ", 'options': {'render': 'html'}}", "invalid", "params.options.render"},
    {"{" TEXT ", 'options': {'render': 3}}", "invalid", "params.options.render"},
};

static const refused OF_REFINE[] = {
    {"{" TEXT ", 'options': {'dynamism': 3}}", "invalid", "params.options.dynamism"},
    {"{" TEXT ", 'options': {'dynamism': 'some'}}", "invalid", "params.options.dynamism"},
};

Test(program_methods, wrong_parameters_are_named) {
  methods m;
  methods_open(&m);
  methods_refuse(&m, "analyze", PROGRAMS, sizeof PROGRAMS / sizeof *PROGRAMS);
  methods_refuse(&m, "refine", PROGRAMS, sizeof PROGRAMS / sizeof *PROGRAMS);
  methods_refuse(&m, "refine", OF_REFINE, sizeof OF_REFINE / sizeof *OF_REFINE);
  methods_refuse(&m, "explain", PROGRAMS, sizeof PROGRAMS / sizeof *PROGRAMS);
  methods_close(&m);
}

Test(program_methods, analyze_takes_each_form_and_option) {
  static const replied ROWS[] = {
      {"{" TEXT "}", "'result_dims': [['S0', 4]]"},
      {"{" GRAPH "}", "'result_dims': [['S0', 4]]"},
      // "func.func @main() { return }"
      {"{'blob': 'ZnVuYy5mdW5jIEBtYWluKCkgeyByZXR1cm4gfQ=='}", "'status': 'ok'"},
      {"{" TEXT ", 'progress_token': 7}", "'status': 'ok'"},
      {"{" TEXT ", 'name': 'a.mlir', 'unknown': [1, {'a': 2}], 'unknown_keys': 'ignore'}",
       "'status': 'ok'"},
      {"{" TEXT ", 'options': {'bind': {'arg0.0': 8}}}", "'result_dims': [[8, 4]]"},
      {"{" TEXT ", 'options': {'bind': ['arg0.0=8']}}", "'result_dims': [[8, 4]]"},
      {"{" TEXT ", 'options': {'bound': {'arg0.0': 8}}}", "'max': 8"},
      {"{" TEXT ", 'options': {'assume': ['arg0.0 >= 2', 'arg0.0 <= 9']}}", "'min': 2, 'max': 9"},
      {"{" TEXT ", 'options': {'arg_types': 'tensor<2x4xf32>,tensor<2x4xf32>'}}",
       "'result_dims': [[2, 4]]"},
      {"{" TEXT
       ", 'options': {'entry': 'main', 'werror': true, 'certify': true, 'refinable': false}}",
       "'status': 'ok'"},
      {"{" TEXT ", 'options': {'steps': 1000000, 'memory': 1000000000, 'deadline': 100000}}",
       "'status': 'ok'"},
      {"{" TEXT ", 'options': {'render': 'text'}}", "'text': 'program: ok"},
      {"{" TEXT ", 'options': {'render': 'colour'}}", "'text': 'program: "},
      {"{" TEXT ", 'options': {'render': 'json'}}", "'text': '{"},
      {"{" WRONG "}", "'code': 'shape-mismatch'"},
      {"{" WRONG ", 'name': 'w.mlir', 'options': {'render': 'text'}}", "'errors': 1"},
      {"{'text': 'func.func @main('}", "'code': 'syntax'"},
      {"{" TEXT ", 'options': {'profile': 'none'}}", "'likely': []"},
      {"{" TEXT ", 'options': null}", "'error'"},
      {"{" TEXT ", 'options': {'entry': 'other'}}", "other"},
      {"{" TEXT ", 'options': {'bind': {'arg0.0': -1}}}", "arg0.0"},
      {"{" TEXT ", 'options': {'assume': ['nonsense >']}}", "nonsense"},
      {"{" TEXT ", 'options': {'memory': 1}}", "'code': 'memory'"},
  };
  expect_table("analyze", ROWS);
}

// Bytes that are no UTF-8 are no MLIR, and the reply is UTF-8.
Test(program_methods, names_of_any_bytes_are_rendered) {
  methods m;
  methods_open(&m);
  // "func.func @\"m\xff\"() { return }"
  expect_reply(
      &m, "analyze",
      "{'blob': 'ZnVuYy5mdW5jIEAibf8iKCkgeyByZXR1cm4gfQ==', 'options': {'render': 'text'}}",
      "is no UTF-8 [format]");
  methods_close(&m);
}

Test(program_methods, refine_writes_each_form) {
  static const replied ROWS[] = {
      {"{" TEXT "}", "'text': 'func.func @main("},
      {"{" TEXT ", 'options': {'arg_types': 'tensor<2x4xf32>,tensor<?x4xf32>'}}",
       "tensor<2x4xf32>"},
      {"{" TEXT ", 'options': {'bind': {'arg0.0': 2}, 'cleanup': true, 'generic': true}}",
       "func.func"},
      {"{" TEXT ", 'options': {'bound': {'arg0.0': 8}, 'dynamism': 'bounded'}}", "bounds<8, ?>"},
      {"{" TEXT ", 'options': {'dynamism': 'unbounded'}}", "func.func"},
      {"{" TEXT ", 'options': {'require_static': true}}", "stays"},
      {"{" TEXT ", 'options': {'emit': 'json'}}", "functions"},
      {"{" TEXT ", 'options': {'emit': 'smt2'}}", "declare-"},
      {"{" TEXT ", 'options': {'emit': 'disc-shape'}}", "disc_shape"},
      {"{" TEXT ", 'options': {'emit': 'guards-c'}}", "int"},
      {"{" TEXT ", 'options': {'emit': 'guards-python'}}", "def "},
      {"{" TEXT ", 'options': {'emit': 'guards-mlir'}}", "func.func"},
      {"{" TEXT ", 'options': {'emit': 'nothing'}}", "'code': 'invalid'"},
      {"{" GRAPH "}", "'code': 'invalid'"},
      {"{" GRAPH ", 'options': {'emit': 'json'}}", "stablehlo.abs"},
      {"{" WRONG "}", "shape-mismatch"},
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

Test(program_methods, explain_answers_predicates_and_locations) {
  static const replied ROWS[] = {
      {"{" TEXT ", 'options': {'that': 'arg0.0 == arg1.0'}}", "'yes'"},
      {"{" TEXT ", 'options': {'that': 'arg0.0 == 3'}}", "'run': {'arg0.0': "},
      {"{" TEXT ", 'options': {'that': 'arg0.0 < 0', 'render': 'text'}}", "'answer': 'no'"},
      {"{" TEXT ", 'options': {'that': 'arg0.0 == arg1.0', 'render': 'colour'}}",
       "'answer': 'yes'"},
      {"{" TEXT ", 'options': {'that': 'nonsense >'}}", "'code': 'invalid'"},
      {"{" TEXT ", 'options': {'at': {'line': 2, 'column': 3}}}", "'dim': 'arg0.0'"},
      {"{" TEXT ", 'options': {'at': {'line': 2, 'column': 3}, 'render': 'text'}}",
       "stablehlo.add"},
      {"{" TEXT ", 'options': {'at': {'line': 99, 'column': 3}}}", "'code': 'invalid'"},
      {"{" TEXT "}", "'code': 'invalid'"},
      {"{" TEXT ", 'options': {'at': 3}}", "params.options.at"},
      {"{" TEXT ", 'options': {'at': {'line': 2}}}", "params.options.at"},
      {"{" TEXT ", 'options': {'at': {'line': 0, 'column': 1}}}", "params.options.at"},
      {"{" TEXT ", 'options': {'that': 'a', 'at': {'line': 2, 'column': 3}}}", "'code': 'invalid'"},
  };
  expect_table("explain", ROWS);
}

Test(program_methods, diff_compares_two) {
  static const refused ROWS[] = {
      {NULL, "invalid", "params"},
      {"3", "invalid", "params"},
      {"{}", "invalid", "params.old"},
      {"{'old': {" TEXT "}}", "invalid", "params.new"},
      {"{'old': 3, 'new': {" TEXT "}}", "invalid", "params.old"},
      {"{'old': {" TEXT "}, 'new': {'text': 3}}", "invalid", "params.new.text"},
      {"{'old': {" TEXT ", 'options': {}}, 'new': {" TEXT "}}", "invalid", "params.old.options"},
      {"{'old': {" TEXT "}, 'new': {" TEXT "}, 'options': {'bind': 3}}", "invalid",
       "params.options.bind"},
      {"{'old': {" TEXT "}, 'new': {" TEXT "}, 'progress_token': {}}", "invalid",
       "params.progress_token"},
  };
  methods m;
  methods_open(&m);
  methods_refuse(&m, "diff", ROWS, sizeof ROWS / sizeof *ROWS);
  expect_reply(&m, "diff", "{'old': {" TEXT "}, 'new': {" TEXT "}}", "'differences': []");
  expect_reply(&m, "diff", "{'old': {" TEXT "}, 'new': {" GRAPH "}, 'options': {'render': 'text'}}",
               "'text': '");
  expect_reply(&m, "diff", "{'old': {" TEXT "}, 'new': {" WRONG "}}", "'errors': [0, 1]");
  expect_reply(&m, "diff",
               "{'old': {" TEXT "}, 'new': {" TEXT
               "}, 'options': {'bind': {'arg0.0': 3}}, 'progress_token': 1}",
               "'differences': []");
  methods_close(&m);
}
