// SPDX-License-Identifier: Apache-2.0
// Memory and work of a program as JSON.
#include <assert.h>
#include <stdio.h>

#include "solver/emit/cost_answer.h"
#include "solver/emit/encoder.h"
#include "solver/report/cell.h"

static void put_member(encoder *e, const char *key, term_id term) {
  json_key_string(e->w, key);
  encode_size(e, e->w, term);
}

static void put_op(encoder *e, op_id op) {
  uint32_t length;
  const char *node = graph_node_name(e->graph, op, &length);
  encode_line(e->w, graph_line(e->graph, e->graph->ops[op].span));
  if (!length) return;
  json_key(e->w, "node");
  json_text(e->w, node, length);
}

static void put_work(encoder *e, const op_work *work) {
  put_member(e, "flops", work->flops);
  put_member(e, "transcendentals", work->transcendentals);
  put_member(e, "int_ops", work->int_ops);
  put_member(e, "moved_bytes", work->moved);
}

static void put_members(encoder *e, const cost_peak *peak) {
  json_writer *w = e->w;
  json_key_array(w, "peak");
  for (uint32_t i = 0; i < peak->count; i++) {
    const cost_member *m = &peak->items[i];
    json_begin_object(w);
    put_member(e, "bytes", m->bytes);
    json_key(w, "op");
    json_string(w, m->op == ID_NONE ? NULL : graph_op_name(e->graph, m->op));
    if (m->op != ID_NONE) put_op(e, m->op);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_argument_dims(encoder *e, const cost_function *f) {
  const report_function *r = cost_report_function(e->report, f);
  json_writer *w = e->w;
  json_key_array(w, "argument_dims");
  for (uint32_t i = 0; i < r->argument_count; i++) {
    const report_shape *s = &e->report->shapes[e->report->value_shapes[r->arguments + i]];
    if (!s->ranked) {
      json_null(w);
      continue;
    }
    json_begin_array(w);
    for (uint32_t k = 0; k < s->rank; k++) encode_size(e, w, s->dims[k]);
    json_end_array(w);
  }
  json_end_array(w);
}

static void put_ops(encoder *e, const cost_function *f) {
  json_writer *w = e->w;
  json_key_array(w, "ops");
  for (uint32_t i = 0; i < f->op_count; i++) {
    const cost_op *o = &f->ops[i];
    json_begin_object(w);
    put_op(e, o->op);
    json_key(w, "name");
    json_string(w, graph_op_name(e->graph, o->op));
    put_member(e, "result_bytes", o->result_bytes);
    put_work(e, &o->work);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_numbers(encoder *e, const cost_view *v, const cost_function *f) {
  for (unsigned i = 0; i < COST_NUMBERS; i++) {
    json_key_string(e->w, COST_KEYS[i]);
    // A maximum keeps its members: no text of the terms' own form for it is as short.
    if (i == COST_PEAK && f->peak.count > 1) {
      shape_strbuf text;
      strbuf_init(&text, e->arena);
      cost_number_text(v, f, COST_PEAK, &text);
      json_text(e->w, text.data, text.length);
    } else {
      encode_size(e, e->w, cost_number_of(v, f, (cost_number)i));
    }
  }
}

static void put_intensity(encoder *e, const cost_view *v, const cost_function *f) {
  double intensity;
  char text[32];
  json_key(e->w, "intensity");
  if (cost_intensity_at(v, f, &intensity)) {
    json_raw(e->w, text, (size_t)snprintf(text, sizeof text, "%.6g", intensity));
  } else {
    json_null(e->w);
  }
}

// The numbers at the point, and over the profile, that were given.
static void put_given(encoder *e, const cost_view *v, const cost_function *f) {
  json_writer *w = e->w;
  int64_t value, bounds[2];
  if (v->point) {
    json_key_object(w, "at");
    for (unsigned i = 0; i < COST_NUMBERS; i++) {
      json_key_string(w, COST_KEYS[i]);
      if (cost_number_at(v, f, (cost_number)i, &value)) {
        json_int(w, value);
      } else {
        json_null(w);
      }
    }
    put_intensity(e, v, f);
    json_end_object(w);
  }
  if (v->ranges) {
    json_key_object(w, "bounds");
    for (unsigned i = 0; i < COST_NUMBERS; i++) {
      json_key_string(w, COST_KEYS[i]);
      bool known = cost_number_over(v, f, (cost_number)i, bounds);
      if (!known) {
        json_null(w);
        continue;
      }
      json_begin_array(w);
      json_int(w, bounds[0]);
      json_int(w, bounds[1]);
      json_end_array(w);
    }
    json_end_object(w);
  }
  if (v->options->flops_per_byte > 0) {
    json_key(w, "bound");
    json_string(w, cost_bound(v, f));
  }
}

static void put_value(encoder *e, value_id value) {
  shape_strbuf name;
  strbuf_init(&name, e->arena);
  cell_print_value(e->graph, &name, value);
  json_text(e->w, name.data, name.length);
}

static void put_overwrites(encoder *e, const cost_view *v, const cost_function *f) {
  overwrite *items;
  json_writer *w = e->w;
  uint32_t count = reuse_overwrites(v->answer, f, &items);
  json_key_array(w, "overwrites");
  for (uint32_t i = 0; i < count; i++) {
    json_begin_object(w);
    json_key(w, "op");
    json_string(w, graph_op_name(e->graph, items[i].op));
    put_op(e, items[i].op);
    json_key(w, "operand");
    put_value(e, items[i].operand);
    put_member(e, "bytes", items[i].bytes);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_reuse(encoder *e, const cost_view *v, const cost_function *f) {
  json_writer *w = e->w;
  if (!v->options->reuse) return;
  const reuse_answer *r = reuse_make(v->answer, f);
  json_key_object(w, "reuse");
  put_member(e, "bytes", r->bytes);
  json_key_array(w, "buffers");
  for (uint32_t i = 0; i < r->count; i++) {
    json_begin_object(w);
    put_member(e, "bytes", r->buffers[i].bytes);
    json_key_array(w, "values");
    for (uint32_t k = 0; k < r->buffers[i].count; k++) put_value(e, r->buffers[i].values[k]);
    json_end_array(w);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}

static void put_kinds(encoder *e, const cost_view *v, const cost_function *f) {
  cost_kind *kinds;
  json_writer *w = e->w;
  uint32_t count = cost_kinds(v, f, &kinds);
  json_key_array(w, "kinds");
  for (uint32_t i = 0; i < count; i++) {
    json_begin_object(w);
    json_key(w, "name");
    json_string(w, intern_text(&e->graph->names, kinds[i].name));
    json_key(w, "count");
    json_int(w, kinds[i].count);
    put_work(e, &kinds[i].work);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_function(encoder *e, const cost_view *v, const cost_function *f) {
  assert(v->report == e->report);
  json_writer *w = e->w;
  json_begin_object(w);
  json_key(w, "name");
  encode_report_text(w, report_function_name(e->report, f->id));
  put_argument_dims(e, f);
  put_numbers(e, v, f);
  put_given(e, v, f);
  put_members(e, &f->peak);
  put_overwrites(e, v, f);
  put_reuse(e, v, f);
  json_key_array(w, "uncounted");
  for (uint32_t i = 0; i < f->uncounted_count; i++)
    json_string(w, intern_text(&e->graph->names, f->uncounted[i]));
  json_end_array(w);
  put_kinds(e, v, f);
  put_ops(e, f);
  json_end_object(w);
}

// What is not known is a note at the operation that is to blame.
static void put_notes(encoder *e, const cost_answer *a) {
  for (uint32_t i = 0; i < a->function_count; i++) {
    const cost_function *f = &a->functions[i];
    if (!f->unknown) continue;
    op_id op = f->live.because;
    encode_diag(e, &(diag){.severity = DIAG_NOTE,
                           .code = "cost-unknown",
                           .span = op == ID_NONE ? SPAN_NONE : e->graph->ops[op].span,
                           .message = f->unknown});
  }
}

void emit_cost_json(const emission *em) {
  const cost_options *o = em->options;
  shape_report *r = em->report;
  json_writer w;
  encoder e = {.report = r, .graph = r->graph, .arena = r->graph->arena, .w = &w};
  cost_view v = {.report = r};
  if (analysis_is_valid(em->a) && !cost_view_open(em, &v)) return;
  const cost_answer *a = v.answer;
  json_writer_init(&w, em->out);
  w.big_as_text = o->big_as_text;
  json_begin_object(&w);
  json_key(&w, "status");
  json_string(&w, r->ok ? "ok" : "error");
  json_key(&w, "diagnostics");
  json_begin_array(&w);
  for (uint32_t i = 0; i < r->diag_count; i++) encode_diag(&e, r->diags[i]);
  if (a) put_notes(&e, a);
  json_end_array(&w);
  if (v.point) {
    json_key(&w, "legal");
    if (v.legal == SHAPE_UNKNOWN) {
      json_null(&w);
    } else {
      json_bool(&w, v.legal == SHAPE_YES);
    }
  }
  encode_symbols(&e);
  json_key(&w, "functions");
  json_begin_array(&w);
  for (uint32_t i = 0; a && i < a->function_count; i++) put_function(&e, &v, &a->functions[i]);
  json_end_array(&w);
  json_end_object(&w);
  strbuf_putc(em->out, '\n');
}
