// SPDX-License-Identifier: Apache-2.0
// Expressions of answers as dim_param has them.
#include "solver/formats/onnx/infix.h"

#include <criterion/criterion.h>

static void expect_infix(const char *text, const char *infix) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 1u << 16);
  strbuf_init(&out, &arena);
  bool ok = infix_put(&out, text, strlen(text));
  cr_expect_eq(ok, infix != NULL, "%s", text);
  if (ok && infix) cr_expect_str_eq(strbuf_text(&out), infix);
  arena_destroy(&arena);
}

Test(onnx_infix, quotients_and_remainders_have_operators) {
  expect_infix("seq + past", "seq + past");
  expect_infix("floordiv(h, 8)", "h//8");
  expect_infix("floordiv(h - 1, 8) + 1", "((h - 1)//8) + 1");
  expect_infix("floordiv(h, 8)*floordiv(w, 8)", "(h//8)*(w//8)");
  expect_infix("ceildiv(s0.x, 2)", "-(-s0.x//2)");
  expect_infix("2*ceildiv(h + 1, 2)", "2*(-(-(h + 1)//2))");
  expect_infix("mod(h, w)", "h % w");
  expect_infix("floordiv(floordiv(h, 2), 3)", "(h//2)//3");
}

Test(onnx_infix, minima_are_calls) {
  expect_infix("min(h, 16)", "min(h, 16)");
  expect_infix("max(min(h, w, 3) - 1, floordiv(w, 2))", "max(min(h, w, 3) - 1, (w//2))");
}

Test(onnx_infix, others_have_no_form) {
  expect_infix("bcast(h, w)", NULL);
  expect_infix("2*\"a b\"", NULL);
  expect_infix("floordiv(h)", NULL);
  char text[INFIX_MAX + 2];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = 0;
  expect_infix(text, NULL);
}
