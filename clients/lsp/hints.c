// SPDX-License-Identifier: Apache-2.0
// Inlay hints: the dims of a value after its name, where it is defined.
#include <string.h>

#include "clients/lsp/call.h"

// The values that one name denotes: all results of `%0:2 = ...`, or one.
typedef struct hint_group {
  uint32_t at;
  value_id first;
  uint32_t count;
} hint_group;

// Groups that share one hint: those of one line.
enum { SHARED_MAX = 64 };
typedef struct hint {
  hint_group groups[SHARED_MAX];
  uint32_t count;
} hint;

// --- what is shown

static bool is_wanted(const lsp_server *s, const lsp_shape *shape) {
  const char *which = s->settings.hints.text;
  if (!shape || (!shape->ranked && !shape->type)) return false;
  if (strcmp(which, "dynamic") == 0) return shape->dynamic && shape->ranked;
  return shape->ranked && shape->rank > 0;
}

static bool informs_alone(const lsp_server *s) {
  return strcmp(s->settings.hints.text, "changes") == 0;
}

static bool is_wanted_group(lsp_call *call, hint_group g) {
  if (informs_alone(call->server)) return lsp_hint_informs(call, g.first, g.count);
  for (uint32_t i = 0; i < g.count; i++) {
    if (is_wanted(call->server, lsp_model_shape(call->model, g.first + i))) return true;
  }
  return false;
}

static void put_label_text(lsp_call *call, const lsp_shape *shape, shape_strbuf *out) {
  bool type = strcmp(call->server->settings.hint_form.text, "type") == 0;
  if (!shape || (!shape->ranked && !shape->type)) {
    strbuf_puts(out, "?");
  } else if (shape->type && (type || !shape->ranked)) {
    strbuf_puts(out, shape->type);
  } else {
    strbuf_putc(out, '[');
    for (uint32_t i = 0; i < shape->rank; i++) {
      if (i) strbuf_puts(out, ", ");
      strbuf_add(out, shape->dims[i].text, shape->dims[i].length);
    }
    strbuf_putc(out, ']');
  }
}

// --- label parts: a part of its own for each symbol

// The next symbol in the text from *at on: true, and [*at, *end) is its name.
static bool next_symbol(const lsp_model *m, report_text text, uint32_t *at, uint32_t *end,
                        const lsp_symbol **symbol) {
  for (uint32_t i = *at; i<text.length; i = *end> i ? *end : i + 1) {
    *at = i;
    *end = lsp_word_end(text, i);
    *symbol = *end > i ? lsp_model_symbol(m, text.text + i, *end - i) : NULL;
    if (*symbol) return true;
  }
  return false;
}

static void put_part(json_writer *w, const char *text, uint32_t length) {
  if (!length) return;
  json_begin_object(w);
  lsp_put_text(w, "value", (report_text){text, length});
  json_end_object(w);
}

static void put_symbol_part(lsp_call *call, report_text name, const lsp_symbol *symbol,
                            bool whole) {
  const lsp_client *client = &call->server->client;
  json_writer *w = call->w;
  json_begin_object(w);
  lsp_put_text(w, "value", name);
  if (whole) {
    shape_strbuf text;
    strbuf_init(&text, call->arena);
    lsp_describe_symbol(call, symbol, &text);
    json_key(w, "tooltip");
    lsp_put_markup(call->server, w, &text);
  }
  source_span location = lsp_model_symbol_location(call->model, symbol);
  if ((whole || !client->lazy_hint_location) && !span_is_none(location)) {
    json_key(w, "location");
    lsp_put_location(call->server, call->document, w, location);
  }
  json_end_object(w);
}

static void put_label(lsp_call *call, report_text text, bool whole) {
  uint32_t at = 0, from = 0, end = 0;
  const lsp_symbol *symbol;
  json_key(call->w, "label");
  if (!next_symbol(call->model, text, &at, &end, &symbol)) {
    json_text(call->w, text.text, text.length);
    return;
  }
  json_begin_array(call->w);
  do {
    put_part(call->w, text.text + from, at - from);
    put_symbol_part(call, (report_text){text.text + at, end - at}, symbol, whole);
    from = at = end;
  } while (next_symbol(call->model, text, &at, &end, &symbol));
  put_part(call->w, text.text + from, text.length - from);
  json_end_array(call->w);
}

// --- hints

static void put_data(lsp_call *call, hint_group g) {
  json_writer *w = call->w;
  json_key_object(w, "data");
  lsp_put_pair(w, "uri", call->document->uri);
  json_put_int(w, "version", call->document->version);
  json_put_int(w, "at", g.at);
  json_end_object(w);
}

static void put_tooltip(lsp_call *call, const hint *h) {
  shape_strbuf text;
  strbuf_init(&text, call->arena);
  for (uint32_t k = 0; k < h->count; k++) {
    for (uint32_t i = 0; i < h->groups[k].count; i++) {
      if (i || k) strbuf_puts(&text, "\n\n");
      lsp_describe_value(call, h->groups[k].first + i, &text);
    }
  }
  json_key(call->w, "tooltip");
  lsp_put_markup(call->server, call->w, &text);
}

