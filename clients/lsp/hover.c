// SPDX-License-Identifier: Apache-2.0
// What is at a position of the text: hover, definition, highlight.
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/operations.h"
#include "clients/lsp/syntax/context.h"

typedef enum target_kind {
  TARGET_NONE,
  TARGET_VALUE,
  TARGET_SIZE,     // size `axis` of `value`, in a type
  TARGET_TYPE,     // the type of `value`
  TARGET_SYMBOL,   // a declared name, @S0
  TARGET_FUNCTION  // @name
} target_kind;

typedef struct target {
  target_kind kind;
  source_span span;
  value_id value;
  uint32_t axis;
  const lsp_symbol *symbol;
  func_id function;
} target;

enum { EXPLAIN_DIMS_MAX = 64 };

static bool find_name(lsp_call *call, uint32_t offset, target *out) {
  lsp_model *m = call->model;
  const shape_graph *g = m->graph;
  uint32_t name = syn_name_at(call->syntax, offset), length;
  if (name == SYN_NONE || call->syntax->names[name].kind != SYN_SYMBOL) return false;
  out->span = (source_span){call->syntax->names[name].begin, call->syntax->names[name].end};
  const char *text = syn_name_text(call->syntax, name, &length);
  out->symbol = lsp_model_symbol(m, text, length);
  func_id here = lsp_model_func_at(m, offset);
  uint32_t module = here == ID_NONE ? 0 : g->funcs[here].module;
  out->function = graph_find_func(g, module, text, length);
  bool in_type = lsp_model_type_at(m, offset) != NULL;
  if (out->function != ID_NONE && !(in_type && out->symbol)) {
    out->kind = TARGET_FUNCTION;
  } else if (out->symbol) {
    out->kind = TARGET_SYMBOL;
  }
  return out->kind != TARGET_NONE;
}

static target find_target(lsp_call *call, uint32_t offset) {
  lsp_model *m = call->model;
  target t = {.function = ID_NONE};
  const lsp_name_location *name = lsp_model_name_at(m, offset);
  if (name) {
    t.kind = TARGET_VALUE;
    t.value = name->value;
    t.span = lsp_name_span(m, name->at);
    return t;
  }
  if (find_name(call, offset, &t)) return t;
  const lsp_type_location *type = lsp_model_type_at(m, offset);
  if (!type) return t;
  source_span sizes[EXPLAIN_DIMS_MAX];
  uint32_t count = lsp_type_dims(m, type->span, sizes, EXPLAIN_DIMS_MAX);
  t.kind = TARGET_TYPE;
  t.value = type->value;
  t.span = type->span;
  for (uint32_t i = 0; i < count && i < EXPLAIN_DIMS_MAX; i++) {
    if (offset < sizes[i].begin || offset > sizes[i].end) continue;
    t.kind = TARGET_SIZE;
    t.axis = i;
    t.span = sizes[i];
  }
  return t;
}

static bool read_target(lsp_call *call, target *out) {
  uint32_t offset;
  if (!lsp_offset_read(call, &offset)) {
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.position is not a position");
  }
  *out = find_target(call, offset);
  return true;
}

// --- hover

// Where a dim is seen: values whose dims have the symbol.
static void put_flow(lsp_call *call, value_id from, report_text dim, shape_strbuf *text) {
  enum { VALUES_MAX = 8 };
  lsp_model *m = call->model;
  uint32_t shown = 0;
  if (!lsp_model_symbol(m, dim.text, dim.length)) return;
  lsp_model_index_definitions(m);
  for (uint32_t i = 0; i < m->index.definition_count && shown <= VALUES_MAX; i++) {
    const lsp_name_location *at = &m->index.definitions[i];
    const lsp_shape *shape = at->value == from ? NULL : lsp_model_shape(m, at->value);
    for (uint32_t k = 0; shape && shape->ranked && k < shape->rank; k++) {
      if (!lsp_mentions(shape->dims[k], dim)) continue;
      if (shown == VALUES_MAX) {
        strbuf_puts(text, ", ...");
      } else {
        source_span name = lsp_name_span(m, at->at);
        strbuf_puts(text, shown ? ", " : "\n\nFlows to ");
        lsp_put_code(text, m->graph->source.text + name.begin, name.end - name.begin);
        strbuf_printf(text, " dim %u (", k);
        lsp_put_link(call, name, text);
        strbuf_putc(text, ')');
      }
      shown++;
      break;
    }
  }
}

