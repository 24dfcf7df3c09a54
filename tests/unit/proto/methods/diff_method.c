// SPDX-License-Identifier: Apache-2.0
// diff: two programs and what is refused.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

Test(diff_method, compares_two) {
  static const refused ROWS[] = {
      {NULL, "invalid", "params"},
      {"3", "invalid", "params"},
      {"{}", "invalid", "params.old"},
      {"{'old': {" ADD "}}", "invalid", "params.new"},
      {"{'old': 3, 'new': {" ADD "}}", "invalid", "params.old"},
      {"{'old': {" ADD "}, 'new': {'text': 3}}", "invalid", "params.new.text"},
      {"{'old': {" ADD ", 'options': {}}, 'new': {" ADD "}}", "invalid", "params.old.options"},
      {"{'old': {" ADD "}, 'new': {" ADD "}, 'options': {'bind': 3}}", "invalid",
       "params.options.bind"},
      {"{'old': {" ADD "}, 'new': {" ADD "}, 'progress_token': {}}", "invalid",
       "params.progress_token"},
  };
  methods m;
  methods_open(&m);
  methods_refuse(&m, "diff", ROWS, sizeof ROWS / sizeof *ROWS);
  expect_reply(&m, "diff", "{'old': {" ADD "}, 'new': {" ADD "}}", "'differences': []");
  expect_reply(&m, "diff", "{'old': {" ADD "}, 'new': {" GRAPH "}, 'options': {'render': 'text'}}",
               "'text': '");
  expect_reply(&m, "diff", "{'old': {" ADD "}, 'new': {" MISMATCH "}}", "'errors': [0, 1]");
  expect_reply(&m, "diff",
               "{'old': {" ADD "}, 'new': {" ADD
               "}, 'options': {'bind': {'arg0.0': 3}}, 'progress_token': 1}",
               "'differences': []");
  methods_close(&m);
}
