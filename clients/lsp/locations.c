// SPDX-License-Identifier: Apache-2.0
// Where values, types and dims are in the text.
#include <stdlib.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "clients/lsp/model.h"

func_id lsp_model_function_of(const lsp_model *m, value_id value) {
  const shape_graph *g = m->graph;
  const graph_value *v = &g->values[value];
  block_id block = v->is_argument ? v->def : g->ops[v->def].parent;
  if (block == ID_NONE || block >= g->block_count) return ID_NONE;
  region_id region = g->blocks[block].region;
  return region == ID_NONE || region >= g->region_count ? ID_NONE : g->regions[region].func;
}

func_id lsp_model_func_at(const lsp_model *m, uint32_t offset) {
  const shape_graph *g = m->graph;
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    if (func->name != NAME_NONE && func->span.begin <= offset && offset <= func->span.end) return f;
  }
  return ID_NONE;
}

// In any order: graphs are read where they are called.
static op_id op_of_python(const shape_graph *g, uint32_t offset) {
  op_id found = ID_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    source_span span = g->ops[op].span;
    if (span_is_none(span) || offset < span.begin || offset > span.end) continue;
    if (found == ID_NONE || span.begin > g->ops[found].span.begin) found = op;
  }
  return found;
}

op_id lsp_model_op_at(const lsp_model *m, uint32_t offset) {
  const shape_graph *g = m->graph;
  if (g->format == GRAPH_FX) return op_of_python(g, offset);
  uint32_t count = sorted_before(g->ops, g->op_count, sizeof *g->ops,
                                 offsetof(graph_op, span.begin), (uint64_t)offset + 1);
  op_id op = count ? count - 1 : ID_NONE;
  while (op != ID_NONE && g->ops[op].span.end < offset) {
    block_id block = g->ops[op].parent;
    region_id region = block < g->block_count ? g->blocks[block].region : ID_NONE;
    op = region < g->region_count ? g->regions[region].op : ID_NONE;
  }
  return op;
}

// --- the index

static int by_name_location(const void *a, const void *b) {
  const lsp_name_location *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

static int by_type_location(const void *a, const void *b) {
  const lsp_type_location *x = a, *y = b;
  if (x->span.begin != y->span.begin) return x->span.begin < y->span.begin ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

static bool is_python_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c & 0x80);
}

static bool is_name(const shape_graph *g, uint32_t at) {
  if (at >= g->source.length) return false;
  return g->format == GRAPH_FX ? is_python_word(g->source.text[at]) : g->source.text[at] == '%';
}

// Values have ids in the order of their text, except those of operations with errors.
void lsp_model_index_definitions(lsp_model *m) {
  const shape_graph *g = m->graph;
  bool sorted = true;
  uint32_t n = 0;
  if (m->index.definitions) return;
  m->index.definitions =
      arena_alloc(g->arena, ((size_t)g->value_count + 1) * sizeof *m->index.definitions);
  for (value_id v = 0; v < g->value_count; v++) {
    if (!is_name(g, g->values[v].at)) continue;
    m->index.definitions[n] = (lsp_name_location){g->values[v].at, v};
    sorted &= n == 0 || m->index.definitions[n - 1].at <= m->index.definitions[n].at;
    n++;
  }
  m->index.definition_count = n;
  if (!sorted) qsort(m->index.definitions, n, sizeof *m->index.definitions, by_name_location);
}

static void index_names(lsp_model *m) {
  const shape_graph *g = m->graph;
  lsp_model_index_definitions(m);
  size_t most = (size_t)m->index.definition_count + m->uses.operand_count;
  m->index.names = arena_alloc(g->arena, (most + 1) * sizeof *m->index.names);
  memcpy(m->index.names, m->index.definitions, m->index.definition_count * sizeof *m->index.names);
  m->index.name_count = m->index.definition_count;
  for (uint32_t i = 0; i < m->uses.operand_count && i < g->operand_count; i++) {
    if (is_name(g, m->uses.operands[i]) && g->operands[i] != VALUE_NONE)
      m->index.names[m->index.name_count++] =
          (lsp_name_location){m->uses.operands[i], g->operands[i]};
  }
  qsort(m->index.names, m->index.name_count, sizeof *m->index.names, by_name_location);
}

// The value whose dims a type in the text shows.
static value_id value_of_use(const shape_graph *g, const mlir_type_use *use) {
  const graph_op *o;
  switch ((mlir_use_kind)use->kind) {
  case MLIR_USE_VALUE: return use->subject;
  case MLIR_USE_RESULT:
    o = &g->ops[use->subject];
    return use->index < o->result_count ? o->results + use->index : VALUE_NONE;
  case MLIR_USE_SAME:
    o = &g->ops[use->subject];
    return o->result_count ? o->results : graph_operand(g, use->subject, 0);
  default: return VALUE_NONE;
  }
}

static void add_type(lsp_model *m, uint32_t *capacity, source_span span, value_id value) {
  if (value == VALUE_NONE || span_is_none(span) || span.end > m->graph->source.length) return;
  m->index.types = arena_grow(m->graph->arena, m->index.types, m->index.type_count,
                              (size_t)m->index.type_count + 1, capacity, sizeof *m->index.types);
  m->index.types[m->index.type_count++] = (lsp_type_location){span, value};
}

