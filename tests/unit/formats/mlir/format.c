// SPDX-License-Identifier: Apache-2.0
// MLIR text among the formats: an operation in quotes is one of MLIR, whatever bytes follow.
#include "solver/formats/formats.h"

#include <criterion/criterion.h>
#include <string.h>

Test(mlir_format, what_begins_like_an_operation) {
  static const struct {
    const char *text;
    bool sure;
  } cases[] = {{"\"a.b\"(", true},    {"\"func.func\"() ({", true},
               {"\"a.b\" (", false},  {"\"a.b\"", false},
               {"\"ab\"(", false},    {"\"\"(", false},
               {"\"a.b c\"(", false}, {"\"a.b(", false},
               {"\"a\n.b\"(", false}, {"a.b(", false},
               {"\".\"(", true},      {"\"", false},
               {"module {}", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int text = 0; text < 2; text++) {
      const format_bytes b = {
          .text = cases[i].text, .length = strlen(cases[i].text), .is_text = text};
      cr_expect_eq(FORMAT_READERS[GRAPH_MLIR]->match(&b),
                   cases[i].sure ? FORMAT_SURE
                   : text        ? FORMAT_MAYBE
                                 : FORMAT_NO,
                   "%s", cases[i].text);
    }
  }
}
