// SPDX-License-Identifier: Apache-2.0
// The tables of operations and their look-up.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/ops/registry.h"

Test(registry, finds_every_row) {
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i);
    cr_assert_not_null(row);
    cr_expect_not_null(row->rule, "%s", row->name);
    cr_expect_not_null(row->source, "%s", row->name);
    const op_row *found = registry_find(row->name, strlen(row->name), row->since);
    cr_expect_eq(found, row, "%s since %d", row->name, row->since);
  }
  cr_expect_null(registry_row(registry_count()));
}

Test(registry, mhlo_spells_stablehlo) {
  const op_row *row = registry_find("mhlo.add", 8, 0);
  cr_assert_not_null(row);
  cr_expect_str_eq(row->name, "stablehlo.add");
  row = registry_find("mhlo.compute_reshape_shape", 26, 0);
  cr_assert_not_null(row);
  cr_expect_str_eq(row->name, "mhlo.compute_reshape_shape");
}

Test(registry, knows_no_strangers) {
  cr_expect_null(registry_find("stablehlo.", 10, 0));
  cr_expect_null(registry_find("stablehlo.ad", 12, 0));
  cr_expect_null(registry_find("stablehlo.addd", 14, 0));
  cr_expect_null(registry_find("add", 3, 0));
  cr_expect_null(registry_find("", 0, 0));
}
