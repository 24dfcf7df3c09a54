// SPDX-License-Identifier: Apache-2.0
// The plain format (Graphviz documentation, "plain"): lines `graph SCALE WIDTH HEIGHT`, `node NAME X Y WIDTH HEIGHT ...`,
// `edge TAIL HEAD N X1 Y1 .. XN YN ...` with the control points of a B-spline of Bezier pieces, `stop`. Lengths are in
// inches, y grows upwards. Names are the ids that the DOT text gave.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "solver/emit/graph_spread.h"
#include "solver/emit/graph_text.h"

enum { MARGIN = 18, WORD_MAX = 32 };

typedef struct svg {
  const constraint_graph *graph;
  shape_strbuf *out;
  const char *at, *end;  // of the layout
  double height;         // of the picture, in points
  shape_imap results;    // number of a result -> index in values
  shape_imap arguments;
  graph_spot *spots;   // of nodes that are moved apart; NULL: they are where the layout has them
  shape_imap spot_of;  // node_key -> index in spots
} svg;

static const char STYLE[] =
    ".constraint-graph{--cg-text:#1c2430;--cg-soft:#5d6878;--cg-edge:#9aa6b6;--cg-symbol:#2563c9;"
    "--cg-symbol-fill:#e9f1fe;--cg-constraint:#15803d;--cg-constraint-fill:#eaf7ef;--cg-guard:#"
    "b45309;"
    "--cg-guard-fill:#fef4e3;--cg-scoped:#64748b;--cg-scoped-fill:#f1f4f8;--cg-definition:#7c3aed;"
    "--cg-definition-fill:#f4effe;--cg-value:#aab4c2;--cg-value-fill:#fff;background:#fbfcfe;"
    "font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}"
    "@media(prefers-color-scheme:dark){.constraint-graph{--cg-text:#e4e8ee;--cg-soft:#98a4b5;--cg-"
    "edge:#566375;"
    "--cg-symbol:#7db0ff;--cg-symbol-fill:#1a2c47;--cg-constraint:#4cc585;--cg-constraint-fill:#"
    "16301f;"
    "--cg-guard:#e8b25e;--cg-guard-fill:#352811;--cg-scoped:#98a4b5;--cg-scoped-fill:#252d38;"
    "--cg-definition:#b79bf5;--cg-definition-fill:#2a2145;--cg-value:#566375;--cg-value-fill:#"
    "1b212a;background:#12161c}}"
    ".constraint-graph text{fill:var(--cg-text);text-anchor:middle}"
    ".constraint-graph .sub{fill:var(--cg-soft);font-size:12px}"
    ".constraint-graph .symbol .name{font-weight:700}"
    ".constraint-graph rect{stroke:var(--c);fill:var(--f);stroke-width:1.3}"
    ".constraint-graph .symbol{--c:var(--cg-symbol);--f:var(--cg-symbol-fill)}"
    ".constraint-graph .constraint{--c:var(--cg-constraint);--f:var(--cg-constraint-fill)}"
    ".constraint-graph .guard{--c:var(--cg-guard);--f:var(--cg-guard-fill)}"
    ".constraint-graph .scoped{--c:var(--cg-scoped);--f:var(--cg-scoped-fill)}"
    ".constraint-graph .scoped rect{stroke-dasharray:5 3}"
    ".constraint-graph .definition{--c:var(--cg-definition);--f:var(--cg-definition-fill)}"
    ".constraint-graph .value{--c:var(--cg-value);--f:var(--cg-value-fill)}"
    ".constraint-graph .edge{fill:none;stroke:var(--cg-edge);stroke-width:1.3}"
    ".constraint-graph .edge.of-value{stroke-width:1;opacity:.6}"
    ".constraint-graph .arrow{fill:var(--cg-edge)}";

// --- reading the layout

static bool next_line(svg *s) {
  assert(s->at <= s->end);
  while (s->at < s->end && *s->at != '\n') s->at++;
  if (s->at < s->end) s->at++;
  return s->at < s->end;
}

// False at the end of the line, and where the word is too long to be one of these.
static bool next_word(svg *s, char word[WORD_MAX]) {
  uint32_t n = 0;
  while (s->at < s->end && *s->at == ' ') s->at++;
  while (s->at < s->end && *s->at != ' ' && *s->at != '\n' && n + 1 < WORD_MAX)
    word[n++] = *s->at++;
  word[n] = 0;
  return n > 0 && (s->at == s->end || *s->at == ' ' || *s->at == '\n');
}

// In points. What is no number of a picture ends the drawing.
static bool next_number(svg *s, double *out) {
  char word[WORD_MAX], *end;
  if (!next_word(s, word)) return false;
  double value = strtod(word, &end);
  *out = value * 72;
  return !*end && value > -1e6 && value < 1e6;
}

static bool next_point(svg *s, double *x, double *y) {
  if (!next_number(s, x) || !next_number(s, y)) return false;
  *x += MARGIN;
  *y = s->height - *y + MARGIN;
  return true;
}

