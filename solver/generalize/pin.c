// SPDX-License-Identifier: Apache-2.0
// Why a dim of an argument stays a number.
#include <assert.h>
#include <string.h>

#include "solver/decide/store_query.h"
#include "solver/generalize/state.h"
#include "solver/report/cell.h"

enum { FACTS_MAX = 64 };

static term_id argument_term(const shape_report *r, uint32_t argument, uint32_t axis) {
  const infer_frame *entry = &r->infer->frames[0];
  assert(argument < r->functions[0].argument_count);
  const value_info *v = &entry->values[r->functions[0].arguments + argument - entry->value_base];
  return v->ranked && axis < v->rank ? v->dims[axis] : TERM_NONE;
}

// The first operation of the program among the reasons of the dim's number.
static bool find_fact(generalization *g, uint32_t argument, uint32_t axis, const fact **out,
                      model_location *at) {
  shape_report *r = shape_run_report(g->model_analysis.program);
  shape_store *store = r->infer->store;
  term_id dim = argument_term(r, argument, axis);
  fact_id facts[FACTS_MAX];
  uint32_t count = 0;
  op_id first = ID_NONE;
  if (dim == TERM_NONE) return false;
  predicate p = predicate_make(
      REL_EQ, dim, term_int(r->infer->terms, original_argument_dim(&g->from, argument, axis)));
  if (!store_explain(store, p, facts, FACTS_MAX, &count)) return false;
  for (uint32_t i = 0; i < count && i < FACTS_MAX; i++) {
    const fact *f = store_fact(store, facts[i]);
    if (f->why.kind != REASON_OP || f->why.subject >= first) continue;
    model_location found = locate_op(g, f->why.subject);
    if (!found.op) continue;
    first = f->why.subject;
    *at = found;
    *out = f;
  }
  return first != ID_NONE;
}

static fixed_dim tied_row(const generalization *g, fixed_dim row, const char *name) {
  for (uint32_t i = 0; i < g->tied_count; i++) {
    const tied_dims *t = &g->tied[i];
    if (!t->at.op || !strstr(t->predicate, name)) continue;
    row.at = t->at;
    row.message = t->message;
    return row;
  }
  return row;
}

fixed_dim pin_of(generalization *g, uint32_t argument, uint32_t axis) {
  shape_report *r = shape_run_report(g->model_analysis.program);
  fixed_dim row = {.argument = argument, .axis = axis, .message = "it was not asked for"};
  for (uint32_t i = 0; i < g->fixed_count; i++) {
    if (g->fixed[i].argument == argument && g->fixed[i].axis == axis) return g->fixed[i];
  }
  bool declared = original_argument_dim(&g->from, argument, axis) >= 0;
  if (declared && !original_is_freed(&g->from, argument, axis)) return row;
  row.message = "the program gives it";
  const fact *f;
  shape_strbuf text;
  strbuf_init(&text, &g->arena);
  if (declared && find_fact(g, argument, axis, &f, &row.at)) {
    report_text fact_text = cell_predicate_text(r->infer, f->p);
    strbuf_printf(&text, "%s: %.*s", f->why.what ? f->why.what : "the operation requires it",
                  (int)fact_text.length, fact_text.text);
    row.message = strbuf_text(&text);
    return row;
  }
  strbuf_printf(&text, "arg%u.%u", argument, axis);
  return tied_row(g, row, strbuf_text(&text));
}