value_id lsp_returned(const shape_graph *g, const graph_func *func, uint32_t index) {
  if (func->body == ID_NONE || !g->regions[func->body].block_count) return VALUE_NONE;
  const graph_region *body = &g->regions[func->body];
  op_id last = g->blocks[body->first_block + body->block_count - 1].last;
  if (last == ID_NONE) return VALUE_NONE;
  return op_has(g, last, TRAIT_RETURN) ? graph_operand(g, last, index) : VALUE_NONE;
}

static void index_types(lsp_model *m) {
  const shape_graph *g = m->graph;
  uint32_t capacity = 0;
  for (uint32_t i = 0; i < m->uses.count; i++) {
    add_type(m, &capacity, m->uses.items[i].span, value_of_use(g, &m->uses.items[i]));
  }
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    if (!func->result_spans || func->type == TYPE_NONE) continue;
    const graph_type *type = type_get(&g->types, func->type);
    for (uint32_t i = 0; i + type->split < type->param_count; i++) {
      add_type(m, &capacity, func->result_spans[i], lsp_returned(g, func, i));
    }
  }
  if (m->index.type_count)
    qsort(m->index.types, m->index.type_count, sizeof *m->index.types, by_type_location);
}

void lsp_model_index(lsp_model *m) {
  if (m->index.names) return;
  index_types(m);
  index_names(m);
}

uint32_t lsp_model_first_name(const lsp_name_location *names, uint32_t count, uint32_t offset) {
  return sorted_before(names, count, sizeof *names, offsetof(lsp_name_location, at), offset);
}

uint32_t lsp_model_first_type(const lsp_model *m, uint32_t offset) {
  return sorted_before(m->index.types, m->index.type_count, sizeof *m->index.types,
                       offsetof(lsp_type_location, span.begin), offset);
}

source_span lsp_name_span(const lsp_model *m, uint32_t at) {
  const source_text *source = &m->graph->source;
  if (m->graph->format != GRAPH_FX) return edit_value_span(source, at);
  uint32_t end = at;
  while (end < source->length && is_python_word(source->text[end])) end++;
  return (source_span){at, end};
}

const lsp_name_location *lsp_model_name_at(lsp_model *m, uint32_t offset) {
  lsp_model_index(m);
  uint32_t next = lsp_model_first_name(m->index.names, m->index.name_count, offset + 1);
  if (!next) return NULL;
  // Results of one group are at one location: the name there is that of the first.
  const lsp_name_location *location = &m->index.names[next - 1];
  while (location > m->index.names && location[-1].at == location->at) location--;
  source_span span = lsp_name_span(m, location->at);
  return offset <= span.end ? location : NULL;
}

const lsp_type_location *lsp_model_type_at(lsp_model *m, uint32_t offset) {
  lsp_model_index(m);
  uint32_t next = lsp_model_first_type(m, offset + 1);
  if (!next) return NULL;
  const lsp_type_location *location = &m->index.types[next - 1];
  return offset <= location->span.end ? location : NULL;
}

// --- dims in a type

static uint32_t skip_blank(const char *text, uint32_t at, uint32_t end) {
  while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
    at++;
  return at;
}

uint32_t lsp_type_dims(const lsp_model *m, source_span type, source_span *sizes, uint32_t room) {
  static const char HEAD[] = "tensor<";
  const char *text = m->graph->source.text;
  uint32_t at = type.begin, end = type.end, count = 0;
  if (end - at <= sizeof HEAD || memcmp(text + at, HEAD, sizeof HEAD - 1) != 0) return 0;
  at = skip_blank(text, at + (uint32_t)sizeof HEAD - 1, end);
  while (at < end) {
    uint32_t from = at;
    if (text[at] == '?') {
      at++;
    } else {
      while (at < end && text[at] >= '0' && text[at] <= '9') at++;
    }
    source_span size = {from, at};
    at = skip_blank(text, at, end);
    if (size.end == size.begin || at >= end || text[at] != 'x') break;
    if (count < room) sizes[count] = size;
    count++;
    at = skip_blank(text, at + 1, end);
  }
  return count;
}

source_span lsp_model_symbol_location(lsp_model *m, const lsp_symbol *s) {
  const shape_graph *g = m->graph;
  if (strncmp(s->origin, "argument", 8) == 0 && s->function < g->func_count) {
    const graph_func *func = &g->funcs[s->function];
    if (func->body == ID_NONE || !g->regions[func->body].block_count) return s->span;
    const graph_block *entry = &g->blocks[g->regions[func->body].first_block];
    if (s->argument >= entry->argument_count) return s->span;
    uint32_t at = g->values[entry->arguments + s->argument].at;
    if (!is_name(g, at)) return s->span;
    if (strcmp(s->origin, "argument_size") != 0) return lsp_name_span(m, at);
    lsp_model_index(m);
    source_span sizes[64];
    uint32_t i = lsp_model_first_type(m, at);
    if (i < m->index.type_count && m->index.types[i].value == entry->arguments + s->argument) {
      uint32_t count = lsp_type_dims(m, m->index.types[i].span, sizes, 64);
      if (s->axis < count && s->axis < 64) return sizes[s->axis];
    }
    return lsp_name_span(m, at);
  }
  return s->span;
}
