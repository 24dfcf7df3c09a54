// SPDX-License-Identifier: Apache-2.0
// The table of what people write of operations: sorted, whole, and in step with the tables of the solver.
#include <criterion/criterion.h>
#include <string.h>

#include "clients/lsp/operations.h"

static const char *const DIALECTS[] = {"stablehlo.", "chlo.", "shape.", "tensor.",
                                       "arith.",     "mhlo.", "linalg."};

static bool is_listed(const char *name) {
  for (size_t i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; i++) {
    if (strncmp(name, DIALECTS[i], strlen(DIALECTS[i])) == 0) return true;
  }
  return false;
}

Test(lsp_operations, each_row_is_found_and_has_an_operation) {
  static const char *const NAMES[] = {
#define X(name, operands, attributes, text) name,
#include "clients/lsp/operations.def"
#undef X
  };
  size_t count = sizeof NAMES / sizeof *NAMES;
  for (size_t i = 0; i < count; i++) {
    const op_words *row = op_words_of(NAMES[i], strlen(NAMES[i]));
    cr_assert(row && strcmp(row->name, NAMES[i]) == 0, "%s", NAMES[i]);
    cr_assert(op_row_of(NAMES[i], strlen(NAMES[i])), "%s", NAMES[i]);
    cr_assert(!i || strcmp(NAMES[i - 1], NAMES[i]) < 0, "%s", NAMES[i]);
  }
}

Test(lsp_operations, operands_are_as_many_as_the_solver_takes) {
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i);
    const op_words *words = op_words_of(row->name, strlen(row->name));
    if (!words || !is_listed(row->name)) continue;
    int least = 0, most = 0;
    op_word word;
    for (const char *at = words->operands; op_next_operand(&at, &word);) {
      least += !word.many && !word.optional;
      most += word.many ? 1000 : 1;
    }
    cr_expect(row->max_operands < 0 || most >= row->max_operands, "%s", row->name);
    cr_expect(row->max_operands < 0 || least <= row->max_operands, "%s", row->name);
  }
}

Test(lsp_operations, columns_are_read) {
  op_attribute a;
  op_word value;
  const op_words *row = op_words_of("mhlo.compare", 12);
  cr_assert(row && strcmp(row->operands, "lhs rhs") == 0);
  cr_assert(op_find_attribute(row, "comparison_direction", 20, &a));
  cr_assert(a.spelled && !a.word.length && !a.name.optional && a.mnemonic.length == 20);
  cr_assert(op_next_value(&a.values, &value) && value.length == 2 &&
            memcmp(value.text, "EQ", 2) == 0);
  row = op_words_of("stablehlo.transpose", 19);
  cr_assert(op_find_attribute(row, "dims", 4, &a) && memcmp(a.name.text, "permutation", 11) == 0);
  cr_assert(!op_find_attribute(row, "none", 4, &a));
  cr_assert_str_eq(op_operands("torch.aten.cat", 14), "tensors dim");
  cr_assert(!op_words_of("foo.bar", 7) && !op_dialect_is_known("foo.bar", 7));
  cr_assert(op_dialect_is_known("stablehlo.none", 14));
}

Test(lsp_operations, what_is_said) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  cr_assert(op_describe("stablehlo.compare", 17, true, &out));
  const char *text = strbuf_text(&out);
  cr_assert(strstr(text, "`comparison_direction`: `EQ` | `NE`"), "%s", text);
  cr_assert(strstr(text, "(https://openxla.org/stablehlo/spec#compare)"), "%s", text);
  cr_assert(strstr(text, "2 operands, 1 result"), "%s", text);
  strbuf_init(&out, &arena);
  cr_assert(!op_describe("foo.bar", 7, true, &out) && !out.length);
  arena_destroy(&arena);
}
