// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>

#include "solver/base/trace_line.h"

Test(trace, names_are_bits) {
  cr_assert_eq(trace_parse("op"), 1u << TRACE_op);
  cr_assert_eq(trace_parse("fact,op"), 1u << TRACE_op | 1u << TRACE_fact);
  cr_assert_eq(trace_parse("all"), (1u << TRACE_COUNT) - 1);
}

Test(trace, what_is_no_name_is_nothing) {
  static const char *const WRONG[] = {"", ",", "op,", ",op", "o", "opp", "op fact", "all,op", "OP"};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
    cr_assert_eq(trace_parse(WRONG[i]), 0, "%s", WRONG[i]);
}

static void keep(void *data, const char *text, size_t length) { strncat(data, text, length); }

Test(trace, lines_arrive_where_they_are_wanted) {
  char heard[256] = "";
  shape_trace trace = {1u << TRACE_fact, keep, heard};
  shape_arena arena;
  shape_budget budget;
  arena_init(&arena, 0);
  budget_init(&budget, &arena, 100, NULL);
  trace_say(&budget, TRACE_fact, "before there is a trace");
  trace_open(&budget, &trace);
  trace_say(&budget, TRACE_fact, "%d == %d", 1, 1);
  trace_say(&budget, TRACE_op, "not wanted");
  shape_strbuf *out = trace_begin(&budget, TRACE_fact);
  strbuf_puts(out, "piece by ");
  strbuf_puts(out, "piece");
  trace_end(&budget);
  cr_assert_str_eq(heard, "fact: 1 == 1\nfact: piece by piece\n");
  cr_assert_eq(budget.steps_used, 0);
  arena_destroy(&arena);
}
