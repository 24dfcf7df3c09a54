// SPDX-License-Identifier: Apache-2.0
// What is around the operations: the head, sections, strings, dialects, lengths, properties.
#include "tests/unit/formats/bytecode/reading.h"

static const char *const NAMES[] = {"strings", "dialects", "attributes and types", "their lengths",
                                    "operations"};

// A file of these sections; empty ones are left out.
static bytes file_of(const bytes sections[9], unsigned version) {
  bytes out = {.length = 0};
  put_raw(&out, "ML\xefR", 4);
  put(&out, version);
  put_raw(&out, "p", 2);
  for (unsigned i = 0; i < 9; i++)
    if (sections[i].length) put_section(&out, i, &sections[i]);
  return out;
}

// The least that is read: no string, dialect, entry, operation.
static void begin(bytes sections[9]) {
  static const bytes NOTHING = {.length = 0};
  for (unsigned i = 0; i < 9; i++) sections[i] = NOTHING;
  sections[0] = FIELDS(0);
  sections[1] = FIELDS(0);
  sections[3] = FIELDS(0, 0);
  sections[4] = FIELDS(0);
}

static void expect_file(const bytes sections[9], unsigned version, const char *error) {
  bytes file = file_of(sections, version);
  if (!sections[2].length) {  // it may be empty, and must be there
    put_byte(&file, 2);
    put(&file, 0);
  }
  printed *p = open_print(&file, false);
  if (error)
    cr_expect(!p->ok && strstr(p->error.message, error), "%s: %s", error, p->error.message);
  else
    cr_expect(p->ok, "%s", p->error.message);
  close_print(p);
}

Test(bytecode_container, an_empty_file_and_its_sections) {
  bytes sections[9];
  begin(sections);
  expect_file(sections, 3, NULL);
  for (unsigned i = 0; i <= 4; i++) {
    if (i == 2) continue;
    char error[64];
    begin(sections);
    sections[i].length = 0;
    snprintf(error, sizeof error, "section %u (%s) is missing", i, NAMES[i]);
    expect_file(sections, 3, error);
  }
  begin(sections);
  expect_file(sections, 5, "section 8 (properties) is missing");
  begin(sections);
  sections[5] = FIELDS(0);
  expect_file(sections, 3, "section 5 is there without section 6");
  begin(sections);
  sections[6] = FIELDS(0);
  expect_file(sections, 3, "section 6 is there without section 5");
}

Test(bytecode_container, the_head) {
  bytes file = unary(6, "stablehlo", "tanh", 0, 1);
  for (size_t i = 0; i < 4; i++) {
    bytes other = file;
    other.at[i] ^= 1;
    expect_error(&other, 0, 0, "expected the bytes ML\\xefR of MLIR bytecode at the begin");
  }
  bytes open = {.length = 0};
  put_raw(&open, "ML\xefR\x0dname", 9);
  expect_error(&open, 5, 5, "the name of the producer does not end in a byte 0");
  open.length = 3;
  expect_error(&open, 0, 0, "4 bytes are announced, 3 are left");
}

Test(bytecode_container, strings_have_the_bytes_that_are_announced) {
  bytes sections[9];
  begin(sections);
  sections[0] = FIELDS(1, 3);
  put_raw(&sections[0], "ab", 3);
  sections[0].at[sections[0].length - 1] = 'c';
  expect_file(sections, 3, "string 0 does not end in a byte 0");
  begin(sections);
  sections[0] = FIELDS(1, 2);
  put_raw(&sections[0], "ab", 3);
  expect_file(sections, 3, "the strings have 2 bytes together, 3 are left");
  begin(sections);
  sections[0] = FIELDS(1, 0);
  expect_file(sections, 3, "string 0 has 0 bytes");
  begin(sections);
  sections[0] = FIELDS(2, 99, 1);
  expect_file(sections, 3, "string 1 has 99 bytes, 1 are left");
  begin(sections);
  sections[0] = FIELDS(1000);
  expect_file(sections, 3, "1000");
}

Test(bytecode_container, entries_have_the_lengths_that_are_announced) {
  static const struct {
    uint64_t fields[5];
    size_t count;
    const char *error;
  } cases[] = {
      {{9, 0}, 2, "9 attributes and 0 types are announced, 0 bytes are left"},
      {{1, 0, 0, 2, 2}, 5, "expected a group of at most the 1 entries that are left, found 2"},
      {{1, 0, 0, 1, 99 << 1}, 5, "an entry of 99 bytes, 0 are left"},
      {{1, 0, 7, 1, 0}, 5, "index 7 of 1 dialects"},
      {{0, 0, 0}, 3, "expected the end after the lengths of the attributes and types"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bytes sections[9];
    begin(sections);
    sections[0] = FIELDS(1, 2);
    put_raw(&sections[0], "d", 2);
    sections[1] = FIELDS(1, 0);
    sections[3] = fields_of(cases[i].fields, cases[i].count);
    expect_file(sections, 3, cases[i].error);
  }
  bytes sections[9];
  begin(sections);
  sections[2] = FIELDS(1);
  expect_file(sections, 3, "expected the end of the section after the last type, found 1 bytes");
}
