// SPDX-License-Identifier: Apache-2.0
// Edits that change the program: what `shape refine` writes, as edits of the text that is open.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/call.h"
#include "solver/shape.h"

bool lsp_is_ready(lsp_call *call) {
  const lsp_model *m = call->model;
  if (!m->complete) return lsp_fail(call, LSP_REQUEST_FAILED, "the text has syntax errors");
  for (uint32_t i = 0; i < m->diag_count; i++) {
    if (m->diags[i].severity == DIAG_ERROR)
      return lsp_fail(call, LSP_REQUEST_FAILED, "the program has errors");
  }
  return true;
}

// Where a daemon answers, the program is analysed here for what its answer does not hold.
static bool has_report(lsp_call *call) {
  return lsp_model_report(call->model) ||
         lsp_fail(call, LSP_REQUEST_FAILED, "the program cannot be analysed");
}

bool lsp_edit_types(lsp_call *call, value_id first, uint32_t count, text_edits *edits) {
  lsp_model *m = call->model;
  if (!lsp_is_ready(call) || !has_report(call)) return false;
  if (!m->refined) m->refined = refine_types(m->own, &m->uses);
  refined_types types = *m->refined;
  if (first != VALUE_NONE) {
    types.types = arena_alloc(call->arena, ((size_t)types.node_count + 1) * sizeof *types.types);
    for (uint32_t i = 0; i < types.node_count; i++) types.types[i] = TYPE_NONE;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t root = refined_class(m->refined, first + i);
      types.types[root] = m->refined->types[root];
    }
  }
  refine_edits(&types, &m->uses, edits);
  return true;
}

// --- a whole text as edits of the old one

typedef struct line {
  const char *text;
  uint32_t length;  // with its end
} line;

static line *lines_of(shape_arena *arena, const char *text, uint32_t length, uint32_t *count) {
  uint32_t n = 1, i = 0;
  for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + length - at))); at++) n++;
  line *list = arena_alloc(arena, n * sizeof *list);
  const char *at = text, *end = text + length;
  for (; i < n; i++) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *next = newline ? newline + 1 : end;
    list[i] = (line){at, (uint32_t)(next - at)};
    at = next;
  }
  *count = n;
  return list;
}

