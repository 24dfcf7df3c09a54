// SPDX-License-Identifier: Apache-2.0
#include "solver/decide/narrate.h"

#include "tests/unit/claims.h"

static void keep(void *data, const char *text, size_t length) { strncat(data, text, length); }

Test(decide_narrate, what_became_of_a_query) {
  static const struct {
    query_result result;
    const char *assume, *end;
  } ROWS[] = {
      {{.answer = SHAPE_YES}, "", "? yes, under 0 premises, in 7 steps\n"},
      {{.answer = SHAPE_NO}, "a >= 1", "? no, under 1 premise, in 7 steps\n"},
      {{.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_BUDGET},
       "a >= 1; b >= 1",
       "? unknown (the budget is spent), under 2 premises, in 7 steps\n"},
      {{.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_CONTINGENT}, "", "? unknown (it depends), "},
      {{.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_UNCONFIRMED}, "", "? unknown (not confirmed), "},
      {{.answer = SHAPE_UNKNOWN, .conflict = true, .reason = UNKNOWN_BUDGET},
       "",
       "? the premises are in conflict, under"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char heard[256] = "";
    shape_trace trace = {1u << TRACE_query, keep, heard};
    asked_world w;
    claim c;
    snprintf(c.assume, sizeof c.assume, "%s", ROWS[i].assume);
    snprintf(c.ask, sizeof c.ask, "a == b");
    predicate asked = claim_open(&w, &c);
    trace_open(&w.budget, &trace);
    narrate_query(&w.q, asked, &ROWS[i].result, 7);
    cr_expect(strncmp(heard, "query: ", 7) == 0, "%s", heard);
    cr_expect(strstr(heard, ROWS[i].end), "%s", heard);
    arena_destroy(&w.arena);
  }
}
