// SPDX-License-Identifier: Apache-2.0
// MLIR text with free dims: types without the dims that are no numbers any more, and in front of the entry's first
// operation what computes the dims that literals have become, from the dims of the arguments.
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "solver/generalize/rewrite.h"
#include "solver/transform/types.h"

// --- types

// The type that covers both; dims of one alone are none.
static type_id cover(shape_graph *g, type_id a, type_id b) {
  if (a == b || a == TYPE_NONE || b == TYPE_NONE) return a;
  const graph_type *x = type_get(&g->types, a), *y = type_get(&g->types, b);
  if (x->kind != TYPE_TENSOR || y->kind != TYPE_TENSOR || x->rank != y->rank) return a;
  int64_t *dims = arena_alloc(g->arena, (x->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < x->rank; i++)
    dims[i] = x->dims[i] == y->dims[i] ? x->dims[i] : DIM_DYNAMIC;
  return type_with_dims(&g->types, a, dims, x->has_bounds ? x->bounds : NULL, x->rank);
}

// Values that have one type in the text get what covers all of them.
static refined_types *make_types(mlir_rewriter *w) {
  shape_graph *g = w->graph;
  const type_id *loose = loose_types(w->x);
  restore_types(g, w->x->loose);
  refined_types *r = refine_types(w->x->report, w->uses);
  for (uint32_t i = 0; i < r->node_count; i++) {
    r->types[i] = TYPE_NONE;
    r->pinned[i] = false;
  }
  for (value_id v = 0; v < g->value_count; v++) {
    uint32_t root = refined_class(r, v);
    r->types[root] = r->types[root] == TYPE_NONE ? loose[v] : cover(g, r->types[root], loose[v]);
  }
  for (value_id v = 0; v < g->value_count; v++) w->types[v] = refined_value(r, v);
  return r;
}

// --- lines

uint32_t rewrite_line(mlir_rewriter *w, const char *format, ...) {
  va_list args;
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = ", w->prefix, w->next);
  va_start(args, format);
  strbuf_vprintf(w->out, format, args);
  va_end(args);
  strbuf_putc(w->out, '\n');
  return w->next++;
}

mlir_writer rewrite_writer(mlir_rewriter *w, shape_strbuf *out) {
  mlir_writer m;
  mlir_writer_init(&m, w->graph, w->uses, w->types, out);
  return m;
}

// --- the whole

static bool is_used(const shape_graph *g, const char *prefix) {
  size_t length = strlen(prefix);
  const source_text *source = &g->source;
  for (size_t i = 0; i + length < source->length; i++) {
    if (source->text[i] == '%' && memcmp(source->text + i + 1, prefix, length) == 0) return true;
  }
  return false;
}

// Literals of HLO and of PyTorch are not in one function: those of the dialect of the first one are written.
static bool is_torch(const literal_site *s) { return s->list != ID_NONE; }

static void choose_forms(mlir_rewriter *w) {
  const literal_sites *sites = &w->x->loose->sites;
  if (sites->count && is_torch(&sites->items[0])) {
    rewrite_torch_init(w);
  } else {
    rewrite_hlo_init(w, sites->count ? sites->items[0].row->name : "stablehlo.");
  }
}

// Where the blanks in front of a byte begin. *own: a line begins with them.
static uint32_t blanks_before(const shape_graph *g, uint32_t at, bool *own) {
  assert(at <= g->source.length);
  while (at && (g->source.text[at - 1] == ' ' || g->source.text[at - 1] == '\t')) at--;
  *own = !at || g->source.text[at - 1] == '\n';
  return at;
}

void rewrite_indent(const mlir_rewriter *w, uint32_t at, shape_strbuf *out) {
  bool own;
  uint32_t from = blanks_before(w->graph, at, &own);
  if (own) {
    strbuf_add(out, w->graph->source.text + from, at - from);
  } else {
    strbuf_add(out, w->indent, w->indent_length);
  }
}

static source_span first_line(mlir_rewriter *w) {
  const shape_graph *g = w->graph;
  bool own;
  op_id first = g->blocks[g->regions[g->funcs[w->x->loose->from->entry].body].first_block].first;
  uint32_t at = first == ID_NONE ? g->source.length : g->ops[first].span.begin;
  uint32_t from = blanks_before(g, at, &own);
  w->indent = own ? g->source.text + from : "  ";
  w->indent_length = own ? at - from : 2;
  if (!own) strbuf_putc(w->out, '\n');
  return own ? (source_span){from, from} : (source_span){at, at};
}

text_edits rewrite_mlir_text(const resolving *x, shape_strbuf *out) {
  shape_graph *g = x->graph;
  shape_strbuf prelude;
  strbuf_init(&prelude, g->arena);
  mlir_rewriter w = {.x = x, .graph = g, .uses = x->loose->uses, .out = &prelude};
  w.edits = (text_edits){.arena = g->arena};
  w.types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *w.types);
  w.prefix = dim_prefix(g, "dim", is_used);
  assert(g->format == GRAPH_MLIR && w.uses);
  const refined_types *types = make_types(&w);
  source_span top = first_line(&w);
  choose_forms(&w);
  for (uint32_t i = 0; i < x->loose->sites.count; i++) {
    const literal_site *s = &x->loose->sites.items[i];
    if (!s->changed) continue;
    if (is_torch(s)) {
      rewrite_torch_site(&w, s);
    } else {
      rewrite_hlo_site(&w, s);
    }
  }
  refine_edits(types, w.uses, &w.edits);
  if (prelude.length > 1) edits_add(&w.edits, &g->source, top, prelude.data, prelude.length);
  edits_apply(&w.edits, &g->source, out);
  return w.edits;
}
