// SPDX-License-Identifier: Apache-2.0
// Attributes as entries: what builtin has codes for, what is assembly text, aliases, and what is refused.
#include "tests/unit/formats/bytecode/writing.h"

Test(bytecode_write_attr, attributes_come_back) {
  static const char *const SAME[] = {"unit",
                                     "true",
                                     "false",
                                     "\"\"",
                                     "\"\\00\\FF\"",
                                     "{}",
                                     "{a = unit}",
                                     "[[], [[]]]",
                                     "0 : index",
                                     "-9223372036854775808 : i64",
                                     "-128 : i8",
                                     "0x0000000000000001FFFFFFFFFFFFFFFF : i65",
                                     "0.000000e+00 : f64",
                                     "-0.000000e+00 : f16",
                                     "0xFF800000 : f32",
                                     "@f::@\"a b\"::@c",
                                     "#t.any<x, \"]\", (y)>",
                                     "affine_map<() -> ()>"};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) expect_same(SAME[i]);
  expect_attribute("0x10", "16 : i64");
  expect_attribute("{c, b = 1 : i8, \"a\" = 2 : i8}", "{a = 2 : i8, b = 1 : i8, c = unit}");
  expect_attribute("\"\\n\\\"\"", "\"\\0A\\22\"");
}

// An alias is what it says, also in another one, and in assembly text.
Test(bytecode_write_attr, aliases_are_expanded) {
  expect_part("#a = [1 : i8]\n#b = {x = #a}\n!t = tensor<?xf32>\n\"t.a\"() {y = #b, z = !t} : () "
              "-> ()",
              NULL, "{y = {x = [1 : i8]}, z = tensor<?xf32>}");
  expect_part("#a = 7 : i8\n\"t.a\"() {y = #t.x<#a, \"#a\">} : () -> ()", NULL,
              "y = #t.x<7 : i8, \"#a\">");
  expect_refused("#a = [#b]\n#b = [#a]\n\"t.a\"() {y = #a} : () -> ()", NULL,
                 "expected an attribute to be nested at most 128 deep, found more");
}

// In one another: what is written is read again, up to the depth that is refused.
Test(bytecode_write_attr, what_is_nested_is_read_again_or_refused) {
  static char text[4096], back[4096];
  for (int depth = 120; depth <= 130; depth++) {
    size_t n = (size_t)snprintf(text, sizeof text, "\"t.a\"() {x = ");
    memset(text + n, '[', (size_t)depth);
    memset(text + n + depth, ']', (size_t)depth);
    memcpy(back, text + n, 2 * (size_t)depth);
    back[2 * depth] = 0;
    snprintf(text + n + 2 * depth, sizeof text - n - 2 * (size_t)depth, "} : () -> ()");
    if (depth < 128)
      expect_part(text, NULL, back);
    else if (depth > 128)
      expect_refused(text, NULL, "expected an attribute to be nested at most 128 deep, found more");
  }
}

Test(bytecode_write_attr, what_has_no_bytes_is_refused) {
  expect_refused("\"t.a\"() {x = 1, y = 2, x = 3} : () -> ()", NULL,
                 "t.a cannot be written as bytecode: two attributes of one name: x");
  expect_refused("\"t.a\"() {x = [1,, 2]} : () -> ()", NULL, "expected an attribute");
  expect_refused("\"t.a\"() {x = dense_resource<>} : () -> ()", NULL,
                 "expected a resource and its type");
}