static bool describe_size(lsp_call *call, const target *t, shape_strbuf *text) {
  const lsp_shape *shape = lsp_model_shape(call->model, t->value);
  if (!shape || !shape->ranked || t->axis >= shape->rank) return false;
  strbuf_printf(text, "dim %u is ", t->axis);
  lsp_put_code(text, shape->dims[t->axis].text, shape->dims[t->axis].length);
  const lsp_symbol *symbol =
      lsp_model_symbol(call->model, shape->dims[t->axis].text, shape->dims[t->axis].length);
  if (symbol) {
    strbuf_puts(text, "\n\n");
    lsp_describe_symbol(call, symbol, text);
  }
  put_flow(call, t->value, shape->dims[t->axis], text);
  strbuf_puts(text, "\n\nof ");
  lsp_describe_value(call, t->value, text);
  return true;
}

// --- functions

static void put_dims(lsp_call *call, value_id value, shape_strbuf *out) {
  const lsp_shape *shape = value == VALUE_NONE ? NULL : lsp_model_shape(call->model, value);
  if (shape && !shape->ranked && shape->type) {
    strbuf_puts(out, shape->type);
  } else {
    lsp_put_dims(shape, out);
  }
}

// (%a: [S0, 4]) -> [S0]
static void put_type_of_function(lsp_call *call, func_id f, shape_strbuf *text) {
  const shape_graph *g = call->model->graph;
  region_id body = g->funcs[f].body;
  if (body == ID_NONE || !g->regions[body].block_count || g->funcs[f].type == TYPE_NONE) return;
  const graph_block *entry = &g->blocks[g->regions[body].first_block];
  const graph_type *type = type_get(&g->types, g->funcs[f].type);
  shape_strbuf out;
  strbuf_init(&out, call->arena);
  strbuf_putc(&out, '(');
  for (uint32_t i = 0; i < entry->argument_count; i++) {
    uint32_t length;
    const char *name = graph_value_text(g, entry->arguments + i, &length);
    strbuf_printf(&out, "%s%%%.*s: ", i ? ", " : "", (int)length, name);
    put_dims(call, entry->arguments + i, &out);
  }
  strbuf_puts(&out, ") -> (");
  for (uint32_t i = 0; i + type->split < type->param_count; i++) {
    if (i) strbuf_puts(&out, ", ");
    put_dims(call, lsp_returned(g, &g->funcs[f], i), &out);
  }
  strbuf_putc(&out, ')');
  strbuf_putc(text, ' ');
  lsp_put_code(text, out.data, out.length);
}

static uint32_t count_of(const lsp_constraint *list, uint32_t count, report_text function) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    n += list[i].function.length == function.length &&
         memcmp(list[i].function.text, function.text, function.length) == 0;
  }
  return n;
}

static void describe_function(lsp_call *call, func_id f, shape_strbuf *text) {
  const lsp_model *m = call->model;
  const shape_graph *g = m->graph;
  report_text name = {"", 0};
  if (g->funcs[f].name != NAME_NONE) {
    name = (report_text){intern_text(&g->names, g->funcs[f].name),
                         intern_length(&g->names, g->funcs[f].name)};
  }
  strbuf_puts(text, "function ");
  lsp_put_code(text, name.text, name.length);
  put_type_of_function(call, f, text);
  strbuf_printf(text, "\n\n%u constraints, %u guards",
                count_of(m->facts.constraints, m->facts.constraint_count, name) +
                    count_of(m->facts.scoped, m->facts.scoped_count, name),
                count_of(m->facts.guards, m->facts.guard_count, name));
  for (uint32_t i = 0; i < m->symbol_count; i++) {
    if (m->symbols[i].function != f) continue;
    strbuf_puts(text, "\n- ");
    lsp_describe_symbol(call, &m->symbols[i], text);
  }
}