static uint64_t node_key(const char *id) {
  return (uint64_t)(unsigned char)*id << 32 | (uint32_t)strtoul(id + 1, NULL, 10);
}

// --- writing

static void put_escaped(shape_strbuf *out, report_text text) {
  for (uint32_t i = 0; i < text.length;) {
    graph_char c = graph_next_char(text, i);
    char plain = c.length == 1 ? text.text[i] : 'x';
    if (plain == '<') {
      strbuf_puts(out, "&lt;");
    } else if (plain == '>') {
      strbuf_puts(out, "&gt;");
    } else if (plain == '&') {
      strbuf_puts(out, "&amp;");
    } else {
      strbuf_add(out, c.bytes, c.byte_count);
    }
    i += c.length;
  }
}

static void put_box(svg *s, const char *id, const char *classes, const graph_box *box,
                    report_text title, double x, double y) {
  shape_strbuf *out = s->out;
  double left = x - box->width / 2.0, top = y - box->height / 2.0;
  assert(box->line_count);
  uint32_t radius = *id == 's' ? box->height / 2 : *id == 'f' ? 7 : 3;
  if (radius > 16) radius = 16;
  strbuf_printf(out, "<g class=\"node %s\" id=\"%s\"><title>", classes, id);
  put_escaped(out, title);
  strbuf_printf(out, "</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%u\" height=\"%u\" rx=\"%u\"/>",
                left, top, box->width, box->height, radius);
  for (uint32_t i = 0; i < box->line_count; i++) {
    strbuf_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", i ? "sub" : "name", x,
                  y + 4.5 + 17 * (i - (box->line_count - 1) / 2.0));
    put_escaped(out, box->lines[i]);
    strbuf_puts(out, "</text>");
  }
  strbuf_puts(out, "</g>\n");
}

static const char *fact_class(const cg_fact *f) {
  if (f->roles & CG_GUARD)
    return f->roles & CG_CONSTRAINT ? "fact guard also-constraint" : "fact guard";
  if (f->roles & CG_DEFINITION) return "fact definition";
  return f->roles & CG_SCOPED ? "fact scoped" : "fact constraint";
}

static bool put_node(svg *s) {
  const constraint_graph *g = s->graph;
  shape_arena *arena = g->report->graph->arena;
  char id[WORD_MAX], *end;
  double x, y;
  graph_box box;
  uint32_t at;
  if (!next_word(s, id) || !next_point(s, &x, &y)) return false;
  unsigned long index = strtoul(id + 1, &end, 10);
  if (*end || end == id + 1) return false;
  if (s->spots && imap_get(&s->spot_of, node_key(id), &at)) {
    x = s->spots[at].x + MARGIN;
    y = s->spots[at].y + MARGIN;
  }
  if (*id == 's' && index < g->symbol_count) {
    graph_symbol_box(g, (uint32_t)index, &box);
    put_box(s, id, "symbol", &box, g->symbols[index]->name, x, y);
  } else if (*id == 'f' && index < g->fact_count) {
    graph_fact_box(&g->facts[index], &box, arena);
    put_box(s, id, fact_class(&g->facts[index]), &box, g->facts[index].expr, x, y);
  } else if ((*id == 'a' || *id == 'r') &&
             imap_get(*id == 'a' ? &s->arguments : &s->results, index, &at)) {
    assert(at < g->value_count);
    graph_value_box(&g->values[at], &box, arena);
    put_box(s, id, *id == 'a' ? "value argument" : "value result", &box, g->values[at].type, x, y);
  } else {
    return false;
  }
  return true;
}

static bool is_id(const char *word) {
  if (!strchr("sfar", *word) || !word[1]) return false;
  for (const char *c = word + 1; *c; c++) {
    if (*c < '0' || *c > '9') return false;
  }
  return true;
}

// The share of the way from the centre of `from` to that of `to` which is inside of `from`.
static double inside_of(const graph_spot *from, const graph_spot *to) {
  double across = fabs(to->x - from->x), down = fabs(to->y - from->y), share = 0.5;
  if (across > 0) share = fmin(share, from->width / 2 / across);
  return down > 0 ? fmin(share, from->height / 2 / down) : share;
}

// The points of the edge between nodes that were moved: it is straight. False where the layout has not both.
static bool straight_edge(const svg *s, const char *tail, const char *head, double points[8]) {
  uint32_t a, b;
  if (!imap_get(&s->spot_of, node_key(tail), &a) || !imap_get(&s->spot_of, node_key(head), &b))
    return false;
  const graph_spot *from = &s->spots[a], *to = &s->spots[b];
  double begin = inside_of(from, to), end = 1 - inside_of(to, from);
  for (int i = 0; i < 4; i++) {
    double t = begin + (end - begin) * i / 3;
    points[2 * i] = from->x + (to->x - from->x) * t + MARGIN;
    points[2 * i + 1] = from->y + (to->y - from->y) * t + MARGIN;
  }
  return true;
}

