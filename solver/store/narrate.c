// SPDX-License-Identifier: Apache-2.0
#include "solver/store/narrate.h"

#include "solver/store/core.h"
#include "solver/term/outline.h"

void narrate_predicate(shape_strbuf *out, const term_table *terms, predicate p) {
  static const char *const TEXT[] = {[REL_EQ] = "==",
                                     [REL_NE] = "!=",
                                     [REL_LT] = "<",
                                     [REL_LE] = "<=",
                                     [REL_GT] = ">",
                                     [REL_GE] = ">=",
                                     [REL_DIVISIBLE] = "is a multiple of"};
  term_outline(out, terms, p.left);
  strbuf_printf(out, " %s ", TEXT[p.rel]);
  term_outline(out, terms, p.right);
}

void narrate_fact(shape_store *s, predicate p, reason why, add_result result) {
  static const char *const RESULT[] = {
      [ADD_NEW] = "", [ADD_KNOWN] = ", known already", [ADD_CONFLICT] = ", CLASHES"};
  shape_strbuf *out = trace_begin(s->budget, TRACE_fact);
  narrate_predicate(out, s->terms, p);
  strbuf_printf(out, ", in scope %u%s: %s%s%s", s->scope, RESULT[result], why.rule ? why.rule : "",
                why.rule && why.what ? ": " : "", why.what ? why.what : "");
  trace_end(s->budget);
}

void narrate_query(const query *q, predicate question, const query_result *result, uint64_t steps) {
  static const char *const ANSWER[] = {
      [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
  static const char *const WHY[] = {[UNKNOWN_NOT] = "",
                                    [UNKNOWN_CONTINGENT] = " (it depends)",
                                    [UNKNOWN_BUDGET] = " (the budget is spent)",
                                    [UNKNOWN_INCOMPLETE] = " (incomplete)",
                                    [UNKNOWN_UNCONFIRMED] = " (not confirmed)"};
  shape_strbuf *out = trace_begin(q->budget, TRACE_query);
  narrate_predicate(out, q->terms, question);
  strbuf_printf(out, "? %s%s, under %u premise%s, in %llu steps",
                result->conflict ? "the premises clash" : ANSWER[result->answer],
                result->conflict ? "" : WHY[result->reason], q->premise_count,
                q->premise_count == 1 ? "" : "s", (unsigned long long)steps);
  trace_end(q->budget);
}
