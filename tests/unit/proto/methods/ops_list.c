// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/unit/proto/methods/methods.h"

// One row for each, in the order of the tables; what has no bound is null.
Test(ops_list, every_operation_is_a_row) {
  methods m;
  methods_open(&m);
  const char *at = methods_call(&m, "ops/list", NULL);
  shape_operation op;
  uint32_t count = 0;
  for (; shape_operation_at(count, &op); count++) {
    char row[256], bound[32] = "null";
    snprintf(row, sizeof row, "{\"name\": \"%s\", \"rule\": \"%s\"", op.name, op.rule);
    at = strstr(at, row);
    cr_assert(at, "%s", row);
    if (op.max_operands >= 0) snprintf(bound, sizeof bound, "%d", (int)op.max_operands);
    snprintf(row, sizeof row, "\"max_operands\": %s, ", bound);
    const char *end = strchr(at, '}'), *found = strstr(at, row);
    cr_assert(found && found < end, "%s: %s", op.name, row);
    at = end;
  }
  cr_expect_gt(count, 1000);
  cr_expect_null(strstr(at, "{\"name\": "), "there are no others");
  methods_close(&m);
}
