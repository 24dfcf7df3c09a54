// SPDX-License-Identifier: Apache-2.0
// The generic form taken apart: what is missing, and where.
#include "tests/unit/formats/bytecode/writing.h"

Test(bytecode_write_parse, what_is_missing_is_said_where_it_is) {
  static const struct {
    const char *text, *error;
    size_t at;
  } cases[] = {{"\"t.a\"", "expected '('", 5},
               {"\"t.a\"(", "expected", 6},
               {"\"t.a\"() () -> ()", "expected '{'", 9},
               {"\"t.a\"() : () ()", "expected '->'", 13},
               {"\"t.a\"() : () -> ", "expected a type", 16},
               {"\"t.a\"(%a %b) : (i1, i1) -> ()", "expected ')'", 9},
               {"% = \"t.a\"() : () -> i1", "expected the name of a value", 2},
               {"%a:x = \"t.a\"() : () -> i1", "expected a number", 3},
               {"\"\"() : () -> ()", "expected the name of an operation", 0},
               {"\"t.a\"() ({ \"t.b\"() : () -> ()", "expected '}'", 29},
               {"\"t.a\"() {x = } : () -> ()", "expected an attribute", 13},
               {"\"t.a\"() {= 1} : () -> ()", "expected the name of an attribute", 9},
               {"\"t.a\"() : () -> () loc(\"x\"", "expected ')' after a location", 19},
               {"{-#", "expected '#-}'", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    written *w = open_written(cases[i].text, NULL, NULL);
    cr_expect_eq(w->result, BYTECODE_REFUSED, "%s", cases[i].text);
    cr_expect(strstr(w->refusal.message, cases[i].error), "%s: %s", cases[i].text,
              w->refusal.message);
    cr_expect_eq(w->refusal.offset, cases[i].at, "%s: %zu", cases[i].text, w->refusal.offset);
    cr_expect_eq(w->length, 0);
    close_written(w);
  }
}

Test(bytecode_write_parse, what_is_no_generic_form_is_another_answer) {
  static const char *const TEXTS[] = {"t.a %x : i32", "module {\n}", "%x = t.a : i32"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    written *w = open_written(TEXTS[i], NULL, NULL);
    cr_expect_eq(w->result, BYTECODE_NOT_GENERIC, "%s", TEXTS[i]);
    close_written(w);
  }
}

Test(bytecode_write_parse, forms_of_one_thing_come_back_alike) {
  static const char *const CASES[][2] = {
      {"%a:2 = \"t.a\"() : () -> (i1, i8)\n\"t.b\"(%a#1) : (i8) -> ()", "\"t.b\"(%1) : (i8)"},
      {"%a, %b = \"t.a\"() : () -> (i1, i8)\n\"t.b\"(%b) : (i8) -> ()", "\"t.b\"(%1) : (i8)"},
      {"\"t.a\"() <{p = 1 : i8}> {q = 2 : i8} : () -> ()", "<{p = 1 : i8}> {q = 2 : i8}"},
      {"\"t.a\"() {q} : () -> ()", "{q = unit}"},
      {"\"t.a\"() {} : () -> ()  // comment", "\"t.a\"() : () -> ()"},
      {"\"t.a\"() ({}, {\n^x:\n \"t.b\"() : () -> ()\n}) : () -> ()", "\"t.b\"() : () -> ()"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    expect_part(CASES[i][0], NULL, CASES[i][1]);
}
