// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/rewrite.h"

#include <assert.h>
#include <string.h>

static func_id enclosing(const shape_graph *g, op_id op) {
  assert(op < g->op_count && g->ops[op].parent < g->block_count);
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

void rewrite_init(refine_rewrite *r, const refined_types *types, const mlir_uses *uses,
                  text_edits *edits) {
  shape_graph *g = types->graph;
  type_id *value_types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *value_types);
  for (value_id v = 0; v < g->value_count; v++) value_types[v] = refined_value(types, v);
  *r = (refine_rewrite){
      .graph = g, .uses = uses, .types = types, .value_types = value_types, .edits = edits};
  r->removed = arena_zalloc(g->arena, g->op_count + 1);
  r->edit_of = arena_zalloc(g->arena, (g->op_count + 1) * sizeof *r->edit_of);
  r->closed = arena_zalloc(g->arena, g->func_count + 1);
  for (func_id f = 0; f < g->func_count; f++) r->closed[f] = g->funcs[f].name != NAME_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    if (mlir_op_is_opaque(uses, op)) r->closed[enclosing(g, op)] = false;
  }
}

void rewrite_keep(refine_rewrite *r, const uint8_t *kept) {
  const shape_graph *g = r->graph;
  r->kept = kept;
  if (!kept) return;
  r->fed = arena_zalloc(g->arena, g->value_count + 1);
  for (op_id op = 0; op < g->op_count; op++) {
    for (uint32_t i = 0; kept[op] && i < g->ops[op].operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) r->fed[value] = true;
    }
  }
}

bool rewrite_keeps(const refine_rewrite *r, op_id op) { return r->kept && r->kept[op]; }

bool rewrite_feeds(const refine_rewrite *r, value_id value) { return r->fed && r->fed[value]; }

bool rewrite_is_open(const refine_rewrite *r, op_id op) {
  return !r->closed[enclosing(r->graph, op)];
}

const constant_value *rewrite_constant(const refine_rewrite *r, value_id value) {
  assert(value == VALUE_NONE || value < r->graph->value_count);
  if (value == VALUE_NONE) return NULL;
  const constant_value *constant = &r->constants[value];
  return constant->items && !constant->varies ? constant : NULL;
}

void rewrite_replace(refine_rewrite *r, op_id op, const shape_strbuf *text) {
  assert(op < r->graph->op_count && r->edit_of[op] <= r->edits->count);
  const graph_op *o = &r->graph->ops[op];
  source_span span = {o->name_span.begin, mlir_op_end(r->uses, op)};
  const char *kept = arena_strndup(r->graph->arena, text->data, text->length);
  if (r->edit_of[op]) {  // its last text counts
    r->edits->items[r->edit_of[op] - 1].text = kept;
    r->edits->items[r->edit_of[op] - 1].length = text->length;
    return;
  }
  uint32_t before = r->edits->count;
  edits_add(r->edits, &r->graph->source, span, kept, text->length);
  if (r->edits->count > before) r->edit_of[op] = r->edits->count;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// With the indentation in front of it where nothing else is on its lines, and with --cleanup their line break.
void rewrite_remove_span(refine_rewrite *r, source_span span) {
  assert(span.begin <= span.end && span.end <= r->graph->source.length);
  const char *text = r->graph->source.text;
  uint32_t begin = span.begin, end = span.end, length = r->graph->source.length;
  while (begin && is_blank(text[begin - 1])) begin--;
  while (end < length && is_blank(text[end])) end++;
  bool alone = (begin == 0 || text[begin - 1] == '\n') && (end == length || text[end] == '\n');
  if (alone && r->cleanup && end < length) end++;
  edits_add(r->edits, &r->graph->source, alone ? (source_span){begin, end} : span, "", 0);
}

void rewrite_remove(refine_rewrite *r, op_id op) {
  r->removed[op] = true;
  rewrite_remove_span(r, r->graph->ops[op].span);
}