static void put_type_edits(lsp_call *call, const hint *h) {
  text_edits edits = {.arena = call->arena};
  for (uint32_t k = 0; k < h->count; k++) {
    if (!lsp_edit_types(call, h->groups[k].first, h->groups[k].count, &edits)) return;
  }
  if (!edits.count) return;
  json_key(call->w, "textEdits");
  lsp_put_edits(call, call->w, &edits);
}

static hint_group group_at(const lsp_model *m, uint32_t i) {
  hint_group g = {m->index.definitions[i].at, m->index.definitions[i].value, 1};
  while (i + g.count < m->index.definition_count && m->index.definitions[i + g.count].at == g.at)
    g.count++;
  return g;
}

static uint32_t end_of_name(lsp_call *call, hint_group g) {
  const source_text *source = &call->model->graph->source;
  uint32_t end = lsp_name_span(call->model, g.at).end;
  // `%0:2`: after the number of results.
  while (g.count > 1 && end < source->length && source->text[end] != ' ' &&
         source->text[end] != '=' && source->text[end] != ',') {
    end++;
  }
  return end;
}

static void put_group_text(lsp_call *call, hint_group g, bool named, shape_strbuf *out) {
  if (named) {
    source_span name = lsp_name_span(call->model, g.at);
    strbuf_add(out, call->model->graph->source.text + name.begin, name.end - name.begin);
    strbuf_putc(out, ' ');
  }
  for (uint32_t i = 0; i < g.count; i++) {
    if (i) strbuf_puts(out, ", ");
    put_label_text(call, lsp_model_shape(call->model, g.first + i), out);
  }
}

// whole: with what clients ask for when the user hovers over the hint.
static void put_hint(lsp_call *call, const hint *h, bool whole) {
  json_writer *w = call->w;
  shape_strbuf text;
  strbuf_init(&text, call->arena);
  for (uint32_t i = 0; i < h->count; i++) {
    if (i) strbuf_puts(&text, ", ");
    put_group_text(call, h->groups[i], h->count > 1, &text);
  }
  json_begin_object(w);
  json_key(w, "position");
  lsp_put_position(call->server, call->document, w, end_of_name(call, h->groups[h->count - 1]));
  put_label(call, (report_text){text.data, text.length}, whole);
  json_key(w, "kind");
  json_int(w, 1);  // a type
  json_put_bool(w, "paddingLeft", true);
  if (whole) {
    put_tooltip(call, h);
    put_type_edits(call, h);
  }
  put_data(call, h->groups[0]);
  json_end_object(w);
}

// The hint that begins with definition *next, which becomes the next one after it; no groups: none is wanted.
static void hint_from(lsp_call *call, uint32_t *next, hint *h) {
  lsp_model *m = call->model;
  bool shared = informs_alone(call->server);
  uint32_t line = UINT32_MAX;
  h->count = 0;
  while (*next < m->index.definition_count && h->count < SHARED_MAX) {
    hint_group g = group_at(m, *next);
    uint32_t here = lsp_position_of(&call->document->text.lines, call->document->text.data,
                                    call->document->text.length, call->server->encoding, g.at)
                        .line;
    if (line != UINT32_MAX && (!shared || here != line)) return;
    line = here;
    if (is_wanted_group(call, g)) h->groups[h->count++] = g;
    *next += g.count;
  }
}

bool lsp_inlay_hint(lsp_call *call) {
  lsp_model *m = call->model;
  source_span range;
  if (!lsp_range_read(call, lsp_member(call->params, "range"), &range)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.range is not a range");
  }
  lsp_model_index_definitions(m);
  json_begin_array(call->w);
  uint32_t begin = range.begin;
  // A hint is that of its whole line.
  while (begin && call->document->text.data[begin - 1] != '\n') begin--;
  uint32_t i = lsp_model_first_name(m->index.definitions, m->index.definition_count, begin);
  bool off = strcmp(call->server->settings.hints.text, "off") == 0;
  hint *h = arena_alloc(call->arena, sizeof *h);
  while (!off && i < m->index.definition_count && m->index.definitions[i].at <= range.end) {
    hint_from(call, &i, h);
    uint32_t at = h->count ? end_of_name(call, h->groups[h->count - 1]) : 0;
    if (h->count && at >= range.begin && at <= range.end) put_hint(call, h, false);
  }
  json_end_array(call->w);
  return true;
}

bool lsp_inlay_hint_resolve(lsp_call *call) {
  lsp_model *m = call->model;
  const cJSON *at = lsp_member_at(call->params, "data.at");
  if (!cJSON_IsNumber(at) || at->valuedouble < 0) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.data is none of this server's");
  }
  lsp_model_index_definitions(m);
  uint32_t offset = (uint32_t)at->valuedouble;
  uint32_t i = lsp_model_first_name(m->index.definitions, m->index.definition_count, offset);
  if (i >= m->index.definition_count || m->index.definitions[i].at != offset) {
    return lsp_fail(call, LSP_CONTENT_MODIFIED, "the text has changed");
  }
  hint *h = arena_alloc(call->arena, sizeof *h);
  hint_from(call, &i, h);
  if (!h->count) return lsp_fail(call, LSP_CONTENT_MODIFIED, "the settings have changed");
  put_hint(call, h, true);
  return true;
}
