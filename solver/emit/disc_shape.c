// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/disc_shape.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/emit/disc_graph.h"
#include "solver/ops/traits.h"

typedef struct emitter {
  shape_report *report;
  shape_graph *graph;
  refined_types *types;
  disc_names names;
  text_edits edits;
} emitter;

// --- which name each size of a class of values has

enum { NOT_SEEN = 0, SEVERAL = 1, FIRST_TERM = 2 };  // then a term + FIRST_TERM

// Row by row of `rank` entries for each class: the one term that all its values have there.
typedef struct class_sizes {
  uint64_t *items;
  uint32_t *first;  // by root; ID_NONE: no type with dims
} class_sizes;

static uint32_t rank_of(const emitter *e, type_id id) {
  if (id == TYPE_NONE) return 0;
  const graph_type *type = type_get(&e->graph->types, id);
  bool free = type->kind == TYPE_TENSOR && !type->has_bounds && type->encoding == NAME_NONE;
  return free ? type->rank : 0;
}

static class_sizes make_sizes(emitter *e) {
  class_sizes s;
  uint32_t count = e->types->node_count;
  size_t total = 0;
  s.first = arena_alloc(e->graph->arena, (count + 1) * sizeof *s.first);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t rank = rank_of(e, e->types->types[i]);
    s.first[i] = rank ? (uint32_t)total : ID_NONE;
    total += rank;
  }
  s.items = arena_zalloc(e->graph->arena, (total + 1) * sizeof *s.items);
  return s;
}

static void note_value(emitter *e, class_sizes *s, value_id value) {
  assert(value < e->graph->value_count);
  uint32_t root = refined_class(e->types, value);
  if (s->first[root] == ID_NONE) return;
  uint32_t rank = rank_of(e, e->types->types[root]);
  const report_shape *shape = &e->report->shapes[e->report->value_shapes[value]];
  for (uint32_t i = 0; i < rank; i++) {
    uint64_t *item = &s->items[s->first[root] + i];
    bool known = shape->ranked && shape->rank == rank && shape->dims[i] != TERM_NONE;
    uint64_t term = known ? (uint64_t)shape->dims[i] + FIRST_TERM : SEVERAL;
    *item = *item == NOT_SEEN || *item == term ? term : SEVERAL;
  }
}

static void note_values(emitter *e, class_sizes *s) {
  const shape_report *r = e->report;
  for (uint32_t i = 0; i < r->function_count; i++) {
    const report_function *f = &r->functions[i];
    for (uint32_t k = 0; k < f->argument_count; k++) note_value(e, s, f->arguments + k);
    for (op_id op = f->first_op; op < f->end_op; op++) {
      const graph_op *o = &e->graph->ops[op];
      for (uint32_t k = 0; k < o->result_count; k++) note_value(e, s, o->results + k);
    }
  }
}

static void encode_class(emitter *e, const class_sizes *s, uint32_t root) {
  assert(e->types->types[root] != TYPE_NONE);
  const graph_type type = *type_get(&e->graph->types, e->types->types[root]);
  int64_t *dims = arena_alloc(e->graph->arena, (type.rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < type.rank; i++) {
    uint64_t item = s->items[s->first[root] + i];
    dims[i] = type.dims[i];
    if (dim_is_static(dims[i]) || item < FIRST_TERM) continue;
    int64_t ignored;
    term_id term = (term_id)(item - FIRST_TERM);
    if (term_int_value(e->report->infer->terms, term, &ignored)) continue;
    dims[i] = dim_of_symbol(disc_symbol(&e->names, term));
  }
  e->types->types[root] =
      type_with_dims(&e->graph->types, e->types->types[root], dims, NULL, type.rank);
}

// A value without a shape in the report (an argument of a region) has its declared type, names included.
static void encode_types(emitter *e) {
  class_sizes s = make_sizes(e);
  note_values(e, &s);
  for (uint32_t i = 0; i < e->types->node_count; i++) {
    bool root = refined_class(e->types, i) == i;
    if (root && !e->types->pinned[i] && s.first[i] != ID_NONE) encode_class(e, &s, i);
  }
  e->types->encoded = true;
}

// --- text around the types

static void add_edit(emitter *e, source_span span, shape_strbuf *text) {
  edits_add(&e->edits, &e->graph->source, span, text->data ? text->data : "", text->length);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Removes an operation or function of an earlier writing, and its line where nothing else is there.
static void remove_span(emitter *e, source_span span) {
  const source_text *source = &e->graph->source;
  shape_strbuf nothing;
  strbuf_init(&nothing, e->graph->arena);
  uint32_t from = span.begin, to = span.end;
  while (from && is_blank(source->text[from - 1])) from--;
  while (to < source->length && is_blank(source->text[to])) to++;
  bool line = (!from || source->text[from - 1] == '\n') &&
              (to == source->length || source->text[to] == '\n');
  if (line && to < source->length) to++;
  add_edit(e, line ? (source_span){from, to} : span, &nothing);
}

static void remove_old(emitter *e) {
  const shape_graph *g = e->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    if (op_has(g, op, TRAIT_DECLARES_SYMBOL)) remove_span(e, g->ops[op].span);
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (strcmp(report_function_name(e->report, f).text, "shape_constraint_graph") == 0) {
      remove_span(e, g->funcs[f].span);
    }
  }
}

static report_text indent_of(const emitter *e, uint32_t at) {
  assert(at <= e->graph->source.length);
  const char *text = e->graph->source.text;
  uint32_t from = at;
  while (from && is_blank(text[from - 1])) from--;
  if (from && text[from - 1] != '\n') return (report_text){"", 0};
  return (report_text){text + from, at - from};
}

static bool is_named(const emitter *e, value_id value) {
  const graph_type *type = type_get(&e->graph->types, refined_value(e->types, value));
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (dim_is_symbol(type->dims[i])) return true;
  }
  return false;
}

