// SPDX-License-Identifier: Apache-2.0
// Assumptions that would leave less to be checked: where guards say "equal, or one of them 1", the equality, and what
// tables of positions hold. Nothing is assumed by asking.
//
// Candidates are read off the guards and the dims: equalities of what is broadcast together, the limits of minima, and
// dims that are at least 1. Those that are consistent with all guards are taken together; then each is left out that
// nothing needs. So the set is a smallest one in the sense that no member can go.
// Cost: at most SUGGESTED_STEPS, and nothing where no guard or dim is a broadcast and every dim is determined.
#ifndef SHAPE_REPORT_SUGGEST_H
#define SHAPE_REPORT_SUGGEST_H

#include "solver/report/report.h"

typedef struct report_suggestion {
  const char *const *assume;  // predicates over declared names and arg0.1, as --assume reads them
  uint32_t assume_count;
  uint32_t proves, guards_left;  // of the guards of the report
  uint32_t
      resolves;  // dims that are broadcasts, or that the arguments do not determine, and would be neither
  // By result of the entry: its dims under the assumptions; NULL: not ranked. TERM_NONE: not known.
  const term_id *const *results;
} report_suggestion;

// The best suggestion, or NULL where there is none. Made once for a report; the store is as it was afterwards.
const report_suggestion *report_suggest(shape_report *report);
// "A == B, C == D and E <= 512", in the names that text output has.
void report_suggestion_print(const shape_report *report, const report_suggestion *suggestion,
                             shape_strbuf *out);

#endif
