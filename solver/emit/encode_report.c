// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/encode.h"

#include "solver/emit/encoder.h"
#include "solver/report/suggest.h"

static source_position position_of(const encoder *e, uint32_t offset) {
  return graph_position(e->graph, (source_span){offset, offset});
}

static void encode_location(const shape_graph *g, json_writer *w, source_span span) {
  source_position at = span_is_none(span) ? (source_position){1, 1} : graph_position(g, span);
  json_key(w, "line");
  json_int(w, at.line);
  json_key(w, "column");
  json_int(w, at.column);
}

void encode_report_text(json_writer *w, report_text text) { json_text(w, text.text, text.length); }

void encode_reason(const shape_graph *g, json_writer *w, const report_because *why) {
  if (!span_is_none(why->span)) encode_location(g, w, why->span);
  if (why->rule) {
    json_key(w, "rule");
    json_string(w, why->rule);
  }
  if (why->node.length) {
    json_key(w, "node");
    encode_report_text(w, why->node);
  }
  json_key(w, "message");
  json_string(w, why->message);
}

void encode_size(encoder *e, json_writer *w, term_id term) {
  num value;
  if (term == TERM_NONE) {
    json_null(w);
  } else if (report_constant(e->report, term, &value)) {
    json_num(w, value);
  } else {
    encode_report_text(w, report_term(e->report, term));
  }
}

