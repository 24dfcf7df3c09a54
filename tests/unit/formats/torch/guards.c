// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/formats/torch/answered.h"

// The answer about a program of three inputs, x, args_1 and m, with these guards.
static const char *answer_with(const char *guards) {
  static const char INPUT[] = "{\"as_tensor\": {\"name\": \"%s\"}}%s";
  static const char META[] =
      "'%s': {'dtype': 7, 'sizes': [{'as_expr': {'expr_str': '%c0', 'hint': null}},"
      " {'as_expr': {'expr_str': '%c1', 'hint': null}}]}%s";
  static const char *const NAMES[] = {"x", "args_1", "m"};
  static char json[8192];
  char inputs[512] = "", metas[1024] = "";
  for (unsigned i = 0; i < 3; i++) {
    const char *comma = i < 2 ? ", " : "";
    snprintf(inputs + strlen(inputs), 200, INPUT, NAMES[i], comma);
    snprintf(metas + strlen(metas), 300, META, NAMES[i], "abc"[i], "abc"[i], comma);
  }
  for (char *at = metas; *at; at++) {
    if (*at == '\'') *at = '"';
  }
  snprintf(json, sizeof json,
           "{\"schema_version\": {\"major\": 8, \"minor\": 9}, \"graph_module\": {\"graph\": {"
           "\"inputs\": [%s], \"outputs\": [], \"nodes\": [], \"tensor_values\": {%s}}}, "
           "\"guards_code\": %s}",
           inputs, metas, guards);
  return answered(json);
}

static void assumed(const char *guards, const char *want) {
  const char *answer = answer_with(guards);
  char text[512];
  snprintf(text, sizeof text, "\"assumptions\": [%s]", want);
  cr_expect(strstr(answer, "\"status\": \"ok\""), "%s: %s", guards, answer);
  cr_expect(strstr(answer, text), "%s: %s", guards, answer);
}

Test(torch_guards, conditions_are_assumptions) {
  assumed("[\"L['x'].size()[0] == L['args'][1].size()[1]\"]", "\"x.0 == arg1.1\"");
  assumed(
      "[\"(L['kwargs']['m'].size()[1] % 8) == 0\", \"L['m'].size()[0] <= 2*L['x'].size()[1] - 1\"]",
      "\"(m.1 % 8) == 0\", \"m.0 <= 2*x.1 - 1\"");
  assumed("[\"((L['x'].size()[0] >= 2) and (L['x'].size()[1]**2 != 9 and 3 < L['m'].size()[0]))\"]",
          "\"x.0 >= 2\", \"x.1^2 != 9\", \"3 < m.0\"");
}

Test(torch_guards, a_guard_ties_dims) {
  const char *answer = answer_with("[\"L['x'].size()[0] == L['m'].size()[1]\"]");
  cr_expect(
      strstr(answer, "\"argument_dims\": [[\"a0\", \"a1\"], [\"b0\", \"b1\"], [\"c0\", \"a0\"]]"),
      "%s", answer);
}

Test(torch_guards, what_is_no_arithmetic_says_nothing) {
  static const char *const GUARDS[] = {"null",
                                       "{}",
                                       "[3, null]",
                                       "[\"L['x'].size()[0] == 3 or L['x'].size()[1] == 4\"]",
                                       "[\"not L['x'].size()[0] == 3\"]",
                                       "[\"L['y'].size()[0] == 3\"]",
                                       "[\"L['x'].size()[2] == 3\"]",
                                       "[\"L['x'].size() == 3\"]",
                                       "[\"L['x'].size()[0] // L['x'].size()[1] == 3\"]",
                                       "[\"L['x'].size()[0] % 0 == 3\"]",
                                       "[\"L['x'].size()[0] == 1.5\"]",
                                       "[\"2 < L['x'].size()[0] < 7\"]",
                                       "[\"L['x'].size()[0]\"]",
                                       "[\"L['x\"]",
                                       "[\"L\"]",
                                       "[\"\"]",
                                       "[\"(((\"]",
                                       "[\")(\"]",
                                       "[\"___check_type(L['x'])\"]"};
  for (unsigned i = 0; i < sizeof GUARDS / sizeof *GUARDS; i++) assumed(GUARDS[i], "");
}
