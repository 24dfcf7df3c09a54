// SPDX-License-Identifier: Apache-2.0
// What is taken from the bytecode that a text was printed from, and resources that the text has itself.
#include "tests/unit/formats/bytecode/writing.h"

#define RESOURCES(text) "{-#\n  dialect_resources: {\n    builtin: {\n" text "    }\n  }\n#-}\n"
#define USE(name)       "\"t.a\"() {x = dense_resource<" name "> : tensor<2xi8>} : () -> ()\n"

Test(bytecode_write_source, resources_of_the_text) {
  expect_part(USE("r") RESOURCES("      r: \"0x040000000102\"\n"), NULL,
              "x = dense_resource<r> : tensor<2xi8>");
  expect_part(USE("none"), NULL, "x = dense_resource<none> : tensor<2xi8>");
  expect_refused(USE("r") RESOURCES("      r: 7\n"), NULL, "expected the bytes of a resource");
  expect_refused(USE("r") RESOURCES("      r \"0x\"\n"), NULL, "expected ':'");
}

// The data is where it was, with its alignment; what the text does not name is not there any more or is.
Test(bytecode_write_source, data_is_copied_from_the_source) {
  written *first =
      open_written(USE("r") RESOURCES("      r: \"0x400000000102030405\"\n"), NULL, NULL);
  cr_assert_eq(first->result, BYTECODE_WRITTEN, "%s", first->refusal.message);
  written *second = open_written(first->back.text, NULL, first);
  cr_assert_eq(second->result, BYTECODE_WRITTEN, "%s", second->refusal.message);
  cr_expect_eq(second->copied, 5);
  size_t at = 0;
  while (at + 5 <= second->length && memcmp(second->bytes + at, "\1\2\3\4\5", 5) != 0) at++;
  cr_assert_leq(at + 5, second->length);
  cr_expect_eq(at % 64, 0);
  cr_expect_eq(second->length, first->length);
  close_written(first);
  close_written(second);
}

// Without its source a name has no data, and what only a dialect can decode is text.
Test(bytecode_write_source, without_a_source_there_is_nothing_to_copy) {
  written *w = open_written("\"t.a\"() {x = #mine.e<3>} : () -> !mine.t<2>\n", NULL, NULL);
  cr_assert_eq(w->result, BYTECODE_WRITTEN, "%s", w->refusal.message);
  cr_expect(strstr(w->back.text, "x = #mine.e<3>") && strstr(w->back.text, "!mine.t<2>"));
  cr_expect_eq(w->copied, 0);
  close_written(w);
  expect_refused("\"t.a\"() <{bytecode.properties = #bytecode.blob<0>}> : () -> ()", NULL,
                 "its properties cannot be kept as they are");
}
