// SPDX-License-Identifier: Apache-2.0
// Locations: each form, alone and in another, with aliases; and what is none.
#include "tests/unit/formats/bytecode/writing.h"

// The location of an operation comes back as `back`, or is refused with `error`.
static void expect_location(const char *location, const char *back, const char *error) {
  char text[512], part[256];
  snprintf(text, sizeof text, "#l = loc(\"a\":1:2)\n\"t.a\"() : () -> () loc(%s)\n", location);
  snprintf(part, sizeof part, "loc(%s)", back ? back : "");
  if (back)
    expect_part(text, NULL, part);
  else
    expect_refused(text, NULL, error);
}

Test(bytecode_write_location, locations_come_back) {
  static const char *const CASES[][2] = {
      {"\"f\":12:7", "\"f\":12:7"},
      {"\"f\":0:0", "\"f\":0:0"},
      {"\"f\":1:2 to :3", "\"f\":1:2 to :3"},
      {"\"f\":1:2 to 3:4", "\"f\":1:2 to 3:4"},
      {"\"f\" : 1 : 2", "\"f\":1:2"},
      {"\"name\"", "\"name\""},
      {"\"name\"(\"f\":1:2)", "\"name\"(\"f\":1:2)"},
      {"\"name\"(unknown)", "\"name\""},
      {"callsite(\"f\" at \"g\":1:2)", "callsite(\"f\" at \"g\":1:2)"},
      {"fused[\"f\":1:2, \"g\"]", "fused[\"f\":1:2, \"g\"]"},
      {"fused<{a = 1 : i8}>[unknown]", "fused<{a = 1 : i8}>[unknown]"},
      {"fused[]", "fused[]"},
      {"#l", "\"a\":1:2"},
      {"\"name\"(#l)", "\"name\"(\"a\":1:2)"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    expect_location(CASES[i][0], CASES[i][1], NULL);
}

Test(bytecode_write_location, what_is_none_is_refused) {
  static const char *const CASES[][2] = {
      {"7", "expected a location"},
      {"\"f\":", "expected a number of a line or column"},
      {"\"f\":1", "expected a line and a column"},
      {"\"f\":-1:2", "expected a number of a line or column"},
      {"\"f\":99999999999999999999:2", "expected a number of a line or column"},
      {"\"f\"(\"g\"", "expected"},
      {"callsite \"f\"", "expected '('"},
      {"callsite(\"f\" \"g\")", "expected 'at'"},
      {"fused \"f\"", "expected '['"},
      {"fused[\"f\" \"g\"]", "expected ']'"},
      {"#none", "this alias of a location is not defined"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    expect_location(CASES[i][0], NULL, CASES[i][1]);
}

// In one another: what is written is read again, up to the depth that is refused.
Test(bytecode_write_location, what_is_nested_is_read_again_or_refused) {
  static char text[4096];
  for (int depth = 100; depth <= 200; depth += 20) {
    size_t n = (size_t)snprintf(text, sizeof text, "\"t.a\"() : () -> () loc(");
    for (int i = 0; i < depth; i++) n += (size_t)snprintf(text + n, sizeof text - n, "\"n\"(");
    n += (size_t)snprintf(text + n, sizeof text - n, "\"f\":1:2");
    for (int i = 0; i <= depth; i++) n += (size_t)snprintf(text + n, sizeof text - n, ")");
    if (depth <= 120)
      expect_part(text, NULL, "\"n\"(\"f\":1:2)");
    else
      expect_refused(text, NULL, "expected a location to be nested at most 128 deep, found more");
  }
}
