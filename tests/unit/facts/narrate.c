// SPDX-License-Identifier: Apache-2.0
#include "solver/facts/narrate.h"

#include "solver/base/trace_line.h"
#include "tests/unit/claims.h"

static void keep(void *data, const char *text, size_t length) { strncat(data, text, length); }

Test(facts_narrate, what_became_of_a_fact) {
  static const struct {
    const char *fact;
    reason why;
    add_result result;
    const char *end;
  } ROWS[] = {
      {"a <= 7", {.kind = REASON_OP, .what = "half"}, ADD_NEW, " <= 7, in scope 0: half\n"},
      {"a == 7",
       {.kind = REASON_OP, .rule = "pad", .what = "half"},
       ADD_KNOWN,
       " == 7, in scope 0, known already: pad: half\n"},
      {"a != 7",
       {.kind = REASON_OP, .rule = "pad"},
       ADD_CONFLICT,
       " != 7, in scope 0, CONFLICT: pad\n"},
      {"divisible(a, 4)", {.kind = REASON_OP}, ADD_NEW, " is a multiple of 4, in scope 0: \n"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char heard[256] = "";
    shape_trace trace = {1u << TRACE_fact, keep, heard};
    world w;
    world_open_store(&w, WORLD_STEPS, 3, 0);
    trace_open(&w.budget, &trace);
    narrate_fact(w.store, claim_read(&w.terms, w.symbols, ROWS[i].fact), ROWS[i].why,
                 ROWS[i].result);
    cr_expect(strncmp(heard, "fact: ", 6) == 0, "%s", heard);
    cr_expect(strstr(heard, ROWS[i].end), "%s", heard);
    arena_destroy(&w.arena);
  }
}