// The name of an operation that is known, at params.position. False: there is none.
static bool describe_operation(lsp_call *call, shape_strbuf *text, source_span *span) {
  const syn_index *x = call->syntax;
  uint32_t offset = 0;
  lsp_offset_read(call, &offset);
  uint32_t token = syn_token_before(x, offset + 1), op = syn_op_of_token(x, token);
  if (op == SYN_NONE || x->ops[op].name != token || offset > x->tokens[token].end) return false;
  uint32_t begin = x->tokens[token].begin, end = x->tokens[token].end;
  *span = (source_span){begin, end};
  if (x->tokens[token].kind == SYN_STRING && end - begin >= 2) begin++, end--;
  // The names that MLIR gives operations of func and cf without their dialect.
  shape_strbuf name;
  strbuf_init(&name, call->arena);
  if (!memchr(x->text + begin, '.', end - begin))
    strbuf_puts(&name, x->text[begin] == 'b' || syn_is(x, token, "cond_br") ? "cf." : "func.");
  strbuf_add(&name, x->text + begin, end - begin);
  return op_describe(name.data, name.length, call->server->client.markdown, text);
}

// --- aliases of types

// What an alias of a type is defined as; the last token is SYN_NONE: the operation defines none.
static syn_type alias_type(const syn_index *x, uint32_t op) {
  syn_type none = {SYN_NONE, SYN_NONE};
  if (op == SYN_NONE || !(x->ops[op].flags & SYN_ALIAS)) return none;
  uint32_t first = x->ops[op].first;
  if (!syn_kind_is(x, first, SYN_TYPE) || first + 2 > x->ops[op].last) return none;
  return (syn_type){first + 2, syn_type_end(x, first + 2)};
}

// Whether the type that is written there is the alias that `op` defines, or one that is defined as it.
static bool is_alias(const syn_index *x, uint32_t at, uint32_t op) {
  for (uint32_t name = syn_name_at(x, at); name != SYN_NONE && x->names[name].begin == at;) {
    uint32_t defined = x->names[name].target;
    if (defined == SYN_NONE || x->names[defined].begin > at) return false;
    if (x->names[defined].op == op) return true;
    syn_type type = alias_type(x, x->names[defined].op);
    if (type.last == SYN_NONE || !syn_kind_is(x, type.first, SYN_TYPE)) return false;
    uint32_t next = x->tokens[type.first].begin;
    name = next < at ? syn_name_at(x, next) : SYN_NONE;
    at = next;
  }
  return false;
}

// Values that have the same dims there.
typedef struct alias_group {
  report_text dims;
  shape_strbuf values;
  uint32_t count;
} alias_group;

enum { ALIAS_GROUPS = 8, ALIAS_VALUES = 8 };

static void put_group_value(lsp_call *call, alias_group *g, value_id value) {
  uint32_t length;
  const char *name = graph_value_text(call->model->graph, value, &length);
  source_span at = lsp_name_span(call->model, call->model->graph->values[value].at);
  shape_strbuf text;
  if (g->count++ > ALIAS_VALUES) return;
  if (g->count > ALIAS_VALUES) {
    strbuf_puts(&g->values, ", ...");
    return;
  }
  strbuf_init(&text, call->arena);
  strbuf_printf(&text, "%%%.*s", (int)length, name);
  strbuf_puts(&g->values, g->count > 1 ? ", " : "");
  lsp_put_code(&g->values, text.data, text.length);
  strbuf_puts(&g->values, " (");
  lsp_put_link(call, at, &g->values);
  strbuf_putc(&g->values, ')');
}

// The dim of a shape, or all of them, as text.
static report_text dims_text(lsp_call *call, const lsp_shape *shape, uint32_t axis) {
  if (axis < shape->rank) return shape->dims[axis];
  shape_strbuf text;
  strbuf_init(&text, call->arena);
  lsp_put_dims(shape, &text);
  const char *dims = strbuf_text(&text);
  return (report_text){dims, text.length};
}

