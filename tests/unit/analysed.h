// SPDX-License-Identifier: Apache-2.0
// A program in MLIR, analysed: what tests of answers about whole programs begin with.
#ifndef TESTS_UNIT_ANALYSED_H
#define TESTS_UNIT_ANALYSED_H

#include <criterion/criterion.h>
#include <string.h>

#include "solver/analysis/analysis.h"
#include "solver/report/report.h"

typedef struct analysed {
  analysis_request request;
  analysis_reply reply;
  analysis core;
  shape_report *report;
} analysed;

static inline void analysed_open(analysed *a, const char *text) {
  *a = (analysed){.request = {.name = "test", .text = text, .length = strlen(text)}};
  a->request.mode.whole_regions = true;
  cr_assert(analysis_open(&a->core, &a->request, false, &a->reply));
  a->report = shape_run_report(a->core.program);
  cr_assert_not_null(a->report->infer);
}

static inline void analysed_close(analysed *a) { analysis_close(&a->core); }

// The text of a term in answer form; "?" where it is not known.
static inline const char *analysed_text(analysed *a, term_id term) {
  if (term == TERM_NONE) return "?";
  report_text text = report_term(a->report, term);
  return arena_strndup(a->report->graph->arena, text.text, text.length);
}

#endif
