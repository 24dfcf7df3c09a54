// SPDX-License-Identifier: Apache-2.0
// Functions in generic form, and a whole source with all its operations in generic form.
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/write.h"

// arg_attrs and res_attrs: a dictionary each, empty ones included; nothing where none has any.
static void write_attr_list(mlir_writer *w, const char *name, const attr_id *attrs,
                            uint32_t count) {
  bool any = false;
  for (uint32_t i = 0; attrs && i < count; i++) any |= attrs[i] != ATTR_NONE;
  if (!any) return;
  strbuf_printf(w->out, ", %s = [", name);
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    if (attrs[i] == ATTR_NONE) {
      strbuf_puts(w->out, "{}");
    } else {
      mlir_write_attr(w, ID_NONE, NAME_NONE, attrs[i]);
    }
  }
  strbuf_putc(w->out, ']');
}

// What the source says of who may call a function: `func.func public @f`; NULL: nothing.
static const char *visibility_of(const shape_graph *g, const graph_func *f) {
  static const char *const WORDS[] = {"public", "nested"};
  uint32_t begin = f->span.begin, end = f->name_span.begin;
  if (f->is_private) return "private";
  for (int i = 0; i < 2 && end > begin && end <= g->source.length; i++) {
    uint32_t length = (uint32_t)strlen(WORDS[i]), at = end;
    while (at > begin &&
           ((unsigned char)g->source.text[at - 1] <= ' ' || g->source.text[at - 1] == '@'))
      at--;
    if (at - begin > length && memcmp(g->source.text + at - length, WORDS[i], length) == 0)
      return WORDS[i];
  }
  return NULL;
}

static void write_function_attrs(mlir_writer *w, const graph_func *f, const graph_type *type) {
  const shape_graph *g = w->graph;
  strbuf_puts(w->out, "sym_name = ");
  mlir_write_quoted(w, intern_text(&g->names, f->name), intern_length(&g->names, f->name));
  strbuf_puts(w->out, ", function_type = ");
  strbuf_putc(w->out, '(');
  for (uint32_t i = 0; i < type->param_count; i++) {
    if (i == type->split) strbuf_puts(w->out, ") -> (");
    if (i && i != type->split) strbuf_puts(w->out, ", ");
    mlir_write_type(w, type->params[i]);
  }
  strbuf_puts(w->out, type->split == type->param_count ? ") -> ()" : ")");
  const char *visibility = visibility_of(g, f);
  if (visibility) strbuf_printf(w->out, ", sym_visibility = \"%s\"", visibility);
  write_attr_list(w, "arg_attrs", f->argument_attrs, type->split);
  write_attr_list(w, "res_attrs", f->result_attrs, type->param_count - type->split);
  for (uint32_t i = 0; i < f->attr_count; i++) {
    strbuf_puts(w->out, ", ");
    mlir_write_entry(w, ID_NONE, g->attributes.entries[f->attrs + i]);
  }
}

static void mlir_write_function(mlir_writer *w, func_id func, type_id type, uint32_t indent) {
  assert(func < w->graph->func_count);
  const shape_graph *g = w->graph;
  const graph_func *f = &g->funcs[func];
  const graph_type was = *type_get(&g->types, type);
  strbuf_puts(w->out, "\"func.func\"() (");
  if (f->body == ID_NONE) {
    strbuf_puts(w->out, "{}");
  } else {
    mlir_write_region(w, f->body, true, indent);
  }
  strbuf_puts(w->out, ") {");
  write_function_attrs(w, f, &was);
  strbuf_puts(w->out, "} : () -> ()");
  mlir_write_location(w, f->span);
}

// --- the source around the functions

static const char *kept(mlir_writer *w, const shape_strbuf *text) {
  return arena_strndup(w->graph->arena, text->data, text->length);
}

static void replace(mlir_writer *w, text_edits *edits, source_span span, const shape_strbuf *text) {
  edits_add(edits, &w->graph->source, span, kept(w, text), text->length);
}

static bool is_empty(const char *at, const char *end) {
  while (at < end) {
    if ((unsigned char)*at <= ' ') {
      at++;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      while (at < end && *at != '\n') at++;
    } else {
      return false;
    }
  }
  return true;
}

// `module @name attributes {...} {` ... `}`: the attributes follow the region.
static void edit_module(mlir_writer *w, text_edits *edits, const mlir_module_use *m) {
  const char *source = w->graph->source.text;
  if (m->generic || !m->close) return;
  shape_strbuf text;
  strbuf_init(&text, w->graph->arena);
  strbuf_puts(&text, "\"builtin.module\"() ({");
  if (is_empty(source + m->head.end, source + m->close)) strbuf_puts(&text, "\n^bb0:\n");
  replace(w, edits, m->head, &text);
  text.length = 0;
  strbuf_puts(&text, "})");
  bool attrs = m->attrs.begin < m->attrs.end,
       name = m->name.begin < m->name.end && source[m->name.begin] == '@';
  if (attrs || name) strbuf_puts(&text, " {");
  if (name) {
    bool quoted = source[m->name.begin + 1] == '"';
    uint32_t length = m->name.end - m->name.begin - 1;
    while (length && (unsigned char)source[m->name.begin + length] <= ' ') length--;
    strbuf_printf(&text, quoted ? "sym_name = %.*s" : "sym_name = \"%.*s\"", (int)length,
                  source + m->name.begin + 1);
  }
  if (attrs) {
    const char *from = source + m->attrs.begin + 1, *to = source + m->attrs.end;
    while (to > from && *to != '}') to--;
    while (from < to && (unsigned char)*from <= ' ') from++;
    if (name && from < to) strbuf_puts(&text, ", ");
    strbuf_add(&text, from, (size_t)(to - from));
  }
  if (attrs || name) strbuf_putc(&text, '}');
  strbuf_puts(&text, " : () -> ()");
  replace(w, edits, (source_span){m->close, m->close + 1}, &text);
}

// How far a line is indented, in steps of two.
static uint32_t indent_at(const shape_graph *g, uint32_t at) {
  assert(at <= g->source.length);
  uint32_t from = at;
  while (from && g->source.text[from - 1] == ' ') from--;
  return from == 0 || g->source.text[from - 1] == '\n' ? (at - from) / 2 : 0;
}

void mlir_write_program(mlir_writer *w, const type_id *function_types) {
  shape_graph *g = w->graph;
  shape_strbuf *out = w->out, text;
  text_edits edits = {.arena = g->arena};
  for (uint32_t i = 0; i < w->uses->module_count; i++) edit_module(w, &edits, &w->uses->modules[i]);
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    strbuf_init(&text, g->arena);
    w->out = &text;
    if (func->name != NAME_NONE) {
      mlir_write_function(w, f, function_types[f], indent_at(g, func->span.begin));
      replace(w, &edits, func->span, &text);
      continue;
    }
    // Operations of the module itself.
    block_id block = g->regions[func->body].first_block;
    for (op_id op = g->blocks[block].first; op != ID_NONE; op = g->ops[op].next) {
      text.length = 0;
      mlir_write_op(w, op, indent_at(g, g->ops[op].span.begin));
      replace(w, &edits, g->ops[op].span, &text);
    }
  }
  w->out = out;
  edits_apply(&edits, &g->source, out);
}
