// SPDX-License-Identifier: Apache-2.0
// The names that answers use for dims of the entry's arguments, written as {shaped.dims = ["batch", "", "length"]}.
//
// Names that the program gives stay as they are. Of the others a dim has one where the answer calls it by a symbol alone;
// two that are equal have the same, which states what their types would state of numbers.
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/write.h"
#include "solver/transform/types.h"

typedef struct naming {
  const refined_types *types;
  shape_report *report;
  const shape_graph *graph;
  text_edits *edits;
} naming;

// The name of a free dim, or an empty text.
static report_text name_of(const naming *n, const report_shape *shape, uint32_t axis) {
  const report_text none = {"", 0};
  term_id dim = shape->ranked && axis < shape->rank ? shape->dims[axis] : TERM_NONE;
  const report_symbol *s = dim == TERM_NONE ? NULL : report_symbol_of(n->report, dim);
  bool given = s && (s->origin == FROM_ARGUMENT_SIZE || s->origin == FROM_DECLARATION);
  return given && s->term == dim ? s->name : none;
}

static const graph_attr *names_given(const naming *n, attr_id attrs) {
  attr_id names = attrs == ATTR_NONE ? ATTR_NONE : graph_attr_entry(n->graph, attrs, "shaped.dims");
  return names == ATTR_NONE ? NULL : graph_attr_get(n->graph, names);
}

static report_text name_given(const naming *n, const graph_attr *names, uint32_t axis) {
  uint32_t count = 0;
  const attr_id *items = names ? attr_items(names, &count) : NULL;
  const graph_attr *name = axis < count ? graph_attr_get(n->graph, items[axis]) : NULL;
  if (!name) return (report_text){"", 0};
  return (report_text){intern_text(&n->graph->names, name->text),
                       intern_length(&n->graph->names, name->text)};
}

// ["batch", "", "length"]; false where no dim has a name.
static bool put_names(const naming *n, value_id value, const graph_attr *given, shape_strbuf *out) {
  const graph_type *type = type_get(&n->graph->types, refined_value(n->types, value));
  if (type->kind != TYPE_TENSOR) return false;
  const report_shape *shape = &n->report->shapes[n->report->value_shapes[value]];
  mlir_writer w;
  mlir_writer_init(&w, n->types->graph, NULL, NULL, out);
  bool any = false;
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < type->rank; i++) {
    report_text name = name_given(n, given, i);
    if (!name.length && type->dims[i] == DIM_DYNAMIC) name = name_of(n, shape, i);
    any |= name.length > 0;
    if (i) strbuf_puts(out, ", ");
    mlir_write_quoted(&w, name.text, name.length);
  }
  strbuf_putc(out, ']');
  return any;
}

static void insert(const naming *n, uint32_t at, const shape_strbuf *text) {
  edits_add(n->edits, &n->graph->source, (source_span){at, at}, text->data, text->length);
}

// Of an argument that has attributes, or is written in the header with its type alone.
static void name_argument(const naming *n, value_id value, attr_id attrs, source_span type) {
  shape_strbuf names, text;
  strbuf_init(&names, n->graph->arena);
  strbuf_init(&text, n->graph->arena);
  const graph_attr *given = names_given(n, attrs);
  if (!put_names(n, value, given, &names)) return;
  if (given) {
    edits_add(n->edits, &n->graph->source, given->span, names.data, names.length);
  } else if (attrs != ATTR_NONE) {
    const graph_attr *dict = graph_attr_get(n->graph, attrs);
    assert(n->graph->source.text[dict->span.begin] == '{');
    strbuf_printf(&text, "shaped.dims = %.*s%s", (int)names.length, names.data,
                  dict->count ? ", " : "");
    insert(n, dict->span.begin + 1, &text);
  } else if (!span_is_none(type)) {
    strbuf_printf(&text, " {shaped.dims = %.*s}", (int)names.length, names.data);
    insert(n, type.end, &text);
  }
}

// Of a function in the generic form without attributes of its arguments: all in one list, after its type.
static void name_together(const naming *n, const graph_block *entry, source_span type) {
  shape_strbuf text;
  strbuf_init(&text, n->graph->arena);
  strbuf_puts(&text, ", arg_attrs = [");
  bool any = false;
  for (uint32_t i = 0; i < entry->argument_count; i++) {
    shape_strbuf names;
    strbuf_init(&names, n->graph->arena);
    bool named = put_names(n, entry->arguments + i, NULL, &names);
    if (i) strbuf_puts(&text, ", ");
    strbuf_puts(&text, named ? "{shaped.dims = " : "{}");
    if (named) strbuf_printf(&text, "%.*s}", (int)names.length, names.data);
    any |= named;
  }
  strbuf_putc(&text, ']');
  if (any) insert(n, type.end, &text);
}

void refine_name_dims(shape_report *report, const refined_types *types, const mlir_uses *uses,
                      text_edits *edits) {
  const shape_graph *g = types->graph;
  const naming n = {types, report, g, edits};
  func_id id = report->infer ? report->infer->entry : ID_NONE;
  if (id == ID_NONE || g->funcs[id].body == ID_NONE) return;
  const graph_func *f = &g->funcs[id];
  if (!g->regions[f->body].block_count) return;
  const graph_block *entry = &g->blocks[g->regions[f->body].first_block];
  uint32_t count = entry->argument_count;
  source_span whole = SPAN_NONE;
  source_span *headers = arena_alloc(g->arena, (count + 1) * sizeof *headers);
  for (uint32_t i = 0; i < count; i++) headers[i] = SPAN_NONE;
  for (uint32_t i = 0; i < uses->count; i++) {
    const mlir_type_use *use = &uses->items[i];
    if (use->kind == MLIR_USE_FUNCTION && use->subject == id) whole = use->span;
    uint32_t argument = use->subject - entry->arguments;
    // The header comes before whatever uses the argument.
    if (use->kind == MLIR_USE_VALUE && use->subject >= entry->arguments && argument < count &&
        (span_is_none(headers[argument]) || use->span.begin < headers[argument].begin))
      headers[argument] = use->span;
  }
  bool generic = !span_is_none(whole);
  if (generic && !f->argument_attrs) {
    name_together(&n, entry, whole);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    name_argument(&n, entry->arguments + i, f->argument_attrs ? f->argument_attrs[i] : ATTR_NONE,
                  generic ? SPAN_NONE : headers[i]);
}