// A value of an argument, or a size where its type cannot have names beside its bounds.
static void bind_symbol(emitter *e, const report_symbol *s, shape_strbuf *text) {
  const shape_graph *g = e->graph;
  const report_function *f = &e->report->functions[0];
  value_id value = f->arguments + s->argument;
  uint32_t length;
  const char *name = graph_value_text(g, value, &length);
  bool size = s->origin == FROM_ARGUMENT_SIZE;
  if (size && is_named(e, value)) return;
  strbuf_printf(text, "\"disc_shape.bind_dim\"(%%%.*s) {", (int)length, name);
  if (size || (s->axis != ID_NONE && s->axis)) {
    strbuf_printf(text, "%s = %u : i64, ", size ? "axis" : "index", s->axis);
  }
  strbuf_puts(text, "name = @");
  disc_put_name(&e->names, disc_symbol(&e->names, s->term), text);
  strbuf_puts(text, "} : (");
  type_print(&g->types, text, refined_value(e->types, value));
  strbuf_puts(text, ") -> ()\n");
}

static void bind_values(emitter *e) {
  const shape_graph *g = e->graph;
  const report_function *f = &e->report->functions[0];
  region_id body = g->funcs[f->id].body;
  op_id first = g->blocks[g->regions[body].first_block].first;
  if (first == ID_NONE) return;
  uint32_t at = g->ops[first].span.begin;
  report_text indent = indent_of(e, at);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  for (uint32_t i = 0; i < e->report->symbol_count; i++) {
    const report_symbol *s = &e->report->symbols[i];
    bool shown = s->origin == FROM_ARGUMENT_VALUE || s->origin == FROM_ARGUMENT_SIZE;
    if (!shown || s->function != f->id) continue;
    uint32_t before = text.length;
    bind_symbol(e, s, &text);
    if (text.length != before) strbuf_add(&text, indent.text, indent.length);
  }
  if (text.length) add_edit(e, (source_span){at, at}, &text);
}

static void append_graph(emitter *e) {
  const shape_graph *g = e->graph;
  func_id last = e->report->infer->entry;
  for (func_id f = 0; f < g->func_count; f++) {
    report_text name = report_function_name(e->report, f);
    bool other = !name.length || strcmp(name.text, "shape_constraint_graph") == 0;
    if (!other && g->funcs[f].module == g->funcs[last].module &&
        g->funcs[f].span.end > g->funcs[last].span.end)
      last = f;
  }
  report_text indent = indent_of(e, g->funcs[last].span.begin);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  bool is_private = g->funcs[e->report->infer->entry].is_private;
  disc_put_graph(e->report, &e->names, indent, is_private, &text);
  uint32_t at = g->funcs[last].span.end;
  text_edit *removal = NULL;  // the old graph's, where it is there
  for (uint32_t i = 0; i < e->edits.count; i++) {
    text_edit *edit = &e->edits.items[i];
    if (!edit->length && edit->span.begin <= at && at < edit->span.end) removal = edit;
  }
  // The operations of a module are no text of their own: the graph then begins a line, and what follows begins one, too.
  uint32_t from = removal ? removal->span.begin : at;
  if (text.length && text.data[0] == '\n' && (!from || g->source.text[from - 1] == '\n')) {
    strbuf_putc(&text, '\n');
    text.data++;
    text.length--;
  }
  if (removal && text.length) {
    removal->text = text.data;
    removal->length = text.length;
    return;
  }
  add_edit(e, (source_span){at, at}, &text);
}

void write_disc_shape(shape_report *report, refined_types *types, const mlir_uses *uses,
                      shape_strbuf *out) {
  emitter e = {.report = report,
               .graph = report->graph,
               .types = types,
               .edits = {.arena = report->graph->arena}};
  if (!report->function_count || report->functions[0].id != report->infer->entry) {
    strbuf_add(out, report->graph->source.text, report->graph->source.length);
    return;
  }
  disc_names_init(&e.names, report);
  encode_types(&e);
  refine_edits(types, uses, &e.edits);
  remove_old(&e);
  bind_values(&e);
  append_graph(&e);
  edits_apply(&e.edits, &report->graph->source, out);
}
