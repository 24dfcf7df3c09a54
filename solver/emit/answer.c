// SPDX-License-Identifier: Apache-2.0
// The answer itself: as text, as JSON, as a summary, and what observations violate.
#include "solver/emit/emitter.h"
#include "solver/emit/encode.h"
#include "solver/emit/summary.h"
#include "solver/report/render.h"

void emit_text(const emission *e) {
  const text_options *o = e->options;
  report_render(e->report, e->out, &(render_options){e->a->request->name, o->colour});
}

void emit_json(const emission *e) {
  const json_options *o = e->options;
  json_writer w;
  json_writer_init(&w, e->out);
  w.big_as_text = o->big_as_text;
  bool seen = o->point_count && e->report->infer;
  report_encode_likely(e->report, seen ? likely_new(e->report, o->points, o->point_count) : NULL,
                       &w);
  strbuf_putc(e->out, '\n');
}

void emit_summary(const emission *e) {
  json_writer w;
  json_writer_init(&w, e->out);
  summary_encode(e->report, &w);
}

void emit_violations(const emission *e) {
  const violation_options *o = e->options;
  json_writer w;
  json_writer_init(&w, e->out);
  w.big_as_text = o->big_as_text;
  likely_check(likely_new(e->report, o->points, o->point_count), &w, o->violated);
}
