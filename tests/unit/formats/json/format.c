// SPDX-License-Identifier: Apache-2.0
// The JSON form among the formats: its brackets, and what is said of a text that is no JSON.
#include "solver/formats/formats.h"
#include <stdio.h>

#include "tests/unit/formats/json/rows.h"

Test(json_format, a_brace_or_a_bracket_may_be_a_graph) {
  static const struct {
    const char *text;
    format_match want;
  } cases[] = {{"{}", FORMAT_MAYBE}, {"{", FORMAT_MAYBE},   {"[1]", FORMAT_MAYBE},
               {"{-", FORMAT_MAYBE}, {"{-#", FORMAT_NO},    {"{-# a #-}", FORMAT_NO},
               {"\"a\"", FORMAT_NO}, {"module", FORMAT_NO}, {"3", FORMAT_NO}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    format_bytes b = {.text = cases[i].text, .length = strlen(cases[i].text), .is_text = true};
    cr_expect_eq(FORMAT_READERS[GRAPH_JSON]->match(&b), cases[i].want, "%s", cases[i].text);
    b.is_text = false;
    cr_expect_eq(FORMAT_READERS[GRAPH_JSON]->match(&b), FORMAT_NO, "%s", cases[i].text);
  }
}

// "CODE at OFFSET", or "" where it is read.
static const char *read_format(const char *text, bool validated) {
  static char error[64];
  json_graph g;
  arena_init(&g.arena, 0);
  budget_init(&g.budget, &g.arena, UINT64_MAX, NULL);
  graph_init(&g.graph, &g.arena, GRAPH_JSON, text, strlen(text));
  g.graph.budget = &g.budget;
  FORMAT_READERS[GRAPH_JSON]->read(&g.graph, &(format_options){.validated = validated});
  const diag *d = g.graph.diags.items;
  error[0] = 0;
  if (g.graph.diags.count) snprintf(error, sizeof error, "%s at %u", d->code, d->span.begin);
  arena_destroy(&g.arena);
  return error;
}

Test(json_format, a_text_is_validated_once) {
  static char deep[4096];
  memset(deep, '[', sizeof deep - 1);
  cr_expect_str_eq(read_format("{\"functions\":[]}", false), "");
  cr_expect_str_eq(read_format("{\"functions\":[],}", false), "syntax at 16");
  cr_expect_str_eq(read_format("{\"functions\":[]", false), "syntax at 15");
  cr_expect(strstr(read_format(deep, false), "depth at"), "%s", read_format(deep, false));
  cr_expect_str_eq(read_format("{\"functions\":[]}", true), "");
}
