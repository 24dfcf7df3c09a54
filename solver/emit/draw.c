// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/draw.h"

#include "solver/emit/constraint_graph.h"

static const char *message(shape_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *message(shape_report *report, const char *format, ...) {
  shape_strbuf text;
  va_list args;
  strbuf_init(&text, report->graph->arena);
  va_start(args, format);
  strbuf_vprintf(&text, format, args);
  va_end(args);
  return strbuf_text(&text);
}

const char *draw_graph(shape_report *report, const analyze_request *q, shape_strbuf *out) {
  constraint_graph graph;
  const char *missing = NULL;
  if (!constraint_graph_make(report, q->symbols, q->symbol_count, &graph, &missing)) {
    return message(report, "the graph has no symbol '%.60s'", missing);
  }
  uint32_t nodes = graph.symbol_count + graph.fact_count + graph.value_count;
  if (q->output != ANALYZE_DRAW_DOT && nodes > CG_DRAWN_MAX) {
    return message(report,
                   "%u symbols, facts, arguments and results are too many for a picture (at most "
                   "%d); name some symbols "
                   "with --symbol, or take --format dot",
                   nodes, CG_DRAWN_MAX);
  }
  bool drawn = true;
  shape_strbuf whole;
  strbuf_init(&whole, report->graph->arena);
  switch (q->output) {
  case ANALYZE_DRAW_LAYOUT: constraint_graph_dot(&graph, true, out); break;
  case ANALYZE_DRAW_SVG:
    drawn = constraint_graph_svg(&graph, q->layout, q->layout_length, &whole);
    break;
  case ANALYZE_DRAW_HTML:
    drawn = constraint_graph_page(&graph, q->name, q->layout, q->layout_length, &whole);
    break;
  default: constraint_graph_dot(&graph, false, out); break;
  }
  if (!drawn) return "the layout is not what Graphviz writes as -Tplain";
  strbuf_add(out, whole.data, whole.length);
  return NULL;
}
