// SPDX-License-Identifier: Apache-2.0
// The methods of sessions: what they take, what they answer, and what they refuse.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/session.h"

Test(session_methods, a_session_from_open_to_close) {
  methods m;
  open_one(&m);
  expect_reply(
      &m, "session/edit",
      "{" ID
      ", 'edits': [{'insert': ['stablehlo.abs', ['a'], ['t', 'tensor<?x4xf32>']], 'after': 0}]}",
      "'version': 2");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'remove': 3}]}", "'version': 3");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'assume': 'arg0.0 >= 2'}]}", "'result'");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'retract': 'arg0.0 >= 2'}]}", "'result'");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'retype': 0, 'with': 'tensor<8x4xf32>'}]}",
               "'after': {'type': 'tensor<8x4xf32>', 'dims': [8, 4]}");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'symbol': {'name': 'N', 'min': 1}}]}",
               "'result'");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'remove_symbol': 'N'}]}", "'result'");
  expect_reply(&m, "session/edit",
               "{" ID ", 'edits': [{'insert_argument': 'tensor<?xf32>', 'name': 'c'}]}",
               "'values': [5]");
  expect_reply(&m, "session/push", "{" ID ", 'assume': ['arg0.0 <= 99']}", "'depth': 1");
  expect_reply(&m, "session/analyze", "{" ID ", 'all': true}", "'program': '{");
  expect_reply(&m, "session/analyze", "{" ID "}", "'answer': {'status': ");
  expect_reply(&m, "session/pop", "{" ID "}", "'depth': 0");
  expect_reply(&m, "session/close", "{" ID "}", "'result'");
  expect_reply(&m, "session/close", "{" ID "}", "'code': 'session-unknown'");
  methods_close(&m);
}

Test(session_methods, values_and_operations_have_addresses) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "session/open", "{" TEXT ", 'names': true}",
               "{'value': 2, 'name': '%0', 'op': 0, 'line': 2, 'column': 3}");
  expect_reply(&m, "session/query",
               "{" ID ", 'queries': [{'query': '%0.0 == %a.0'}, {'query': '%{3:8}.1 == 4'}, "
               "{'same_shape': ['%0', '%1']}, {'value': '3:8'}, {'query': '%none.0 == 1'}]}",
               "'answer': 'true'}, {'answer': 'true'}, {'answer': 'true'}, {'shape': {'type': "
               "'tensor<?x4xf32>', 'dims': ['S0', 4]}}, {'error'");
  expect_reply(&m, "session/query", "{" ID ", 'queries': [{'value': '%none'}]}",
               "there is no such value");
  expect_reply(&m, "session/query", "{" ID ", 'queries': [{'value': '%0.1'}]}", "not a dim");
  expect_reply(&m, "session/edit",
               "{" ID ", 'edits': [{'insert': ['stablehlo.abs', ['a'], ['t', "
               "'tensor<?x4xf32>']], 'after': '%0'}, {'rewire': '%0', 'with': '%b'}]}",
               "'version': 2");
  expect_reply(&m, "session/edit",
               "{" ID ", 'edits': [{'insert': ['stablehlo.abs', ['%t'], ['u', "
               "'tensor<?x4xf32>']], 'before': '4:3'}]}",
               "'version': 3");
  expect_reply(&m, "session/query",
               "{" ID ", 'queries': [{'same_elements': ['%u', 't']}, {'query': '%u.1 == 4'}, "
               "{'value': '%{2:3}'}]}",
               "'answer': 'true'}, {'answer': 'true'}, {'shape'");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'remove': '%u'}]}", "'version': 4");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'remove': '%u'}]}", "'invalid'");
  expect_reply(&m, "session/edit",
               "{" ID ", 'edits': [{'retype': '%a', 'with': 'tensor<8x4xf32>'}]}",
               "'dims': [8, 4]");
  methods_close(&m);
}

Test(session_methods, open_takes_options) {
  static const refused ROWS[] = {
      {NULL, "invalid", "params"},
      {"[]", "invalid", "params"},
      {"{}", "invalid", "params"},
      {"{" TEXT ", 'shared': 3}", "invalid", "params.shared"},
      {"{" TEXT ", 'all': 3}", "invalid", "params.all"},
      {"{" TEXT ", 'names': 'x'}", "invalid", "params.names"},
      {"{" TEXT ", 'options': {'bound': {'arg0.0': 3}}}", "invalid", "params.options"},
      {"{" TEXT ", 'options': {'arg_types': 'tensor<1x4xf32>'}}", "invalid", "params.options"},
      {"{" TEXT ", 'options': {'bind': ['arg0.0']}}", "invalid", "params.options.bind"},
      {"{" TEXT ", 'options': {'bind': ['arg0.0=99999999999999999999']}}", "invalid",
       "params.options.bind"},
      {"{" TEXT ", 'options': {'assume': ['nonsense >']}}", "", ""},
      {"{" TEXT ", 'options': {'entry': 'other'}}", "", ""},
      {"{'text': 'func.func @main('}", "", ""},
      {"{'text': '\\u001f\\u008b'}", "", ""},
      {"{'blob': 'CAg6AA=='}", "", ""},
  };
  methods m;
  methods_open(&m);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const char *reply = methods_call(&m, "session/open", ROWS[i].params);
    if (ROWS[i].code[0]) {
      methods_refuse(&m, "session/open", &ROWS[i], 1);
    } else {
      cr_expect(strstr(reply, "\"error\"") || strstr(reply, "\"severity\": \"error\""), "%s\n  %s",
                ROWS[i].params, reply);
    }
    if (strstr(reply, "\"session\"")) methods_call(&m, "session/close", "{" ID "}");
  }
  expect_reply(&m, "session/open",
               "{" TEXT ", 'all': true, 'shared': false, 'options': {'bind': {'arg0.0': 8}, "
               "'assume': ['arg1.0 >= 1']}}",
               "'dims': [8, 4]");
  expect_reply(&m, "session/open", "{'graph': {'functions': []}}", "'session': 'BBBB");
  expect_reply(&m, "session/open", "{" TEXT "}", "'code': 'memory'");  // the host has two
  methods_close(&m);
}

