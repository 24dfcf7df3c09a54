// SPDX-License-Identifier: Apache-2.0
// Requirements that a rule could not state: one row for each operation and requirement, until the rule can state it.
#include <criterion/criterion.h>

#include "solver/ops/op.h"

typedef struct fixture {
  shape_arena arena;
  rule_log log;
  rule_context c;
} fixture;

static void open_fixture(fixture *f) {
  *f = (fixture){0};
  arena_init(&f->arena, 0);
  f->c = (rule_context){.arena = &f->arena, .log = &f->log, .op = 3, .scope = 1};
}

static uint32_t live(const fixture *f) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->log.unchecked_count; i++) count += !f->log.unchecked[i].stated;
  return count;
}

Test(unchecked, a_requirement_is_recorded_once_for_each_operation) {
  fixture f;
  open_fixture(&f);
  for (int visit = 0; visit < 2; visit++) {
    rule_unchecked_begin(&f.c);
    rule_unchecked(&f.c, "the indices are within the axis", "the indices are computed from data");
    rule_unchecked(&f.c, "the axis is within the rank", "the rank is not known");
  }
  cr_assert_eq(f.log.unchecked_count, 2u);
  cr_assert_eq(live(&f), 2u);
  f.c.op = 4;
  rule_unchecked(&f.c, "the axis is within the rank", "the rank is not known");
  f.c.frame = 1;
  rule_unchecked(&f.c, "the axis is within the rank", "the rank is not known");
  cr_assert_eq(live(&f), 4u);
  arena_destroy(&f.arena);
}

Test(unchecked, what_a_later_visit_can_state_is_forgotten) {
  fixture f;
  open_fixture(&f);
  rule_unchecked(&f.c, "the axis is within the rank", "the rank is not known");
  rule_unchecked(&f.c, "the step is not 0", "the step is computed from data");
  rule_unchecked_begin(&f.c);
  rule_unchecked(&f.c, "the step is not 0", "the step is not known");
  cr_assert_eq(live(&f), 1u);
  cr_assert_str_eq(f.log.unchecked[1].reason, "the step is not known");
  rule_unchecked_begin(&f.c);
  cr_assert_eq(live(&f), 0u);
  arena_destroy(&f.arena);
}

Test(unchecked, a_trial_records_and_forgets_nothing) {
  fixture f;
  open_fixture(&f);
  f.c.quiet = true;
  rule_unchecked(&f.c, "the step is not 0", "the step is not known");
  cr_assert_eq(live(&f), 0u);
  f.c.quiet = false;
  rule_unchecked(&f.c, "the step is not 0", "the step is not known");
  f.c.quiet = true;
  rule_unchecked_begin(&f.c);
  cr_assert_eq(live(&f), 1u);
  arena_destroy(&f.arena);
}
