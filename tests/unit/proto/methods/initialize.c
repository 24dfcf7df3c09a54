// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/unit/proto/methods/methods.h"

// Those of the operations, each once, whatever the order of its rows.
Test(initialize, dialects_are_named_once) {
  methods m;
  methods_open(&m);
  const char *reply = methods_call(&m, "initialize", NULL);
  const char *from = strstr(reply, "\"dialects\": ["), *end = from ? strchr(from, ']') : NULL;
  cr_assert(from && end);
  shape_operation op;
  for (uint32_t i = 0; shape_operation_at(i, &op); i++) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)strcspn(op.name, "."), op.name);
    const char *first = strstr(from + 12, quoted);
    cr_assert(first && first < end, "%s", quoted);
    const char *second = strstr(first + 1, quoted);
    cr_assert(!second || second > end, "%s is there twice", quoted);
  }
  methods_close(&m);
}

// Clients say who they are, as those of other protocols do.
Test(initialize, takes_any_parameters) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "initialize", "{'clientInfo': {'name': 'x'}}", "'version': '" SHAPE_VERSION "'");
  methods_close(&m);
}