Test(session_methods, wrong_edits_are_named_and_change_nothing) {
  static const char *const EDITS[] = {
      "3",
      "[]",
      "[3]",
      "[{}]",
      "[{'name': 'x'}]",
      "[{'remove': 'x'}]",
      "[{'remove': -1}]",
      "[{'remove': 99999999999}]",
      "[{'remove': 77}]",
      "[{'remove': 0, 'replace': 1}]",
      "[{'insert': ['stablehlo.abs', ['a'], ['t', 'f32']]}]",
      "[{'insert': 3, 'after': 0}]",
      "[{'insert': ['stablehlo.abs', ['none'], ['t', 'f32']], 'after': 0}]",
      "[{'replace': 0}]",
      "[{'retype': 0}]",
      "[{'retype': 0, 'with': 'nonsense'}]",
      "[{'retype': 99, 'with': 'f32'}]",
      "[{'rewire': 0}]",
      "[{'rewire': 0, 'with': 'x'}]",
      "[{'rewire': 0, 'with': 99}]",
      "[{'remove': 1, 'with': 3}]",
      "[{'symbol': 3}]",
      "[{'remove_symbol': 'unknown'}]",
      "[{'retract': 'never assumed'}]",
      "[{'insert_argument': 3}]",
      "[{'remove_argument': 99}]",
      "[{'remove_argument': 0}]",
      "[{'name': 3}]",
      "[{'assume': 'arg0.0 >= 1'}, {'remove': 77}]",
      "[{'what': 3}]"};
  methods m;
  open_one(&m);
  const char *before = methods_call(&m, "session/analyze", "{" ID ", 'all': true}");
  for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
    shape_strbuf params;
    strbuf_init(&params, &m.arena);
    strbuf_printf(&params, "{%s, 'edits': %s}", ID, EDITS[i]);
    const char *reply = methods_call(&m, "session/edit", strbuf_text(&params));
    cr_expect(strstr(reply, "\"code\": \"invalid\"") || strstr(reply, "\"code\": \"syntax\""),
              "%s\n  %s", EDITS[i], reply);
    cr_expect_str_eq(methods_call(&m, "session/analyze", "{" ID ", 'all': true}"), before, "%s",
                     EDITS[i]);
  }
  methods_close(&m);
}

Test(session_methods, versions_and_parameters_are_checked) {
  static const refused ROWS[] = {
      {NULL, "invalid", "params"},
      {"{}", "invalid", "params.session"},
      {"{'session': 3}", "invalid", "params.session"},
      {"{'session': 'unknown'}", "session-unknown", ""},
      {"{" ID ", 'version': 'x'}", "invalid", "params.version"},
      {"{" ID ", 'version': -1}", "invalid", "params.version"},
      {"{" ID ", 'version': 9999999999999999999}", "invalid", "params.version"},
      {"{" ID ", 'version': 77}", "session-stale", ""},
      {"{" ID ", 'progress_token': {}}", "invalid", "params.progress_token"},
      {"{" ID ", 'assume': 3, 'edits': 3, 'queries': 3}", "invalid", ""},
  };
  static const char *const METHODS[] = {"session/edit", "session/push", "session/query"};
  methods m;
  open_one(&m);
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
      if (!ROWS[k].params && strcmp(METHODS[i], "session/query") == 0) continue;
      if (strstr(ROWS[k].params ? ROWS[k].params : "", "'unknown'")) {
        // Another session of the host's.
        expect_reply(&m, METHODS[i], "{'session': 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'}",
                     "'code': 'session-unknown'");
        continue;
      }
      methods_refuse(&m, METHODS[i], &ROWS[k], 1);
    }
  }
  expect_reply(&m, "session/pop", "{" ID "}", "'error'");  // nothing was pushed
  expect_reply(&m, "session/push", "{" ID ", 'assume': [3]}", "params.assume");
  expect_reply(&m, "session/push", "{" ID ", 'assume': ['nonsense >']}", "nonsense");
  expect_reply(&m, "session/push", "{" ID ", 'assume': []}", "'depth': 2");
  methods_close(&m);
}

Test(session_methods, without_a_host_there_are_none) {
  methods m;
  methods_open(&m);
  m.host.session_take = NULL;
  expect_reply(&m, "session/open", "{" TEXT "}", "'code': 'unsupported'");
  expect_reply(&m, "session/edit", "{" ID "}", "'code': 'unsupported'");
  methods_close(&m);
}
