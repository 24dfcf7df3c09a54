// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

#include "solver/report/render.h"

#include "solver/base/utf8.h"

enum { WIDTH = 80, INDENT = 2 };

static const char *severity_colour(diag_severity severity) {
  switch (severity) {
  case DIAG_ERROR: return "\033[1;31m";
  case DIAG_WARNING: return "\033[1;35m";
  default: return "\033[1;36m";
  }
}

static void coloured(shape_strbuf *out, bool colour, const char *code, const char *text) {
  if (colour) strbuf_puts(out, code);
  strbuf_puts(out, text);
  if (colour) strbuf_puts(out, "\033[0m");
}

// Text of the source or about it may hold anything; a terminal must not obey it.
void render_safe(shape_strbuf *out, const char *text, size_t length) {
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  while (at < end) {
    uint32_t n = utf8_sequence(at, (size_t)(end - at));
    if (n && !utf8_is_control(at, n)) {
      strbuf_add(out, (const char *)at, n);
    } else {
      strbuf_putc(out, *at == '\t' ? ' ' : '?');
    }
    at += n ? n : 1;
  }
}

static void put_location(const shape_report *r, shape_strbuf *out, source_span span,
                         const render_options *options) {
  render_safe(out, options->name, strlen(options->name));
  if (!span_is_none(span) && graph_is_text(r->graph)) {
    source_position at = graph_position(r->graph, span);
    strbuf_printf(out, ":%u:%u", at.line, at.column);
  }
  strbuf_puts(out, ": ");
}

// Whether showing the bytes helps anybody: a line of text, not a blank one and not part of a binary file.
static bool is_readable(const char *text, size_t length) {
  bool blank = true;
  for (size_t i = 0; i < length;) {
    unsigned char c = (unsigned char)text[i];
    uint32_t n = utf8_sequence((const unsigned char *)text + i, length - i);
    if (!n || (c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) return false;
    blank = blank && (c == ' ' || c == '\t' || c == '\r');
    i += n;
  }
  return !blank;
}

// The next location, from one within a line on, where a character begins.
static uint32_t at_character(const char *text, uint32_t from, uint32_t end) {
  while (from < end && ((unsigned char)text[from] & 0xc0) == 0x80) from++;
  return from;
}

// How many columns [from, to) takes: one for each character.
static uint32_t columns(const char *text, uint32_t from, uint32_t to) {
  assert(from <= to);
  uint32_t count = 0;
  for (uint32_t i = from; i < to; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
  return count;
}

// The line of the source where the span begins, and carets below it. Of a long line, what is around the location.
void render_source(const shape_report *r, shape_strbuf *out, source_span span,
                   const render_options *options) {
  const source_text *source = &r->graph->source;
  if (span_is_none(span) || !graph_is_text(r->graph) || !source->length) return;
  source_position at = graph_position(r->graph, span);
  uint32_t begin = source->line_starts[at.line - 1], end = begin;
  while (end < source->length && source->text[end] != '\n') end++;
  uint32_t column = at.column - 1, from = begin, room = WIDTH - INDENT;
  if (end - begin > room && column > room / 2) from = begin + column - room / 2;
  from = at_character(source->text, from, end);
  uint32_t to = end - from > room ? from + room : end;
  while (to > from && to < end && ((unsigned char)source->text[to] & 0xc0) == 0x80) to--;
  if (to <= from || !is_readable(source->text + from, to - from)) return;
  strbuf_printf(out, "%*s", INDENT, "");
  render_safe(out, source->text + from, to - from);
  // A location within a character is that of the next one.
  uint32_t position = begin + column > from ? begin + column : from;
  uint32_t stop = span.end < to ? span.end : to;
  uint32_t caret = columns(source->text, from, position);
  uint32_t length = stop > position ? columns(source->text, position, stop) : 1;
  strbuf_printf(out, "\n%*s", (int)(INDENT + caret), "");
  if (options->colour) strbuf_puts(out, "\033[1;32m");
  strbuf_putc(out, '^');
  for (uint32_t i = 1; i < length; i++) strbuf_putc(out, '~');
  if (options->colour) strbuf_puts(out, "\033[0m");
  strbuf_putc(out, '\n');
}

// "  from model.py:12:7", where the source says where it comes from.
static void put_origins(const shape_report *r, shape_strbuf *out, const diag *d) {
  const report_locations all = report_locations_of(r, d);
  for (uint32_t i = 0; i < all.count; i++) {
    const report_location *at = &all.items[i];
    strbuf_puts(out, i ? ", " : "  from ");
    render_safe(out, at->text.text, at->text.length);
    if (at->line) strbuf_printf(out, ":%u:%u", at->line, at->column);
  }
  if (all.count) strbuf_putc(out, '\n');
}

void render_diag(const shape_report *r, shape_strbuf *out, const diag *d,
                 const render_options *options) {
  put_location(r, out, d->span, options);
  coloured(out, options->colour, severity_colour(d->severity), diag_severity_name(d->severity));
  strbuf_puts(out, ": ");
  render_safe(out, d->message, strlen(d->message));
  strbuf_printf(out, " [%s]\n", d->code);
  put_origins(r, out, d);
  render_source(r, out, d->span, options);
  for (uint32_t i = 0; i < d->related_count; i++) {
    put_location(r, out, d->related[i].span, options);
    coloured(out, options->colour, severity_colour(DIAG_NOTE), "note");
    strbuf_puts(out, ": ");
    render_safe(out, d->related[i].message, strlen(d->related[i].message));
    strbuf_putc(out, '\n');
    render_source(r, out, d->related[i].span, options);
  }
}
