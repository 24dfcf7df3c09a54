// SPDX-License-Identifier: Apache-2.0
// Calls that differ in a dim run in contexts of their own; others share one.
#include "solver/transform/contexts.h"

#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

#define CALLS                                                                                      \
  "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) {\n"                                      \
  "  %a = func.call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>\n"                                   \
  "  %b = func.call @f(%y) : (tensor<?xf32>) -> tensor<?xf32>\n  return\n}\n"                      \
  "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                   \
  "  return %x : tensor<?xf32>\n}\n"

static void expect_contexts(const char *types, uint32_t of_callee) {
  refined_program p;
  refined_open(&p, CALLS, types);
  const call_contexts *c = contexts_of(shape_run_report(p.a.program));
  cr_expect_eq(c->items[c->count - 1].func, c->infer->entry);
  cr_expect_eq(c->per_func[1], of_callee, "%s", types ? types : "as declared");
  cr_expect_eq(c->count, 1 + of_callee);
  uint32_t first = ID_NONE, second = ID_NONE;
  for (uint32_t i = 0; i < c->call_count; i++) {
    uint32_t called = context_called(c, c->calls[i].frame, c->calls[i].op);
    if (i == 0) first = called;
    second = called;
  }
  cr_expect_eq(c->call_count, 2u);
  cr_expect_eq(first == second, of_callee == 1);
  cr_expect_eq(context_called(c, 0, ID_NONE - 1), ID_NONE);
  refined_close(&p);
}

Test(contexts, equal_dims_are_one_context) {
  expect_contexts(NULL, 1);
  expect_contexts("tensor<2xf32>,tensor<2xf32>", 1);
}

Test(contexts, dims_that_differ_are_two) { expect_contexts("tensor<2xf32>,tensor<3xf32>", 2); }
