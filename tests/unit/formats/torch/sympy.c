// SPDX-License-Identifier: Apache-2.0
// Expressions of SymPy: what they are worth for s0 = 7 and s1 = 3 by the rules of Python.
#include "solver/term/parse.h"
#include "solver/term/term.h"
#include "tests/unit/formats/torch/reading.h"
#include "tests/unit/world.h"

static term_id number_of(void *data, const char *name, size_t length) {
  term_table *terms = data;
  if (length == 2 && memcmp(name, "s0", 2) == 0) return term_int(terms, 7);
  return length == 2 && memcmp(name, "s1", 2) == 0 ? term_int(terms, 3) : TERM_NONE;
}

// False where it has no text in the grammar.
static bool value_of(const char *text, int64_t *value, bool *too_deep) {
  world w;
  shape_strbuf out;
  world_open(&w, 0, WORLD_STEPS, 0);
  strbuf_init(&out, &w.arena);
  bool ok = sympy_text(text, strlen(text), &out, too_deep);
  if (ok) {
    term_parser parser = {.terms = &w.terms, .symbol = number_of, .data = &w.terms};
    term_id t;
    cr_assert(term_parse_expr(&parser, out.data, out.length, &t), "%s: %.*s: %s", text,
              (int)out.length, out.data, parser.error);
    cr_assert(term_int_value(&w.terms, t, value), "%s", text);
  }
  arena_destroy(&w.arena);
  return ok;
}

Test(torch_sympy, both_spellings_have_the_value_that_python_gives) {
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {{"0", 0},
               {"9223372036854775807", INT64_MAX},
               {"s0", 7},
               {"-s0", -7},
               {"2*s0 + 1", 15},
               {"s0 - s1 - 1", 3},
               {"2 - (s0 - 1)", -4},
               {"s0//2", 3},
               {"s0//s1*2", 4},
               {"2*s0//s1", 4},
               {"-s0//2", -4},
               {"-s0 % s1", 2},
               {"s0 % s1 * 2", 2},
               {"s0**2", 49},
               {"-s0**2", -49},
               {"2*s1**2", 18},
               {"((s0))*(s1 + 1)", 28},
               {" s0\n+ s1 ", 10},
               {"Integer(-4)", -4},
               {"Symbol('s0', positive=True, integer=True)", 7},
               {"Symbol(\"s1\")", 3},
               {"Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(-1))", 13},
               {"Add(s0)", 7},
               {"Mul(Add(s0, s1), Add(s0, Integer(-5)))", 20},
               {"Mul(Integer(-1), Add(s0, s1))", -10},
               {"FloorDiv(Add(s0, 1), s1)", 2},
               {"CleanDiv(6, s1)", 2},
               {"CeilDiv(s0, 2)", 4},
               {"Mod(Mul(-1, s0), s1)", 2},
               {"PythonMod(s0, s1)", 1},
               {"Max(s0, s1, 9)", 9},
               {"Min(s0, s1 - 4)", -1},
               {"Identity(s0)", 7},
               {"CeilToInt(IntTrueDiv(s0, 2))", 4},
               {"FloorToInt(FloatTrueDiv(s0, 2))", 3},
               {"s0*FloorDiv(s0, 2)//s1", 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t value = 0;
    bool deep;
    cr_expect(value_of(cases[i].text, &value, &deep), "%s", cases[i].text);
    cr_expect_eq(value, cases[i].value, "%s: %lld", cases[i].text, (long long)value);
  }
}

// Fractions, numbers that are no integers, functions without a rule, and what is cut.
Test(torch_sympy, what_the_grammar_has_not_is_not_read) {
  static const char *const TEXTS[] = {"",
                                      " ",
                                      "s0/2",
                                      "1.5",
                                      "2.",
                                      "s0**s1",
                                      "s0**-1",
                                      "s0**2**2",
                                      "s0 +",
                                      "s0 s1",
                                      "(s0",
                                      "s0)",
                                      "Add()",
                                      "Add(s0,)",
                                      "FloorDiv(s0)",
                                      "FloorDiv(s0, 1, 2)",
                                      "Mod(s0, 1, 2)",
                                      "Pow(s0, 2)",
                                      "PowByNatural(s0, 2)",
                                      "Identity(s0, s1)",
                                      "IntTrueDiv(s0, 2)",
                                      "CeilToInt(s0)",
                                      "CeilToInt(IntTrueDiv(s0, 2)",
                                      "Piecewise((s0, 1))",
                                      "Symbol(s0)",
                                      "Symbol('s0",
                                      "Symbol('')",
                                      "Symbol('s0', f(x))",
                                      "Integer(2.5)",
                                      "Integer(s0)",
                                      "s0 == 1",
                                      "zoo%"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    int64_t value;
    bool deep = true;
    cr_expect_not(value_of(TEXTS[i], &value, &deep), "%s", TEXTS[i]);
    cr_expect_not(deep, "%s", TEXTS[i]);
  }
}

Test(torch_sympy, nesting_and_names_are_bounded) {
  char text[1024];
  for (int depth = 90; depth <= 110; depth += 20) {
    bool deep;
    int64_t value = 0;
    memset(text, '(', (size_t)depth);
    memcpy(text + depth, "s0", 2);
    memset(text + depth + 2, ')', (size_t)depth);
    text[2 * depth + 2] = 0;
    cr_expect_eq(value_of(text, &value, &deep), depth < 100);
    cr_expect_eq(deep, depth > 100);
  }
  memset(text, 'a', 101);
  text[101] = 0;
  bool deep;
  int64_t value;
  cr_expect_not(value_of(text, &value, &deep));
}
