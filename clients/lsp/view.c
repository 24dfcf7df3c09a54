// SPDX-License-Identifier: Apache-2.0
// shaped/symbols: all that is known of a text, for a view beside it; shaped/graph: its constraint graph. Their forms are
// described in clients/lsp/README.md.
#include <string.h>

#include "clients/lsp/call.h"

static void put_location(lsp_call *call, source_span span) {
  if (span_is_none(span)) return;
  json_key(call->w, "range");
  lsp_put_range(call->server, call->document, call->w, span);
}

static void put_index(json_writer *w, const char *key, uint32_t index) {
  if (index == ID_NONE) return;
  json_key_string(w, key);
  json_int(w, index);
}

static void put_function_name(lsp_call *call, const char *key, func_id f) {
  const shape_graph *g = call->model->graph;
  if (f >= g->func_count || g->funcs[f].name == NAME_NONE) return;
  name_id name = g->funcs[f].name;
  lsp_put_text(call->w, key,
               (report_text){intern_text(&g->names, name), intern_length(&g->names, name)});
}

static void put_symbol(lsp_call *call, const lsp_symbol *s) {
  json_writer *w = call->w;
  shape_strbuf text;
  strbuf_init(&text, call->arena);
  lsp_describe_symbol(call, s, &text);
  json_begin_object(w);
  lsp_put_text(w, "name", s->name);
  lsp_put_pair(w, "origin", s->origin);
  put_function_name(call, "function", s->function);
  put_index(w, "argument", s->argument);
  put_index(w, "axis", s->axis);
  lsp_put_text(w, "interval", s->range);
  if (s->divisor.length) lsp_put_text(w, "divisor", s->divisor);
  if (s->likely.length) lsp_put_text(w, "likely", s->likely);
  if (s->definition.length) lsp_put_text(w, "definition", s->definition);
  json_key(w, "description");
  lsp_put_markup(call->server, w, &text);
  put_location(call, lsp_model_symbol_location(call->model, s));
  json_end_object(w);
}

static void put_constraint(lsp_call *call, const lsp_constraint *c) {
  json_writer *w = call->w;
  json_begin_object(w);
  lsp_put_text(w, "kind", c->kind);
  lsp_put_text(w, "expr", c->expr);
  lsp_put_text(w, "function", c->function);
  lsp_put_text(w, "scope", c->scope);
  json_key_array(w, "because");
  for (uint32_t i = 0; i < c->because_count; i++) {
    json_begin_object(w);
    if (c->because[i].rule) lsp_put_pair(w, "rule", c->because[i].rule);
    lsp_put_pair(w, "message", c->because[i].message);
    put_location(call, c->because[i].span);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}

static void put_constraints(lsp_call *call, const char *key, const lsp_constraint *list,
                            uint32_t count) {
  json_key_string(call->w, key);
  json_begin_array(call->w);
  for (uint32_t i = 0; i < count; i++) put_constraint(call, &list[i]);
  json_end_array(call->w);
}

static void put_functions(lsp_call *call) {
  const shape_graph *g = call->model->graph;
  json_key_array(call->w, "functions");
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].name == NAME_NONE) continue;
    json_begin_object(call->w);
    put_function_name(call, "name", f);
    put_location(call, g->funcs[f].name_span);
    json_end_object(call->w);
  }
  json_end_array(call->w);
}

bool lsp_symbols_view(lsp_call *call) {
  const lsp_model *m = call->model;
  json_writer *w = call->w;
  json_begin_object(w);
  lsp_put_pair(w, "uri", call->document->uri);
  json_put_int(w, "version", call->document->version);
  json_put_bool(w, "complete", m->complete);
  lsp_put_text(w, "entry", m->entry);
  put_functions(call);
  json_key_array(w, "symbols");
  for (uint32_t i = 0; i < m->symbol_count; i++) put_symbol(call, &m->symbols[i]);
  json_end_array(w);
  put_constraints(call, "constraints", m->facts.constraints, m->facts.constraint_count);
  put_constraints(call, "guards", m->facts.guards, m->facts.guard_count);
  put_constraints(call, "scopedConstraints", m->facts.scoped, m->facts.scoped_count);
  json_key_array(w, "assumptions");
  for (uint32_t i = 0; i < m->assumption_count; i++) {
    json_text(w, m->assumptions[i].text, m->assumptions[i].length);
  }
  json_end_array(w);
  json_end_object(w);
  return true;
}

// The graph in the language of Graphviz; a picture of it needs a layout, which is what `shape graph` has made.
bool lsp_graph(lsp_call *call) {
  enum { SYMBOLS_MAX = 64 };
  const char *symbols[SYMBOLS_MAX];
  const cJSON *list = lsp_member(call->params, "symbols");
  uint32_t count = 0;
  for (const cJSON *i = cJSON_IsArray(list) ? list->child : NULL; i; i = i->next) {
    if (!cJSON_IsString(i) || count == SYMBOLS_MAX) {
      return lsp_fail(call, LSP_INVALID_PARAMS, "params.symbols are at most 64 names");
    }
    symbols[count++] = i->valuestring;
  }
  if (!lsp_model_report(call->model))
    return lsp_fail(call, LSP_REQUEST_FAILED, "the program has errors");
  const lsp_format format = {.name = "dot", .symbols = symbols, .symbol_count = count};
  shape_strbuf text;
  if (!lsp_written(call, &format, &text)) return false;
  json_begin_object(call->w);
  lsp_put_pair(call->w, "format", "dot");
  lsp_put_text(call->w, "text", (report_text){text.data, text.length});
  json_end_object(call->w);
  return true;
}
