// SPDX-License-Identifier: Apache-2.0
#include "solver/analysis/run.h"

#include "solver/formats/formats.h"
#include "solver/report/report.h"

enum { LOCATIONS = 8 };

void shape_run_locate(shape_run *p) {
  shape_report *r = shape_run_report(p);
  shape_graph *g = shape_run_graph(p);
  const format_reader *reader = FORMAT_READERS[g->format];
  if (!r || !reader->locations || !r->diag_count) return;
  report_locations *all = arena_zalloc(g->arena, r->diag_count * sizeof *all);
  for (uint32_t i = 0; i < r->diag_count; i++) {
    report_location *items = arena_alloc(g->arena, LOCATIONS * sizeof *items);
    all[i] = (report_locations){items, reader->locations(g, r->diags[i]->span, items, LOCATIONS)};
  }
  report_locate(r, all);
}
