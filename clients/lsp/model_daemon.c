// SPDX-License-Identifier: Apache-2.0
// A model from the answer of a daemon: `proto/schema/check-answer.json` says what it holds. The text is read here as
// well, for its locations; functions are matched by their names, and operations by their order, which are the same there.
#include <stdio.h>
#include <string.h>

#include "clients/lsp/model.h"

typedef struct taking {
  lsp_model *m;
  shape_arena *arena;
  shape_intern keys;  // of shapes: what is said of them
  uint32_t shape_capacity;
} taking;

static const cJSON *member(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

static const cJSON *first_of(const cJSON *object, const char *key) {
  const cJSON *list = member(object, key);
  return cJSON_IsArray(list) ? list->child : NULL;
}

static uint32_t count_of(const cJSON *item) {
  uint32_t n = 0;
  for (; item; item = item->next) n++;
  return n;
}

static const char *text_member(const cJSON *object, const char *key) {
  const cJSON *node = member(object, key);
  return cJSON_IsString(node) ? node->valuestring : NULL;
}

static uint32_t index_member(const cJSON *object, const char *key) {
  const cJSON *node = member(object, key);
  bool is_index = cJSON_IsNumber(node) && node->valuedouble >= 0 && node->valuedouble < UINT32_MAX;
  return is_index ? (uint32_t)node->valuedouble : ID_NONE;
}

// A text of the answer, a number as its digits; empty for anything else.
static report_text text_of(taking *t, const cJSON *node) {
  if (cJSON_IsString(node)) {
    size_t n = strlen(node->valuestring);
    return (report_text){arena_strndup(t->arena, node->valuestring, n), (uint32_t)n};
  }
  if (!cJSON_IsNumber(node)) return (report_text){"", 0};
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%.0f", node->valuedouble);
  return (report_text){arena_strndup(t->arena, digits, (size_t)n), (uint32_t)n};
}

static const char *copy_of(taking *t, const char *text, const char *otherwise) {
  return text ? arena_strndup(t->arena, text, strlen(text)) : otherwise;
}

// --- locations

static uint32_t offset_of(const taking *t, uint32_t line, uint32_t column) {
  source_text *source = &t->m->graph->source;
  if (line == 0 || line > source->line_count || column == 0) return UINT32_MAX;
  uint64_t at = (uint64_t)source->line_starts[line - 1] + column - 1;
  return at <= source->length ? (uint32_t)at : source->length;
}

// The whole operation where one begins there.
static source_span location_of(const taking *t, const cJSON *object) {
  uint32_t at = offset_of(t, index_member(object, "line"), index_member(object, "column"));
  if (at == UINT32_MAX) return SPAN_NONE;
  op_id op = lsp_model_op_at(t->m, at);
  if (op != ID_NONE && t->m->graph->ops[op].span.begin == at) return t->m->graph->ops[op].span;
  return (source_span){at, at};
}

// --- shapes

static void put_declared(taking *t, value_id value, shape_strbuf *out) {
  type_id type = t->m->graph->values[value].type;
  if (type != TYPE_NONE) type_print(&t->m->graph->types, out, type);
}

static bool is_dynamic(const graph_type *type) {
  bool dynamic = !type || type->kind == TYPE_UNRANKED;
  for (uint32_t i = 0; type && type->kind == TYPE_TENSOR && i < type->rank; i++) {
    dynamic |= !dim_is_static(type->dims[i]);
  }
  return dynamic;
}

static void make_shape(taking *t, lsp_shape *to, value_id value, const char *declared,
                       const cJSON *type, const cJSON *dims) {
  *to = (lsp_shape){.type = copy_of(t, cJSON_IsString(type) ? type->valuestring : NULL, NULL),
                    .ranked = cJSON_IsArray(dims),
                    .dynamic = is_dynamic(graph_value_type(t->m->graph, value))};
  to->rank = to->ranked ? count_of(dims->child) : 0;
  to->says_more = to->type && strcmp(to->type, declared) != 0;
  t->m->refines |= to->says_more;
  report_text *list = arena_alloc(t->arena, (to->rank + 1) * sizeof *list);
  const cJSON *dim = to->ranked ? dims->child : NULL;
  for (uint32_t i = 0; dim; dim = dim->next, i++) {
    list[i] = cJSON_IsNull(dim) ? (report_text){"?", 1} : text_of(t, dim);
    to->says_more |=
        cJSON_IsString(dim) && strspn(dim->valuestring, "0123456789") != list[i].length;
  }
  to->dims = list;
}

// Most values share what is said of them with many others.
static void take_value(taking *t, value_id value, const cJSON *type, const cJSON *dims) {
  lsp_model *m = t->m;
  shape_strbuf key;
  strbuf_init(&key, &m->scratch);
  put_declared(t, value, &key);
  const char *declared = arena_strndup(&m->scratch, key.data ? key.data : "", key.length);
  strbuf_putc(&key, '|');
  if (cJSON_IsString(type)) strbuf_puts(&key, type->valuestring);
  strbuf_putc(&key, cJSON_IsArray(dims) ? '[' : '|');
  for (const cJSON *d = cJSON_IsArray(dims) ? dims->child : NULL; d; d = d->next) {
    report_text text = text_of(t, d);
    strbuf_add(&key, text.text, text.length);
    strbuf_putc(&key, ',');
  }
  uint32_t index = intern_add(&t->keys, key.data, key.length);
  if (index == m->shape.count) {
    m->shape.items = arena_grow(t->arena, m->shape.items, index, (size_t)index + 1,
                                &t->shape_capacity, sizeof *m->shape.items);
    make_shape(t, &m->shape.items[index], value, declared, type, dims);
    m->shape.count++;
  }
  m->shape.of[value] = index;
}

// --- functions

static func_id function_named(const taking *t, const char *name, const bool *taken) {
  const shape_graph *g = t->m->graph;
  for (func_id f = 0; f < g->func_count; f++) {
    if (taken[f] || g->funcs[f].body == ID_NONE) continue;
    if (strcmp(graph_func_name(g, f), name) == 0) return f;
  }
  return ID_NONE;
}

static bool take_arguments(taking *t, func_id f, const cJSON *function) {
  const shape_graph *g = t->m->graph;
  const graph_region *body = &g->regions[g->funcs[f].body];
  if (!body->block_count) return true;
  const graph_block *entry = &g->blocks[body->first_block];
  const cJSON *type = first_of(function, "arguments"), *dims = first_of(function, "argument_dims");
  uint32_t i = 0;
  for (; type && dims && i < entry->argument_count; i++, type = type->next, dims = dims->next) {
    take_value(t, entry->arguments + i, type, dims);
  }
  return i == entry->argument_count && !type;
}

static func_id func_of_op(const shape_graph *g, op_id op) {
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

// Operations of a function have consecutive ids; those without results are not in the answer.
static bool take_ops(taking *t, func_id f, const cJSON *function) {
  const shape_graph *g = t->m->graph;
  op_id op = 0;
  while (op < g->op_count && func_of_op(g, op) != f) op++;
  for (const cJSON *item = first_of(function, "ops"); item; item = item->next, op++) {
    while (op < g->op_count && func_of_op(g, op) == f && !g->ops[op].result_count) op++;
    const char *name = text_member(item, "name");
    if (op >= g->op_count || !name || strcmp(graph_op_name(g, op), name) != 0) return false;
    const cJSON *type = first_of(item, "results"), *dims = first_of(item, "dims");
    if (count_of(type) != g->ops[op].result_count) return false;
    for (uint32_t k = 0; type && dims; k++, type = type->next, dims = dims->next) {
      take_value(t, g->ops[op].results + k, type, dims);
    }
  }
  return true;
}

static bool take_functions(taking *t, const cJSON *answer) {
  uint32_t count = t->m->graph->func_count;
  bool *taken = arena_zalloc(t->arena, count + 1);
  for (const cJSON *function = first_of(answer, "functions"); function; function = function->next) {
    const char *name = text_member(function, "name");
    func_id f = name ? function_named(t, name, taken) : ID_NONE;
    if (f == ID_NONE) return false;
    if (!t->m->entry.length) t->m->entry = text_of(t, member(function, "name"));
    taken[f] = true;
    if (!take_arguments(t, f, function) || !take_ops(t, f, function)) return false;
  }
  return true;
}

// --- symbols, constraints, diagnostics

static report_text range_text(taking *t, const cJSON *symbol) {
  report_text least = text_of(t, member(symbol, "min")), most = text_of(t, member(symbol, "max"));
  shape_strbuf buf;
  strbuf_init(&buf, t->arena);
  strbuf_add(&buf, least.text, least.length);
  strbuf_puts(&buf, "..");
  strbuf_add(&buf, most.text, most.length);
  return (report_text){buf.data, buf.length};
}

static report_text list_text(taking *t, const cJSON *item) {
  shape_strbuf buf;
  if (!item) return (report_text){"", 0};
  strbuf_init(&buf, t->arena);
  for (bool more = false; item; item = item->next, more = true) {
    report_text text = text_of(t, item);
    if (more) strbuf_puts(&buf, ", ");
    strbuf_add(&buf, text.text, text.length);
  }
  return (report_text){buf.data, buf.length};
}

static func_id find_function(const taking *t, const char *name) {
  const shape_graph *g = t->m->graph;
  for (func_id f = 0; name && f < g->func_count; f++) {
    if (g->funcs[f].name != NAME_NONE && strcmp(graph_func_name(g, f), name) == 0) return f;
  }
  return ID_NONE;
}

static source_span symbol_span(const taking *t, const lsp_symbol *s, const cJSON *origin) {
  const shape_graph *g = t->m->graph;
  name_id name = intern_find(&g->names, s->name.text, s->name.length);
  uint32_t declared = name == NAME_NONE ? ID_NONE : graph_find_symbol(g, name);
  if (declared != ID_NONE) return g->declared.symbols[declared].span;
  uint32_t at = offset_of(t, index_member(origin, "line"), 1);
  if (at == UINT32_MAX) return SPAN_NONE;
  while (at < g->source.length && (g->source.text[at] == ' ' || g->source.text[at] == '\t')) at++;
  op_id op = lsp_model_op_at(t->m, at);
  return op == ID_NONE ? (source_span){at, at} : g->ops[op].span;
}

static void take_symbols(taking *t, const cJSON *answer) {
  lsp_model *m = t->m;
  const cJSON *item = first_of(answer, "symbols");
  m->symbols = arena_zalloc(t->arena, (count_of(item) + 1) * sizeof *m->symbols);
  for (; item; item = item->next) {
    const cJSON *origin = member(item, "origin");
    lsp_symbol *s = &m->symbols[m->symbol_count++];
    *s = (lsp_symbol){.name = text_of(t, member(item, "name")),
                      .origin = copy_of(t, text_member(origin, "kind"), "opaque"),
                      .function = find_function(t, text_member(origin, "function")),
                      .argument = index_member(origin, "argument"),
                      .axis = index_member(origin, "axis"),
                      .range = range_text(t, item),
                      .divisor = text_of(t, member(item, "divisible_by")),
                      .likely = list_text(t, first_of(item, "likely")),
                      .definition = text_of(t, member(item, "def"))};
    if (s->divisor.length == 1 && *s->divisor.text == '1') s->divisor.length = 0;
    s->span = symbol_span(t, s, origin);
  }
  lsp_model_index_symbols(m);
  for (uint32_t i = 0; i < m->shape.count; i++) {
    lsp_shape *shape = &m->shape.items[i];
    shape->determined = shape->ranked || !(shape->type && strncmp(shape->type, "tensor<", 7) == 0);
    for (uint32_t k = 0; k < shape->rank; k++) {
      shape->determined &= lsp_model_determined(m, shape->dims[k]);
    }
  }
}

static lsp_constraint *take_constraints(taking *t, const cJSON *answer, const char *key,
                                        uint32_t *count) {
  const cJSON *item = first_of(answer, key);
  lsp_constraint *list = arena_zalloc(t->arena, (count_of(item) + 1) * sizeof *list);
  *count = 0;
  for (; item; item = item->next) {
    lsp_constraint *c = &list[(*count)++];
    const cJSON *why = first_of(item, "because");
    lsp_reason *because = arena_alloc(t->arena, (count_of(why) + 1) * sizeof *because);
    c->kind = text_of(t, member(item, "kind"));
    c->expr = text_of(t, member(item, "expr"));
    c->scope = c->function = text_of(t, member(item, "scope"));
    const char *slash = memchr(c->scope.text, '/', c->scope.length);
    if (slash) c->function.length = (uint32_t)(slash - c->scope.text);
    c->because = because;
    for (; why; why = why->next) {
      because[c->because_count++] =
          (lsp_reason){location_of(t, why), copy_of(t, text_member(why, "rule"), NULL),
                       copy_of(t, text_member(why, "message"), "")};
    }
  }
  return list;
}

static void take_unchecked(taking *t, const cJSON *answer) {
  const cJSON *item = first_of(answer, "unchecked");
  lsp_model *m = t->m;
  m->facts.unchecked = arena_zalloc(t->arena, (count_of(item) + 1) * sizeof *m->facts.unchecked);
  for (; item; item = item->next) {
    lsp_reason *why = arena_alloc(t->arena, sizeof *why);
    *why = (lsp_reason){location_of(t, item), NULL, copy_of(t, text_member(item, "reason"), "")};
    m->facts.unchecked[m->facts.unchecked_count++] = (lsp_constraint){
        .expr = text_of(t, member(item, "requirement")), .because = why, .because_count = 1};
  }
}

static diag_severity severity_of(const char *name) {
  for (int s = DIAG_ERROR; name && s < DIAG_HINT; s++) {
    if (strcmp(diag_severity_name((diag_severity)s), name) == 0) return (diag_severity)s;
  }
  return DIAG_HINT;
}

static report_locations locations_of(taking *t, const cJSON *item) {
  const cJSON *step = first_of(item, "locations");
  report_location *items = arena_zalloc(t->arena, (count_of(step) + 1) * sizeof *items);
  uint32_t count = 0;
  for (; step; step = step->next) {
    if (!text_member(step, "file") || index_member(step, "line") == UINT32_MAX) continue;
    uint32_t column = index_member(step, "column");
    items[count++] = (report_location){.text = text_of(t, member(step, "file")),
                                       .line = index_member(step, "line"),
                                       .column = column == UINT32_MAX ? 0 : column};
  }
  return (report_locations){items, count};
}

static void take_diags(taking *t, const cJSON *answer) {
  lsp_model *m = t->m;
  const cJSON *item = first_of(answer, "diagnostics");
  m->diags = arena_zalloc(t->arena, (count_of(item) + 1) * sizeof *m->diags);
  for (; item; item = item->next) {
    lsp_diag *d = &m->diags[m->diag_count++];
    const cJSON *step = first_of(item, "related");
    diag_related *related = arena_alloc(t->arena, (count_of(step) + 1) * sizeof *related);
    uint32_t end = offset_of(t, index_member(item, "end_line"), index_member(item, "end_column"));
    uint32_t begin = offset_of(t, index_member(item, "line"), index_member(item, "column"));
    *d = (lsp_diag){.severity = severity_of(text_member(item, "severity")),
                    .code = copy_of(t, text_member(item, "code"), ""),
                    .message = copy_of(t, text_member(item, "message"), ""),
                    .span = {begin, end},
                    .related = related,
                    .locations = locations_of(t, item)};
    if (begin == UINT32_MAX || end == UINT32_MAX) d->span = (source_span){0, 0};
    for (; step; step = step->next) {
      related[d->related_count++] =
          (diag_related){location_of(t, step), copy_of(t, text_member(step, "message"), "")};
    }
  }
}

bool lsp_model_take_answer(lsp_model *m, const cJSON *answer) {
  taking t = {.m = m, .arena = m->graph->arena};
  if (!cJSON_IsObject(answer) || !text_member(answer, "status")) return false;
  graph_position(m->graph, (source_span){0, 0});  // makes the index of lines
  intern_init(&t.keys, &m->scratch);
  m->shape.items = arena_alloc(t.arena, sizeof *m->shape.items);
  t.shape_capacity = 1;
  if (!take_functions(&t, answer)) return false;
  take_symbols(&t, answer);
  take_diags(&t, answer);
  m->facts.constraints = take_constraints(&t, answer, "constraints", &m->facts.constraint_count);
  m->facts.guards = take_constraints(&t, answer, "guards", &m->facts.guard_count);
  m->facts.scoped = take_constraints(&t, answer, "scoped_constraints", &m->facts.scoped_count);
  take_unchecked(&t, answer);
  const cJSON *item = first_of(answer, "assumptions");
  report_text *list = arena_alloc(t.arena, (count_of(item) + 1) * sizeof *list);
  for (; item; item = item->next) list[m->assumption_count++] = text_of(&t, item);
  m->assumptions = list;
  return true;
}
