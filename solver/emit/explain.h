// SPDX-License-Identifier: Apache-2.0
// Why a predicate holds in a program, or that it does not: an irreducible list of what operations and declarations say.
#ifndef SHAPE_EMIT_EXPLAIN_H
#define SHAPE_EMIT_EXPLAIN_H

#include "solver/formats/json/write.h"
#include "solver/report/render.h"
#include "solver/report/witness.h"

enum { EXPLAIN_MAX = 64 };

typedef struct explanation {
  shape_answer answer;
  const char *error;    // NULL, or why the predicate cannot be asked
  size_t error_at;      // where, in bytes
  report_text unknown;  // the name that is not known; length 0: the error is another
  bool budget;          // UNKNOWN because the budget was spent
  bool data;            // it speaks of a size that no argument decides
  report_text claim;    // the predicate over arguments and declared names alone
  // Dims of the arguments at which the claim is expected not to hold; NULL: none was found. Code that can run the
  // program there sets `confirmed` and, where the solver alone could not decide, answers NO.
  report_witness *run;
  bool confirmed;
  uint32_t count;  // steps; for NO they make the opposite true
  struct {
    report_because why;
    report_text fact;  // what it says, over the arguments: "arg0.0 == arg1.0"
  } steps[EXPLAIN_MAX];
} explanation;

// The predicate is over the names of the report, dims of arguments (arg0.1), their values (arg2), and values by their
// addresses (graph/address.h).
void report_explain(shape_report *report, const char *that, explanation *out);
// For people, in 80 columns.
void explain_render(const shape_report *report, const char *that, const explanation *e,
                    const render_options *options, shape_strbuf *out);
void explain_encode(const shape_report *report, const char *that, const explanation *e,
                    json_writer *w);

#endif
