// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/graph_text.h"

#include "solver/report/render.h"

#include <assert.h>

#include "solver/formats/json/utf8.h"

enum { LINE_HEIGHT = 17, PADDING_X = 22, PADDING_Y = 13, NARROWEST = 44 };

graph_char graph_next_char(report_text text, uint32_t at) {
  assert(at < text.length);
  const unsigned char *c = (const unsigned char *)text.text + at;
  uint32_t n = utf8_sequence(c, text.length - at);
  // U+FFFE and U+FFFF are no characters of XML either.
  bool none =
      n == 0 || *c < 0x20 || *c == 0x7f || (n == 3 && c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe);
  if (none) return (graph_char){"\xef\xbf\xbd", 3, n ? n : 1};
  return (graph_char){text.text + at, n, n};
}

static uint32_t count_chars(report_text text) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < text.length; count++) i += graph_next_char(text, i).length;
  return count;
}

// The first and last characters of a long line, with an ellipsis between them.
static report_text shorten(report_text text, shape_arena *arena) {
  enum { HEAD = CG_LABEL_MAX * 2 / 3, TAIL = CG_LABEL_MAX - HEAD - 1 };
  uint32_t count = count_chars(text), index = 0;
  if (count <= CG_LABEL_MAX) return text;
  shape_strbuf out;
  strbuf_init(&out, arena);
  for (uint32_t i = 0; i < text.length; index++) {
    uint32_t n = graph_next_char(text, i).length;
    if (index < HEAD || index >= count - TAIL) strbuf_add(&out, text.text + i, n);
    if (index == HEAD) strbuf_puts(&out, "\xe2\x80\xa6");
    i += n;
  }
  return (report_text){out.data, out.length};
}

static void measure(graph_box *box, shape_arena *arena) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < box->line_count; i++) {
    box->lines[i] = shorten(box->lines[i], arena);
    uint32_t count = count_chars(box->lines[i]);
    if (count > most) most = count;
  }
  box->width = (most * 783 + 99) / 100 + PADDING_X;  // 13 points * 0.602
  if (box->width < NARROWEST) box->width = NARROWEST;
  box->height = box->line_count * LINE_HEIGHT + PADDING_Y;
}

// ">= 8", "<= 512", "1..512, divisible by 8"; empty where it is what every size is.
static report_text range_text(const report_symbol *s, shape_arena *arena) {
  shape_strbuf out;
  strbuf_init(&out, arena);
  bool lo = s->range.has_lo && !(num_is_zero(s->range.lo)), hi = s->range.has_hi;
  if (!s->range.has_lo) strbuf_puts(&out, hi ? "" : "any integer");
  if (lo && !hi) strbuf_puts(&out, ">= ");
  if (hi && !lo) strbuf_puts(&out, "<= ");
  if (lo) num_print(&out, s->range.lo);
  if (lo && hi) strbuf_puts(&out, "..");
  if (hi) num_print(&out, s->range.hi);
  if (!num_is_one(s->divisible_by)) {
    strbuf_puts(&out, out.length ? ", divisible by " : "divisible by ");
    num_print(&out, s->divisible_by);
  }
  return (report_text){out.data, out.length};
}

void graph_symbol_box(const constraint_graph *g, uint32_t index, graph_box *out) {
  assert(index < g->symbol_count);
  shape_arena *arena = g->report->graph->arena;
  const report_symbol *s = g->symbols[index];
  *out = (graph_box){.lines = {s->name, range_text(s, arena)}};
  out->line_count = out->lines[1].length ? 2 : 1;
  measure(out, arena);
}

void graph_fact_box(const cg_fact *f, graph_box *out, shape_arena *arena) {
  *out = (graph_box){.lines = {f->expr}, .line_count = 1};
  measure(out, arena);
}

void graph_value_box(const cg_value *v, graph_box *out, shape_arena *arena) {
  shape_strbuf head;
  strbuf_init(&head, arena);
  strbuf_printf(&head, "%s %u", v->result ? "result" : "argument", v->index);
  if (v->name.length) {
    strbuf_putc(&head, ' ');
    strbuf_add(&head, v->name.text, v->name.length);
  }
  *out = (graph_box){.lines = {{head.data, head.length}, v->dims.length ? v->dims : v->type}};
  out->line_count = out->lines[1].length ? 2 : 1;
  measure(out, arena);
}

void graph_reasons(const constraint_graph *g, const cg_fact *f, shape_strbuf *out) {
  if (!f->constraint) strbuf_puts(out, "a name for an expression");
  for (uint32_t i = 0; f->constraint && i < f->constraint->because_count; i++) {
    const report_because *why = &f->constraint->because[i];
    if (i) strbuf_puts(out, "; ");
    render_where(g->report, out, why);
    strbuf_puts(out, why->message ? why->message : "");
  }
}
