// SPDX-License-Identifier: Apache-2.0
#include "solver/decide/narrate.h"

#include "solver/facts/narrate.h"

void narrate_query(const query *q, predicate goal, const query_result *result, uint64_t steps) {
  static const char *const ANSWER[] = {
      [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
  static const char *const WHY[] = {[UNKNOWN_NOT] = "",
                                    [UNKNOWN_CONTINGENT] = " (it depends)",
                                    [UNKNOWN_BUDGET] = " (the budget is spent)",
                                    [UNKNOWN_INCOMPLETE] = " (incomplete)",
                                    [UNKNOWN_UNCONFIRMED] = " (not confirmed)"};
  shape_strbuf *out = trace_begin(q->budget, TRACE_query);
  narrate_predicate(out, q->terms, goal);
  strbuf_printf(out, "? %s%s, under %u premise%s, in %llu steps",
                result->conflict ? "the premises are in conflict" : ANSWER[result->answer],
                result->conflict ? "" : WHY[result->reason], q->premise_count,
                q->premise_count == 1 ? "" : "s", (unsigned long long)steps);
  trace_end(q->budget);
}