// What the alias is of the values that are written with it: one line for each of the dims that they have.
static void put_alias_uses(lsp_call *call, uint32_t op, uint32_t axis, shape_strbuf *text) {
  lsp_model *m = call->model;
  alias_group groups[ALIAS_GROUPS];
  uint32_t count = 0;
  bool more = false, fresh;
  shape_imap seen = {0};
  lsp_model_index(m);
  for (uint32_t i = 0; i < m->index.type_count; i++) {
    const lsp_type_location *type = &m->index.types[i];
    const lsp_shape *shape = lsp_model_shape(m, type->value);
    if (!shape || !shape->ranked || m->graph->source.text[type->span.begin] != '!') continue;
    if (!is_alias(call->syntax, type->span.begin, op)) continue;
    imap_slot(&seen, call->arena, type->value, &fresh);
    if (!fresh) continue;
    report_text dims = dims_text(call, shape, axis);
    uint32_t g = 0;
    while (g < count && (groups[g].dims.length != dims.length ||
                         memcmp(groups[g].dims.text, dims.text, dims.length) != 0))
      g++;
    more |= g == ALIAS_GROUPS;
    if (g == ALIAS_GROUPS) continue;
    if (g == count) {
      groups[count].dims = dims;
      groups[count].count = 0;
      strbuf_init(&groups[count++].values, call->arena);
    }
    put_group_value(call, &groups[g], type->value);
  }
  for (uint32_t g = 0; g < count; g++) {
    strbuf_puts(text, g ? "\n- " : "\n\n- ");
    lsp_put_code(text, groups[g].dims.text, groups[g].dims.length);
    strbuf_puts(text, ": ");
    strbuf_add(text, groups[g].values.data, groups[g].values.length);
  }
  if (more) strbuf_puts(text, "\n- ...");
  if (!count) strbuf_puts(text, "\n\nno value is written with it");
}

// The name of an alias where it is defined, or a dim of the type that it is. False: there is none at params.position.
static bool describe_alias(lsp_call *call, shape_strbuf *text, source_span *span) {
  const syn_index *x = call->syntax;
  uint32_t offset = 0, axis = UINT32_MAX;
  lsp_offset_read(call, &offset);
  uint32_t op = syn_op_of_token(x, syn_token_before(x, offset + 1));
  syn_type type = alias_type(x, op);
  if (type.last == SYN_NONE) return false;
  const syn_token *name = &x->tokens[x->ops[op].first];
  source_span whole = {x->tokens[type.first].begin, x->tokens[type.last].end};
  source_span sizes[EXPLAIN_DIMS_MAX];
  uint32_t count = lsp_type_dims(call->model, whole, sizes, EXPLAIN_DIMS_MAX);
  for (uint32_t i = 0; i < count && i < EXPLAIN_DIMS_MAX; i++) {
    if (offset >= sizes[i].begin && offset <= sizes[i].end) axis = i;
  }
  if (axis == UINT32_MAX && (offset < name->begin || offset > name->end)) return false;
  *span = axis == UINT32_MAX ? (source_span){name->begin, name->end} : sizes[axis];
  if (axis != UINT32_MAX) strbuf_printf(text, "dim %u of ", axis);
  lsp_put_code(text, x->text + name->begin, name->end - name->begin);
  strbuf_puts(text, ", ");
  lsp_put_code(text, x->text + whole.begin, whole.end - whole.begin);
  put_alias_uses(call, op, axis, text);
  return true;
}

static void put_hover(lsp_call *call, shape_strbuf *text, source_span span) {
  json_writer *w = call->w;
  json_begin_object(w);
  json_key(w, "contents");
  lsp_put_markup(call->server, w, text);
  json_key(w, "range");
  lsp_put_range(call->server, call->document, w, span);
  json_end_object(w);
}

bool lsp_hover(lsp_call *call) {
  target t = {0};
  shape_strbuf text;
  source_span span;
  json_writer *w = call->w;
  if (!read_target(call, &t)) return false;
  strbuf_init(&text, call->arena);
  if (describe_operation(call, &text, &span) || describe_alias(call, &text, &span)) {
    put_hover(call, &text, span);
    return true;
  }
  bool any = t.kind != TARGET_NONE;
  switch (t.kind) {
  case TARGET_SIZE: any = describe_size(call, &t, &text); break;
  case TARGET_VALUE:
  case TARGET_TYPE: lsp_describe_value(call, t.value, &text); break;
  case TARGET_SYMBOL: lsp_describe_symbol(call, t.symbol, &text); break;
  case TARGET_FUNCTION: describe_function(call, t.function, &text); break;
  case TARGET_NONE: break;
  }
  if (!any) {
    json_null(w);
    return true;
  }
  put_hover(call, &text, t.span);
  return true;
}

