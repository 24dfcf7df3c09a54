// SPDX-License-Identifier: Apache-2.0
// What `shape decide --trace` says beside the full queries, which the decision procedure traces itself.
#include "solver/api/decide/request.h"
#include "solver/facts/narrate.h"

static void narrate_symbols(request *r) {
  shape_strbuf *out = trace_begin(&r->budget, TRACE_call);
  strbuf_puts(out, "a query over");
  for (uint32_t i = 0; i < r->of.count; i++) {
    const text *name = &r->of.items[i].name;
    int length = name->length < 200 ? (int)name->length : 200;
    strbuf_printf(out, "%s s%u = %.*s", i ? "," : "", i, length, name->data);
  }
  if (!r->of.count) strbuf_puts(out, " no symbols");
  trace_end(&r->budget);
}

void narrate_request(request *r, uint32_t own) {
  if (trace_wants(&r->budget, TRACE_call)) narrate_symbols(r);
  for (uint32_t i = 0; trace_wants(&r->budget, TRACE_fact) && i < r->parts.premise_count; i++) {
    shape_strbuf *out = trace_begin(&r->budget, TRACE_fact);
    narrate_predicate(out, &r->terms, r->parts.premises[i]);
    strbuf_puts(out, i < own ? ", assumed" : ", where the query is defined");
    trace_end(&r->budget);
  }
}

void narrate_end(request *r) {
  static const char *const KINDS[] = {[ASK_NOTHING] = "nothing",
                                      [ASK_QUERY] = "query",
                                      [ASK_SIMPLIFY] = "simplify",
                                      [ASK_BOUNDS] = "bounds"};
  trace_say(&r->budget, TRACE_phase, "%s ended at step %llu", KINDS[r->kind],
            (unsigned long long)r->budget.steps_used);
}
