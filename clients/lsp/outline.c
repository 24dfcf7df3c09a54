// SPDX-License-Identifier: Apache-2.0
// The functions of a text: symbols of the document, a line above each of them.
#include <string.h>

#include "clients/lsp/call.h"

static report_text function_name(const lsp_model *m, func_id f) {
  name_id name = m->graph->funcs[f].name;
  if (name == NAME_NONE) return (report_text){"", 0};
  return (report_text){intern_text(&m->graph->names, name), intern_length(&m->graph->names, name)};
}

static bool has_location(const lsp_model *m, func_id f) {
  const graph_func *func = &m->graph->funcs[f];
  return func->name != NAME_NONE && !span_is_none(func->span) &&
         func->span.end > func->span.begin && func->name_span.begin >= func->span.begin &&
         func->name_span.end <= func->span.end;
}

// --- symbols of the document

void lsp_put_dims(const lsp_shape *shape, shape_strbuf *out) {
  if (!shape || !shape->ranked) {
    strbuf_putc(out, '?');
    return;
  }
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (i) strbuf_puts(out, ", ");
    strbuf_add(out, shape->dims[i].text, shape->dims[i].length);
  }
  strbuf_putc(out, ']');
}

static const graph_block *entry_block(const lsp_model *m, func_id f) {
  region_id body = m->graph->funcs[f].body;
  if (body == ID_NONE || !m->graph->regions[body].block_count) return NULL;
  return &m->graph->blocks[m->graph->regions[body].first_block];
}

static void begin_symbol(lsp_call *call, report_text name, int kind, const shape_strbuf *detail) {
  json_begin_object(call->w);
  lsp_put_text(call->w, "name", name);
  if (detail->length) lsp_put_text(call->w, "detail", (report_text){detail->data, detail->length});
  json_put_int(call->w, "kind", kind);
}

static void put_ranges(lsp_call *call, source_span whole, source_span name) {
  json_key(call->w, "range");
  lsp_put_range(call->server, call->document, call->w, whole);
  json_key(call->w, "selectionRange");
  lsp_put_range(call->server, call->document, call->w, name);
}

static void put_arguments(lsp_call *call, const graph_block *entry) {
  enum { VARIABLE = 13 };
  lsp_model *m = call->model;
  for (uint32_t i = 0; i < entry->argument_count; i++) {
    value_id v = entry->arguments + i;
    uint32_t at = m->graph->values[v].at;
    if (at >= m->graph->source.length || m->graph->source.text[at] != '%') continue;
    source_span span = lsp_name_span(m, at);
    shape_strbuf detail;
    strbuf_init(&detail, call->arena);
    lsp_put_dims(lsp_model_shape(m, v), &detail);
    begin_symbol(call, (report_text){m->graph->source.text + at, span.end - span.begin}, VARIABLE,
                 &detail);
    put_ranges(call, span, span);
    json_end_object(call->w);
  }
}

static void put_function(lsp_call *call, func_id f) {
  enum { FUNCTION = 12 };
  lsp_model *m = call->model;
  const graph_func *func = &m->graph->funcs[f];
  const graph_block *entry = entry_block(m, f);
  shape_strbuf detail;
  strbuf_init(&detail, call->arena);
  for (uint32_t i = 0; entry && i < entry->argument_count; i++) {
    if (i) strbuf_puts(&detail, ", ");
    lsp_put_dims(lsp_model_shape(m, entry->arguments + i), &detail);
  }
  report_text name = function_name(m, f);
  if (!name.length) name = (report_text){"?", 1};
  if (!call->server->client.nested_symbols) {
    detail.length = 0;
    begin_symbol(call, name, FUNCTION, &detail);
    json_key(call->w, "location");
    lsp_put_location(call->server, call->document, call->w, func->name_span);
    json_end_object(call->w);
    return;
  }
  begin_symbol(call, name, FUNCTION, &detail);
  put_ranges(call, func->span, func->name_span);
  json_key_array(call->w, "children");
  if (entry) put_arguments(call, entry);
  json_end_array(call->w);
  json_end_object(call->w);
}

// Modules that are written out hold the functions between their brackets.
static const mlir_module_use *module_from(const lsp_model *m, uint32_t *next, uint32_t before) {
  while (*next < m->uses.module_count) {
    const mlir_module_use *use = &m->uses.modules[*next];
    if (use->head.begin > before) return NULL;
    ++*next;
    if (use->close) return use;
  }
  return NULL;
}

static void begin_module(lsp_call *call, const mlir_module_use *use) {
  enum { MODULE = 2 };
  const source_text *source = &call->model->graph->source;
  source_span name = use->name;
  shape_strbuf none;
  strbuf_init(&none, call->arena);
  report_text text = {"module", 6};
  if (name.end > name.begin + 1) {
    text = (report_text){source->text + name.begin + 1, name.end - name.begin - 1};
  } else {
    name = (source_span){use->head.begin, use->head.end - 1};
  }
  begin_symbol(call, text, MODULE, &none);
  put_ranges(call, (source_span){use->head.begin, use->close + 1}, name);
  json_key_array(call->w, "children");
}

