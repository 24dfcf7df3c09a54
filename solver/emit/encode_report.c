// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/encode.h"

#include <assert.h>

#include "solver/emit/encoder.h"
#include "solver/emit/profile_write.h"

static source_position position_of(const encoder *e, uint32_t offset) {
  return graph_position(e->graph, (source_span){offset, offset});
}

// Of what is no text there are no lines: messages name the node.
static void encode_location(const shape_graph *g, json_writer *w, source_span span) {
  if (!graph_is_text(g)) return;
  source_position at = span_is_none(span) ? (source_position){1, 1} : graph_position(g, span);
  json_put_int(w, "line", at.line);
  json_put_int(w, "column", at.column);
}

void encode_line(json_writer *w, uint32_t line) {
  json_key(w, "line");
  if (line) {
    json_int(w, line);
  } else {
    json_null(w);
  }
}

void encode_report_text(json_writer *w, report_text text) { json_text(w, text.text, text.length); }

void encode_reason(const shape_graph *g, json_writer *w, const report_because *why) {
  if (!span_is_none(why->span)) encode_location(g, w, why->span);
  if (why->rule) {
    json_put_string(w, "rule", why->rule);
  }
  if (why->node.length) {
    json_key(w, "node");
    encode_report_text(w, why->node);
  }
  json_put_string(w, "message", why->message);
}

void encode_size(encoder *e, json_writer *w, term_id term) {
  if (term == TERM_NONE) {
    json_null(w);
    return;
  }
  const term_node *node = term_get(e->report->infer->terms, term);
  if (node->kind == TERM_CONST) {
    json_num(w, node->as.value);
    return;
  }
  const report_symbol *symbol =
      node->kind == TERM_SYMBOL ? report_symbol_of(e->report, term) : NULL;
  if (!symbol || !symbol->is_word) {
    encode_report_text(w, report_term(e->report, term));
    return;
  }
  char *at = json_open(w, (size_t)symbol->name.length + 2);  // a word has nothing to escape
  *at++ = '"';
  at = text_put(at, symbol->name.text, symbol->name.length);
  *at++ = '"';
  json_close(w, at);
}

