// SPDX-License-Identifier: Apache-2.0
// Guards as code, of all arguments or of those in a profile. Within a profile the ranges of its dims are assumptions of
// one more analysis: what holds at all of its points needs no check then, and the ranges are checked themselves.
#include <assert.h>

#include "solver/emit/emitter.h"
#include "solver/emit/guard_code.h"
#include "solver/emit/location.h"
#include "solver/graph/address.h"
#include "solver/profile/free_dims.h"

typedef void guard_write(shape_report *report, const report_checks *checks, shape_strbuf *out);

typedef struct profile_writing {
  guard_write *write;
  shape_strbuf *out;
} profile_writing;

static void take(void *to, const char *data, size_t length) { strbuf_add(to, data, length); }

static void write_within(shape_run *p, void *data) {
  profile_writing *w = data;
  shape_report *report = shape_run_report(p);
  shape_strbuf out;
  strbuf_init_sink(&out, report->graph->arena, take, w->out);
  w->write(report, report_checks_make(report), &out);
  strbuf_flush(&out);
}

static const char *assumption(shape_arena *arena, report_text name, const char *sign,
                              int64_t value) {
  shape_strbuf text;
  strbuf_init(&text, arena);
  term_print_name(&text, name.text, name.length);
  strbuf_printf(&text, " %s %lld", sign, (long long)value);
  return strbuf_text(&text);
}

// The ranges as assumptions after those of the request; dims are at least 0 anyway.
static uint32_t assume_ranges(const emission *e, const free_dims *dims, const dim_range *ranges,
                              const char ***out) {
  const analysis_request *q = e->a->request;
  shape_arena *arena = e->report->graph->arena;
  uint32_t count = q->assumption_count;
  const char **all = arena_alloc(arena, (count + 2 * dims->count + 1) * sizeof *all);
  for (uint32_t i = 0; i < count; i++) all[i] = q->assumptions[i];
  for (uint32_t i = 0; i < dims->count; i++) {
    const dim_range *r = &ranges[i];
    assert(r->min >= 0 && r->min <= r->max);
    if (r->min == r->max) {
      all[count++] = assumption(arena, dims->items[i].name, "==", r->min);
      continue;
    }
    if (r->min) all[count++] = assumption(arena, dims->items[i].name, ">=", r->min);
    all[count++] = assumption(arena, dims->items[i].name, "<=", r->max);
  }
  *out = all;
  return count;
}

static void write_guards(const emission *e, guard_write *write) {
  const guard_options *o = e->options;
  const char *error;
  if (!o->profile) {
    write(e->report, report_checks_make(e->report), e->out);
    return;
  }
  const free_dims *dims = free_dims_of(e->a);
  const dim_range *ranges = free_dims_parse(dims, o->profile, &error);
  if (!ranges) {
    emit_refuse(e, "profile: %s", error);
    return;
  }
  analysis_request again = *e->a->request;
  const char **assumptions;
  again.assumption_count = assume_ranges(e, dims, ranges, &assumptions);
  again.assumptions = assumptions;
  analysis a;
  analysis_reply reply = {0};
  profile_writing w = {write, e->out};
  bool opened = analysis_open(&a, &again, e->a->with_spans, &reply);
  if (opened && !analysis_is_valid(&a)) {
    emit_refuse(e, "profile: no point of it is legal");
  } else if (opened) {
    reply.status = shape_run_protect(a.program, write_within, &w);
  }
  if (reply.status != SHAPE_OK) e->a->reply->status = reply.status;
  analysis_close(&a);
}

// The innermost operation whose text holds the byte.
static op_id op_around(const shape_graph *g, uint32_t offset) {
  op_id op = graph_op_at(g, offset);
  while (op != ID_NONE && g->ops[op].span.end <= offset) {
    region_id around = g->ops[op].parent == ID_NONE ? ID_NONE : g->blocks[g->ops[op].parent].region;
    op = around == ID_NONE ? ID_NONE : g->regions[around].op;
  }
  return op;
}

static void write_before(const emission *e, uint32_t line, uint32_t column) {
  const shape_graph *g = e->report->graph;
  shape_strbuf lines;
  uint32_t offset;
  strbuf_init(&lines, g->arena);
  op_id op = location_offset(g, line, column, &offset) ? op_around(g, offset) : ID_NONE;
  uint32_t at = op == ID_NONE ? ID_NONE : guard_code_before(e->report, op, &lines);
  if (at == ID_NONE) {
    emit_refuse(e,
                "line %u, column %u: no guard of an operation here can be asserted in front of it",
                line, column);
    return;
  }
  strbuf_add(e->out, g->source.text, at);
  strbuf_add(e->out, lines.data, lines.length);
  strbuf_add(e->out, g->source.text + at, g->source.length - at);
}

void emit_guards_mlir(const emission *e) {
  const guard_options *o = e->options;
  if (o->line) {
    write_before(e, o->line, o->column);
  } else {
    write_guards(e, guard_code_mlir);
  }
}
void emit_guards_function(const emission *e) { write_guards(e, guard_code_function); }
void emit_guards_c(const emission *e) { write_guards(e, guard_code_c); }
void emit_guards_python(const emission *e) { write_guards(e, guard_code_python); }
