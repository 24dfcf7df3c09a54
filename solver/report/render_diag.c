// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

#include "solver/report/render.h"

#include "solver/base/utf8.h"
#include "solver/graph/argument_name.h"

enum { WIDTH = 80, INDENT = 2, SHOWN_ALIKE = 5 };

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
  if (!length) return;  // text may be NULL
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

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Reads digits; false where there are none, or too many.
static bool take_number(const char **at, uint32_t *out) {
  const char *from = *at;
  for (*out = 0; **at >= '0' && **at <= '9' && *at - from < 6; ++*at)
    *out = 10 * *out + (uint32_t)(**at - '0');
  return *at > from && !is_word(**at);
}

// Writes the name of dim `axis` of an argument of the entry; false where it has none.
static bool put_argument_dim(const shape_report *r, shape_strbuf *out, uint32_t argument,
                             uint32_t axis, bool symbols) {
  const report_function *f = r->function_count ? r->functions : NULL;
  if (!f || argument >= f->argument_count || !r->infer) return false;
  const report_shape *shape = &r->shapes[r->value_shapes[f->arguments + argument]];
  const report_symbol *known = NULL;
  if (symbols && shape->ranked && axis < shape->rank && shape->dims[axis] != TERM_NONE)
    known = report_symbol_of(r, shape->dims[axis]);
  if (known) {
    render_safe(out, known->name.text, known->name.length);
    return true;
  }
  uint32_t length = 0;
  const argument_list list = {NULL, f->arguments, f->argument_count};
  const char *name = argument_name_of(r->graph, list, argument, &length);
  if (!name) return false;
  render_safe(out, name, length);
  strbuf_printf(out, ".%u", axis);
  return true;
}

// The same of what it holds: n, or n[1].
static bool put_argument_value(const shape_report *r, shape_strbuf *out, uint32_t argument,
                               uint32_t element, bool whole) {
  const report_function *f = r->function_count ? r->functions : NULL;
  if (!f || argument >= f->argument_count || !f->argument_values) return false;
  const report_elements *v = &f->argument_values[argument];
  if (!v->items || element >= v->count || (whole && v->count != 1)) return false;
  uint32_t length = 0;
  const argument_list list = {NULL, f->arguments, f->argument_count};
  const char *name = argument_name_of(r->graph, list, argument, &length);
  if (!name) return false;
  render_safe(out, name, length);
  if (!whole) strbuf_printf(out, "[%u]", element);
  return true;
}

static void put_names(const shape_report *r, shape_strbuf *out, const char *message, bool symbols) {
  const char *done = message;
  for (const char *at = message; (at = strstr(at, "arg")); at++) {
    const char *end = at + 3;
    uint32_t argument, axis;
    bool word =
        at > message && (is_word(at[-1]) || at[-1] == '.' || at[-1] == '@' || at[-1] == '%');
    if (word || !take_number(&end, &argument)) continue;
    char after = *end;
    bool element = after == '[', whole = after != '.' && !element;
    const char *next = end + !whole;
    if (!whole && (!take_number(&next, &axis) || (element && *next++ != ']'))) continue;
    if (whole) axis = 0;
    render_safe(out, done, (size_t)(at - done));
    done = at;
    bool put = after == '.' ? put_argument_dim(r, out, argument, axis, symbols)
                            : put_argument_value(r, out, argument, axis, whole);
    if (put) done = next;
  }
  render_safe(out, done, strlen(done));
}

void report_message(const shape_report *r, shape_strbuf *out, const char *message) {
  put_names(r, out, message, true);
}

void render_dims(const shape_report *r, shape_strbuf *out, const char *text) {
  put_names(r, out, text, false);
}

