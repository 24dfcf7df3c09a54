// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/mlir/edit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *edit_line_end(const source_text *source) {
  const char *text = source->text, *newline = memchr(text ? text : "", '\n', source->length);
  return newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
}

static const char *with_line_ends(text_edits *edits, const source_text *source, const char *text,
                                  uint32_t *length) {
  if (!memchr(text, '\n', *length) || edit_line_end(source)[0] != '\r') return text;
  shape_strbuf out;
  strbuf_init(&out, edits->arena);
  for (uint32_t i = 0; i < *length; i++) {
    if (text[i] == '\n' && !(i && text[i - 1] == '\r')) strbuf_putc(&out, '\r');
    strbuf_putc(&out, text[i]);
  }
  *length = (uint32_t)out.length;
  return strbuf_text(&out);
}

void edits_add(text_edits *edits, const source_text *source, source_span span, const char *text,
               uint32_t length) {
  assert(span.begin <= span.end && span.end <= source->length);
  if (length) text = with_line_ends(edits, source, text, &length);
  if (span.end - span.begin == length && memcmp(source->text + span.begin, text, length) == 0) {
    return;
  }
  edits->items = arena_grow(edits->arena, edits->items, edits->count, (size_t)edits->count + 1,
                            &edits->capacity, sizeof *edits->items);
  edits->items[edits->count] = (text_edit){span, text, length, edits->count};
  edits->count++;
}

// Insertions at one location stay in the order in which they were made.
static int by_position(const void *a, const void *b) {
  const text_edit *p = a, *q = b;
  source_span x = p->span, y = q->span;
  if (x.begin != y.begin) return x.begin < y.begin ? -1 : 1;
  if (x.end != y.end) return x.end > y.end ? -1 : 1;
  return p->order < q->order ? -1 : p->order > q->order;
}

void edits_apply_part(text_edits *edits, const source_text *source, source_span part,
                      shape_strbuf *out) {
  if (edits->count) qsort(edits->items, edits->count, sizeof *edits->items, by_position);
  uint32_t at = part.begin;
  for (uint32_t i = 0; i < edits->count; i++) {
    const text_edit *edit = &edits->items[i];
    if (edit->span.begin < at || edit->span.end > part.end) continue;
    strbuf_add(out, source->text + at, edit->span.begin - at);
    strbuf_add(out, edit->text, edit->length);
    at = edit->span.end;
  }
  strbuf_add(out, source->text + at, part.end - at);
}

uint32_t edits_source(const text_edits *edits, uint32_t at) {
  uint32_t from = 0, out = 0;  // how much of the source is written, and of the result
  for (uint32_t i = 0; i < edits->count; i++) {
    const text_edit *edit = &edits->items[i];
    if (edit->span.begin < from) continue;
    uint32_t kept = edit->span.begin - from;
    if (at < out + kept) break;
    out += kept;
    if (at < out + edit->length) return edit->span.begin;
    out += edit->length;
    from = edit->span.end;
  }
  return from + (at - out);
}

void edits_apply(text_edits *edits, const source_text *source, shape_strbuf *out) {
  edits_apply_part(edits, source, (source_span){0, source->length}, out);
}

static bool is_suffix(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '-';
}

source_span edit_value_span(const source_text *source, uint32_t at) {
  assert(at < source->length);
  uint32_t end = at + 1;
  while (end < source->length && is_suffix(source->text[end])) end++;
  if (end + 1 < source->length && source->text[end] == '#' && source->text[end + 1] >= '0' &&
      source->text[end + 1] <= '9') {
    for (end++; end < source->length && source->text[end] >= '0' && source->text[end] <= '9';)
      end++;
  }
  return (source_span){at, end};
}

source_span edit_symbol_span(const source_text *source, uint32_t at) {
  assert(at < source->length);
  uint32_t end = at + 1;
  if (end < source->length && source->text[end] == '"') {
    for (end++; end < source->length && source->text[end] != '"'; end++) {
      end += source->text[end] == '\\';
    }
    return (source_span){at, end < source->length ? end + 1 : source->length};
  }
  while (end < source->length && is_suffix(source->text[end])) end++;
  return (source_span){at, end};
}

static bool is_word(const char *name) {
  for (const char *c = name; *c; c++) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
    bool other = (*c >= '0' && *c <= '9') || *c == '.' || *c == '$' || *c == '-';
    if (!letter && !(other && c > name)) return false;
  }
  return *name != 0;
}

void mlir_put_symbol(shape_strbuf *out, const char *name) {
  if (is_word(name)) {
    strbuf_puts(out, name);
    return;
  }
  strbuf_putc(out, '"');
  for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
    if (*c == '"' || *c == '\\' || *c < 0x20 || *c == 0x7f) {
      strbuf_printf(out, "\\%02X", *c);
    } else {
      strbuf_putc(out, (char)*c);
    }
  }
  strbuf_putc(out, '"');
}

static bool put_type_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  const shape_graph *g = data;
  bool known = symbol < g->declared.symbol_count;
  if (known && g->declared.symbols[symbol].in_attribute) return false;
  if (!out) return true;
  strbuf_putc(out, '@');
  if (known && g->declared.symbols[symbol].name != NAME_NONE) {
    mlir_put_symbol(out, intern_text(&g->names, g->declared.symbols[symbol].name));
  }
  return true;
}

void mlir_put_type(shape_strbuf *out, const shape_graph *g, type_id type) {
  type_print_encoded(&g->types, out, type, put_type_symbol, (void *)g);
}
