// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/formats/fx/reading.h"

static void said_of(const char *body, const char *expected, bool says) {
  char *text = fx_program(body);
  fx_answer a = fx_analyze(text, FX_INPUTS, NULL);
  cr_expect_eq(strstr(a.text, expected) != NULL, says, "%s", a.text);
  free(a.text);
  free(text);
}

Test(fx_comment, statements_are_from_the_line_above) {
  said_of("# File: a/model.py:88 in forward, code: y = f(x)\na = torch.foo(x)\nreturn a",
          "{\"file\": \"a/model.py\", \"line\": 88, \"function\": \"forward\"}", true);
  said_of("# File: model.py:7\na = torch.relu(x)\nb = torch.foo(a)\nreturn b",
          "{\"file\": \"model.py\", \"line\": 7}", true);
  said_of("# a remark\na = torch.foo(x)\nreturn a", "\"locations\"", false);
  said_of("# File: model.py\na = torch.foo(x)\nreturn a", "\"locations\"", false);
}