void encode_locations(const shape_report *report, json_writer *w, const diag *d) {
  const report_locations all = report_locations_of(report, d);
  if (!all.count) return;
  json_key_array(w, "locations");
  for (uint32_t i = 0; i < all.count; i++) {
    const report_location *at = &all.items[i];
    json_begin_object(w);
    json_key_string(w, at->line ? "file" : "name");
    encode_report_text(w, at->text);
    if (at->line) {
      json_put_int(w, "line", at->line);
    }
    if (at->line && at->column) {
      json_put_int(w, "column", at->column);
    }
    if (at->function.length) {
      json_key(w, "function");
      encode_report_text(w, at->function);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

void encode_diag(encoder *e, const diag *d) {
  json_writer *w = e->w;
  assert(span_is_none(d->span) || d->span.begin <= d->span.end);
  source_position end =
      span_is_none(d->span) ? (source_position){1, 1} : position_of(e, d->span.end);
  json_begin_object(w);
  json_put_string(w, "severity", diag_severity_name(d->severity));
  json_put_string(w, "code", d->code);
  encode_location(e->graph, w, d->span);
  if (graph_is_text(e->graph)) {
    json_put_int(w, "end_line", end.line);
    json_put_int(w, "end_column", end.column);
  }
  json_put_string(w, "message", d->message);
  encode_locations(e->report, e->w, d);
  json_key_array(w, "related");
  for (uint32_t i = 0; i < d->related_count; i++) {
    json_begin_object(w);
    encode_location(e->graph, w, d->related[i].span);
    json_put_string(w, "message", d->related[i].message);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}

static void encode_because(encoder *e, const report_constraint *c) {
  json_writer *w = e->w;
  json_key_array(w, "because");
  for (uint32_t i = 0; i < c->because_count; i++) {
    json_begin_object(w);
    encode_reason(e->graph, w, &c->because[i]);
    json_end_object(w);
  }
  json_end_array(w);
  if (c->truncated) {
    json_put_bool(w, "truncated", true);
  }
}

static void encode_list(json_writer *w, const char *key, const report_text *list, uint32_t count) {
  json_key_string(w, key);
  json_begin_array(w);
  for (uint32_t i = 0; i < count; i++) encode_report_text(w, list[i]);
  json_end_array(w);
}

static void encode_constraints(encoder *e, const report_constraints *list) {
  json_writer *w = e->w;
  json_begin_array(w);
  for (uint32_t i = 0; i < list->count; i++) {
    const report_constraint *c = &list->items[i];
    json_begin_object(w);
    json_put_string(w, "kind", constraint_kind_name(c->kind));
    assert(c->because_count || !c->truncated);
    encode_list(w, "lhs", c->lhs, c->lhs_count);
    encode_list(w, "rhs", c->rhs, c->rhs_count);
    json_key(w, "expr");
    encode_report_text(w, c->expr);
    json_put_string(w, "scope", c->scope);
    encode_because(e, c);
    if (e->report->certificate.made) {
      json_put_bool(w, "confirmed", !c->unconfirmed);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

void encode_suggestion(json_writer *w, const report_suggestion *s, encode_text *put) {
  assert(s->assume_count);
  json_key_array(w, "suggested");
  json_begin_object(w);
  json_key_array(w, "assume");
  for (uint32_t i = 0; i < s->assume_count; i++) put(w, s->assume[i]);
  json_end_array(w);
  json_put_int(w, "proves", s->proves);
  json_put_int(w, "guards_left", s->guards_left);
  json_put_int(w, "resolves", s->resolves);
}

static void encode_suggested(encoder *e) {
  json_writer *w = e->w;
  const report_suggestion *s = report_suggest(e->report);
  if (!s) return;
  const report_function *f = &e->report->functions[0];
  assert(e->report->function_count);
  encode_suggestion(w, s, json_string);
  json_key_array(w, "results");
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (!s->results[i]) {
      json_null(w);
      continue;
    }
    assert(f->result_shapes[i] < e->report->shape_count);
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
  json_key_array(w, "unchecked");
  for (uint32_t i = 0; i < r->unchecked_count; i++) {
    const report_unchecked *row = &r->unchecked[i];
    bool has = row->op != ID_NONE;
    assert(!has || row->op < e->graph->op_count);
    const graph_op *op = has ? &e->graph->ops[row->op] : NULL;
    json_begin_object(w);
    json_put_string(w, "op", has ? graph_op_name(e->graph, row->op) : "");
    if (graph_is_text(e->graph)) {
      json_put_int(w, "line",
                   !has || span_is_none(op->span) ? 1 : position_of(e, op->span.begin).line);
    } else if (has) {
      json_key(w, "node");
      json_text(w, e->graph->source.text + op->name_span.begin,
                op->name_span.end - op->name_span.begin);
    }
    json_put_string(w, "requirement", row->requirement);
    json_put_string(w, "reason", row->reason);
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
  assert(c->confirmed <= c->constraints && c->implied + c->contradicted <= c->implications);
  json_key_object(e->w, "certificate");
  for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    json_key_string(e->w, counts[i].key);
    json_int(e->w, counts[i].count);
  }
  json_end_object(e->w);
}

static void encode_stats(encoder *e) {
  json_writer *w = e->w;
  const report_stats *s = &e->report->stats;
  json_key_object(w, "stats");
  json_put_int(w, "functions", s->functions);
  json_put_int(w, "ops", s->ops);
  json_put_int(w, "values", s->values);
  json_put_int(w, "symbols", s->symbols);
  json_put_int(w, "facts", s->facts);
  json_put_int(w, "steps", (int64_t)s->steps);
  const report_ledger *l = &e->report->ledger;
  assert(l->proven + l->guards + l->unchecked == l->requirements);
  json_put_int(w, "requirements", l->requirements);
  json_put_int(w, "proven", l->proven);
  json_put_int(w, "guards", l->guards);
  json_put_int(w, "unchecked", l->unchecked);
  // What a budget ended: the answer is right, and may be longer than it need be.
  if (s->unsimplified) json_put_int(w, "unsimplified", s->unsimplified);
  if (s->unsuggested) json_put_int(w, "unsuggested", s->unsuggested);
  json_end_object(w);
}

static void encode_whole(const encoder *all, const struct profile_list *profiles) {
  encoder e = *all;
  json_writer *w = e.w;
  shape_report *r = e.report;
  const uint32_t depth = w->depth;  // for the assert alone
  (void)depth;
  position_of(&e, 0);  // makes the index of lines, which encode_function reads directly
  e.shapes = arena_zalloc(e.arena, (r->shape_count + 1) * sizeof *e.shapes);
  e.names = arena_zalloc(e.arena, (e.graph->names.count + 1) * sizeof *e.names);
  json_begin_object(w);
  json_put_string(w, "status", r->ok ? "ok" : "error");
  json_key_array(w, "diagnostics");
  for (uint32_t i = 0; i < r->diag_count; i++) encode_diag(&e, r->diags[i]);
  json_end_array(w);
  json_key_array(w, "functions");
  for (uint32_t i = 0; i < r->function_count; i++) {
    if (report_is_function(r, &r->functions[i])) encode_function(&e, &r->functions[i]);
  }
  json_end_array(w);
  encode_symbols(&e);
  if (e.likely) {
    json_key(w, "likely");
    likely_encode(e.likely, w);
  }
  json_key(w, "constraints");
  encode_constraints(&e, &r->constraints);
  json_key(w, "guards");
  encode_constraints(&e, &r->guards);
  encode_suggested(&e);
  encode_unchecked(&e);
  json_key(w, "scoped_constraints");
  encode_constraints(&e, &r->scoped);
  json_key_array(w, "assumptions");
  for (uint32_t i = 0; i < r->assumption_count; i++) json_string(w, r->assumptions[i]);
  json_end_array(w);
  json_put_bool(w, "refinable", r->refinable);
  encode_certificate(&e);
  if (profiles) profiles_encode(r, profiles, w);
  encode_stats(&e);
  json_end_object(w);
  assert(w->depth == depth);
}

void report_encode_with(shape_report *r, likely_set *likely, const struct profile_list *profiles,
                        json_writer *w) {
  encode_whole(
      &(encoder){
          .likely = likely, .report = r, .graph = r->graph, .arena = r->graph->arena, .w = w},
      profiles);
}

void report_encode_without_ops(shape_report *r, json_writer *w) {
  encode_whole(
      &(encoder){
          .report = r, .graph = r->graph, .arena = r->graph->arena, .w = w, .without_ops = true},
      NULL);
}

void report_encode_failure(json_writer *w, const char *code, uint32_t line, uint32_t column,
                           const char *message) {
  json_begin_object(w);
  json_put_string(w, "status", "error");
  json_key_array(w, "diagnostics");
  json_begin_object(w);
  json_put_string(w, "severity", "error");
  json_put_string(w, "code", code);
  for (int end = 0; end < 2; end++) {
    json_key_string(w, end ? "end_line" : "line");
    json_int(w, line);
    json_key_string(w, end ? "end_column" : "column");
    json_int(w, column);
  }
  json_put_string(w, "message", message);
  json_key_array(w, "related");
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
  json_put_bool(w, "refinable", false);
  json_end_object(w);
}
