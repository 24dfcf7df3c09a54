// SPDX-License-Identifier: Apache-2.0
#include "solver/infer/where.h"

#include <assert.h>

#include "solver/graph/address.h"

static uint32_t frame_of(const infer_result *infer, value_id v) {
  uint32_t found = ID_NONE;
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    const infer_frame *f = &infer->frames[i];
    if (!f->values || v < f->value_base || v >= f->value_end) continue;
    if (found != ID_NONE) return ID_NONE;
    found = i;
  }
  return found;
}

static uint32_t scope_of(const infer_result *infer, uint32_t frame, value_id v) {
  const shape_graph *g = infer->graph;
  const graph_value *value = &g->values[v];
  block_id block = value->is_argument ? value->def : g->ops[value->def].parent;
  while (block != ID_NONE) {
    region_id region = g->blocks[block].region;
    if (region == ID_NONE || g->regions[region].op == ID_NONE) break;
    op_id op = g->regions[region].op;
    uint32_t index = region - g->ops[op].regions;
    for (uint32_t s = infer->scope_count; s-- > 1;) {
      const infer_scope *scope = &infer->scopes[s];
      if (scope->op == op && scope->region == index && scope->frame == frame) return s;
    }
    block = g->ops[op].parent;
  }
  return infer->frames[frame].scope;
}

infer_position infer_position_of(const infer_result *infer, value_id v) {
  uint32_t frame = infer && v < infer->graph->value_count ? frame_of(infer, v) : ID_NONE;
  if (frame == ID_NONE) return (infer_position){NULL, ID_NONE, 0};
  const infer_frame *f = &infer->frames[frame];
  assert(v >= f->value_base && v < f->value_end);
  return (infer_position){&f->values[v - f->value_base], frame, scope_of(infer, frame, v)};
}

term_id infer_term_of(const value_info *info, uint32_t axis) {
  if (!info || !info->visited || !info->ranked) return TERM_NONE;
  if (axis != ID_NONE) return axis < info->rank ? info->dims[axis] : TERM_NONE;
  return !info->rank && info->elements && info->element_count == 1 ? info->elements[0] : TERM_NONE;
}

// What is before "[12]" at the end of a text; `length` where there is no such end.
static size_t cut_element(const char *text, size_t length, uint32_t *element) {
  enum { DIGITS_MAX = 9 };
  size_t at = length;
  uint32_t scale = 1;
  *element = 0;
  if (at < 4 || text[at - 1] != ']') return length;
  for (at--; at && text[at - 1] >= '0' && text[at - 1] <= '9'; at--) {
    if (length - at > DIGITS_MAX) return length;
    *element += scale * (uint32_t)(text[at - 1] - '0');
    scale *= 10;
  }
  return scale > 1 && at > 1 && text[at - 1] == '[' ? at - 1 : length;
}

term_id infer_address_term(const infer_result *infer, const char *text, size_t length,
                           uint32_t *scope) {
  graph_address address;
  uint32_t element;
  size_t known = cut_element(text, length, &element);
  *scope = 0;
  if (!infer || graph_address_read(infer->graph, text, known, infer->entry, NULL, NULL, &address))
    return TERM_NONE;
  infer_position position = infer_position_of(infer, address.value);
  const value_info *info = position.info;
  *scope = position.scope;
  if (known == length) return infer_term_of(info, address.axis);
  bool there = info && info->visited && info->elements && address.axis == ID_NONE;
  return there && element < info->element_count ? info->elements[element] : TERM_NONE;
}

bool infer_scope_within(const infer_result *infer, uint32_t inner, uint32_t outer) {
  for (uint32_t s = inner; s != ID_NONE; s = infer->scopes[s].parent) {
    assert(s < infer->scope_count);
    if (s == outer) return true;
  }
  return outer == 0;
}

bool infer_scope_enter(const infer_result *infer, uint32_t scope) {
  if (!scope) return false;
  store_push(infer->store, scope);
  fact_id count = store_fact_count(infer->store);
  for (fact_id i = 0; i < count; i++) {
    const fact *f = store_fact(infer->store, i);
    if (!f->scope || f->scope >= infer->scope_count) continue;
    if (infer_scope_within(infer, scope, f->scope)) store_add(infer->store, f->p, f->why);
  }
  return true;
}