static bool put_edge(svg *s) {
  char tail[WORD_MAX], head[WORD_MAX];
  double count, x, y, straight[8];
  if (!next_word(s, tail) || !next_word(s, head) || !is_id(tail) || !is_id(head) ||
      !next_number(s, &count))
    return false;
  uint32_t points = (uint32_t)(count / 72 + 0.5);
  if (count < 0 || points < 4 || points % 3 != 1) return false;
  if (s->spots && !straight_edge(s, tail, head, straight)) return false;
  if (s->spots) points = 4;
  bool of_value = *tail == 'a' || *head == 'r', arrow = *tail == 'f';
  strbuf_printf(s->out, "<path class=\"edge%s\" data-a=\"%s\" data-b=\"%s\"%s d=\"",
                of_value ? " of-value" : "", tail, head,
                arrow ? " marker-end=\"url(#cg-arrow)\"" : "");
  for (uint32_t i = 0; i < points; i++) {
    if (s->spots) {
      x = straight[2 * i];
      y = straight[2 * i + 1];
    } else if (!next_point(s, &x, &y)) {
      return false;
    }
    strbuf_printf(s->out, "%s%.1f,%.1f", i == 0 ? "M" : i == 1 ? "C" : " ", x, y);
  }
  strbuf_puts(s->out, "\"/>\n");
  return true;
}

// Edges lie under nodes, so the lines are read twice.
static bool put_lines(svg *s, const char *kind, bool (*put)(svg *s)) {
  char word[WORD_MAX];
  do {
    if (!next_word(s, word)) continue;
    if (strcmp(word, kind) == 0 && !put(s)) return false;
  } while (next_line(s));
  return true;
}

static void index_values(svg *s) {
  const constraint_graph *g = s->graph;
  for (uint32_t i = 0; i < g->value_count; i++) {
    shape_imap *map = g->values[i].result ? &s->results : &s->arguments;
    imap_put(map, g->report->graph->arena, g->values[i].index, i);
  }
}

// Springs leave boxes on top of one another.
static bool spread(svg *s, uint32_t nodes, double *width, double *height) {
  shape_arena *arena = s->graph->report->graph->arena;
  const char *lines = s->at;
  char word[WORD_MAX];
  uint32_t count = 0, earlier;
  graph_spot *spots = arena_alloc(arena, ((size_t)nodes + 1) * sizeof *spots);
  do {
    graph_spot spot;
    if (!next_word(s, word) || strcmp(word, "node") != 0) continue;
    if (count == nodes || !next_word(s, word) || !next_point(s, &spot.x, &spot.y) ||
        !next_number(s, &spot.width) || !next_number(s, &spot.height) || spot.width < 1 ||
        spot.height < 1 || imap_get(&s->spot_of, node_key(word), &earlier))
      return false;
    imap_put(&s->spot_of, arena, node_key(word), count);
    spots[count++] = spot;
  } while (next_line(s));
  s->at = lines;
  graph_spread(spots, count, arena);
  *width = *height = 0;
  for (uint32_t i = 0; i < count; i++) {
    *width = fmax(*width, spots[i].x + spots[i].width / 2);
    *height = fmax(*height, spots[i].y + spots[i].height / 2);
  }
  s->spots = spots;
  return true;
}

bool constraint_graph_svg(const constraint_graph *g, const char *layout, size_t length,
                          shape_strbuf *out) {
  svg s = {.graph = g, .out = out, .at = layout, .end = length ? layout + length : layout};
  char word[WORD_MAX];
  double scale, width, height;
  index_values(&s);
  if (!next_word(&s, word) || strcmp(word, "graph") != 0 || !next_number(&s, &scale) ||
      !next_number(&s, &width) || !next_number(&s, &s.height) || width < 0 || s.height < 0)
    return false;
  const char *lines = s.at;
  height = s.height;
  if (!graph_is_layered(g) && !spread(&s, graph_nodes(g), &width, &height)) return false;
  strbuf_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"constraint-graph\" "
                "width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\">\n<style>",
                width + 2 * MARGIN, height + 2 * MARGIN, width + 2 * MARGIN, height + 2 * MARGIN);
  strbuf_puts(out, STYLE);
  strbuf_puts(
      out,
      "</style>\n<defs><marker id=\"cg-arrow\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" "
      "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      "<path class=\"arrow\" d=\"M0,0.5L8,4L0,7.5z\"/></marker></defs>\n<g class=\"edges\">\n");
  if (!put_lines(&s, "edge", put_edge)) return false;
  strbuf_puts(out, "</g>\n<g class=\"nodes\">\n");
  s.at = lines;
  if (!put_lines(&s, "node", put_node)) return false;
  strbuf_puts(out, "</g>\n</svg>\n");
  return true;
}
