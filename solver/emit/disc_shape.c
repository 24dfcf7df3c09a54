// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/disc_shape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/emit/disc_graph.h"
#include "solver/ops/constraint_graph.h"
#include "solver/ops/traits.h"

typedef struct size_list {
  int64_t *items;
  uint32_t count, capacity;
} size_list;

typedef struct emitter {
  shape_report *report;
  shape_graph *graph;
  refined_types *types;
  disc_names names;
  text_edits edits;
  size_list sizes;          // of mention_types
  const bool *constraints;  // by function: whether it holds facts
} emitter;

// --- which name each size of a class of values has

enum { NOT_SEEN = 0, SEVERAL = 1, FIRST_TERM = 2 };  // then a term + FIRST_TERM

// Row by row of `rank` entries for each class: the one term that all its values have there.
typedef struct class_sizes {
  uint64_t *items;
  uint32_t *first;  // by root; ID_NONE: no type with dims
} class_sizes;

// 0: dims have no names in such a type, as in those of torch-mlir and of memrefs.
static uint32_t rank_of(const emitter *e, type_id id) {
  if (id == TYPE_NONE) return 0;
  const graph_type *type = type_get(&e->graph->types, id);
  bool free = type->kind == TYPE_TENSOR && type->container == CONTAINER_TENSOR &&
              type->torch == TORCH_NOT && !type->has_bounds && type->encoding == NAME_NONE;
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

// Names belong to the module of the entry: there is no way to declare them for others.
static bool is_here(const emitter *e, func_id func) {
  return e->graph->funcs[func].module == e->graph->funcs[e->report->infer->entry].module;
}

static void note_values(emitter *e, class_sizes *s) {
  const shape_report *r = e->report;
  for (uint32_t i = 0; i < r->function_count; i++) {
    const report_function *f = &r->functions[i];
    if (!is_here(e, f->id)) continue;
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
  for (uint32_t i = 0; i < e->graph->declared.symbol_count; i++)
    e->graph->declared.symbols[i].in_attribute = false;  // here types name all of them
  note_values(e, &s);
  for (uint32_t i = 0; i < e->types->node_count; i++) {
    bool root = refined_class(e->types, i) == i;
    if (root && !e->types->pinned[i] && s.first[i] != ID_NONE) encode_class(e, &s, i);
  }
  e->types->encoded = true;
}

static func_id block_func(const shape_graph *g, block_id block) {
  return g->regions[g->blocks[block].region].func;
}

static func_id value_func(const shape_graph *g, value_id value) {
  const graph_value *v = &g->values[value];
  return block_func(g, v->is_argument ? v->def : g->ops[v->def].parent);
}

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

static void add_size(emitter *e, int64_t size) {
  size_list *list = &e->sizes;
  list->items = arena_grow(e->graph->arena, list->items, list->count, (size_t)list->count + 1,
                           &list->capacity, sizeof *list->items);
  list->items[list->count++] = size;
}

static void mention_type(emitter *e, type_id id) {
  if (id == TYPE_NONE) return;
  const graph_type *type = type_get(&e->graph->types, id);
  for (uint32_t i = 0; i < type->param_count; i++) mention_type(e, type->params[i]);
  bool named = false;
  for (uint32_t k = 0; type->kind == TYPE_TENSOR && k < type->rank; k++) {
    if (!dim_is_symbol(type->dims[k])) continue;
    disc_mention(&e->names, dim_symbol(type->dims[k]));
    named = true;
  }
  for (uint32_t k = 0; named && k < type->rank; k++) {
    if (dim_is_static(type->dims[k])) add_size(e, type->dims[k]);
  }
}

// The names in types of the module; and the constants beside them, in order: @C4, @C12.
static void mention_types(emitter *e) {
  const shape_graph *g = e->graph;
  for (value_id v = 0; v < g->value_count; v++) {
    if (is_here(e, value_func(g, v))) mention_type(e, refined_value(e->types, v));
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (is_here(e, f) && g->funcs[f].type != TYPE_NONE)
      mention_type(e, refined_function(e->types, f));
  }
  size_list *list = &e->sizes;
  if (list->count) qsort(list->items, list->count, sizeof *list->items, by_size);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (!kept || list->items[kept - 1] != list->items[i]) list->items[kept++] = list->items[i];
  }
  list->count = kept;
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
    if (!op_has(g, op, TRAIT_DECLARES_SYMBOL) || !is_here(e, block_func(g, g->ops[op].parent)))
      continue;
    imap_put(&e->names.redeclared, g->arena, g->ops[op].span.begin, 1);
    remove_span(e, g->ops[op].span);
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (e->constraints[f] && is_here(e, f)) remove_span(e, g->funcs[f].span);
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

// Whether the type of the value says which symbol a dim is.
static bool is_named(const emitter *e, shape_cell c) {
  const graph_type *type = type_get(&e->graph->types, refined_value(e->types, c.value));
  return !c.element && type->kind == TYPE_TENSOR && c.index < type->rank &&
         dim_is_symbol(type->dims[c.index]);
}

// A symbol that the text mentions and that no type says: the value of an argument, a dim of a type that cannot have
// names, what an operation makes. Before the first operation that may know the value.
static void bind_symbol(emitter *e, const report_symbol *s) {
  const shape_graph *g = e->graph;
  shape_cell c;
  if (!disc_is_mentioned(&e->names, s) || !disc_cell(e->report, s, &c) || is_named(e, c)) return;
  const graph_value *v = &g->values[c.value];
  op_id next = v->is_argument ? g->blocks[v->def].first : g->ops[v->def].next;
  while (next != ID_NONE && op_has(g, next, TRAIT_DECLARES_SYMBOL)) next = g->ops[next].next;
  if (next == ID_NONE) return;
  uint32_t at = g->ops[next].span.begin;
  report_text indent = indent_of(e, at);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  strbuf_puts(&text, "\"disc_shape.bind_dim\"(");
  cell_print_value(g, &text, c.value);
  strbuf_puts(&text, ") {");
  if (!c.element || c.index) {
    strbuf_printf(&text, "%s = %u : i64, ", c.element ? "index" : "axis", c.index);
  }
  strbuf_puts(&text, "name = @");
  disc_put_name(&e->names, disc_symbol(&e->names, s->term), &text);
  strbuf_puts(&text, "} : (");
  type_print(&g->types, &text, refined_value(e->types, c.value));
  strbuf_puts(&text, ") -> ()\n");
  strbuf_add(&text, indent.text, indent.length);
  add_edit(e, (source_span){at, at}, &text);
}

// The first function of the module, or its last one; the entry alone where functions have no names.
static func_id end_function(const emitter *e, bool last) {
  const shape_graph *g = e->graph;
  func_id end = e->report->infer->entry;
  for (func_id f = 0; f < g->func_count; f++) {
    report_text name = report_function_name(e->report, f);
    bool other = !name.length || e->constraints[f];
    const source_span *span = &g->funcs[f].span, *is = &g->funcs[end].span;
    if (!other && is_here(e, f) && (last ? span->end > is->end : span->begin < is->begin)) end = f;
  }
  return end;
}

// Before the functions, so that a reader meets names in the order of their ages.
static void add_declarations(emitter *e) {
  uint32_t at = e->graph->funcs[end_function(e, false)].span.begin;
  report_text indent = indent_of(e, at);
  shape_strbuf text;
  strbuf_init(&text, e->graph->arena);
  disc_put_declarations(e->report, &e->names, indent, e->sizes.items, e->sizes.count, &text);
  if (!text.length) return;
  // The first begins where the function began, which then has a line of its own. Nothing is added once the text begins
  // later: its capacity is that of the whole.
  uint32_t skipped = 1 + indent.length;
  strbuf_putc(&text, '\n');
  strbuf_add(&text, indent.text, indent.length);
  text.data += skipped;
  text.length -= skipped;
  add_edit(e, (source_span){at, at}, &text);
}

static void append_graph(emitter *e) {
  const shape_graph *g = e->graph;
  func_id last = end_function(e, true);
  report_text indent = indent_of(e, g->funcs[last].span.begin);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  bool is_private = g->funcs[e->report->infer->entry].is_private;
  disc_put_graph(e->report, &e->names, indent, is_private, &text);
  const source_span span = g->funcs[last].span;
  // The operations of a module are no text of their own: the graph goes before the line of the first.
  uint32_t at = span.begin == span.end ? span.begin - indent.length : span.end;
  text_edit *removal = NULL;  // the old graph's, where it is there
  for (uint32_t i = 0; i < e->edits.count; i++) {
    text_edit *edit = &e->edits.items[i];
    if (!edit->length && edit->span.begin <= at && at < edit->span.end) removal = edit;
  }
  // What begins a line ends one, too.
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
               .constraints = constraint_graphs(report->graph, report->graph->arena),
               .edits = {.arena = report->graph->arena}};
  if (!report->function_count || report->functions[0].id != report->infer->entry) {
    strbuf_add(out, report->graph->source.text, report->graph->source.length);
    return;
  }
  disc_names_init(&e.names, report);
  encode_types(&e);
  refine_edits(types, uses, &e.edits);
  remove_old(&e);
  mention_types(&e);
  append_graph(&e);
  add_declarations(&e);
  for (uint32_t i = 0; i < report->symbol_count; i++) bind_symbol(&e, &report->symbols[i]);
  edits_apply(&e.edits, &report->graph->source, out);
  if (out->length && out->data[out->length - 1] != '\n') strbuf_putc(out, '\n');
}
