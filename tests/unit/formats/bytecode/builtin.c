// SPDX-License-Identifier: Apache-2.0
// Attributes of the builtin dialect: each code, and what is said where its parts are others.
#include "tests/unit/formats/bytecode/reading.h"

enum { DICTIONARY = 1, TYPED_STRING = 3, FLAT = 4, SYMBOL = 5, CALL = 10, FILE_LOC = 11 };
enum { FUSED = 12, FUSED_WITH = 13, NAME_LOC = 14, RESOURCE = 16, DISTINCT = 21, RANGE = 22 };

// An attribute that is made of others: they are 3 and on.
static void expect_made(const bytes *parts, size_t count, bytes data, const char *text) {
  sample s;
  char part[256];
  begin_sample(&s, 6, false);
  add_string(&s.w, "a b");
  for (size_t i = 0; i < count; i++) add_attr(&s.w, "builtin", parts[i]);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", data));
  snprintf(part, sizeof part, "<{value = %s}>", text);
  expect_text(&file, part);
}

#define MADE(data, text, ...)                                                                      \
  expect_made((const bytes[]){__VA_ARGS__}, sizeof((const bytes[]){__VA_ARGS__}) / sizeof(bytes),  \
              data, text)

Test(bytecode_builtin, lists_texts_and_symbols) {
  sample s;
  begin_sample(&s, 6, false);
  uint64_t text = add_string(&s.w, "a b");
  enum { FIRST = 3 };
  cr_assert_eq(s.w.attr_count, FIRST);
  expect_attr("builtin", FIELDS(0, 2, A_STRING, A_STRING), "[\"main\", \"main\"]");
  expect_attr("builtin", FIELDS(DICTIONARY, 0), "{}");
  expect_attr("builtin", FIELDS(DICTIONARY, 1, A_STRING, A_STRING), "{main = \"main\"}");
  expect_attr("builtin", FIELDS(FLAT, A_STRING), "@main");
  expect_attr("builtin", FIELDS(SYMBOL, A_STRING, 0), "@main");
  MADE(FIELDS(SYMBOL, A_STRING, 1, FIRST), "@main::@main", FIELDS(FLAT, A_STRING));
  MADE(FIELDS(FLAT, FIRST), "@\"a b\"", FIELDS(STRING, text));
  MADE(FIELDS(DICTIONARY, 1, FIRST, A_STRING), "{\"a b\" = \"main\"}", FIELDS(STRING, text));
  MADE(FIELDS(TYPED_STRING, text, OF_F32), "\"a b\" : f32", FIELDS(7));
  expect_attr("builtin", FIELDS(DISTINCT, A_STRING), "distinct[3]<\"main\">");
}

Test(bytecode_builtin, locations) {
  expect_attr("builtin", FIELDS(UNKNOWN_LOC), "loc(unknown)");
  expect_attr("builtin", FIELDS(FILE_LOC, A_STRING, 12, 7), "loc(\"main\":12:7)");
  expect_attr("builtin", FIELDS(NAME_LOC, A_STRING, AN_UNKNOWN), "loc(\"main\")");
  expect_attr("builtin", FIELDS(CALL, AN_UNKNOWN, AN_UNKNOWN), "loc(callsite(unknown at unknown))");
  expect_attr("builtin", FIELDS(FUSED, 0), "loc(fused[])");
  expect_attr("builtin", FIELDS(FUSED_WITH, 1, AN_UNKNOWN, A_STRING),
              "loc(fused<\"main\">[unknown])");
  MADE(FIELDS(NAME_LOC, A_STRING, 3), "loc(\"main\"(\"main\":1:2))",
       FIELDS(FILE_LOC, A_STRING, 1, 2));
  expect_attr("builtin", FIELDS(RANGE, A_STRING, 0), "loc(\"main\":0:0)");
  expect_attr("builtin", FIELDS(RANGE, A_STRING, 2, 3, 4), "loc(\"main\":3:4)");
  expect_attr("builtin", FIELDS(RANGE, A_STRING, 3, 3, 4, 5), "loc(\"main\":3:4 to :5)");
  expect_attr("builtin", FIELDS(RANGE, A_STRING, 4, 3, 4, 5, 6), "loc(\"main\":3:4 to 5:6)");
}

Test(bytecode_builtin, parts_that_are_others_are_refused) {
  expect_attr_error("builtin", FIELDS(99), "the builtin dialect has no attribute 99");
  expect_attr_error("builtin", FIELDS(FLAT, AN_UNKNOWN),
                    "expected the name of a symbol, found attribute 0, which is no string");
  expect_attr_error("builtin", FIELDS(DICTIONARY, 1, AN_UNKNOWN, A_STRING),
                    "expected the key of an entry, found attribute 0, which is no string");
  expect_attr_error("builtin", FIELDS(SYMBOL, A_STRING, 1, A_STRING),
                    "expected a symbol, found attribute 1, which is none");
  expect_attr_error("builtin", FIELDS(NAME_LOC, A_STRING, A_STRING),
                    "expected a location, found attribute 1, which is none");
  expect_attr_error("builtin", FIELDS(RANGE, A_STRING, 5, 1, 2, 3, 4, 5),
                    "expected at most 4 numbers in a range of lines, found 5");
  expect_attr_error("builtin", FIELDS(0, 9), "9");
  expect_attr_error("builtin", FIELDS(0, 1, 77), "index 77");
  expect_attr_error("builtin", FIELDS(7, 1), "expected the end after attribute, found 1 bytes");
  expect_attr_error("builtin", FIELDS(RESOURCE, OF_TENSOR, 0), "index 0 of 0 resources");
  expect_attr_error("builtin", (bytes){.length = 0}, "a number is cut off");
}
