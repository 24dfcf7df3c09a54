// SPDX-License-Identifier: Apache-2.0
// Constants of one element, broadcast or reshaped: constants of the result's type (StableHLO,
// StablehloAggressiveSimplification.cpp, FoldBroadcastInDimSplatPattern). Of any element type: the element is copied as it
// is written.
#include <string.h>

#include "solver/transform/rewrite.h"

// The text between `dense<` and its end; false where it has elements of its own.
static bool element_text(const refine_rewrite *r, value_id value, const char **text,
                         uint32_t *length) {
  const shape_graph *g = r->graph;
  if (value == VALUE_NONE || g->values[value].is_argument) return false;
  op_id op = g->values[value].def;
  const graph_attr *attr = graph_attr_get(g, graph_attr_named(g, op, "value"));
  if (!op_has(g, op, TRAIT_CONSTANT) || r->edit_of[op] || !attr || attr->kind != ATTR_DENSE)
    return false;
  static const char DENSE[] = "dense<";
  const char *from = g->source.text + attr->span.begin, *end = g->source.text + attr->span.end;
  if (end - from <= (ptrdiff_t)sizeof DENSE || memcmp(from, DENSE, sizeof DENSE - 1) != 0)
    return false;
  from += sizeof DENSE - 1;
  const char *close = memchr(from, '>', (size_t)(end - from));
  if (!close || close == from || *from == '[' || *from == '"') return false;
  *text = from;
  *length = (uint32_t)(close - from);
  return true;
}

static bool is_static(const refine_rewrite *r, value_id value) {
  type_id id = r->value_types[value];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&r->graph->types, id);
  for (uint32_t i = 0; type && type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return false;
  }
  return type && type->kind == TYPE_TENSOR && !type->has_bounds;
}

void rewrite_splats(refine_rewrite *r) {
  static const char *const NAMES[] = {"stablehlo.broadcast_in_dim", "stablehlo.reshape"};
  shape_graph *g = r->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    const char *name = graph_op_name(g, op), *text;
    uint32_t length;
    if (strcmp(name, NAMES[0]) != 0 && strcmp(name, NAMES[1]) != 0) continue;
    if (r->removed[op] || rewrite_keeps(r, op) || o->operand_count != 1 || o->result_count != 1)
      continue;
    if (!mlir_op_end(r->uses, op) || !is_static(r, o->results)) continue;
    if (!element_text(r, graph_operand(g, op, 0), &text, &length)) continue;
    shape_strbuf out;
    strbuf_init(&out, g->arena);
    strbuf_printf(&out, "stablehlo.constant dense<%.*s> : ", (int)length, text);
    type_print(&g->types, &out, r->value_types[o->results]);
    rewrite_replace(r, op, &out);
    g->ops[op].operand_count = 0;
  }
}
