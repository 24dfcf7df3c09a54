// SPDX-License-Identifier: Apache-2.0
// How old the symbols of a run are: when a fresh analysis would make them.
#include "tests/unit/session/fixture.h"

// Symbols of the run: 0 is B, 1 and 2 are the dims of a that have no name, 3 what the second operation makes.
static const char MAKES[] =
    "{\"symbols\":[{\"name\":\"B\"}],\"functions\":[{\"name\":\"main\",\"arguments\":["
    "\"a\",{\"dtype\":\"f32\",\"dims\":[null,\"B\",null]}],\"ops\":["
    "[\"stablehlo.abs\",[\"a\"],[\"x\",\"tensor<?x?x?xf32>\"]],"
    "[\"my.op\",[\"a\"],[\"y\",\"tensor<?xf32>\"]],[\"func.return\",[\"y\"]]]}]}";

static void expect_age(const session_core *s, uint32_t symbol, age_phase phase, uint32_t position,
                       uint32_t serial) {
  cr_assert_lt(symbol, s->run.ages->count);
  term_age age = s->run.ages->of[symbol];
  cr_expect(age.phase == phase && age.position == position && age.serial == serial,
            "symbol %u: %u, %u, %u", symbol, age.phase, age.position, age.serial);
}

Test(session_ages, declared_then_arguments_then_operations) {
  session_core *s = session_of(MAKES);
  expect_age(s, 0, AGE_DECLARED, 0, 0);
  expect_age(s, 1, AGE_ARGUMENT, 0, 0);
  expect_age(s, 2, AGE_ARGUMENT, 0, 1);
  expect_age(s, 3, AGE_OP, 1, 0);
  cr_assert_eq(s->run.ages->next.phase, AGE_END);
  session_free(s);
}

// What is made from here on belongs to what was begun.
Test(session_ages, a_phase_begins_with_its_first_symbol) {
  session_core *s = session_of(MAKES);
  ages_begin(s, AGE_OP, 0);
  uint32_t number = s->run.infer->terms->symbol_count;
  term_symbol(s->run.infer->terms);
  term_symbol(s->run.infer->terms);
  expect_age(s, number, AGE_OP, 0, 0);
  expect_age(s, number + 1, AGE_OP, 0, 1);
  session_free(s);
}

// By where they are in the program, whatever their ids.
Test(session_ages, positions_are_those_of_the_program_now) {
  session_core *s = session_of(MAKES);
  const term_ages *ages = s->run.ages;
  op_id op =
      session_done(s, (session_edit){.kind = EDIT_INSERT,
                                     .op = 0,
                                     .text = "[\"my.op\",[\"a\"],[\"z\",\"tensor<?xf32>\"]]"})
          .inserted[0];
  value_id first =
      session_done(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = WIDE})
          .arguments[0];
  cr_assert(op > 2 && first > 0);
  cr_assert_lt(ages->position(s, (term_age){AGE_OP, op, 0}),
               ages->position(s, (term_age){AGE_OP, 0, 0}));
  cr_assert_eq(ages->position(s, (term_age){AGE_ARGUMENT, first, 0}), 0);
  cr_assert_eq(ages->position(s, (term_age){AGE_ARGUMENT, 0, 0}), 1);
  cr_assert_eq(ages->position(s, (term_age){AGE_GIVEN, 7, 0}), 7);
  session_free(s);
}
