// SPDX-License-Identifier: Apache-2.0
// Names: references, highlight, definition, rename. What a name means is asked of the index of the text alone.
#include <string.h>

#include "clients/lsp/call.h"

static source_span span_of(const syn_index *x, uint32_t name) {
  return (source_span){x->names[name].begin, x->names[name].end};
}

// The name that holds the byte, where the text defines it; else SYN_NONE.
static uint32_t defined_name_at(const syn_index *x, uint32_t offset) {
  uint32_t name = syn_name_at(x, offset);
  return name != SYN_NONE && x->names[name].target != SYN_NONE ? name : SYN_NONE;
}

// At params.position; false after failing the call.
bool lsp_read_name(lsp_call *call, uint32_t *name) {
  uint32_t offset;
  if (!lsp_offset_read(call, &offset)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.position is not a position");
  }
  *name = defined_name_at(call->syntax, offset);
  return true;
}

source_span lsp_definition_span(const syn_index *x, uint32_t name) {
  return span_of(x, x->names[name].target);
}

bool lsp_references(lsp_call *call) {
  const syn_index *x = call->syntax;
  const cJSON *declaration = lsp_member_at(call->params, "context.includeDeclaration");
  uint32_t name;
  if (!lsp_read_name(call, &name)) return false;
  if (name == SYN_NONE) {
    json_null(call->w);
    return true;
  }
  json_begin_array(call->w);
  for (uint32_t i = x->names[name].target; i != SYN_NONE; i = x->names[i].next) {
    if (!syn_same(x, name, i) || (x->names[i].defines && !cJSON_IsTrue(declaration))) continue;
    lsp_put_location(call->server, call->document, call->w, span_of(x, i));
  }
  json_end_array(call->w);
  return true;
}

void lsp_highlight_name(lsp_call *call, uint32_t name) {
  enum { READ = 2, WRITE = 3 };
  const syn_index *x = call->syntax;
  for (uint32_t i = x->names[name].target; i != SYN_NONE; i = x->names[i].next) {
    if (!syn_same(x, name, i)) continue;
    json_begin_object(call->w);
    json_key(call->w, "range");
    lsp_put_range(call->server, call->document, call->w, span_of(x, i));
    json_put_int(call->w, "kind", x->names[i].defines ? WRITE : READ);
    json_end_object(call->w);
  }
}

// --- the alias that a type is written with

static bool is_value(const lsp_model *m, const lsp_name_location *at, uint32_t number,
                     value_id *out) {
  if (number == SYN_NONE) number = 0;
  for (; at < m->index.names + m->index.name_count; at++) {
    *out = at->value;
    if (!number--) return true;
    if (at + 1 == m->index.names + m->index.name_count || at[1].at != at->at) break;
  }
  return false;
}

static bool is_alias(const syn_index *x, uint32_t name) {
  return x->names[name].kind == SYN_TYPE || x->names[name].kind == SYN_ATTR;
}

// The definition of the alias that begins there; SYN_NONE: none does.
static uint32_t alias_at(const syn_index *x, source_span type) {
  uint32_t name = defined_name_at(x, type.begin);
  if (name == SYN_NONE || x->names[name].begin != type.begin || x->names[name].kind != SYN_TYPE)
    return SYN_NONE;
  return x->names[name].target;
}

bool lsp_type_definition(lsp_call *call) {
  const syn_index *x = call->syntax;
  lsp_model *m = call->model;
  uint32_t name, alias = SYN_NONE;
  value_id value;
  if (!lsp_read_name(call, &name)) return false;
  if (name != SYN_NONE && is_alias(x, name)) alias = x->names[name].target;
  if (name != SYN_NONE && x->names[name].kind == SYN_VALUE) {
    const lsp_name_location *at = lsp_model_name_at(m, x->names[x->names[name].target].begin);
    uint32_t number = x->names[name].defines ? 0 : x->names[name].number;
    bool known =
        at && at->at == x->names[x->names[name].target].begin && is_value(m, at, number, &value);
    for (uint32_t i = 0; known && alias == SYN_NONE && i < m->index.type_count; i++) {
      if (m->index.types[i].value == value) alias = alias_at(x, m->index.types[i].span);
    }
  }
  if (alias == SYN_NONE) {
    json_null(call->w);
  } else {
    lsp_put_location(call->server, call->document, call->w, span_of(x, alias));
  }
  return true;
}

// --- rename

bool lsp_prepare_rename(lsp_call *call) {
  const syn_index *x = call->syntax;
  uint32_t name;
  if (!lsp_read_name(call, &name)) return false;
  if (name == SYN_NONE) {
    json_null(call->w);
    return true;
  }
  source_span span = span_of(x, name);
  json_begin_object(call->w);
  json_key(call->w, "range");
  lsp_put_range(call->server, call->document, call->w, span);
  lsp_put_text(call->w, "placeholder", (report_text){x->text + span.begin, span.end - span.begin});
  json_end_object(call->w);
  return true;
}

static bool refuse(lsp_call *call, const char *why, const char *to, uint32_t at) {
  shape_strbuf text;
  strbuf_init(&text, call->arena);
  strbuf_printf(&text, "%s: %s", why, to);
  if (at != SYN_NONE) {
    lsp_position p = lsp_position_of(&call->document->text.lines, call->document->text.data,
                                     call->document->text.length, call->server->encoding,
                                     call->syntax->names[at].begin);
    strbuf_printf(&text, ", in line %u", p.line + 1);
  }
  return lsp_fail(call, LSP_REQUEST_FAILED, strbuf_text(&text));
}

bool lsp_rename(lsp_call *call) {
  const syn_index *x = call->syntax;
  const char *to = lsp_text_member(call->params, "newName");
  uint32_t name, at;
  if (!to) return lsp_fail(call, LSP_INVALID_PARAMS, "params.newName is not text");
  if (!lsp_read_name(call, &name)) return false;
  if (name == SYN_NONE)
    return lsp_fail(call, LSP_REQUEST_FAILED, "there is no name here that the text defines");
  const char *why = syn_rename_conflict(x, name, to, (uint32_t)strlen(to), &at);
  if (why) return refuse(call, why, to, at);
  text_edits edits = {.arena = call->arena};
  source_text source = {.text = x->text, .length = x->length};
  const char *suffix = strchr("%@^!#", *to) ? to + 1 : to;
  for (uint32_t i = x->names[name].target; i != SYN_NONE; i = x->names[i].next) {
    source_span span = span_of(x, i);
    bool quoted = !strchr("%@^!#", x->text[span.begin]);  // sym_name = "f"
    shape_strbuf text;
    strbuf_init(&text, call->arena);
    if (!quoted) strbuf_putc(&text, x->text[span.begin]);
    strbuf_puts(&text, suffix);
    edits_add(&edits, &source, span, strbuf_text(&text), text.length);
  }
  lsp_put_workspace_edit(call, call->w, &edits);
  return true;
}
