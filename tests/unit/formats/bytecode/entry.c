// SPDX-License-Identifier: Apache-2.0
// The text of attributes and types: names that are quoted, assembly text that stays in its brackets, depth.
#include "solver/formats/bytecode/reader.h"

#include "tests/unit/formats/bytecode/reading.h"

typedef void text_writer(shape_strbuf *out, bc_slice text);

static void expect_written(text_writer *write, const char *text, uint32_t length,
                           const char *want) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  write(&out, (bc_slice){text, length});
  cr_expect_str_eq(strbuf_text(&out), want);
  arena_destroy(&arena);
}

Test(bytecode_entry, names_are_quoted_where_they_must_be) {
  static const struct {
    const char *text, *key, *symbol;
  } cases[] = {{"a", "a", "@a"},
               {"_a1.b$c", "_a1.b$c", "@_a1.b$c"},
               {"a-b", "\"a-b\"", "@a-b"},
               {"1a", "\"1a\"", "@\"1a\""},
               {"", "\"\"", "@\"\""},
               {"a b", "\"a b\"", "@\"a b\""},
               {"\xc3\xa4", "\"\\C3\\A4\"", "@\"\\C3\\A4\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t length = (uint32_t)strlen(cases[i].text);
    expect_written(bc_put_key, cases[i].text, length, cases[i].key);
    expect_written(bc_put_symbol, cases[i].text, length, cases[i].symbol);
  }
  expect_written(bc_put_quoted, "a\"\\\n\0\x7f", 6, "\"a\\22\\5C\\0A\\00\\7F\"");
}

static void expect_assembly(const char *text, bool good) {
  sample s;
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_text(&s.w, "mine", text));
  if (good)
    expect_text(&file, text);
  else
    expect_error(&file, 0, file.length, "assembly text");
}

// What is balanced cannot end what it is put into.
Test(bytecode_entry, assembly_text_is_balanced) {
  static const char *const GOOD[] = {"#a.b",
                                     "#a.b<[{()}]>",
                                     "#a.b<\"]\\\"\">",
                                     "#a.b<1 -> 2>",
                                     "#a.b<a > b, (c < d)>",
                                     "#a.b<x, y = 2>",
                                     "#a.b<\"\xc3\xa4\">"};
  static const char *const INVALID[] = {"#a.b<(]>",   "#a.b]",     "#a.b, x",     "#a.b = 1",
                                        "#a.b %x",    "#a.b ^x",   "#a.b<\"",     "#a.b<\x01>",
                                        "#a.b<\xc3>", "#a.b // x", "#a.b<\"\n\">"};
  for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) expect_assembly(GOOD[i], i != 4);
  for (size_t i = 0; i < sizeof INVALID / sizeof *INVALID; i++) expect_assembly(INVALID[i], false);
}

// Lists in lists, as many as the writer of tests has room for.
Test(bytecode_entry, entries_hold_entries) {
  enum { DEEP = 50 };
  sample s;
  char text[2 * DEEP + 16];
  begin_sample(&s, 6, false);
  uint32_t last = add_attr(&s.w, "builtin", FIELDS(7));
  for (int i = 0; i < DEEP; i++) last = add_attr(&s.w, "builtin", FIELDS(0, 1, last));
  bytes file = with_attr(&s, last);
  memset(text, '[', DEEP);
  memcpy(text + DEEP, "unit", 4);
  memset(text + DEEP + 4, ']', DEEP);
  text[2 * DEEP + 4] = 0;
  expect_text(&file, text);
}

Test(bytecode_entry, other_dialects_have_numbers) {
  expect_attr("mine", FIELDS(1, 2, 3), "#mine.e<3>");
  expect_attr_error("a b", FIELDS(1), "expected a word as the name of the dialect");
  sample s;
  begin_sample(&s, 6, false);
  uint64_t type = add_type(&s.w, "mine", FIELDS(5));
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(TYPE, type)));
  expect_text(&file, "value = !mine.t<3>");
}
