// SPDX-License-Identifier: Apache-2.0
// The constraint graph of the entry as a picture.
#include "solver/emit/constraint_graph.h"

#include <assert.h>
#include "solver/emit/emitter.h"

// False after refusing.
static bool make(const emission *e, constraint_graph *graph) {
  const picture_options *o = e->options;
  const char *missing = NULL;
  if (constraint_graph_make(e->report, o->symbols, o->symbol_count, graph, &missing)) return true;
  return emit_refuse(e, "the graph has no symbol '%.60s'", missing);
}

void emit_dot(const emission *e) {
  constraint_graph graph;
  if (make(e, &graph)) constraint_graph_dot(&graph, false, e->out);
}

// The same, where Graphviz can draw as much.
static bool make_drawn(const emission *e, constraint_graph *graph) {
  if (!make(e, graph)) return false;
  uint32_t nodes = graph->symbol_count + graph->fact_count + graph->value_count;
  assert(nodes >= graph->symbol_count);
  if (nodes <= CG_DRAWN_MAX) return true;
  return emit_refuse(e,
                     "%u symbols, facts, arguments and results are too many for a picture (at most "
                     "%d); name some symbols with --symbol, or take --format dot",
                     nodes, CG_DRAWN_MAX);
}

void emit_layout(const emission *e) {
  constraint_graph graph;
  if (make_drawn(e, &graph)) constraint_graph_dot(&graph, true, e->out);
}

static void draw(const emission *e, bool as_page) {
  const picture_options *o = e->options;
  constraint_graph graph;
  shape_strbuf whole;
  if (!make_drawn(e, &graph)) return;
  strbuf_init(&whole, e->report->graph->arena);
  bool drawn = as_page ? constraint_graph_page(&graph, e->a->request->name, o->layout,
                                               o->layout_length, &whole)
                       : constraint_graph_svg(&graph, o->layout, o->layout_length, &whole);
  if (drawn) {
    strbuf_add(e->out, whole.data, whole.length);
  } else {
    emit_refuse(e, "the layout is not what Graphviz writes as -Tplain");
  }
}

void emit_svg(const emission *e) { draw(e, false); }
void emit_html(const emission *e) { draw(e, true); }
