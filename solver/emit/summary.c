// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/summary.h"

#include <assert.h>

#include "solver/emit/encode.h"
#include "solver/ops/registry.h"
#include "solver/report/suggest.h"

typedef struct summary {
  shape_report *report;
  const shape_graph *graph;
  json_writer *w;
} summary;

static void put_text(json_writer *w, const char *text, size_t length) {
  if (length <= SUMMARY_TEXT) {
    json_text(w, text, length);
    return;
  }
  char cut[SUMMARY_TEXT + 8];
  size_t keep = SUMMARY_TEXT;
  while (keep && ((unsigned char)text[keep] & 0xc0) == 0x80) keep--;
  memcpy(cut, text, keep);
  memcpy(cut + keep, "...", 3);
  json_text(w, cut, keep + 3);
}

static void put_string(json_writer *w, const char *text) {
  put_text(w, text ? text : "", text ? strlen(text) : 0);
}

#define put_count(w, key, count) json_put_int((w), key, (int64_t)(count))

static void put_name(const summary *s, name_id name) {
  const shape_intern *names = &s->graph->names;
  if (name == NAME_NONE) {
    json_text(s->w, "", 0);
  } else {
    put_text(s->w, intern_text(names, name), intern_length(names, name));
  }
}

// --- the signature

static void put_size(const summary *s, term_id term) {
  num value;
  if (term == TERM_NONE) {
    json_null(s->w);
  } else if (report_constant(s->report, term, &value)) {
    json_num(s->w, value);
  } else {
    report_text text = report_term(s->report, term);
    put_text(s->w, text.text, text.length);
  }
}

enum { TYPE_ROOM = 128 };  // of most types

static void put_value(const summary *s, value_id value, uint32_t shape, uint32_t index) {
  json_writer *w = s->w;
  uint32_t length = 0;
  const char *name = value == VALUE_NONE ? NULL : graph_value_text(s->graph, value, &length);
  char made[TEXT_INT];
  json_begin_object(w);
  json_key(w, "name");
  if (length) {
    put_text(w, name, length);
  } else {
    json_text(w, made, (size_t)(text_put_int(made, index) - made));
  }
  assert(shape == ID_NONE || shape < s->report->shape_count);
  const report_shape *known = shape == ID_NONE ? NULL : &s->report->shapes[shape];
  json_key(w, "type");
  if (known && known->type != TYPE_NONE) {
    shape_strbuf type;
    strbuf_init_room(&type, s->graph->arena, TYPE_ROOM);
    type_print(&s->graph->types, &type, known->type);
    put_text(w, type.data, type.length);
  } else {
    json_null(w);
  }
  json_key(w, "dims");
  if (known && known->ranked) {
    json_begin_array(w);
    for (uint32_t i = 0; i < known->rank && i < SUMMARY_MAX; i++) put_size(s, known->dims[i]);
    json_end_array(w);
  } else {
    json_null(w);
  }
  json_end_object(w);
}

static void put_signature(const summary *s) {
  const report_function *f = s->report->function_count ? s->report->functions : NULL;
  uint32_t arguments = f ? f->argument_count : 0, results = f ? f->result_count : 0;
  put_count(s->w, "input_count", arguments);
  json_key_array(s->w, "inputs");
  for (uint32_t i = 0; i < arguments && i < SUMMARY_MAX; i++) {
    put_value(s, f->arguments + i, s->report->value_shapes[f->arguments + i], i);
  }
  json_end_array(s->w);
  put_count(s->w, "output_count", results);
  json_key_array(s->w, "outputs");
  for (uint32_t i = 0; i < results && i < SUMMARY_MAX; i++) {
    put_value(s, f->results ? f->results[i] : VALUE_NONE, f->result_shapes[i], i);
  }
  json_end_array(s->w);
}

// --- what must hold

// Lines are of text; of bytes there is the offset.
static void put_location(const summary *s, source_span span) {
  bool known = !span_is_none(span) && span.begin <= s->graph->source.length;
  if (!graph_is_text(s->graph)) {
    if (known) put_count(s->w, "offset", span.begin);
    return;
  }
  if (!known) return;
  source_position at = graph_position(s->graph, span);
  put_count(s->w, "line", at.line);
  put_count(s->w, "column", at.column);
}

