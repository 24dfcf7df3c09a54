// SPDX-License-Identifier: Apache-2.0
// Boxes are measured as text in a monospaced font of 13 points, of which a character is 0.602 em wide (DejaVu Sans Mono,
// Menlo; Consolas is narrower).
#include <assert.h>

#include "solver/emit/graph_text.h"

typedef struct dot {
  const constraint_graph *graph;
  shape_strbuf *out;
  bool layout;
} dot;

// In double quotes, where only these two mean something. `\n` between lines is the caller's.
static void put_escaped(shape_strbuf *out, report_text text) {
  for (uint32_t i = 0; i < text.length;) {
    graph_char c = graph_next_char(text, i);
    if (c.length == 1 && (text.text[i] == '"' || text.text[i] == '\\')) strbuf_putc(out, '\\');
    strbuf_add(out, c.bytes, c.byte_count);
    i += c.length;
  }
}

static void put_attribute(dot *d, const char *name, report_text value) {
  strbuf_printf(d->out, ", %s=\"", name);
  put_escaped(d->out, value);
  strbuf_putc(d->out, '"');
}

static void put_label(dot *d, const graph_box *box) {
  if (d->layout) {
    strbuf_printf(d->out, "width=%u.%02u, height=%u.%02u", box->width / 72,
                  box->width % 72 * 100 / 72, box->height / 72, box->height % 72 * 100 / 72);
    return;
  }
  strbuf_puts(d->out, "label=\"");
  for (uint32_t i = 0; i < box->line_count; i++) {
    if (i) strbuf_puts(d->out, "\\n");
    put_escaped(d->out, box->lines[i]);
  }
  strbuf_putc(d->out, '"');
}

// Why, one reason a line.
static void put_tooltip(dot *d, const cg_fact *f) {
  shape_strbuf text;
  if (d->layout) return;
  strbuf_init(&text, d->graph->report->graph->arena);
  graph_reasons(d->graph, f, &text);
  put_attribute(d, "tooltip", (report_text){text.data, text.length});
}

static void put_ends(dot *d, uint32_t index, const cg_ends *ends) {
  for (uint32_t i = 0; i < ends->count; i++) {
    cg_end end = ends->items[i];
    assert(end.symbol < d->graph->symbol_count);
    if (end.target) {
      strbuf_printf(d->out, "  f%u -> s%u;\n", index, end.symbol);
    } else {
      strbuf_printf(d->out, "  s%u -> f%u%s;\n", end.symbol, index, d->layout ? "" : " [dir=none]");
    }
  }
}

static void put_symbol(dot *d, uint32_t index) {
  assert(index < d->graph->symbol_count);
  graph_box box;
  graph_symbol_box(d->graph, index, &box);
  strbuf_printf(d->out, "  s%u [", index);
  put_label(d, &box);
  strbuf_puts(d->out,
              d->layout
                  ? "];\n"
                  : ", style=\"rounded,filled\", color=\"#2563c9\", fillcolor=\"#e8f0fd\"];\n");
}

static void put_fact(dot *d, uint32_t index) {
  assert(index < d->graph->fact_count);
  const cg_fact *f = &d->graph->facts[index];
  graph_box box;
  graph_fact_box(f, &box, d->graph->report->graph->arena);
  strbuf_printf(d->out, "  f%u [", index);
  put_label(d, &box);
  if (!d->layout) {
    const char *colour = f->roles & CG_GUARD        ? "\"#b45309\", fillcolor=\"#fdf3e2\""
                         : f->roles & CG_DEFINITION ? "\"#7c3aed\", fillcolor=\"#f3edfe\""
                         : f->roles & CG_SCOPED     ? "\"#64748b\", fillcolor=\"#f1f4f8\""
                                                    : "\"#15803d\", fillcolor=\"#e9f7ee\"";
    strbuf_printf(d->out, ", style=\"%s\", color=%s",
                  f->roles & CG_SCOPED ? "filled,dashed" : "filled", colour);
    put_tooltip(d, f);
  }
  strbuf_puts(d->out, "];\n");
  put_ends(d, index, &f->ends);
}

// Arguments precede their symbols, results follow them.
static void put_value(dot *d, uint32_t index) {
  assert(index < d->graph->value_count);
  const cg_value *v = &d->graph->values[index];
  char kind = v->result ? 'r' : 'a';
  graph_box box;
  assert(v->ends.count <= v->ends.capacity || !v->ends.capacity);
  graph_value_box(v, &box, d->graph->report->graph->arena);
  strbuf_printf(d->out, "  %c%u [", kind, v->index);
  put_label(d, &box);
  strbuf_puts(d->out,
              d->layout ? "];\n" : ", style=filled, color=\"#94a3b8\", fillcolor=\"#ffffff\"];\n");
  for (uint32_t i = 0; i < v->ends.count; i++) {
    uint32_t symbol = v->ends.items[i].symbol;
    strbuf_puts(d->out, "  ");
    if (v->result) {
      strbuf_printf(d->out, "s%u -> r%u", symbol, v->index);
    } else {
      strbuf_printf(d->out, "a%u -> s%u", v->index, symbol);
    }
    strbuf_puts(d->out, d->layout ? ";\n" : " [dir=none, color=\"#94a3b8\"];\n");
  }
}

static uint64_t count_edges(const constraint_graph *g) {
  uint64_t edges = 0;
  for (uint32_t i = 0; i < g->fact_count; i++) edges += g->facts[i].ends.count;
  for (uint32_t i = 0; i < g->value_count; i++) edges += g->values[i].ends.count;
  return edges;
}

uint32_t graph_nodes(const constraint_graph *g) {
  return g->symbol_count + g->fact_count + g->value_count;
}

bool graph_is_layered(const constraint_graph *g) {
  return graph_nodes(g) <= CG_LAYERED_MAX && count_edges(g) <= 2 * CG_LAYERED_MAX;
}

void constraint_graph_dot(const constraint_graph *g, bool layout, shape_strbuf *out) {
  dot d = {g, out, layout};
  strbuf_puts(out, "// The dims of a function, what is known of them, and its arguments and "
                   "results.\ndigraph \"");
  if (!layout) put_escaped(out, g->function);
  strbuf_puts(out, "\" {\n");
  // Layers read best while all of them fit on a screen; beyond that springs keep related things together. Parts that
  // nothing connects are in rows: to fit them into one another takes time quadratic in their number.
  if (graph_is_layered(g)) {
    strbuf_puts(out, "  graph [layout=dot, rankdir=LR, nodesep=0.18, ranksep=0.7];\n");
  } else {
    strbuf_puts(out, "  graph [layout=sfdp, ");
    strbuf_puts(out, layout ? "overlap=true" : "overlap=prism, overlap_scaling=3");
    strbuf_puts(out, ", K=0.9, packmode=array, outputorder=edgesfirst];\n");
  }
  strbuf_puts(out, "  node [shape=box, fontname=\"DejaVu Sans Mono\", fontsize=13");
  strbuf_puts(out, layout ? ", fixedsize=true, label=\"\"];\n  edge [dir=none];\n"
                          : "];\n  edge [color=\"#64748b\", arrowsize=0.7];\n");
  for (uint32_t i = 0; i < g->value_count; i++) put_value(&d, i);
  for (uint32_t i = 0; i < g->symbol_count; i++) put_symbol(&d, i);
  for (uint32_t i = 0; i < g->fact_count; i++) put_fact(&d, i);
  strbuf_puts(out, "}\n");
}
