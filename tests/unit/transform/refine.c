// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/transform/refine.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct collected {
  char *text;
  size_t length;
} collected;

static void collect(void *to, const char *data, size_t length) {
  collected *c = to;
  c->text = realloc(c->text, c->length + length + 1);
  cr_assert(c->text);
  memcpy(c->text + c->length, data, length);
  c->length += length;
  c->text[c->length] = '\0';
}

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
