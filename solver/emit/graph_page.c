// SPDX-License-Identifier: Apache-2.0
// The page is graph_page.html, embedded at build time, with the picture and its description in place of its markers.
#include <assert.h>
#include <stdio.h>

#include "solver/emit/graph_text.h"
#include "solver/emit/page.h"
#include "solver/formats/json/write.h"

// The bytes of graph_page.html.
static const unsigned char PAGE[] = {
#include <graph_page.html.inc>
};
static const char PICTURE[] = "<!--PICTURE-->", DATA[] = "/*DATA*/";

typedef struct graph_page {
  const constraint_graph *graph;
  json_writer *w;
} graph_page;

static void put_report_text(graph_page *p, const char *key, report_text text) {
  json_key_string(p->w, key);
  json_text(p->w, text.text, text.length);
}

// "at": [line, column], where the source is text and names a location.
static void put_location(graph_page *p, source_span span) {
  const shape_graph *g = p->graph->report->graph;
  if (span_is_none(span) || !graph_is_text(g) || span.begin > g->source.length) return;
  source_position at = graph_position(g, span);
  json_key_array(p->w, "at");
  json_int(p->w, at.line);
  json_int(p->w, at.column);
  json_end_array(p->w);
}

static void put_ends(graph_page *p, const cg_ends *ends) {
  json_key_array(p->w, "symbols");
  for (uint32_t i = 0; i < ends->count; i++) json_int(p->w, ends->items[i].symbol);
  json_end_array(p->w);
}

static void put_end_of_range(graph_page *p, const char *key, bool finite, num value) {
  if (!finite) return;
  json_key_string(p->w, key);
  json_num(p->w, value);
}

static void put_symbol(graph_page *p, const report_symbol *s) {
  json_writer *w = p->w;
  json_begin_object(w);
  put_report_text(p, "name", s->name);
  put_end_of_range(p, "min", s->range.has_lo, s->range.lo);
  put_end_of_range(p, "max", s->range.has_hi, s->range.hi);
  put_end_of_range(p, "divisor", !num_is_one(s->divisible_by), s->divisible_by);
  json_put_string(w, "origin", report_origin_name(s->origin));
  if (s->argument != ID_NONE) {
    json_put_int(w, "argument", s->argument);
    if (s->function != ID_NONE)
      put_report_text(p, "function", report_function_name(p->graph->report, s->function));
  }
  if (s->axis != ID_NONE) {
    json_put_int(w, "axis", s->axis);
  }
  if (s->definition.text) put_report_text(p, "definition", s->definition);
  put_location(p, s->span);
  json_end_object(w);
}

static void put_reasons(graph_page *p, const report_constraint *c) {
  json_writer *w = p->w;
  json_key_array(w, "because");
  for (uint32_t i = 0; i < c->because_count; i++) {
    const report_because *why = &c->because[i];
    json_begin_object(w);
    json_put_string(w, "message", why->message ? why->message : "");
    if (why->rule) {
      json_put_string(w, "rule", why->rule);
    }
    put_location(p, why->span);
    json_end_object(w);
  }
  json_end_array(w);
  if (c->truncated) {
    json_put_bool(w, "truncated", true);
  }
}

static void put_fact(graph_page *p, const cg_fact *f) {
  json_writer *w = p->w;
  json_begin_object(w);
  put_report_text(p, "expr", f->expr);
  json_put_string(w, "kind", f->kind);
  json_put_int(w, "roles", f->roles);
  put_ends(p, &f->ends);
  if (f->constraint) {
    json_put_string(w, "scope", f->constraint->scope);
    put_reasons(p, f->constraint);
  }
  json_end_object(w);
}

static void put_value(graph_page *p, const cg_value *v) {
  json_writer *w = p->w;
  json_begin_object(w);
  json_key(w, "id");
  char id[16];
  snprintf(id, sizeof id, "%c%u", v->result ? 'r' : 'a', v->index);
  json_string(w, id);
  put_report_text(p, "name", v->name);
  put_report_text(p, "type", v->type);
  put_report_text(p, "dims", v->dims);
  put_ends(p, &v->ends);
  put_location(p, v->span);
  json_end_object(w);
}

static void put_graph(graph_page *p, const char *name) {
  const constraint_graph *g = p->graph;
  json_writer *w = p->w;
  json_begin_object(w);
  json_put_string(w, "name", name);
  put_report_text(p, "function", g->function);
  json_key_array(w, "symbols");
  for (uint32_t i = 0; i < g->symbol_count; i++) put_symbol(p, g->symbols[i]);
  json_end_array(w);
  json_key_array(w, "facts");
  for (uint32_t i = 0; i < g->fact_count; i++) put_fact(p, &g->facts[i]);
  json_end_array(w);
  json_key_array(w, "values");
  for (uint32_t i = 0; i < g->value_count; i++) put_value(p, &g->values[i]);
  json_end_array(w);
  json_key_array(w, "assumptions");
  for (uint32_t i = 0; i < g->report->assumption_count; i++)
    json_string(w, g->report->assumptions[i]);
  json_end_array(w);
  json_end_object(w);
}

bool constraint_graph_page(const constraint_graph *g, const char *name, const char *layout,
                           size_t length, shape_strbuf *out) {
  shape_strbuf picture, data;
  json_writer w;
  strbuf_init(&picture, g->report->graph->arena);
  strbuf_init(&data, g->report->graph->arena);
  if (!constraint_graph_svg(g, layout, length, &picture)) return false;
  json_writer_init(&w, &data);
  w.big_as_text = true;
  put_graph(&(graph_page){g, &w}, name);
  const page_text page = {(const char *)PAGE, sizeof PAGE};
  size_t at = page_put_until(out, page, 0, PICTURE);
  strbuf_add(out, picture.data, picture.length);
  at = page_put_until(out, page, at, DATA);
  page_escape(out, data.data, data.length);
  page_put_rest(out, page, at);
  return true;
}
