// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>

#include "solver/emit/encode.h"
#include "tests/unit/report/fixture.h"

static const char *encoded(fixture *f, shape_report *r, bool big_as_text) {
  shape_strbuf buf;
  json_writer w;
  strbuf_init(&buf, &f->arena);
  json_writer_init(&w, &buf);
  w.big_as_text = big_as_text;
  report_encode_with(r, NULL, NULL, &w);
  return strbuf_text(&buf);
}

Test(encode, writes_every_key_in_its_order) {
  fixture f;
  fixture_open(&f, 2);
  fixture_require(&f, REL_DIVISIBLE, f.size[0], term_int(&f.terms, 4));
  shape_report *r = fixture_report(&f);
  r->stats = (report_stats){.functions = 1, .values = 1, .symbols = 2, .facts = 1, .steps = 7};
  const char *want =
      "{\"status\": \"ok\", \"diagnostics\": [], \"functions\": [{\"name\": "
      "\"main\", \"arguments\": "
      "[\"tensor<?x?xf32>\"], \"results\": [], \"argument_dims\": [[\"S0\", "
      "\"S1\"]], \"result_dims\": [], "
      "\"argument_values\": [null], \"result_values\": [], \"ops\": []}], "
      "\"symbols\": [{\"name\": \"S0\", "
      "\"origin\": {\"kind\": \"argument_size\", \"function\": \"main\", "
      "\"argument\": 0, \"axis\": 0, \"line\": null}, "
      "\"min\": 0, \"max\": null, \"ranges\": [], \"divisible_by\": 4, \"likely\": "
      "[]}, {\"name\": \"S1\", \"origin\": "
      "{\"kind\": \"argument_size\", \"function\": \"main\", \"argument\": 0, "
      "\"axis\": 1, \"line\": null}, \"min\": 0, "
      "\"max\": null, \"ranges\": [], \"divisible_by\": 1, \"likely\": []}], "
      "\"constraints\": [{\"kind\": "
      "\"divisible\", \"lhs\": [\"S0\"], \"rhs\": [\"4\"], \"expr\": \"mod(S0, 4) "
      "== 0\", \"scope\": \"main\", "
      "\"because\": [{\"message\": \"it is required\"}]}], \"guards\": [{\"kind\": "
      "\"divisible\", \"lhs\": [\"S0\"], "
      "\"rhs\": [\"4\"], \"expr\": \"mod(S0, 4) == 0\", \"scope\": \"main\", "
      "\"because\": [{\"message\": \"it is "
      "required\"}]}], \"unchecked\": [], \"scoped_constraints\": [], \"assumptions\": [], "
      "\"refinable\": true, \"stats\": {\"functions\": "
      "1, \"ops\": 0, \"values\": 1, \"symbols\": 2, \"facts\": 1, \"steps\": 7, \"requirements\": "
      "1, \"proven\": 0, \"guards\": 1, \"unchecked\": 0}}";
  // The declared location of an argument is unknown here: its value was made without a text.
  f.graph.values[f.arguments].at = UINT32_MAX;
  report_symbol *symbols = r->symbols;
  for (uint32_t i = 0; i < r->symbol_count; i++) symbols[i].span = SPAN_NONE;
  cr_expect_str_eq(encoded(&f, r, false), want);
  fixture_close(&f);
}

Test(encode, large_integers_by_the_channel) {
  fixture f;
  fixture_open(&f, 1);
  fixture_require(&f, REL_LE, f.size[0], term_const(&f.terms, NUM(INT64_MAX)));
  shape_report *r = fixture_report(&f);
  cr_expect(strstr(encoded(&f, r, false), "\"max\": 9223372036854775807") != NULL);
  cr_expect(strstr(encoded(&f, r, true), "\"max\": \"9223372036854775807\"") != NULL);
  fixture_close(&f);
}

Test(encode, diagnostics_without_an_analysis) {
  fixture f;
  fixture_open(&f, 1);
  diag *d = diag_add(&f.graph.diags, DIAG_ERROR, "syntax", SPAN_NONE, "no \"%s\"", "program");
  diag_relate(&f.graph.diags, d, (source_span){0, 0}, "here");
  diag_add(&f.graph.diags, DIAG_WARNING, "other", (source_span){0, 0}, "the first");
  const char *text = encoded(&f, report_make(&f.graph, NULL, &f.budget), false);
  const char *want =
      "{\"status\": \"error\", \"diagnostics\": [{\"severity\": \"warning\", \"code\": \"other\", "
      "\"line\": 1, \"column\": 1, \"end_line\": 1, \"end_column\": 1, \"message\": \"the first\", "
      "\"related\": []}, {\"severity\": \"error\", \"code\": \"syntax\", \"line\": 1, \"column\": "
      "1, "
      "\"end_line\": 1, \"end_column\": 1, \"message\": \"no \\\"program\\\"\", \"related\": "
      "[{\"line\": 1, \"column\": 1, \"message\": \"here\"}]}], \"functions\": []";
  cr_expect_eq(strncmp(text, want, strlen(want)), 0, "%s", text);
  fixture_close(&f);
}
