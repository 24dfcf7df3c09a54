// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/cost_answer.h"

#include <assert.h>

const char *const COST_KEYS[COST_NUMBERS] = {[COST_ARGUMENTS] = "argument_bytes",
                                             [COST_RESULTS] = "result_bytes",
                                             [COST_CONSTANTS] = "constant_bytes",
                                             [COST_PEAK] = "peak_bytes",
                                             [COST_FLOPS] = "flops",
                                             [COST_TRANSCENDENTALS] = "transcendentals",
                                             [COST_INT_OPS] = "int_ops",
                                             [COST_MOVED] = "moved_bytes"};

const report_function *cost_report_function(const shape_report *r, const cost_function *f) {
  uint32_t i = 0;
  while (i < r->function_count && r->functions[i].id != f->id) i++;
  assert(i < r->function_count);
  return &r->functions[i];
}

static bool open_point(const emission *e, cost_view *v) {
  const char *error;
  v->point = free_dims_parse_point(v->dims, v->options->at, &error);
  if (!v->point) return emit_refuse(e, "point: %s", error);
  legality *l = legality_of(e->a, v->dims);
  point_answer answer = legality_at(l, v->point, NULL);
  v->legal = answer == POINT_LEGAL ? SHAPE_YES : answer == POINT_ILLEGAL ? SHAPE_NO : SHAPE_UNKNOWN;
  return true;
}

bool cost_view_open(const emission *e, cost_view *v) {
  const cost_options *o = e->options;
  const char *error;
  *v = (cost_view){.report = e->report, .options = o};
  v->answer = cost_make(e->report);
  if (!o->at && !o->profile) return true;
  v->dims = free_dims_of(e->a);
  if (o->at && !open_point(e, v)) return false;
  if (o->profile) {
    v->ranges = free_dims_parse(v->dims, o->profile, &error);
    if (!v->ranges) return emit_refuse(e, "profile: %s", error);
  }
  v->conditions = conditions_of(v->dims);
  return true;
}

// --- numbers

term_id cost_number_of(const cost_view *v, const cost_function *f, cost_number which) {
  switch (which) {
  case COST_ARGUMENTS: return f->argument_bytes;
  case COST_RESULTS: return f->result_bytes;
  case COST_CONSTANTS: return f->constant_bytes;
  case COST_PEAK: return cost_peak_term(v->report, &f->peak);
  case COST_FLOPS: return f->work.flops;
  case COST_TRANSCENDENTALS: return f->work.transcendentals;
  case COST_INT_OPS: return f->work.int_ops;
  default: assert(which == COST_MOVED); return f->work.moved;
  }
}

static void put_peak(shape_report *r, const cost_peak *peak, shape_strbuf *out) {
  strbuf_puts(out, "max(");
  for (uint32_t i = 0; i < peak->count; i++) {
    report_text text = report_term(r, peak->items[i].bytes);
    if (i) strbuf_puts(out, ", ");
    strbuf_add(out, text.text, text.length);
  }
  strbuf_putc(out, ')');
}

void cost_number_text(const cost_view *v, const cost_function *f, cost_number which,
                      shape_strbuf *out) {
  if (which == COST_PEAK && f->peak.count > 1) {
    put_peak(v->report, &f->peak, out);
    return;
  }
  term_id term = cost_number_of(v, f, which);
  if (term == TERM_NONE) return;
  report_text text = report_term(v->report, term);
  strbuf_add(out, text.text, text.length);
}

static bool term_at(const cost_view *v, term_id term, int64_t *value) {
  term_id own = term == TERM_NONE ? term : conditions_term(v->conditions, term);
  return own != TERM_NONE && conditions_value(v->conditions, v->point, own, value);
}

bool cost_number_at(const cost_view *v, const cost_function *f, cost_number which, int64_t *value) {
  if (!v->point) return false;
  if (which != COST_PEAK) return term_at(v, cost_number_of(v, f, which), value);
  *value = 0;
  for (uint32_t i = 0; i < f->peak.count; i++) {
    int64_t one;
    if (!term_at(v, f->peak.items[i].bytes, &one)) return false;
    if (one > *value) *value = one;
  }
  return !f->peak.unknown;
}