static void encode_locations(encoder *e, const diag *d) {
  const report_locations all = report_locations_of(e->report, d);
  json_writer *w = e->w;
  if (!all.count) return;
  json_key(w, "locations");
  json_begin_array(w);
  for (uint32_t i = 0; i < all.count; i++) {
    const report_location *at = &all.items[i];
    json_begin_object(w);
    json_key_string(w, at->line ? "file" : "name");
    encode_report_text(w, at->text);
    if (at->line) {
      json_key(w, "line");
      json_int(w, at->line);
      json_key(w, "column");
      json_int(w, at->column);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

static void encode_diag(encoder *e, const diag *d) {
  json_writer *w = e->w;
  source_position end =
      span_is_none(d->span) ? (source_position){1, 1} : position_of(e, d->span.end);
  json_begin_object(w);
  json_key(w, "severity");
  json_string(w, diag_severity_name(d->severity));
  json_key(w, "code");
  json_string(w, d->code);
  encode_location(e->graph, w, d->span);
  json_key(w, "end_line");
  json_int(w, end.line);
  json_key(w, "end_column");
  json_int(w, end.column);
  json_key(w, "message");
  json_string(w, d->message);
  encode_locations(e, d);
  json_key(w, "related");
  json_begin_array(w);
  for (uint32_t i = 0; i < d->related_count; i++) {
    json_begin_object(w);
    encode_location(e->graph, w, d->related[i].span);
    json_key(w, "message");
    json_string(w, d->related[i].message);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}

static void encode_because(encoder *e, const report_constraint *c) {
  json_writer *w = e->w;
  json_key(w, "because");
  json_begin_array(w);
  for (uint32_t i = 0; i < c->because_count; i++) {
    json_begin_object(w);
    encode_reason(e->graph, w, &c->because[i]);
    json_end_object(w);
  }
  json_end_array(w);
  if (c->truncated) {
    json_key(w, "truncated");
    json_bool(w, true);
  }
}

static void encode_list(json_writer *w, const char *key, const report_text *list, uint32_t count) {
  json_key_string(w, key);
  json_begin_array(w);
  for (uint32_t i = 0; i < count; i++) encode_report_text(w, list[i]);
  json_end_array(w);
}

static void encode_constraints(encoder *e, const char *key, const report_constraints *list) {
  json_writer *w = e->w;
  json_key_string(w, key);
  json_begin_array(w);
  for (uint32_t i = 0; i < list->count; i++) {
    const report_constraint *c = &list->items[i];
    json_begin_object(w);
    json_key(w, "kind");
    json_string(w, constraint_kind_name(c->kind));
    encode_list(w, "lhs", c->lhs, c->lhs_count);
    encode_list(w, "rhs", c->rhs, c->rhs_count);
    json_key(w, "expr");
    encode_report_text(w, c->expr);
    json_key(w, "scope");
    json_string(w, c->scope);
    encode_because(e, c);
    if (e->report->certificate.made) {
      json_key(w, "confirmed");
      json_bool(w, !c->unconfirmed);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

static void encode_suggested(encoder *e) {
  json_writer *w = e->w;
  const report_suggestion *s = report_suggest(e->report);
  if (!s) return;
  const report_function *f = &e->report->functions[0];
  json_key(w, "suggested");
  json_begin_array(w);
  json_begin_object(w);
  json_key(w, "assume");
  json_begin_array(w);
  for (uint32_t i = 0; i < s->assume_count; i++) json_string(w, s->assume[i]);
  json_end_array(w);
  json_key(w, "proves");
  json_int(w, s->proves);
  json_key(w, "guards_left");
  json_int(w, s->guards_left);
  json_key(w, "results");
  json_begin_array(w);
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (!s->results[i]) {
      json_null(w);
      continue;
    }
    uint32_t rank = e->report->shapes[f->result_shapes[i]].rank;
    json_begin_array(w);
    for (uint32_t k = 0; k < rank; k++) encode_size(e, w, s->results[i][k]);
    json_end_array(w);
  }
  json_end_array(w);
  json_end_object(w);
  json_end_array(w);
}

static void encode_unchecked(encoder *e) {
  json_writer *w = e->w;
  const shape_report *r = e->report;
  json_key(w, "unchecked");
  json_begin_array(w);
  for (uint32_t i = 0; i < r->unchecked_count; i++) {
    const report_unchecked *row = &r->unchecked[i];
    bool has = row->op != ID_NONE;
    const graph_op *op = has ? &e->graph->ops[row->op] : NULL;
    json_begin_object(w);
    json_key(w, "op");
    json_string(w, has ? graph_op_name(e->graph, row->op) : "");
    json_key(w, "line");
    json_int(w, !has || span_is_none(op->span) ? 1 : position_of(e, op->span.begin).line);
    if (has && !graph_is_text(e->graph)) {
      json_key(w, "node");
      json_text(w, e->graph->source.text + op->name_span.begin,
                op->name_span.end - op->name_span.begin);
    }
    json_key(w, "requirement");
    json_string(w, row->requirement);
    json_key(w, "reason");
    json_string(w, row->reason);
    json_end_object(w);
  }
  json_end_array(w);
}

static void encode_certificate(encoder *e) {
  const report_certificate *c = &e->report->certificate;
  const struct {
    const char *key;
    uint32_t count;
  } counts[] = {{"constraints", c->constraints},
                {"confirmed", c->confirmed},
                {"implications", c->implications},
                {"implied", c->implied},
                {"contradicted", c->contradicted}};
  if (!c->made) return;
  json_key(e->w, "certificate");
  json_begin_object(e->w);
  for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    json_key_string(e->w, counts[i].key);
    json_int(e->w, counts[i].count);
  }
  json_end_object(e->w);
}

static void encode_stats(encoder *e) {
  json_writer *w = e->w;
  const report_stats *s = &e->report->stats;
  json_key(w, "stats");
  json_begin_object(w);
  json_key(w, "functions");
  json_int(w, s->functions);
  json_key(w, "ops");
  json_int(w, s->ops);
  json_key(w, "values");
  json_int(w, s->values);
  json_key(w, "symbols");
  json_int(w, s->symbols);
  json_key(w, "facts");
  json_int(w, s->facts);
  json_key(w, "steps");
  json_int(w, (int64_t)s->steps);
  const report_ledger *l = &e->report->ledger;
  json_key(w, "requirements");
  json_int(w, l->requirements);
  json_key(w, "proven");
  json_int(w, l->proven);
  json_key(w, "guards");
  json_int(w, l->guards);
  json_key(w, "unchecked");
  json_int(w, l->unchecked);
  json_end_object(w);
}

void report_encode_likely(shape_report *r, likely_set *likely, json_writer *w) {
  encoder e = {.likely = likely, .report = r, .graph = r->graph, .arena = r->graph->arena, .w = w};
  position_of(&e, 0);  // makes the index of lines, which encode_function reads directly
  e.shapes = arena_zalloc(e.arena, (r->shape_count + 1) * sizeof *e.shapes);
  e.names = arena_zalloc(e.arena, (e.graph->names.count + 1) * sizeof *e.names);
  json_begin_object(w);
  json_key(w, "status");
  json_string(w, r->ok ? "ok" : "error");
  json_key(w, "diagnostics");
  json_begin_array(w);
  for (uint32_t i = 0; i < r->diag_count; i++) encode_diag(&e, r->diags[i]);
  json_end_array(w);
  json_key(w, "functions");
  json_begin_array(w);
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (report_is_function(r, &r->functions[i])) encode_function(&e, &r->functions[i]);
  }
  json_end_array(w);
  encode_symbols(&e);
  if (likely) {
    json_key(w, "likely");
    likely_encode(likely, w);
  }
  encode_constraints(&e, "constraints", &r->constraints);
  encode_constraints(&e, "guards", &r->guards);
  encode_suggested(&e);
  encode_unchecked(&e);
  encode_constraints(&e, "scoped_constraints", &r->scoped);
  json_key(w, "assumptions");
  json_begin_array(w);
  for (uint32_t i = 0; i < r->assumption_count; i++) json_string(w, r->assumptions[i]);
  json_end_array(w);
  json_key(w, "refinable");
  json_bool(w, r->refinable);
  encode_certificate(&e);
  encode_stats(&e);
  json_end_object(w);
}

void report_encode_failure(json_writer *w, const char *code, uint32_t line, uint32_t column,
                           const char *message) {
  json_begin_object(w);
  json_key(w, "status");
  json_string(w, "error");
  json_key(w, "diagnostics");
  json_begin_array(w);
  json_begin_object(w);
  json_key(w, "severity");
  json_string(w, "error");
  json_key(w, "code");
  json_string(w, code);
  for (int end = 0; end < 2; end++) {
    json_key_string(w, end ? "end_line" : "line");
    json_int(w, line);
    json_key_string(w, end ? "end_column" : "column");
    json_int(w, column);
  }
  json_key(w, "message");
  json_string(w, message);
  json_key(w, "related");
  json_begin_array(w);
  json_end_array(w);
  json_end_object(w);
  json_end_array(w);
  static const char *const empty[] = {"functions",  "symbols",   "constraints",
                                      "guards",     "unchecked", "scoped_constraints",
                                      "assumptions"};
  for (uint32_t i = 0; i < sizeof empty / sizeof *empty; i++) {
    json_key_string(w, empty[i]);
    json_begin_array(w);
    json_end_array(w);
  }
  json_key(w, "refinable");
  json_bool(w, false);
  json_end_object(w);
}
