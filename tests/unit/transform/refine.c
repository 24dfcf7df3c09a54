// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/transform/refine.h"

#include "tests/unit/collected.h"

char *refine_text(const refine_case *c) {
  collected out = {calloc(1, 1), 0};
  analysis_reply reply;
  analysis_request request = {.name = "x",
                              .text = c->program,
                              .length = strlen(c->program),
                              .argument_types = c->argument_types,
                              .bindings = &c->binding,
                              .binding_count = c->binding ? 1 : 0,
                              .find_bounds = program_finds_bounds(&c->options)};
  emit_analyze(&request, emit_as_mlir(&c->options), collect, &out, &reply);
  return out.text;
}

void expect_refined(const refine_case *c, const char *part, const char *absent) {
  char *text = refine_text(c);
  if (part) cr_expect(strstr(text, part), "no '%s' in:\n%s", part, text);
  if (absent) cr_expect_not(strstr(text, absent), "'%s' in:\n%s", absent, text);
  free(text);
}
