// SPDX-License-Identifier: Apache-2.0
// Tables of MLIR bytecode: lists of words, and rows by name and number.
#include "solver/formats/bytecode/tables.h"

#include <criterion/criterion.h>

static bc_slice slice(const char *text) { return (bc_slice){text, (uint32_t)strlen(text)}; }

Test(bytecode_tables, words_of_a_list) {
  const char *at = " a  bc d";
  cr_expect(bc_is(bc_next_word(&at), "a"));
  cr_expect(bc_is(bc_next_word(&at), "bc"));
  cr_expect(bc_is(bc_next_word(&at), "d"));
  cr_expect_eq(bc_next_word(&at).length, 0);
  cr_expect(bc_has_word("a bc", slice("bc")) && bc_has_word("a bc", slice("a")));
  cr_expect_not(bc_has_word("a bc", slice("b")) || bc_has_word("a bc", slice("bcd")));
  cr_expect(bc_has_word("", slice("any")));  // the empty list has all
}

Test(bytecode_tables, fields_and_their_marks) {
  const char *at = "a b? cd*";
  bc_slice name;
  char mark;
  cr_expect(bc_next_field(&at, &name, &mark) && bc_is(name, "a") && mark != '?' && mark != '*');
  cr_expect(bc_next_field(&at, &name, &mark) && bc_is(name, "b") && mark == '?');
  cr_expect(bc_next_field(&at, &name, &mark) && bc_is(name, "cd") && mark == '*');
  cr_expect_not(bc_next_field(&at, &name, &mark));
  cr_expect(bc_has_field("a b? cd*", slice("b")) && bc_has_field("a b? cd*", slice("cd")));
  cr_expect_not(bc_has_field("a b? cd*", slice("c")) || bc_has_field("", slice("a")));
}

Test(bytecode_tables, slices) {
  cr_expect(bc_is(slice("ab"), "ab") && !bc_is(slice("ab"), "a") && !bc_is(slice("ab"), "abc"));
  cr_expect(bc_begins(slice("ab"), "") && bc_begins(slice("ab"), "ab"));
  cr_expect_not(bc_begins(slice("ab"), "abc"));
  cr_expect(bc_same(slice("a"), (bc_slice){"ab", 1}) && !bc_same(slice("a"), slice("b")));
}

// Every operation of vhlo_ops.def is found, in the releases that its row has.
Test(bytecode_tables, operations_of_vhlo) {
#define X(row_name, first_major, first_minor, last_major, last_minor, list)                        \
  {                                                                                                \
    const vhlo_op *op = vhlo_find(slice(row_name));                                                \
    cr_expect(op &&strcmp(op->name, row_name) == 0, row_name);                                     \
    cr_expect(op->first == first_major * 100 + first_minor && op->first <= op->last, row_name);    \
    bc_slice base = vhlo_base(op);                                                                 \
    cr_expect(base.length + 3 <= strlen(row_name) && row_name[base.length] == '_', row_name);      \
  }
#include "solver/formats/bytecode/vhlo_ops.def"
#undef X
  static const char *const NONE[] = {"", "add", "add_v", "add_v1x", "zzz_v1"};
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) cr_expect_null(vhlo_find(slice(NONE[i])));
}

// Each version is legal from the release after the last one of the version before, and the newest is legal.
Test(bytecode_tables, versions_follow_one_another) {
  const char *before = "";
  unsigned last = 255 * 100 + 255;
#define X(row_name, first_major, first_minor, last_major, last_minor, list)                        \
  {                                                                                                \
    size_t length = strlen(row_name) - 1;                                                          \
    bool same = strncmp(before, row_name, length) == 0 && strlen(before) == length + 1;            \
    if (same)                                                                                      \
      cr_expect_eq(100 * first_major + first_minor, last + 1, row_name);                           \
    else                                                                                           \
      cr_expect_eq(last, 255 * 100 + 255, "%s", before);                                           \
    before = row_name;                                                                             \
    last = 100 * last_major + last_minor;                                                          \
  }
#include "solver/formats/bytecode/vhlo_ops.def"
#undef X
  cr_expect_eq(last, 255 * 100 + 255);
}

Test(bytecode_tables, properties_of_operations) {
  uint32_t rows;
#define X(row_op, list)                                                                            \
  {                                                                                                \
    const bc_fields *found = bc_fields_of(slice(row_op), &rows);                                   \
    bool there = false;                                                                            \
    for (uint32_t i = 0; found && i < rows; i++)                                                   \
      there |= strcmp(found[i].op, row_op) == 0 && strcmp(found[i].fields, list) == 0;             \
    cr_expect(there, "%s: %s", row_op, list);                                                      \
  }
#include "solver/formats/bytecode/fields.def"
#undef X
  cr_expect(!bc_fields_of(slice("my.op"), &rows) && rows == 0);
}

Test(bytecode_tables, types_by_code_and_by_name) {
  cr_expect_str_eq(bc_builtin_plain(1), "index");
  cr_expect_str_eq(bc_builtin_plain(5), "f32");
  cr_expect_null(bc_builtin_plain(BUILTIN_TENSOR_TYPE));
  cr_expect_null(bc_builtin_plain(UINT64_MAX));
  for (uint64_t code = 0; vhlo_type_at(code); code++) {
    const vhlo_type *type = vhlo_type_at(code);
    cr_expect_eq(type->code, code);
    if (type->text)
      cr_expect_str_eq(vhlo_type_named(slice(type->text))->text, type->text);
    else
      cr_expect_eq(vhlo_type_with_fields((unsigned)code), type);
  }
  cr_expect_null(vhlo_type_at(UINT64_MAX));
  cr_expect_null(vhlo_type_named(slice("tensor")));
}

Test(bytecode_tables, words_of_enumerations) {
  cr_expect_str_eq(bc_enum_word(0, 0), "EQ");
  cr_expect_str_eq(bc_enum_word(0, 5), "LT");
  cr_expect_null(bc_enum_word(0, 6));
  cr_expect_null(bc_enum_word(1, 5));
  cr_expect_null(bc_enum_word(5, 0));  // of distributions 0 is none
  cr_expect_str_eq(bc_enum_word(5, 2), "NORMAL");
  cr_expect_null(bc_enum_word(3, UINT64_MAX));
}

Test(bytecode_tables, dialects_with_an_encoding) {
  static const struct {
    const char *name;
    bool types, attrs;
  } cases[] = {{"builtin", true, true}, {"stablehlo", true, true}, {"vhlo", true, true},
               {"quant", true, false},  {"chlo", false, true},     {"func", false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cr_expect_eq(bc_is_known_dialect(slice(cases[i].name), true), cases[i].types);
    cr_expect_eq(bc_is_known_dialect(slice(cases[i].name), false), cases[i].attrs);
  }
}
