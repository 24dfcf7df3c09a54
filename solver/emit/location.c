// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/location.h"

#include <assert.h>

static bool covers(source_span s, uint32_t offset) {
  return !span_is_none(s) && s.begin <= offset && offset < s.end;
}

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.' || c == '-' || c == '#';
}

// The name that begins at `at`: "%x#1" in MLIR, a string of JSON.
static source_span name_at(const shape_graph *g, uint32_t at) {
  uint32_t length = g->source.length, end = at;
  const char *text = g->source.text;
  if (at >= length) return SPAN_NONE;
  if (text[at] == '"') {
    for (end++; end < length && text[end] != '"'; end++) end += text[end] == '\\';
    return (source_span){at, end < length ? end + 1 : length};
  }
  if (text[at] != '%') return SPAN_NONE;
  for (end++; end < length && is_name_byte(text[end]);) end++;
  return (source_span){at, end};
}

// --- types

// The size of a written type ("tensor<?x4xf32>") that the offset is in, its "x" included.
static uint32_t axis_at(const shape_graph *g, source_span type, uint32_t offset,
                        source_span *span) {
  assert(type.begin <= type.end && type.end <= g->source.length);
  const char *text = g->source.text;
  uint32_t at = type.begin, axis = 0;
  while (at < type.end && text[at] != '<') at++;
  for (at++; at < type.end; axis++) {
    uint32_t begin = at;
    while (at < type.end && ((text[at] >= '0' && text[at] <= '9') || text[at] == '?')) at++;
    if (at == begin || at >= type.end || text[at] != 'x') return ID_NONE;
    if (offset >= begin && offset <= at) {
      *span = (source_span){begin, at};
      return axis;
    }
    at++;
  }
  return ID_NONE;
}

static value_id value_of_use(const shape_graph *g, const mlir_type_use *use) {
  assert(use->subject < (use->kind == MLIR_USE_VALUE ? g->value_count : UINT32_MAX));
  switch ((mlir_use_kind)use->kind) {
  case MLIR_USE_VALUE: return use->subject;
  case MLIR_USE_RESULT:
    return use->index < g->ops[use->subject].result_count
               ? graph_result(g, use->subject, use->index)
               : VALUE_NONE;
  case MLIR_USE_SAME:
  case MLIR_USE_SELECT:
  case MLIR_USE_COMPLEX:
    return g->ops[use->subject].result_count ? graph_result(g, use->subject, 0)
                                             : graph_operand(g, use->subject, 0);
  default: return VALUE_NONE;
  }
}

static bool take_type(const shape_graph *g, source_span type, value_id value, uint32_t offset,
                      source_location *out) {
  if (value == VALUE_NONE || !covers(type, offset)) return false;
  *out = (source_location){value, ID_NONE, type};
  out->axis = axis_at(g, type, offset, &out->span);
  return true;
}

static bool find_type(const shape_graph *g, const mlir_uses *uses, uint32_t offset,
                      source_location *out) {
  for (uint32_t i = 0; i < uses->count; i++) {
    const mlir_type_use *use = &uses->items[i];
    if (covers(use->span, offset) && take_type(g, use->span, value_of_use(g, use), offset, out))
      return true;
  }
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *fn = &g->funcs[f];
    if (!fn->result_spans || fn->body == ID_NONE || !g->regions[fn->body].block_count) continue;
    op_id end = graph_terminator(g, g->regions[fn->body].first_block);
    for (uint32_t k = 0; end != ID_NONE && k < g->ops[end].operand_count; k++) {
      const graph_type *type = type_get(&g->types, fn->type);
      if (k >= type->param_count - type->split) break;
      if (take_type(g, fn->result_spans[k], graph_operand(g, end, k), offset, out)) return true;
    }
  }
  return false;
}

// --- names

static bool take_name(const shape_graph *g, value_id value, uint32_t at, uint32_t offset,
                      source_location *out) {
  source_span name = at > offset ? SPAN_NONE : name_at(g, at);
  if (value == VALUE_NONE || !covers(name, offset)) return false;
  *out = (source_location){value, ID_NONE, name};
  return true;
}

static bool find_name(const shape_graph *g, const mlir_uses *uses, uint32_t offset,
                      source_location *out) {
  for (uint32_t i = 0; i < uses->operand_count && i < g->operand_count; i++) {
    if (take_name(g, g->operands[i], uses->operands[i], offset, out)) return true;
  }
  for (value_id v = 0; v < g->value_count; v++) {
    if (take_name(g, v, g->values[v].at, offset, out)) return true;
  }
  return false;
}

static bool find_op(const shape_graph *g, uint32_t offset, source_location *out) {
  for (op_id op = g->op_count; op-- > 0;) {  // an inner operation comes after the one around it
    if (!covers(g->ops[op].span, offset)) continue;
    value_id value = g->ops[op].result_count ? graph_result(g, op, 0) : graph_operand(g, op, 0);
    *out = (source_location){value, ID_NONE, g->ops[op].span};
    return value != VALUE_NONE;
  }
  return false;
}

bool location_find(const shape_graph *g, const mlir_uses *uses, uint32_t offset,
                   source_location *out) {
  if (!graph_is_text(g)) return false;
  return find_type(g, uses, offset, out) || find_name(g, uses, offset, out) ||
         find_op(g, offset, out);
}

bool location_offset(const shape_graph *g, uint32_t line, uint32_t column, uint32_t *out) {
  graph_position(g, (source_span){0, 0});  // makes the table of lines
  const source_text *s = &g->source;
  if (!graph_is_text(g) || !line || !column || line > s->line_count) return false;
  uint32_t begin = s->line_starts[line - 1];
  uint32_t end = line < s->line_count ? s->line_starts[line] : s->length;
  assert(begin <= end && end <= s->length);
  *out = begin + (column - 1);
  return column - 1 < end - begin;
}
