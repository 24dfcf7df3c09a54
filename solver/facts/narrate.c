// SPDX-License-Identifier: Apache-2.0
#include "solver/facts/narrate.h"

#include <assert.h>

#include "solver/facts/core.h"
#include "solver/term/outline.h"

void narrate_predicate(shape_strbuf *out, const term_table *terms, predicate p) {
  term_outline(out, terms, p.left);
  strbuf_printf(out, " %s ", p.rel == REL_DIVISIBLE ? "is a multiple of" : relation_text(p.rel));
  term_outline(out, terms, p.right);
}

void narrate_fact(shape_store *s, predicate p, reason why, add_result result) {
  static const char *const RESULT[] = {
      [ADD_NEW] = "", [ADD_KNOWN] = ", known already", [ADD_CONFLICT] = ", CONFLICT"};
  shape_strbuf *out = trace_begin(s->budget, TRACE_fact);
  narrate_predicate(out, s->terms, p);
  strbuf_printf(out, ", in scope %u%s: %s%s%s", s->facts.scope, RESULT[result],
                why.rule ? why.rule : "", why.rule && why.what ? ": " : "",
                why.what ? why.what : "");
  trace_end(s->budget);
}
