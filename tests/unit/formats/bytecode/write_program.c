// SPDX-License-Identifier: Apache-2.0
// Programs as bytes: what names mean, which blocks there are, and how deep regions are.
#include "tests/unit/formats/bytecode/writing.h"

// With the module that is put around them, as deep as is read, and one more.
Test(bytecode_write_program, what_is_nested_is_read_again_or_refused) {
  enum { DEEPEST = 120 };
  for (int module = 0; module < 2; module++) {
    for (int depth = DEEPEST - 1; depth <= DEEPEST + 1; depth++) {
      static char text[8192];
      size_t n = 0;
      for (int i = 0; i < depth; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "\"%s\"() ({\n",
                              module && !i ? "builtin.module" : "t.a");
      n += (size_t)snprintf(text + n, sizeof text - n, "\"t.b\"() : () -> ()\n");
      for (int i = 0; i < depth; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "}) : () -> ()\n");
      bool fits = depth + !module <= DEEPEST;
      if (fits)
        expect_part(text, NULL, "\"t.b\"() : () -> ()");
      else
        expect_refused(text, NULL, "regions are nested deeper than 120");
    }
  }
}

Test(bytecode_write_program, names_mean_what_is_around) {
  static const char *const CASES[][2] = {
      // In a region of the operation after it; before it, in the same block; in a block that comes later.
      {"%a = \"t.a\"() : () -> i1\n\"t.b\"() ({\n\"t.c\"(%a) : (i1) -> ()\n}) : () -> ()",
       "\"t.c\"(%0) : (i1) -> ()"},
      {"\"t.b\"() ({\n\"t.c\"(%a) : (i1) -> ()\n%a = \"t.a\"() : () -> i1\n}) : () -> ()",
       "%0 = \"t.a\"() : () -> i1"},
      {"\"t.b\"() ({\n^x:\n\"t.c\"()[^y] : () -> ()\n^y:\n\"t.d\"()[^x, ^y] : () -> ()\n}) : () "
       "-> ()",
       "\"t.d\"()[^bb0, ^bb1] : () -> ()"},
      // Two regions may have the same names.
      {"\"t.b\"() ({\n%a = \"t.a\"() : () -> i1\n}, {\n%a = \"t.a\"() : () -> i8\n\"t.c\"(%a) : "
       "(i8) -> ()\n}) : () -> ()",
       ") : (i8) -> ()"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    expect_part(CASES[i][0], NULL, CASES[i][1]);
}

Test(bytecode_write_program, what_is_not_there_is_refused) {
  expect_refused("\"t.b\"() ({\n%a = \"t.a\"() : () -> i1\n}) : () -> ()\n\"t.c\"(%a) : (i1) -> ()",
                 NULL, "use of undeclared value '%a'");
  expect_refused("%a = \"t.a\"() : () -> i1\n\"t.c\"(%a#1) : (i1) -> ()", NULL,
                 "use of undeclared value '%a");
  // A function sees nothing of what is around it.
  expect_refused("%a = \"t.a\"() : () -> i1\n\"func.func\"() ({\n\"t.c\"(%a) : (i1) -> ()\n}) : "
                 "() -> ()",
                 NULL, "use of undeclared value '%a'");
  expect_refused("\"t.a\"() ({\n\"t.b\"()[^x] : () -> ()\n}, {\n^x:\n\"t.c\"() : () -> ()\n}) : () "
                 "-> ()",
                 NULL, "there is no block '^x'");
  expect_refused("%a:3 = \"t.a\"() : () -> (i1, i1)", NULL, "3 names for 2 results");
}

// The same text gives the same bytes, whatever was written before.
Test(bytecode_write_program, a_text_has_one_file) {
  static const char TEXT[] = "%a:2 = \"t.a\"() {x = [1, \"b\"]} : () -> (i1, tensor<?xf32>)\n";
  written *first = open_written(TEXT, NULL, NULL), *second = open_written(TEXT, NULL, NULL);
  cr_assert_eq(first->length, second->length);
  cr_expect_eq(memcmp(first->bytes, second->bytes, first->length), 0);
  cr_expect_eq(memcmp(first->bytes, "ML\xefR\x0d", 5), 0);
  close_written(first);
  close_written(second);
}
