// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/profile_write.h"

#include <assert.h>
#include <stdio.h>

#include "solver/cost/sizes.h"
#include "solver/emit/encoder.h"
#include "solver/emit/wrapped.h"
#include "solver/report/cell.h"
#include "solver/report/render.h"

static const char *profile_verdict(shape_answer legal) {
  return legal == SHAPE_YES ? "legal" : legal == SHAPE_NO ? "illegal" : "unknown";
}

bool profiles_ask(const emission *e, const char *const *texts, uint32_t count, profile_list *out) {
  shape_arena *arena = e->report->graph->arena;
  *out = (profile_list){.texts = texts, .all = SHAPE_YES};
  if (!e->report->infer || !count) return true;
  const free_dims *dims = free_dims_of(e->a);
  out->answers = arena_alloc(arena, count * sizeof *out->answers);
  for (uint32_t i = 0; i < count; i++) {
    const char *error;
    const dim_range *ranges = free_dims_parse(dims, texts[i], &error);
    if (!ranges) return emit_refuse(e, "profile: %s", error);
    const profile_answer *p = profile_check(e->a, dims, ranges);
    out->answers[out->count++] = p;
    if (p->legal == SHAPE_NO || (p->legal == SHAPE_UNKNOWN && out->all == SHAPE_YES))
      out->all = p->legal;
  }
  return true;
}

// --- ranges of values over the box

typedef struct range_writer {
  shape_report *report;
  const profile_answer *p;
  json_writer *w;
  frame_sizes sizes;
  shape_imap seen;  // term -> index in bounds
  struct found_bounds {
    bool known;
    int64_t ends[2];
  } * bounds;
  uint32_t count, capacity;
} range_writer;

static const struct found_bounds *bounds_of(range_writer *r, term_id term) {
  shape_arena *arena = r->report->graph->arena;
  bool fresh;
  uint32_t *index = imap_slot(&r->seen, arena, term, &fresh);
  if (!fresh) return &r->bounds[*index];
  *index = r->count;
  r->bounds =
      arena_grow(arena, r->bounds, r->count, (size_t)r->count + 1, &r->capacity, sizeof *r->bounds);
  struct found_bounds *b = &r->bounds[r->count++];
  term_id own = conditions_term(r->p->conditions, term);
  b->known = own != TERM_NONE && conditions_bounds(r->p->conditions, r->p->box, own, b->ends);
  return b;
}

static void put_bounds(range_writer *r, term_id term) {
  const struct found_bounds *b = term == TERM_NONE ? NULL : bounds_of(r, term);
  if (!b || !b->known) {
    json_null(r->w);
    return;
  }
  json_begin_array(r->w);
  json_int(r->w, b->ends[0]);
  json_int(r->w, b->ends[1]);
  json_end_array(r->w);
}

static void put_value(range_writer *r, value_id value, uint32_t line) {
  uint32_t rank;
  shape_strbuf name;
  json_writer *w = r->w;
  const term_id *dims = sizes_dims(&r->sizes, value, &rank);
  if (!dims) return;
  strbuf_init(&name, r->report->graph->arena);
  cell_print_value(r->report->graph, &name, value);
  json_begin_object(w);
  json_key(w, "value");
  json_text(w, name.data, name.length);
  encode_line(w, line);
  json_key_array(w, "dims");
  for (uint32_t i = 0; i < rank; i++) put_bounds(r, dims[i]);
  json_end_array(w);
  json_key(w, "bytes");
  put_bounds(r, sizes_bytes(&r->sizes, value));
  json_end_object(w);
}

// Values of the entry, in the order of the text.
static void put_ranges(shape_report *report, const profile_answer *p, json_writer *w) {
  cost_sizes all;
  const shape_graph *g = report->graph;
  range_writer r = {.report = report, .p = p, .w = w};
  json_key_array(w, "ranges");
  if (p->box && p->conditions && report->infer->frame_count) {
    const report_function *f = &report->functions[0];
    sizes_init(&all, report);
    sizes_of_frame(&all, 0, &r.sizes);
    uint32_t line = graph_line(g, g->funcs[f->id].span);
    for (uint32_t i = 0; i < f->argument_count; i++) put_value(&r, f->arguments + i, line);
    for (op_id op = f->first_op; op < f->end_op; op++) {
      if (!g->ops[op].result_count) continue;
      line = graph_line(g, g->ops[op].span);
      for (uint32_t i = 0; i < g->ops[op].result_count; i++)
        put_value(&r, g->ops[op].results + i, line);
    }
  }
  json_end_array(w);
}

// --- JSON

static void put_name(json_writer *w, const profile_answer *p, uint32_t i) {
  json_key_text(w, p->dims->items[i].name.text, p->dims->items[i].name.length);
}

