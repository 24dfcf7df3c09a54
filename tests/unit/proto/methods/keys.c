// SPDX-License-Identifier: Apache-2.0
// Keys that a method does not know.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

#define PROGRAM "'text': 'func.func @main(%a: tensor<?xf32>) { return }'"

Test(keys, the_nearest_is_named) {
  static const struct {
    const char *method, *params, *part;
  } ROWS[] = {
      {"analyze", "{" PROGRAM ", 'option': {}}",
       "params: unknown key \\\"option\\\"; the nearest is \\\"options\\\""},
      {"analyze", "{" PROGRAM ", 'options': {'asume': []}}",
       "params.options: unknown key \\\"asume\\\"; the nearest is \\\"assume\\\""},
      {"analyze", "{" PROGRAM ", 'options': {'at': {'line': 1, 'col': 2}}}",
       "params.options.at: unknown key \\\"col\\\"; the nearest is \\\"column\\\""},
      {"analyze", "{" PROGRAM ", 'options': {'cleanup': true}}", "unknown key"},
      {"refine", "{" PROGRAM ", 'options': {'clean_up': true}}", "\\\"cleanup\\\""},
      {"diff", "{'old': {" PROGRAM ", 'nam': 'x'}, 'new': {" PROGRAM "}}",
       "params.old: unknown key \\\"nam\\\"; the nearest is \\\"name\\\""},
      {"profile/observe", "{'profile': 'p', 'observations': [3, {'dim': {}}]}",
       "params.observations: unknown key \\\"dim\\\"; the nearest is \\\"dims\\\""},
      {"session/edit", "{'session': 's', 'edits': [{'inserts': {}}]}", "\\\"insert\\\""},
      {"query", "{'queries': [{'query': 'a == a', 'explains': true}]}", "\\\"explain\\\""},
      {"query", "{'symbols': {'a': {'maxx': 3}}, 'queries': [{'query': 'a == a'}]}", "\\\"max\\\""},
      {"query", "{'assumes': [], 'queries': []}", "\\\"assume\\\""},
      {"ops/list", "{'': 1}", "unknown key \\\"\\\""},
      {"analyze", "{" PROGRAM ", 'unknown_keys': 'maybe'}", "params.unknown_keys"},
      {"analyze", "{" PROGRAM ", 'unknown_keys': true}", "params.unknown_keys"},
  };
  methods m;
  methods_open(&m);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    expect_reply(&m, ROWS[i].method, ROWS[i].params, ROWS[i].part);
  methods_close(&m);
}

Test(keys, may_be_ignored) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "analyze", "{" PROGRAM ", 'option': {}, 'unknown_keys': 'ignore'}",
               "'status': 'ok'");
  expect_reply(&m, "query",
               "{'symbols': {'a': {'maxx': 3}}, 'unknown_keys': 'ignore', 'queries': [{'query': "
               "'a == a', 'why': 1}]}",
               "'answer': 'true'");
  expect_reply(&m, "analyze", "{" PROGRAM ", 'unknown_keys': 'error'}", "'status': 'ok'");
  methods_close(&m);
}

// A value of another kind is for the method to refuse; the graph and its attributes are not looked into.
Test(keys, values_of_other_kinds) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "analyze", "{" PROGRAM ", 'options': 3}", "params.options");
  expect_reply(&m, "profile/observe", "{'profile': 'p', 'observations': 3}", "expected array");
  expect_reply(&m, "server/ping", "{'any': 3}", "'any': 3");
  expect_reply(&m, "initialize", "{'clientInfo': {}}", "protocolVersion");
  expect_reply(&m, "analyze", "{'graph': {'functions': [], 'note': 1}}", "'status'");
  methods_close(&m);
}

// Symbols as rows of a graph.
Test(keys, symbols_of_queries_as_in_a_graph) {
  methods m;
  methods_open(&m);
  expect_reply(
      &m, "query",
      "{'symbols': [{'name': 'a', 'divisible_by': 4}, 'b', {'name': 'c', 'def': 'a + b'}], "
      "'queries': [{'query': 'c >= 0'}]}",
      "'answer': 'true'");
  expect_reply(&m, "query",
               "{'symbols': [{'name': 'a', 'value': true}], 'queries': [{'query': 'a >= 0'}]}",
               "'answer': 'unknown'");
  expect_reply(&m, "query", "{'symbols': [{'min': 3}], 'queries': [{'query': '1 == 1'}]}",
               "a symbol needs a");
  expect_reply(&m, "query", "{'symbols': ['a', {'name': 'a'}], 'queries': [{'query': 'a == a'}]}",
               "a symbol is given twice");
  methods_close(&m);
}
