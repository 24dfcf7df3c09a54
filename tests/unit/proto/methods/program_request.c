// SPDX-License-Identifier: Apache-2.0
// What every method that takes a program refuses.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

static const refused PROGRAMS[] = {
    {NULL, "invalid", "params"},
    {"[]", "invalid", "params"},
    {"{}", "invalid", "params"},
    {"{" ADD ", " GRAPH "}", "invalid", "params"},
    {"{'text': 3}", "invalid", "params.text"},
    {"{'graph': []}", "invalid", "params.graph"},
    {"{'blob': 3}", "invalid", "params.blob"},
    {"{'blob': 'Zg'}", "invalid", "params.blob"},
    {"{'blob': '####'}", "invalid", "params.blob"},
    {"{" ADD ", 'name': 3}", "invalid", "params.name"},
    {"{" ADD ", 'name': 'a\\u0000'}", "parse-error", ""},
    {"{" ADD ", 'progress_token': []}", "invalid", "params.progress_token"},
    {"{" ADD ", 'options': 3}", "invalid", "params.options"},
    {"{" ADD ", 'options': {'entry': 3}}", "invalid", "params.options.entry"},
    {"{" ADD ", 'options': {'arg_types': 3}}", "invalid", "params.options.arg_types"},
    {"{" ADD ", 'options': {'werror': 3}}", "invalid", "params.options.werror"},
    {"{" ADD ", 'options': {'certify': 'yes'}}", "invalid", "params.options.certify"},
    {"{" ADD ", 'options': {'assume': 'a'}}", "invalid", "params.options.assume"},
    {"{" ADD ", 'options': {'assume': [3]}}", "invalid", "params.options.assume[0]"},
    {"{" ADD ", 'options': {'bind': {'a': 'b'}}}", "invalid", "params.options.bind.a"},
    {"{" ADD ", 'options': {'bind': [3]}}", "invalid", "params.options.bind[0]"},
    {"{" ADD ", 'options': {'bound': {'a': 1.5}}}", "invalid", "params.options.bound.a"},
    {"{" ADD ", 'options': {'steps': 0}}", "invalid", "params.options.steps"},
    {"{" ADD ", 'options': {'memory': -1}}", "invalid", "params.options.memory"},
    {"{" ADD ", 'options': {'deadline': 'soon'}}", "invalid", "params.options.deadline"},
    {"{" ADD ", 'options': {'render': 'html'}}", "invalid", "params.options.render"},
    {"{" ADD ", 'options': {'render': 3}}", "invalid", "params.options.render"},
};

static const refused OF_REFINE[] = {
    {"{" ADD ", 'options': {'dynamism': 3}}", "invalid", "params.options.dynamism"},
    {"{" ADD ", 'options': {'dynamism': 'some'}}", "invalid", "params.options.dynamism"},
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
