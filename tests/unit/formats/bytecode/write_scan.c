// SPDX-License-Identifier: Apache-2.0
// Pieces of text: words, values, types and brackets, up to where they end and never beyond.
#include "solver/formats/bytecode/writer.h"

#include <criterion/criterion.h>

static bw_cursor open(const char *text) { return (bw_cursor){text, text + strlen(text)}; }

static void expect_slice(bc_slice slice, const char *want, const char *of) {
  cr_expect(bc_is(slice, want), "%s: '%.*s'", of, (int)slice.length, slice.text);
}

typedef bc_slice scanner(bw_cursor *c);

typedef struct scan_case {
  const char *text, *piece, *rest;
} scan_case;

static void expect_scans(scanner *scan, const scan_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bw_cursor c = open(cases[i].text);
    expect_slice(scan(&c), cases[i].piece, cases[i].text);
    expect_slice((bc_slice){c.at, (uint32_t)(c.end - c.at)}, cases[i].rest, cases[i].text);
  }
}

#define EXPECT_SCANS(scan, cases) expect_scans(scan, cases, sizeof(cases) / sizeof *(cases))

Test(bytecode_write_scan, words) {
  static const scan_case CASES[] = {{"  ab.c_$1-2 x", "ab.c_$1-2", " x"},
                                    {"a->b", "a", "->b"},
                                    {"a-", "a-", ""},
                                    {"// c\n a", "a", ""},
                                    {"\"a\"", "", "\"a\""},
                                    {"", "", ""},
                                    {"(a", "", "(a"}};
  EXPECT_SCANS(bw_word, CASES);
}

Test(bytecode_write_scan, types) {
  static const scan_case CASES[] = {
      {"i32, x", "i32", ", x"},
      {"!t.a<b, (c)> x", "!t.a<b, (c)>", " x"},
      {"tensor<2x!t.x<a>>)", "tensor<2x!t.x<a>>", ")"},
      {"(i32) -> i1 x", "(i32) -> i1", " x"},
      {"() -> (i1, i2) x", "() -> (i1, i2)", " x"},
      {"(i32) -> (i1) -> i2", "(i32) -> (i1)", " -> i2"},
      {"(i32) {", "(i32)", " {"},
      {"tensor<affine_map<(d0) -> (d0)>> y", "tensor<affine_map<(d0) -> (d0)>>", " y"}};
  EXPECT_SCANS(bw_scan_type, CASES);
}

Test(bytecode_write_scan, values) {
  static const scan_case CASES[] = {{"1 : i32, b", "1 : i32", ", b"},
                                    {"[1, 2] }", "[1, 2]", "}"},
                                    {"\"a, b\" , c", "\"a, b\"", ", c"},
                                    {"\"a\\\"b\"]", "\"a\\\"b\"", "]"},
                                    {"{a = (b, c)}", "{a = (b, c)}", ""},
                                    {"", "", ""},
                                    {"\"open", "\"open", ""}};
  EXPECT_SCANS(bw_scan_value, CASES);
}

