// SPDX-License-Identifier: Apache-2.0
// What a server says of itself.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

Test(server_methods, initialize_names_versions_methods_and_dialects) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "initialize", NULL, "'protocolVersion': '1.0'");
  expect_reply(&m, "initialize", "{}", "'max-message': 1000");
  const char *reply = methods_call(&m, "initialize", "{}");
  for (uint32_t i = 0; i < METHOD_COUNT; i++) cr_expect(strstr(reply, method_at(i)->name));
  cr_expect(strstr(reply, "\"formats\": [\"json\", \"mlir\", \"bytecode\", \"onnx\", "
                          "\"compressed\", \"torch\", \"fx\"]") &&
                strstr(reply, "\"stablehlo\""),
            "%s", reply);
  methods_close(&m);
}

Test(server_methods, discover_has_a_method_for_each_row) {
  methods m;
  methods_open(&m);
  const char *reply = methods_call(&m, "rpc.discover", NULL);
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    cr_expect(strstr(reply, method_at(i)->name), "%s", method_at(i)->name);
    cr_expect(strstr(reply, method_at(i)->summary), "%s", method_at(i)->name);
  }
  methods_close(&m);
}

Test(server_methods, stats_are_those_of_the_host) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "server/stats", NULL, "'sessions': 0");
  expect_reply(&m, "session/open", "{'text': 'func.func @main() { return }'}", "'session': ");
  expect_reply(&m, "server/stats", "{}", "'sessions': 1");
  methods_close(&m);
}

Test(server_methods, ping_returns_its_parameters) {
  static const replied ROWS[] = {{"{'a': [1, 'x']}", "'result': {'a': [1, 'x']}}"},
                                 {"[1]", "'result': [1]}"},
                                 {NULL, "'result': {}}"}};
  expect_table("server/ping", ROWS);
}

Test(server_methods, operations_are_listed) {
  static const replied ROWS[] = {{NULL, "'stablehlo.add'"}, {"{}", "'onnx.Reshape'"}};
  expect_table("ops/list", ROWS);
}
