// SPDX-License-Identifier: Apache-2.0
// The answer itself: as text, as JSON, as a summary or the errors of it, and what observations violate.
#include <assert.h>

#include "solver/emit/emitter.h"
#include "solver/emit/encode.h"
#include "solver/emit/profile_write.h"
#include "solver/emit/summary.h"
#include "solver/report/render.h"

static bool ask_profiles(const emission *e, const char *const *texts, uint32_t count,
                         shape_answer *answer, profile_list *out) {
  assert(e->report && (texts || !count));
  if (!profiles_ask(e, texts, count, out)) return false;
  if (answer && count) *answer = e->report->ok ? out->all : SHAPE_NO;
  return true;
}

static void write_text(const emission *e, bool verbose) {
  const text_options *o = e->options;
  profile_list profiles;
  if (!ask_profiles(e, o->profiles, o->profile_count, o->answer, &profiles)) return;
  report_render(e->report, e->out, &(render_options){e->a->request->name, o->colour, verbose});
  profiles_render(e->report, &profiles, e->out);
}

void emit_text(const emission *e) { write_text(e, false); }
void emit_details(const emission *e) { write_text(e, true); }

void emit_json(const emission *e) {
  const json_options *o = e->options;
  profile_list profiles;
  if (!ask_profiles(e, o->profiles, o->profile_count, o->answer, &profiles)) return;
  json_writer w;
  json_writer_init(&w, e->out);
  w.big_as_text = o->big_as_text;
  bool seen = (o->point_count || report_has_likely(e->report)) && e->report->infer;
  report_encode_with(e->report, seen ? likely_new(e->report, o->points, o->point_count) : NULL,
                     o->profile_count ? &profiles : NULL, &w);
  strbuf_putc(e->out, '\n');
}

void emit_summary(const emission *e) {
  json_writer w;
  json_writer_init(&w, e->out);
  summary_encode(e->report, &w);
}

void emit_errors(const emission *e) {
  json_writer w;
  json_writer_init(&w, e->out);
  summary_encode_errors(e->report, &w);
}

void emit_violations(const emission *e) {
  const violation_options *o = e->options;
  json_writer w;
  json_writer_init(&w, e->out);
  w.big_as_text = o->big_as_text;
  assert(o->points || !o->point_count);
  likely_check(likely_new(e->report, o->points, o->point_count), &w, o->violated);
}