static bool same_line(line a, line b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// The lines between those that begin and end both texts; line by line where there are as many of them.
static void edits_between(lsp_call *call, const char *text, uint32_t length, text_edits *edits) {
  const source_text *source = &call->model->graph->source;
  uint32_t old_count, new_count, head = 0, tail = 0;
  const line *was = lines_of(call->arena, source->text, source->length, &old_count);
  const line *now = lines_of(call->arena, text, length, &new_count);
  uint32_t least = old_count < new_count ? old_count : new_count;
  while (head < least && same_line(was[head], now[head])) head++;
  while (tail < least - head && same_line(was[old_count - 1 - tail], now[new_count - 1 - tail]))
    tail++;
  if (head == old_count && head == new_count) return;
  if (old_count == new_count) {
    for (uint32_t i = head; i < old_count - tail; i++) {
      uint32_t from = (uint32_t)(was[i].text - source->text);
      edits_add(edits, source, (source_span){from, from + was[i].length}, now[i].text,
                now[i].length);
    }
    return;
  }
  const char *old_end = source->text + source->length, *new_end = text + length;
  uint32_t from = (uint32_t)((head < old_count ? was[head].text : old_end) - source->text);
  uint32_t to = (uint32_t)((tail ? was[old_count - tail].text : old_end) - source->text);
  const char *new_from = head < new_count ? now[head].text : new_end;
  const char *new_to = tail ? now[new_count - tail].text : new_end;
  edits_add(edits, source, (source_span){from, to}, new_from, (uint32_t)(new_to - new_from));
}

// --- what a new analysis writes

// What is written, and how that ended. The API owns memory while it writes, so an arena that is full must not be left
// from there.
typedef struct writing {
  shape_strbuf *out;
  const char *data;
  size_t length;
  bool full;
  shape_status status;
  uint32_t errors;
  char message[sizeof(((shape_error *)0)->message)];
} writing;

static void append(void *data) {
  const writing *w = data;
  strbuf_add(w->out, w->data, w->length);
}

static void take(void *to, const char *data, size_t length) {
  writing *w = to;
  w->data = data;
  w->length = length;
  if (!w->full) w->full = arena_protect(w->out->arena, append, w) != SHAPE_OK;
}

static void write_text(writing *w, const lsp_document *d, const shape_limits *limits,
                       const shape_options *options, const lsp_format *format) {
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  o.errors = &w->errors;
  o.symbols = format->symbols;
  o.symbol_count = format->symbol_count;
  o.line = format->line;
  o.column = format->column;
  w->status = SHAPE_MEMORY;
  shape_program *p = shape_program_new(limits);
  if (p) (void)shape_program_load(p, d->text.data, d->text.length, "text");
  shape_analysis *a = p ? shape_program_analyze(p, options) : NULL;
  if (a) {
    w->status = shape_analysis_emit_with(a, format->name, &o, take, w);
    const char *why = w->status == SHAPE_OK ? "" : shape_analysis_error(a)->message;
    snprintf(w->message, sizeof w->message, "%s", why);
  }
  shape_analysis_free(a);
  shape_program_free(p);
}

bool lsp_written(lsp_call *call, const lsp_format *format, shape_strbuf *out) {
  const lsp_settings *s = &call->server->settings;
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  shape_options options = SHAPE_STRUCT(shape_options);
  limits.stop = (const int *)call->server->host.stop;
  limits.steps = s->steps;
  options.entry = *s->entry.text ? s->entry.text : NULL;
  options.assumptions = (const char *const *)s->assume.items;
  options.assumption_count = s->assume.count;
  options.binding_texts = format->bindings;
  options.binding_text_count = format->binding_count;
  options.keep_spans = true;
  options.assume_suggested = format->suggested;
  writing w = {.out = out};
  strbuf_init(out, call->arena);
  write_text(&w, call->document, &limits, &options, format);
  if (w.full) arena_fail(call->arena, SHAPE_MEMORY);
  if (w.status == SHAPE_CANCELLED || w.status == SHAPE_DEADLINE) arena_fail(call->arena, w.status);
  if (w.status != SHAPE_OK || w.errors) {
    const char *why = *w.message ? w.message : out->length ? strbuf_text(out) : "errors";
    return lsp_fail(call, LSP_REQUEST_FAILED, arena_strndup(call->arena, why, strlen(why)));
  }
  return true;
}

bool lsp_edit_guards(lsp_call *call, bool suggested, text_edits *edits) {
  const lsp_format format = {.name = "guards-mlir", .suggested = suggested};
  shape_strbuf text;
  if (!lsp_is_ready(call) || !lsp_written(call, &format, &text)) return false;
  edits_between(call, text.data, text.length, edits);
  return true;
}

bool lsp_edit_guard(lsp_call *call, uint32_t at, text_edits *edits) {
  lsp_text *text = &call->document->text;
  lsp_position position = lsp_position_of(&text->lines, text->data, text->length, LSP_UTF8, at);
  const lsp_format format = {
      .name = "guards-mlir", .line = position.line + 1, .column = position.character + 1};
  shape_strbuf out;
  if (!lsp_is_ready(call) || !lsp_written(call, &format, &out)) return false;
  edits_between(call, out.data, out.length, edits);
  return true;
}

bool lsp_edit_specialise(lsp_call *call, const char *const *bindings, uint32_t count,
                         text_edits *edits) {
  const lsp_format format = {.name = "mlir", .bindings = bindings, .binding_count = count};
  shape_strbuf text;
  if (!lsp_is_ready(call) || !lsp_written(call, &format, &text)) return false;
  edits_between(call, text.data, text.length, edits);
  return true;
}
