// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/refute.h"

#include "solver/emit/explain.h"
#include "solver/report/checks.h"

typedef struct confirmation {
  const char *claim;
  bool refuted;
} confirmation;

static void confirm(shape_run *p, void *data) {
  confirmation *c = data;
  shape_report *report = shape_run_report(p);
  explanation *e = arena_alloc(report->graph->arena, sizeof *e);
  if (report_checks_make(report)->open_count || report->guards.count) return;
  report_explain(report, c->claim, e);
  c->refuted = !e->error && e->answer == SHAPE_NO;
}

bool refute_confirms(const analysis_request *request, const report_witness *run, const char *claim,
                     shape_arena *arena) {
  analysis_request again = *request;
  uint32_t count = request->binding_count + run->count;
  const char **bindings = arena_alloc(arena, (count + 1) * sizeof *bindings);
  for (uint32_t i = 0; i < request->binding_count; i++) bindings[i] = request->bindings[i];
  for (uint32_t i = 0; i < run->count; i++) {
    shape_strbuf text;
    strbuf_init(&text, arena);
    strbuf_printf(&text, "%s=%lld", run->items[i].name, (long long)run->items[i].value);
    bindings[request->binding_count + i] = strbuf_text(&text);
  }
  again.bindings = bindings;
  again.binding_count = count;
  analysis a;
  analysis_reply reply = {0};
  confirmation c = {claim, false};
  bool refuted = analysis_open(&a, &again, false, &reply) && analysis_is_valid(&a) &&
                 shape_run_protect(a.program, confirm, &c) == SHAPE_OK && c.refuted;
  analysis_close(&a);
  return refuted;
}
