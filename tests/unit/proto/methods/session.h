// SPDX-License-Identifier: Apache-2.0
// A session of methods.h, of two operations, and requests that name it.
#ifndef TESTS_UNIT_PROTO_METHODS_SESSION_H
#define TESTS_UNIT_PROTO_METHODS_SESSION_H

#include "tests/unit/proto/methods/methods.h"

#define ID "'session': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'"
#define TEXT                                                                                       \
  "'text': 'func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> "                         \
  "tensor<?x4xf32> {\\n  %0 = stablehlo.add %a, %b : tensor<?x4xf32>\\n  %1 = "                    \
  "stablehlo.abs %0 : tensor<?x4xf32>\\n  return %1 : tensor<?x4xf32>\\n}\\n'"

static inline void open_one(methods *m) {
  methods_open(m);
  expect_reply(m, "session/open", "{" TEXT "}", ID);
}

#endif