static bool term_over(const cost_view *v, term_id term, int64_t bounds[2]) {
  assert(v->ranges && v->conditions);
  term_id own = term == TERM_NONE ? term : conditions_term(v->conditions, term);
  return own != TERM_NONE && conditions_bounds(v->conditions, v->ranges, own, bounds);
}

bool cost_number_over(const cost_view *v, const cost_function *f, cost_number which,
                      int64_t bounds[2]) {
  if (!v->ranges) return false;
  return term_over(v, cost_number_of(v, f, which), bounds);
}

bool cost_intensity_at(const cost_view *v, const cost_function *f, double *out) {
  int64_t flops, transcendentals, moved;
  if (!cost_number_at(v, f, COST_FLOPS, &flops) ||
      !cost_number_at(v, f, COST_TRANSCENDENTALS, &transcendentals) ||
      !cost_number_at(v, f, COST_MOVED, &moved) || moved <= 0)
    return false;
  *out = ((double)flops + (double)transcendentals) / (double)moved;
  return true;
}

// --- the bound of a machine

enum { THOUSANDTHS = 1000 };

// By thousandths of the balance, rounded to the side that has to hold: moved * balance against the operations.
static const char *bound_everywhere(const cost_view *v, const cost_function *f) {
  term_table *t = v->report->infer->terms;
  double scaled = v->options->flops_per_byte * THOUSANDTHS;
  term_id done = sizes_add(t, f->work.flops, f->work.transcendentals);
  if (done == TERM_NONE || f->work.moved == TERM_NONE || scaled > 1e15) return NULL;
  int64_t low = (int64_t)scaled, high = low + ((double)low < scaled);
  done = term_scale(t, done, NUM(THOUSANDTHS));
  if (sizes_at_most(v->report, term_scale(t, f->work.moved, NUM(high)), done, true))
    return "compute";
  if (sizes_at_most(v->report, done, term_scale(t, f->work.moved, NUM(low)), true)) return "memory";
  return NULL;
}

const char *cost_bound(const cost_view *v, const cost_function *f) {
  double intensity;
  if (v->options->flops_per_byte <= 0) return NULL;
  if (!v->point) return bound_everywhere(v, f);
  if (!cost_intensity_at(v, f, &intensity)) return NULL;
  return intensity >= v->options->flops_per_byte ? "compute" : "memory";
}

// --- kinds

uint32_t cost_kinds(const cost_view *v, const cost_function *f, cost_kind **out) {
  assert(v->answer && f->op_count <= v->report->graph->op_count);
  shape_arena *arena = v->report->graph->arena;
  shape_imap index = {0};
  uint32_t count = 0, capacity = 0, sum_capacity = 0;
  cost_kind *all = NULL;
  work_sum *sums = NULL;
  term_table *t = v->report->infer->terms;
  for (uint32_t i = 0; i < f->op_count; i++) {
    const cost_op *o = &f->ops[i];
    const work_row *row = work_row_of(v->report->graph, o->op);
    // Control flow and calls are what they run.
    if (!row || row->kind == WORK_CONSTANT) continue;
    bool fresh;
    name_id name = v->report->graph->ops[o->op].name;
    uint32_t *at = imap_slot(&index, arena, name, &fresh);
    if (fresh) {
      *at = count;
      all = arena_grow(arena, all, count, (size_t)count + 1, &capacity, sizeof *all);
      sums = arena_grow(arena, sums, count, (size_t)count + 1, &sum_capacity, sizeof *sums);
      sums[count] = (work_sum){0};
      all[count++] = (cost_kind){name, 0, work_none()};
    }
    all[*at].count++;
    work_sum_add(t, &sums[*at], o->work);
  }
  for (uint32_t i = 0; i < count; i++) all[i].work = work_sum_total(t, &sums[i]);
  *out = all;
  return count;
}