static void end_module(lsp_call *call) {
  json_end_array(call->w);
  json_end_object(call->w);
}

bool lsp_document_symbol(lsp_call *call) {
  enum { DEPTH = 64 };
  const lsp_model *m = call->model;
  bool nested = call->server->client.nested_symbols;
  uint32_t ends[DEPTH], depth = 0, next = 0;
  json_begin_array(call->w);
  for (func_id f = 0; f <= m->graph->func_count; f++) {
    if (f < m->graph->func_count && !has_location(m, f)) continue;
    uint32_t at = f < m->graph->func_count ? m->graph->funcs[f].span.begin : UINT32_MAX;
    const mlir_module_use *use;
    while (nested && (use = module_from(m, &next, at)) != NULL) {
      for (; depth && ends[depth - 1] < use->head.begin; depth--) end_module(call);
      if (depth == DEPTH) continue;
      begin_module(call, use);
      ends[depth++] = use->close;
    }
    for (; depth && ends[depth - 1] < at; depth--) end_module(call);
    if (f < m->graph->func_count) put_function(call, f);
  }
  json_end_array(call->w);
  return true;
}

// --- a line above each function

typedef struct tally {
  uint32_t symbols, constraints, guards;
  bool open;  // a size is not determined by the arguments
} tally;

static void count_constraints(const lsp_model *m, tally *by_func) {
  const struct {
    const lsp_constraint *list;
    uint32_t count;
    bool guard;
  } lists[] = {{m->facts.constraints, m->facts.constraint_count, false},
               {m->facts.scoped, m->facts.scoped_count, false},
               {m->facts.guards, m->facts.guard_count, true}};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    for (uint32_t i = 0; i < lists[k].count; i++) {
      report_text name = lists[k].list[i].function;
      for (func_id f = 0; f < m->graph->func_count; f++) {
        report_text known = function_name(m, f);
        if (known.length != name.length || memcmp(known.text, name.text, name.length) != 0)
          continue;
        by_func[f].constraints += !lists[k].guard;
        by_func[f].guards += lists[k].guard;
        break;
      }
    }
  }
}

static tally *count(lsp_call *call) {
  lsp_model *m = call->model;
  tally *by_func = arena_zalloc(call->arena, (m->graph->func_count + 1) * sizeof *by_func);
  for (uint32_t i = 0; i < m->symbol_count; i++) {
    if (m->symbols[i].function < m->graph->func_count) by_func[m->symbols[i].function].symbols++;
  }
  count_constraints(m, by_func);
  for (value_id v = 0; v < m->graph->value_count; v++) {
    uint32_t shape = m->shape.of[v];
    if (shape == ID_NONE) continue;
    bool determined =
        m->report ? m->report->shapes[shape].determined : m->shape.items[shape].determined;
    func_id f = determined ? ID_NONE : lsp_model_function_of(m, v);
    if (f < m->graph->func_count) by_func[f].open = true;
  }
  return by_func;
}

static void put_number(shape_strbuf *out, uint32_t n, const char *what) {
  strbuf_printf(out, "%u %s%s", n, what, n == 1 ? "" : "s");
}

static void put_lens(lsp_call *call, func_id f, const tally *t) {
  const lsp_model *m = call->model;
  const lsp_client *client = &call->server->client;
  json_writer *w = call->w;
  shape_strbuf title;
  strbuf_init(&title, call->arena);
  put_number(&title, t->symbols, "symbol");
  strbuf_puts(&title, " · ");
  put_number(&title, t->constraints, "constraint");
  strbuf_puts(&title, " · ");
  put_number(&title, t->guards, "guard");
  if (m->cuts.from && m->cuts.from[f] != UINT32_MAX) {
    strbuf_puts(&title, " · as far as it can be read");
  } else {
    strbuf_puts(&title, t->open ? " · not refinable" : " · refinable");
  }
  json_begin_object(w);
  json_key(w, "range");
  lsp_put_range(call->server, call->document, w, m->graph->funcs[f].name_span);
  json_key_object(w, "command");
  lsp_put_text(w, "title", (report_text){title.data, title.length});
  lsp_put_pair(w, "command", client->show_symbols);
  if (*client->show_symbols) {
    json_key_array(w, "arguments");
    json_string(w, call->document->uri);
    report_text name = function_name(m, f);
    json_text(w, name.text, name.length);
    json_end_array(w);
  }
  json_end_object(w);
  json_end_object(w);
}

bool lsp_code_lens(lsp_call *call) {
  lsp_model *m = call->model;
  json_begin_array(call->w);
  if (call->server->settings.lenses && m->shape.items) {
    const tally *by_func = count(call);
    for (func_id f = 0; f < m->graph->func_count; f++) {
      if (has_location(m, f) && m->graph->funcs[f].body != ID_NONE) put_lens(call, f, &by_func[f]);
    }
  }
  json_end_array(call->w);
  return true;
}