// --- definition

// Where each symbol of an expression comes from.
static void put_origins(lsp_call *call, report_text expression) {
  for (uint32_t at = 0, end; at<expression.length; at = end> at ? end : at + 1) {
    end = lsp_word_end(expression, at);
    const lsp_symbol *symbol = lsp_model_symbol(call->model, expression.text + at, end - at);
    if (!symbol) continue;
    source_span location = lsp_model_symbol_location(call->model, symbol);
    if (!span_is_none(location)) lsp_put_location(call->server, call->document, call->w, location);
  }
}

bool lsp_definition(lsp_call *call) {
  target t = {0};
  json_writer *w = call->w;
  uint32_t name;
  if (!read_target(call, &t) || !lsp_read_name(call, &name)) return false;
  const lsp_shape *shape;
  source_span location = SPAN_NONE;
  json_begin_array(w);
  if (name != SYN_NONE) {
    location = lsp_definition_span(call->syntax, name);
    t.kind = TARGET_NONE;
  }
  switch (t.kind) {
  case TARGET_SYMBOL: location = lsp_model_symbol_location(call->model, t.symbol); break;
  case TARGET_SIZE:
    shape = lsp_model_shape(call->model, t.value);
    if (shape && shape->ranked && t.axis < shape->rank) put_origins(call, shape->dims[t.axis]);
    break;
  case TARGET_VALUE:
  case TARGET_FUNCTION:
  case TARGET_TYPE:
  case TARGET_NONE: break;
  }
  if (!span_is_none(location)) lsp_put_location(call->server, call->document, w, location);
  json_end_array(w);
  return true;
}

// --- highlight

static void put_highlight(lsp_call *call, source_span span) {
  enum { TEXT = 1 };
  json_begin_object(call->w);
  json_key(call->w, "range");
  lsp_put_range(call->server, call->document, call->w, span);
  json_put_int(call->w, "kind", TEXT);
  json_end_object(call->w);
}

// All dims in types of the text that are equal to this one.
static void highlight_size(lsp_call *call, report_text wanted) {
  enum { MOST = 10000 };
  lsp_model *m = call->model;
  source_span sizes[EXPLAIN_DIMS_MAX], last = SPAN_NONE;
  for (uint32_t i = 0, shown = 0; i < m->index.type_count && shown < MOST; i++) {
    if (m->index.types[i].span.begin == last.begin) continue;
    last = m->index.types[i].span;
    const lsp_shape *shape = lsp_model_shape(m, m->index.types[i].value);
    if (!shape || !shape->ranked) continue;
    uint32_t count = lsp_type_dims(m, last, sizes, EXPLAIN_DIMS_MAX);
    if (count != shape->rank) continue;
    for (uint32_t k = 0; k < count && k < EXPLAIN_DIMS_MAX; k++) {
      report_text dim = shape->dims[k];
      if (dim.length != wanted.length || memcmp(dim.text, wanted.text, dim.length) != 0) continue;
      put_highlight(call, sizes[k]);
      shown++;
    }
  }
}

bool lsp_document_highlight(lsp_call *call) {
  target t = {0};
  uint32_t name;
  if (!read_target(call, &t) || !lsp_read_name(call, &name)) return false;
  lsp_model_index(call->model);
  json_begin_array(call->w);
  if (name != SYN_NONE) {
    lsp_highlight_name(call, name);
    json_end_array(call->w);
    return true;
  }
  if (t.kind == TARGET_SYMBOL) highlight_size(call, t.symbol->name);
  if (t.kind == TARGET_SIZE) {
    const lsp_shape *shape = lsp_model_shape(call->model, t.value);
    bool known =
        shape && shape->ranked && t.axis < shape->rank && shape->dims[t.axis].text[0] != '?';
    if (known) highlight_size(call, shape->dims[t.axis]);
  }
  json_end_array(call->w);
  return true;
}