static void put_constraints(const summary *s, const report_constraints *list) {
  json_writer *w = s->w;
  json_begin_array(w);
  for (uint32_t i = 0; i < list->count && i < SUMMARY_MAX; i++) {
    const report_constraint *c = &list->items[i];
    json_begin_object(w);
    json_key(w, "expr");
    put_text(w, c->expr.text, c->expr.length);
    json_key_array(w, "because");
    for (uint32_t k = 0; k < c->because_count; k++) put_string(w, c->because[k].message);
    json_end_array(w);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_unchecked(const summary *s) {
  json_writer *w = s->w;
  put_count(w, "unchecked_count", s->report->unchecked_count);
  json_key_array(w, "unchecked");
  for (uint32_t i = 0; i < s->report->unchecked_count && i < SUMMARY_MAX; i++) {
    const report_unchecked *row = &s->report->unchecked[i];
    assert(row->op == ID_NONE || row->op < s->graph->op_count);
    json_begin_object(w);
    json_key(w, "op");
    put_string(w, row->op == ID_NONE ? "" : graph_op_name(s->graph, row->op));
    json_key(w, "requirement");
    put_string(w, row->requirement);
    json_key(w, "reason");
    put_string(w, row->reason);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_suggested(const summary *s) {
  const report_suggestion *found = report_suggest(s->report);
  json_writer *w = s->w;
  if (!found) return;
  encode_suggestion(w, found, put_string);
  json_end_object(w);
  json_end_array(w);
}

static void put_diagnostics(const summary *s) {
  json_writer *w = s->w;
  put_count(w, "diagnostic_count", s->report->diag_count);
  json_key_array(w, "diagnostics");
  for (uint32_t i = 0; i < s->report->diag_count && i < SUMMARY_MAX; i++) {
    const diag *d = s->report->diags[i];
    json_begin_object(w);
    json_put_string(w, "severity", diag_severity_name(d->severity));
    json_put_string(w, "code", d->code);
    put_location(s, d->span);
    json_key(w, "message");
    put_string(w, d->message);
    encode_locations(s->report, w, d);
    json_key_array(w, "related");
    for (uint32_t k = 0; k < d->related_count && k < SUMMARY_MAX; k++) {
      json_begin_object(w);
      put_location(s, d->related[k].span);
      json_key(w, "message");
      put_string(w, d->related[k].message);
      json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
  }
  json_end_array(w);
}

// --- dims and operations

typedef struct tally {
  uint64_t known, symbolic, opaque;
} tally;

static void tally_shape(const summary *s, uint32_t index, tally *t) {
  assert(index < s->report->shape_count);
  const report_shape *shape = &s->report->shapes[index];
  for (uint32_t i = 0; shape->ranked && i < shape->rank; i++) {
    num value;
    if (shape->dims[i] != TERM_NONE && report_constant(s->report, shape->dims[i], &value)) {
      t->known++;
    } else if (report_determined(s->report, shape->dims[i])) {
      t->symbolic++;
    } else {
      t->opaque++;
    }
  }
  t->opaque += !shape->ranked && !shape->determined;  // an unknown rank counts as one size
}

typedef struct op_count {
  name_id name;
  uint32_t count, opaque;  // opaque: results whose dims the arguments do not determine
  bool unknown;            // no rule
} op_count;

// One entry per name.
static op_count *count_ops(const summary *s, uint32_t *count, tally *sizes) {
  const shape_graph *g = s->graph;
  op_count *list = arena_zalloc(g->arena, (g->names.count + 1) * sizeof *list);
  tally *shapes = arena_alloc(g->arena, (s->report->shape_count + 1) * sizeof *shapes);
  for (uint32_t i = 0; i < s->report->shape_count; i++) {
    shapes[i] = (tally){0};
    tally_shape(s, i, &shapes[i]);
  }
  for (op_id i = 0; i < g->op_count; i++) {
    const graph_op *op = &g->ops[i];
    op_count *c = &list[op->name];
    c->name = op->name;
    c->count++;
    for (uint32_t k = 0; k < op->result_count; k++) {
      assert(op->results + k < g->value_count);
      uint32_t shape = s->report->value_shapes[op->results + k];
      // Values of functions that the answer leaves out have later shapes.
      if (shape == ID_NONE || shape >= s->report->shape_count) continue;
      sizes->known += shapes[shape].known;
      sizes->symbolic += shapes[shape].symbolic;
      sizes->opaque += shapes[shape].opaque;
      c->opaque += shapes[shape].opaque != 0;
    }
  }
  uint32_t used = 0;
  for (uint32_t i = 0; i < g->names.count; i++) {
    if (!list[i].count) continue;
    list[used] = list[i];
    list[used].unknown = !registry_find(intern_text(&g->names, list[i].name),
                                        intern_length(&g->names, list[i].name), g->onnx_opset);
    used++;
  }
  *count = used;
  return list;
}

static void put_op(const summary *s, const op_count *c) {
  assert(c->count && c->name < s->graph->names.count);
  json_writer *w = s->w;
  json_begin_object(w);
  json_key(w, "op");
  put_name(s, c->name);
  put_count(w, "count", c->count);
  if (c->opaque) put_count(w, "opaque", c->opaque);
  if (c->unknown) {
    json_put_bool(w, "unknown", true);
  }
  json_end_object(w);
}

static void put_ops(const summary *s, const op_count *list, uint32_t count) {
  json_key_array(s->w, "op_counts");
  // Operations without a rule are few and matter most: they are never the ones cut.
  uint32_t room = 4 * SUMMARY_MAX;
  for (int unknown = 1; unknown >= 0; unknown--) {
    for (uint32_t i = 0; i < count && room; i++) {
      if (list[i].unknown != (bool)unknown) continue;
      put_op(s, &list[i]);
      room--;
    }
  }
  json_end_array(s->w);
}

static bool is_opaque_rank(const summary *s, value_id value) {
  if (value == VALUE_NONE) return false;
  assert(value < s->graph->value_count);
  uint32_t shape = s->report->value_shapes[value];
  return shape != ID_NONE && !s->report->shapes[shape].ranked &&
         !s->report->shapes[shape].determined;
}

// Whether the operation is the first to lose a rank: those of its operands are known.
static bool loses_rank(const summary *s, op_id id) {
  assert(id < s->graph->op_count);
  const graph_op *op = &s->graph->ops[id];
  bool lost = false;
  for (uint32_t k = 0; k < op->result_count; k++) lost |= is_opaque_rank(s, op->results + k);
  for (uint32_t k = 0; lost && k < op->operand_count; k++) {
    lost = !is_opaque_rank(s, graph_operand(s->graph, id, k));
  }
  return lost;
}

// Dims that no argument gives, by the operation that makes them: symbols of its own, or a rank that is not known.
static void put_origins(const summary *s) {
  json_writer *w = s->w;
  const infer_result *infer = s->report->infer;
  const shape_graph *g = s->graph;
  uint32_t *made = arena_zalloc(g->arena, (g->names.count + 1) * sizeof *made);
  for (uint32_t i = 0; i < infer->origin_count; i++) {
    const infer_origin *o = &infer->origins[i];
    if (o->kind == ORIGIN_OPAQUE && o->op < g->op_count) made[g->ops[o->op].name]++;
  }
  for (op_id i = 0; i < g->op_count; i++) made[g->ops[i].name] += loses_rank(s, i);
  json_key_array(w, "opaque");
  uint32_t shown = 0;
  for (uint32_t i = 0; i < g->names.count && shown < SUMMARY_MAX; i++) {
    if (!made[i]) continue;
    const char *name = intern_text(&g->names, i);
    uint32_t length = intern_length(&g->names, i);
    bool known = registry_find(name, length, g->onnx_opset) != NULL;
    json_begin_object(w);
    json_key(w, "op");
    put_text(w, name, length);
    put_count(w, "count", made[i]);
    json_put_string(w, "why",
                    known ? "the inputs do not determine its dims" : "there is no rule for it");
    json_end_object(w);
    shown++;
  }
  json_end_array(w);
}

static summary begin(shape_report *report, json_writer *w) {
  summary s = {report, report->graph, w};
  graph_position(s.graph, (source_span){0, 0});  // makes the index of lines
  json_begin_object(w);
  json_put_string(w, "status", report->ok ? "ok" : "error");
  return s;
}

void summary_encode_errors(shape_report *report, json_writer *w) {
  summary s = begin(report, w);
  put_diagnostics(&s);
  json_end_object(w);
}

void summary_encode(shape_report *report, json_writer *w) {
  summary s = begin(report, w);
  put_count(w, "ops", s.graph->op_count);
  if (report->infer) {
    tally sizes = {0};
    uint32_t op_kinds;
    op_count *ops = count_ops(&s, &op_kinds, &sizes);
    json_key_object(w, "dims");
    put_count(w, "known", sizes.known);
    put_count(w, "symbolic", sizes.symbolic);
    put_count(w, "opaque", sizes.opaque);
    json_end_object(w);
    put_count(w, "facts", report->stats.facts);
    put_count(w, "steps", report->stats.steps);
    put_signature(&s);
    put_count(w, "guard_count", report->guards.count);
    json_key(w, "guards");
    put_constraints(&s, &report->guards);
    put_suggested(&s);
    put_unchecked(&s);
    put_count(w, "constraint_count", report->constraints.count);
    json_key(w, "constraints");
    put_constraints(&s, &report->constraints);
    put_ops(&s, ops, op_kinds);
    put_origins(&s);
    put_count(w, "symbols", report->symbol_count);
    json_put_bool(w, "refinable", report->refinable);
  }
  put_diagnostics(&s);
  json_end_object(w);
}
