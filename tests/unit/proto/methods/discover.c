// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

// Names of files have no '/', and each method has one for its parameters and its result.
Test(discover, schemas_are_files_of_the_methods) {
  methods m;
  char ref[96], file[64];
  methods_open(&m);
  const char *reply = methods_call(&m, "rpc.discover", NULL);
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    static const char *const PARTS[] = {"params", "result"};
    snprintf(file, sizeof file, "%s", method_at(i)->name);
    for (char *c = file; *c; c++) {
      if (*c == '/') *c = '-';
    }
    for (int k = 0; k < 2; k++) {
      snprintf(ref, sizeof ref, "\"schema/%s.json#/$defs/%s\"", file, PARTS[k]);
      cr_expect(strstr(reply, ref), "%s", ref);
    }
  }
  methods_close(&m);
}

Test(discover, errors_have_their_codes) {
  methods m;
  char row[64], name[48];
  methods_open(&m);
  const char *reply = methods_call(&m, "rpc.discover", NULL);
  for (int i = RPC_OK + 1; i < RPC_CODE_COUNT; i++) {
    snprintf(row, sizeof row, "\"%s\": {\"code\": %d,", rpc_code_name((rpc_code)i, name),
             rpc_code_number((rpc_code)i));
    cr_expect(strstr(reply, row), "%s", row);
  }
  cr_expect_not(strstr(reply, "\"ok\": {"), "what is no error");
  methods_close(&m);
}
