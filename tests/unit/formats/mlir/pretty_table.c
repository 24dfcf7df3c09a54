// SPDX-License-Identifier: Apache-2.0
// The syntax of an operation by its name.
#include "solver/formats/mlir/pretty.h"

#include <criterion/criterion.h>

static const mlir_pretty_row *find(const char *name) {
  return mlir_pretty_find((mlir_word){name, (uint32_t)strlen(name)});
}

// A row of its own, that of its dialect, or none.
Test(mlir_pretty_table, names_have_rows) {
  static const char *const CASES[][2] = {
      {"arith.cmpf", "arith.cmpf"},  // the first and the last
      {"util.call", "util.call"},
      {"stablehlo.select", "stablehlo.select"},
      {"stablehlo.reduce", "stablehlo.reduce"},
      {"stablehlo.reduce_precision", "stablehlo.reduce_precision"},
      {"stablehlo.reduc", "stablehlo"},
      {"stablehlo.reduce_", "stablehlo"},
      {"stablehlo.add", "stablehlo"},
      {"mhlo.select", "stablehlo.select"},
      {"mhlo.add", "mhlo"},
      {"chlo.top_k", "chlo.top_k"},
      {"chlo.broadcast_add", "chlo"},
      {"scf.yield", "scf.yield"},
      {"cf.br", "cf.br"},
      {"func.call", "func.call"},
      {"func.new", "func"},
      {"tensor.dim", "tensor.dim"},
      {"linalg.matmul", "linalg"},
      {"torch.aten.relu", "torch"},
      {"affine.apply", "affine.apply"}};
  static const char *const NONE[] = {"",    "add", "scf.new", "cf.", "my.op", "stablehlox.add",
                                     ".add"};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const mlir_pretty_row *row = find(CASES[i][0]);
    cr_assert_not_null(row, "%s", CASES[i][0]);
    cr_expect_str_eq(row->name, CASES[i][1], "%s: %s", CASES[i][0], row->name);
  }
  for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
    cr_expect_null(find(NONE[i]), "%s", NONE[i]);
}

// A name is as long as it says, whatever follows in the text.
Test(mlir_pretty_table, a_name_ends_where_it_says) {
  const mlir_pretty_row *row = mlir_pretty_find((mlir_word){"stablehlo.reduce_precision", 16});
  cr_assert_not_null(row);
  cr_expect_str_eq(row->name, "stablehlo.reduce");
  cr_expect_null(mlir_pretty_find((mlir_word){"stablehlo.reduce", 9}));
}

// Each of pretty_formats.def is found: the table is sorted as it is searched.
Test(mlir_pretty_table, formats_are_found_by_their_names) {
#define X(row_name, row_format)                                                                    \
  cr_expect(find(row_name) && find(row_name)->form == FORM_FORMAT &&                               \
                strcmp(find(row_name)->format, row_format) == 0,                                   \
            row_name);
#define OWN(row_name, function, is_whole)                                                          \
  cr_expect(find(row_name) && find(row_name)->own == mlir_pretty_##function &&                     \
                find(row_name)->whole == is_whole,                                                 \
            row_name);
#include "solver/formats/mlir/pretty_formats.def"
#undef X
#undef OWN
}