void render_where(const shape_report *r, shape_strbuf *out, const report_because *why) {
  if (!span_is_none(why->span) && graph_is_text(r->graph)) {
    strbuf_printf(out, "line %u: ", graph_position(r->graph, why->span).line);
  } else if (why->node.length) {
    render_safe(out, why->node.text, why->node.length);
    strbuf_puts(out, ": ");
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
  if (!graph_text(r->graph)) return;
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
    if (at->line) strbuf_printf(out, ":%u", at->line);
    if (at->line && at->column) strbuf_printf(out, ":%u", at->column);
    if (at->function.length) strbuf_puts(out, ", in ");
    render_safe(out, at->function.text, at->function.length);
  }
  if (all.count) strbuf_putc(out, '\n');
}

void render_diag(const shape_report *r, shape_strbuf *out, const diag *d,
                 const render_options *options) {
  put_location(r, out, d->span, options);
  coloured(out, options->colour, severity_colour(d->severity), diag_severity_name(d->severity));
  strbuf_puts(out, ": ");
  report_message(r, out, d->message);
  strbuf_printf(out, " [%s]\n", d->code);
  put_origins(r, out, d);
  render_source(r, out, d->span, options);
  for (uint32_t i = 0; i < d->related_count; i++) {
    put_location(r, out, d->related[i].span, options);
    coloured(out, options->colour, severity_colour(DIAG_NOTE), "note");
    strbuf_puts(out, ": ");
    report_message(r, out, d->related[i].message);
    strbuf_putc(out, '\n');
    render_source(r, out, d->related[i].span, options);
  }
}

// --- diagnostics that say the same of several operations

// The message without the name of the node that it begins with: onnx.MatMul "/a/MatMul_1": what is left.
static report_text nameless(const char *message, report_text *node) {
  const char *quote = strchr(message, '"'), *space = strchr(message, ' ');
  *node = (report_text){NULL, 0};
  if (!quote || !space || quote != space + 1)
    return (report_text){message, (uint32_t)strlen(message)};
  const char *end = strstr(quote + 1, "\": ");
  if (!end) return (report_text){message, (uint32_t)strlen(message)};
  *node = (report_text){quote + 1, (uint32_t)(end - quote - 1)};
  return (report_text){end + 1, (uint32_t)strlen(end + 1)};
}

static bool alike(const diag *a, const diag *b) {
  assert(a != b);
  report_text in_a, in_b, x = nameless(a->message, &in_a), y = nameless(b->message, &in_b);
  return a->severity == b->severity && a->code == b->code && x.length == y.length &&
         memcmp(x.text, y.text, x.length) == 0 && !a->related_count && !b->related_count;
}

static void put_alike(const shape_report *r, shape_strbuf *out, const diag *const *of,
                      uint32_t count) {
  assert(count && count < r->diag_count);
  strbuf_printf(out, "  and %u more like it: ", count);
  for (uint32_t i = 0; i < count && i < SHOWN_ALIKE; i++) {
    report_text node;
    nameless(of[i]->message, &node);
    if (i) strbuf_puts(out, ", ");
    if (graph_is_text(r->graph)) {
      strbuf_printf(out, "line %u", graph_position(r->graph, of[i]->span).line);
    } else {
      render_safe(out, node.length ? node.text : "?", node.length ? node.length : 1);
    }
  }
  strbuf_puts(out, count > SHOWN_ALIKE ? ", ...\n" : "\n");
}

// There are at most a hundred.
void render_diags(const shape_report *r, shape_strbuf *out, const render_options *options) {
  const diag **more = arena_alloc(out->arena, (r->diag_count + 1) * sizeof *more);
  for (uint32_t i = 0; i < r->diag_count; i++) {
    uint32_t count = 0;
    bool shown = false;
    for (uint32_t k = 0; k < i && !shown; k++) shown = alike(r->diags[k], r->diags[i]);
    if (shown) continue;
    for (uint32_t k = i + 1; k < r->diag_count; k++) {
      if (alike(r->diags[i], r->diags[k])) more[count++] = r->diags[k];
    }
    render_diag(r, out, r->diags[i], options);
    if (count) put_alike(r, out, more, count);
  }
}