// A '>' that closes nothing is a comparison, and so is a '<' that nothing closes.
Test(bytecode_write_scan, brackets) {
  static const struct {
    const char *text, *inside;
    bool closed;
  } cases[] = {{"(a)", "a", true},
               {"[ a, [b] ]x", "a, [b]", true},
               {"{\"}\"}", "\"}\"", true},
               {"(a > b)", "a > b", true},
               {"(a < b)", "a < b", true},
               {"<a -> b>", "a -> b", true},
               {"(d0 - 1 >= 0)", "d0 - 1 >= 0", true},
               {"(a // )\n)", "a // )", true},
               {"()", "", true},
               {"(a", "", false},
               {"(", "", false},
               {"(a]", "", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bw_cursor c = open(cases[i].text);
    bc_slice inside;
    cr_expect_eq(bw_brackets(&c, &inside), cases[i].closed, "%s", cases[i].text);
    if (cases[i].closed) expect_slice(inside, cases[i].inside, cases[i].text);
    cr_expect_leq(c.at, c.end);
  }
}

Test(bytecode_write_scan, items_of_a_list) {
  bw_cursor c = open("a, [b, c] ,d");
  bc_slice item;
  static const char *const WANT[] = {"a", "[b, c]", "d"};
  for (int i = 0; i < 3; i++) {
    cr_expect(bw_next_item(&c, &item));
    expect_slice(item, WANT[i], "items");
  }
  cr_expect_not(bw_next_item(&c, &item));
  c = open("a ] b, c");
  cr_expect(bw_next_item(&c, &item));
  cr_expect_not(bw_next_item(&c, &item));  // what follows no comma ends it
}

// What ends a part of the file is no comment, at the begin of a line.
Test(bytecode_write_scan, spaces_and_comments) {
  static const char *const CASES[][2] = {{" \n\t a", "a"},      {"// x\na", "a"},
                                         {"// x", ""},          {"/ a", "/ a"},
                                         {" // -----\na", "a"}, {"\n// -----\na", "// -----\na"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    bw_cursor c = open(CASES[i][0]);
    bw_skip(&c);
    expect_slice((bc_slice){c.at, (uint32_t)(c.end - c.at)}, CASES[i][1], CASES[i][0]);
  }
  bw_cursor mark = open("// -----"), none = open("// ----");
  cr_expect(bw_is_mark(&mark) && !bw_is_mark(&none));
  cr_expect_eq(bw_peek(&(bw_cursor){"", ""}), 0);
  bw_cursor c = open("  -> x");
  cr_expect(!bw_accept(&c, "=") && bw_accept(&c, "->") && bw_accept(&c, "x") &&
            !bw_accept(&c, "x"));
}

Test(bytecode_write_scan, texts) {
  static const char *const QUOTED[][2] = {
      {"\"\"", ""},           {"\"a b\"", "a b"},        {"\"\\\"\\\\\"", "\"\\"},
      {"\"\\n\\t\"", "\n\t"}, {"\"\\41z\\0A\"", "Az\n"}, {"\"\\C3\\a4\"", "\xc3\xa4"}};
  shape_arena arena;
  arena_init(&arena, 0);
  for (size_t i = 0; i < sizeof QUOTED / sizeof *QUOTED; i++)
    expect_slice(bw_unquote(&arena, (bc_slice){QUOTED[i][0], (uint32_t)strlen(QUOTED[i][0])}),
                 QUOTED[i][1], QUOTED[i][0]);
  bw_cursor c = open("\"a b\" = c.d");
  expect_slice(bw_key(&arena, &c), "a b", "key");
  cr_expect(bw_accept(&c, "="));
  expect_slice(bw_key(&arena, &c), "c.d", "key");
  expect_slice(bw_trim((bc_slice){" \n a b\t", 7}), "a b", "trim");
  expect_slice(bw_trim((bc_slice){"   ", 3}), "", "trim");
  expect_slice(bw_inside((bc_slice){"<a>", 3}, 1), "a", "inside");
  expect_slice(bw_inside((bc_slice){"<", 1}, 1), "", "inside");
  expect_slice(bw_text(&arena, "%d-%s", 7, "x"), "7-x", "text");
  arena_destroy(&arena);
}

Test(bytecode_write_scan, integers) {
  static const struct {
    const char *text;
    bool good;
    int64_t value;
  } cases[] = {{"0", true, 0},
               {"-0", true, 0},
               {"007", true, 7},
               {"9223372036854775807", true, INT64_MAX},
               {"-9223372036854775808", true, INT64_MIN},
               {"9223372036854775808", false, 0},
               {"-9223372036854775809", false, 0},
               {"99999999999999999999", false, 0},
               {"", false, 0},
               {"-", false, 0},
               {"1.0", false, 0},
               {"0x1", false, 0},
               {" 1", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t value = 0;
    cr_expect_eq(bw_int((bc_slice){cases[i].text, (uint32_t)strlen(cases[i].text)}, &value),
                 cases[i].good, "%s", cases[i].text);
    if (cases[i].good) cr_expect_eq(value, cases[i].value, "%s", cases[i].text);
  }
}
