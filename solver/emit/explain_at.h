// SPDX-License-Identifier: Apache-2.0
// Why the dims at a location of a program are what they are: for each size an irreducible chain of operations.
//
// The steps are enough: the program with these operations alone, all others taken for such without a rule, has that
// size. None can be left out: without any one of them it has not. Both are found by analysing the program so, O(steps *
// log candidates) times. What declarations say (types that are written, declared names) is no step: it always counts.
#ifndef SHAPE_EMIT_EXPLAIN_AT_H
#define SHAPE_EMIT_EXPLAIN_AT_H

#include "solver/analysis/analysis.h"
#include "solver/emit/location.h"
#include "solver/formats/json/write.h"
#include "solver/report/cell.h"
#include "solver/report/render.h"

typedef struct at_step {
  op_id op;
  source_span span;     // of the operation, in bytes of the text
  const char *rule;     // "concatenate"
  const char *source;   // where the rule is: "StableHLO spec: concatenate"; NULL: nowhere
  const char *message;  // half a sentence: what it requires; NULL: it only computes
  report_text fact;     // what it adds: "%shape[1] == arg1.1"
} at_step;

typedef enum at_kind {
  AT_DERIVED,   // the steps make it
  AT_ARGUMENT,  // the caller decides it
  AT_DECLARED,  // its type says so
  AT_DATA,      // no argument decides it; the last step makes it
  AT_UNKNOWN    // nothing is known: it was not reached, or is not the same at all calls
} at_kind;

typedef struct at_size {
  uint32_t index;    // axis, or index of the element
  bool element;      // of a small integer tensor
  report_text what;  // "dim 1 of %0"
  report_text
      size;  // over arguments (arg0.1), declared names and other values ("%n.0"); empty where UNKNOWN
  at_kind kind;
  bool
      reduced;  // false: the program is too large to try; the steps are enough, and some may not be needed
  at_step *steps;
  uint32_t count;
} at_size;

typedef struct at_explanation {
  source_span span;  // of what is at the location
  value_id value;
  at_size *sizes;
  uint32_t count;
} at_explanation;

// `a` is of a program without errors, opened with spans. False: nothing that has dims is there. Everything is in the
// program's arena; call it under shape_run_protect.
bool explain_at(const analysis *a, uint32_t offset, at_explanation *out);

// The same in one go, for callers that have a text and no analysis: `take` gets the program's report, and NULL where
// nothing is there or the program has errors. What it is given lives until it returns. The offset counts bytes.
typedef void at_taker(void *to, shape_report *report, const at_explanation *explanation);
shape_status explain_at_text(const analysis_request *request, uint32_t offset, at_taker *take,
                             void *to);

void explain_at_render(const shape_report *report, const at_explanation *e,
                       const render_options *options, shape_strbuf *out);
void explain_at_encode(const shape_report *report, const at_explanation *e, json_writer *w);

#endif
