// SPDX-License-Identifier: Apache-2.0
// query: many queries about integers in one request.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

Test(query_method, answers_each_query) {
  methods m;
  methods_open(&m);
  expect_reply(
      &m, "query",
      "{'symbols': {'a': {'min': 1}, 'b': {'min': 1}}, 'assume': ['a*b == 12'], 'queries': "
      "[{'query': 'a <= 12'}, {'query': 'a == b'}, {'bounds': 'a'}, {'simplify': 'a + a'}]}",
      "'answer': 'true'");
  expect_reply(&m, "query", "{'queries': []}", "{'answers': []}");
  expect_reply(&m, "query", "{'queries': [{}], 'symbols': {'a': {}}}", "'error'");
  expect_reply(
      &m, "query",
      "{'symbols': {'a': {}},\n'queries': [\n{\n'query':\n'a == a'}], 'progress_token': 'x'}",
      "'answer': 'true'");
  expect_reply(
      &m, "query",
      "{'symbols': {'a': {}}, 'queries': [{'query': 'a == a'}], 'certify': true, 'steps': 1000, "
      "'memory': 10000000, 'deadline': 10000}",
      "'answer': 'true'");
  methods_close(&m);
}

Test(query_method, wrong_parameters_are_named) {
  static const refused ROWS[] = {
      {NULL, "invalid", "params"},
      {"[]", "invalid", "params"},
      {"{}", "invalid", "params.queries"},
      {"{'queries': 3}", "invalid", "params.queries"},
      {"{'queries': [3]}", "invalid", "params.queries"},
      {"{'queries': [], 'steps': 0}", "invalid", "params.steps"},
      {"{'queries': [], 'steps': 'many'}", "invalid", "params.steps"},
      {"{'queries': [], 'memory': -1}", "invalid", "params.memory"},
      {"{'queries': [], 'deadline': 0}", "invalid", "params.deadline"},
      {"{'queries': [], 'progress_token': {}}", "invalid", "params.progress_token"},
  };
  methods m;
  methods_open(&m);
  methods_refuse(&m, "query", ROWS, sizeof ROWS / sizeof *ROWS);
  methods_close(&m);
}

// A limit of the request may be tighter than the server's, and no wider.
Test(query_method, limits_only_tighten) {
  methods m;
  methods_open(&m);
  m.limits.steps = 1;
  expect_reply(
      &m, "query",
      "{'symbols': {'a': {'min': 1}, 'b': {'min': 1}, 'c': {'min': 1}}, 'assume': ['a*b + c*c == "
      "1200', 'a*c <= 77'], 'steps': 1000000, 'queries': [{'query': 'b*c != 900'}]}",
      "'reason': 'budget'");
  methods_close(&m);
}
