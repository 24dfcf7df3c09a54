// SPDX-License-Identifier: Apache-2.0
// A result of infer made by hand: one function whose arguments have fresh sizes.
#ifndef SHAPE_TESTS_REPORT_FIXTURE_H
#define SHAPE_TESTS_REPORT_FIXTURE_H

#include "solver/report/report.h"

enum { FIXTURE_AXES = 8 };

typedef struct fixture {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  shape_graph graph;
  rule_log log;
  infer_result result;
  uint32_t axes;
  value_id arguments;
  term_id size[FIXTURE_AXES];  // of argument 0
} fixture;

// One argument with `axes` sizes.
void fixture_open(fixture *f, uint32_t axes);
void fixture_close(fixture *f);
// A symbol that the author declares, and that is dim 0 of an argument of its own rank: rank SYMBOL_NAMED.
term_id fixture_declare(fixture *f, const char *name);
term_id fixture_opaque(fixture *f);
// States a fact as a requirement of an operation, and claims it as infer would.
void fixture_require(fixture *f, relation rel, term_id left, term_id right);
// Adds a claim without stating it.
void fixture_claim(fixture *f, relation rel, term_id left, term_id right, bool guard);
shape_report *fixture_report(fixture *f);
const char *fixture_text(fixture *f, shape_report *r, term_id t);  // of its answer form
// "expr; expr; ..." of a list of constraints.
const char *fixture_list(fixture *f, const report_constraints *list);

#endif