static void put_counterexample(const profile_answer *p, json_writer *w) {
  json_key(w, "counterexample");
  if (!p->counterexample) {
    json_null(w);
    json_key(w, "breaks");
    json_null(w);
    return;
  }
  json_begin_object(w);
  for (uint32_t i = 0; i < p->dims->count; i++) {
    put_name(w, p, i);
    json_int(w, p->counterexample[i]);
  }
  json_end_object(w);
  json_key_object(w, "breaks");
  json_key(w, "expr");
  json_string(w, p->breaks);
  encode_line(w, p->error.line);
  if (p->error.node) {
    json_key(w, "node");
    json_string(w, p->error.node);
  }
  json_key(w, "message");
  json_string(w, p->error.message);
  json_end_object(w);
}

static void put_box(const profile_answer *p, json_writer *w) {
  assert(p->legal != SHAPE_YES || p->box);
  json_key(w, "box");
  if (!p->box) {
    json_null(w);
    return;
  }
  json_begin_object(w);
  for (uint32_t i = 0; i < p->dims->count; i++) {
    put_name(w, p, i);
    json_begin_array(w);
    json_int(w, p->box[i].min);
    json_int(w, p->box[i].max);
    json_end_array(w);
  }
  json_end_object(w);
}

void profiles_encode(shape_report *report, const profile_list *list, json_writer *w) {
  json_key_array(w, "profiles");
  for (uint32_t i = 0; i < list->count; i++) {
    const profile_answer *p = list->answers[i];
    json_begin_object(w);
    json_key(w, "profile");
    json_string(w, list->texts[i]);
    json_key(w, "verdict");
    json_string(w, profile_verdict(p->legal));
    put_counterexample(p, w);
    put_box(p, w);
    json_key(w, "maximal");
    json_bool(w, p->maximal);
    put_ranges(report, p, w);
    json_end_object(w);
  }
  json_end_array(w);
}

// --- text

enum { INDENT = 12 };  // of what is said of a counterexample

static void render_name(const shape_report *r, shape_strbuf *out, const profile_answer *p,
                        uint32_t i) {
  const report_text name = p->dims->items[i].name;
  render_dims(r, out, arena_strndup(r->graph->arena, name.text, name.length));
}

// Dims by the names of arguments, as in the other parts of the text.
static void render_sentence(const shape_report *r, shape_strbuf *out, const char *text) {
  shape_strbuf named;
  strbuf_init(&named, r->graph->arena);
  render_dims(r, &named, text);
  emit_wrapped(out, named.data, named.length, INDENT);
}

static void render_counterexample(const shape_report *r, shape_strbuf *out,
                                  const profile_answer *p) {
  strbuf_puts(out, "  illegal at ");
  for (uint32_t i = 0; i < p->dims->count; i++) {
    if (i) strbuf_puts(out, ", ");
    render_name(r, out, p, i);
    strbuf_printf(out, " = %lld", (long long)p->counterexample[i]);
  }
  strbuf_putc(out, '\n');
  if (p->breaks) {
    strbuf_puts(out, "    needed  ");
    render_sentence(r, out, p->breaks);
    strbuf_putc(out, '\n');
  }
  if (!p->error.message) return;
  char line[20] = "because";
  if (p->error.line) snprintf(line, sizeof line, "line %u", p->error.line);
  strbuf_printf(out, "    %-8s", line);
  render_sentence(r, out, p->error.message);
  strbuf_putc(out, '\n');
}

static void render_box(const shape_report *r, shape_strbuf *out, const profile_answer *p) {
  assert(p->box);
  strbuf_printf(out, "  legal in%s\n", p->maximal ? "" : " (a larger box may be legal, too)");
  for (uint32_t i = 0; i < p->dims->count; i++) {
    const dim_range *was = &p->ranges[i], *box = &p->box[i];
    strbuf_puts(out, "    ");
    uint32_t from = out->length;
    render_name(r, out, p, i);
    for (uint32_t n = out->length - from; n < 10; n++) strbuf_putc(out, ' ');
    strbuf_printf(out, "  %lld..%lld", (long long)box->min, (long long)box->max);
    if (was->min != box->min || was->max != box->max)
      strbuf_printf(out, "  of %lld..%lld", (long long)was->min, (long long)was->max);
    strbuf_putc(out, '\n');
  }
}

void profiles_render(const shape_report *r, const profile_list *list, shape_strbuf *out) {
  for (uint32_t i = 0; i < list->count; i++) {
    const profile_answer *p = list->answers[i];
    strbuf_puts(out, "\nprofile ");
    render_safe(out, list->texts[i], strlen(list->texts[i]));
    strbuf_printf(out, ": %s\n", profile_verdict(p->legal));
    if (p->counterexample) render_counterexample(r, out, p);
    if (p->box && p->legal != SHAPE_YES) render_box(r, out, p);
    if (p->legal == SHAPE_UNKNOWN)
      strbuf_puts(out, "  neither that all its points are legal nor that one is not was found\n");
  }
}
