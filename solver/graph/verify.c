// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/verify.h"

#include <string.h>

static const char *invalid(const shape_graph *g, const char *what, uint32_t id) {
  shape_strbuf buf;
  strbuf_init(&buf, g->arena);
  strbuf_printf(&buf, "%s (id %u)", what, id);
  return strbuf_text(&buf);
}

static bool in_range(uint32_t first, uint32_t count, uint32_t total) {
  return count == 0 || (first < total && count <= total - first);
}

static bool span_is_valid(const shape_graph *g, source_span span) {
  return span_is_none(span) || (span.begin <= span.end && span.end <= g->source.length);
}

static const char *check_op(const shape_graph *g, op_id id) {
  const graph_op *op = &g->ops[id];
  if (op->name >= g->names.count) return invalid(g, "operation without a name", id);
  if (!in_range(op->operands, op->operand_count, g->operand_count) ||
      !in_range(op->results, op->result_count, g->value_count) ||
      !in_range(op->attrs, op->attr_count, g->attributes.entry_count) ||
      !in_range(op->regions, op->region_count, g->region_count)) {
    return invalid(g, "operation points outside of the graph", id);
  }
  if (op->parent >= g->block_count) return invalid(g, "operation in no block", id);
  if (op->next != ID_NONE && op->next <= id) return invalid(g, "operations out of order", id);
  if (op->next != ID_NONE && g->ops[op->next].parent != op->parent) {
    return invalid(g, "the next operation is in another block", id);
  }
  if (!span_is_valid(g, op->span) || !span_is_valid(g, op->name_span)) {
    return invalid(g, "operation with a span outside of the text", id);
  }
  // ONNX keeps initializers after the nodes that use them, nodes in any order, and functions away from their calls. FX
  // graphs are read where they are called.
  bool is_text = graph_is_text(g) && g->format != GRAPH_FX;
  if (is_text && id && !span_is_none(op->span) && g->ops[id - 1].span.begin > op->span.begin) {
    return invalid(g, "operations not in the order of the text", id);
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    value_id v = g->operands[op->operands + i];
    if (v != VALUE_NONE && v >= g->value_count) return invalid(g, "operand is no value", id);
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    const graph_value *v = &g->values[op->results + i];
    if (v->is_argument || v->def != id) {
      return invalid(g, "result of another operation", id);
    }
  }
  for (uint32_t i = 0; i < op->attr_count; i++) {
    attr_entry entry = g->attributes.entries[op->attrs + i];
    if (entry.name >= g->names.count || entry.value >= g->attributes.count) {
      return invalid(g, "attribute without a name or a value", id);
    }
  }
  for (uint32_t i = 0; i < op->region_count; i++) {
    if (g->regions[op->regions + i].op != id) return invalid(g, "region of another operation", id);
  }
  return NULL;
}

static const char *check_block(const shape_graph *g, block_id id) {
  const graph_block *block = &g->blocks[id];
  if (!in_range(block->arguments, block->argument_count, g->value_count)) {
    return invalid(g, "block arguments outside of the graph", id);
  }
  for (uint32_t i = 0; i < block->argument_count; i++) {
    const graph_value *v = &g->values[block->arguments + i];
    if (!v->is_argument || v->def != id) {
      return invalid(g, "argument of another block", id);
    }
  }
  if (block->region == ID_NONE) {
    return block->first == ID_NONE ? NULL : invalid(g, "operations in a block of no region", id);
  }
  if (block->region >= g->region_count) return invalid(g, "block in no region", id);
  const graph_region *region = &g->regions[block->region];
  if (id < region->first_block || id - region->first_block >= region->block_count) {
    return invalid(g, "block in another region", id);
  }
  op_id last = ID_NONE;
  for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) {
    if (op >= g->op_count || g->ops[op].parent != id) {
      return invalid(g, "operation of another block", id);
    }
    // Also what keeps this loop from going round.
    if (last != ID_NONE && op <= last) return invalid(g, "operations of a block out of order", id);
    last = op;
  }
  return last == block->last ? NULL : invalid(g, "last operation of a block is not its last", id);
}

static const char *check_region(const shape_graph *g, region_id id) {
  const graph_region *region = &g->regions[id];
  if (!in_range(region->first_block, region->block_count, g->block_count)) {
    return invalid(g, "region points outside of the graph", id);
  }
  if (region->func >= g->func_count) return invalid(g, "region of no function", id);
  if (region->op == ID_NONE) {
    return g->funcs[region->func].body == id ? NULL : invalid(g, "body of another function", id);
  }
  if (region->op >= g->op_count) return invalid(g, "region of no operation", id);
  const graph_op *op = &g->ops[region->op];
  bool listed = id >= op->regions && id - op->regions < op->region_count;
  return listed ? NULL : invalid(g, "region of another operation", id);
}

static const char *check_func(const shape_graph *g, func_id id) {
  const graph_func *func = &g->funcs[id];
  if (!span_is_valid(g, func->span)) return invalid(g, "function outside of the text", id);
  if (!in_range(func->attrs, func->attr_count, g->attributes.entry_count)) {
    return invalid(g, "function attributes outside of the graph", id);
  }
  if (func->body == ID_NONE) return NULL;
  if (func->body >= g->region_count) return invalid(g, "function body is no region", id);
  return g->regions[func->body].func == id ? NULL : invalid(g, "body of another function", id);
}

static const char *check_attr(const shape_graph *g, attr_id id) {
  const graph_attr *attr = &g->attributes.items[id];
  if (!span_is_valid(g, attr->span)) return invalid(g, "attribute outside of the text", id);
  uint32_t count;
  const attr_id *items = attr_items(attr, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] >= id) return invalid(g, "attribute holds a later one", id);
  }
  const attr_entry *entries = attr_entries(attr, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (entries[i].value >= id) return invalid(g, "attribute holds a later one", id);
  }
  return graph_attr_is_whole(g, attr) ? NULL : invalid(g, "attribute of another kind", id);
}

static const char *check_successor(const shape_graph *g, uint32_t id) {
  const graph_successor *s = &g->successors.items[id];
  if (s->op >= g->op_count || g->ops[s->op].parent >= g->block_count)
    return invalid(g, "successor of no operation", id);
  if (id && s->op < s[-1].op) return invalid(g, "successors out of order", id);
  region_id region = g->blocks[g->ops[s->op].parent].region;
  if (region >= g->region_count || s->block >= g->regions[region].block_count)
    return invalid(g, "successor that is no block", id);
  if (s->count == GRAPH_OPERANDS_UNKNOWN) return NULL;
  bool fits = in_range(s->first, s->count, g->ops[s->op].operand_count);
  return fits ? NULL : invalid(g, "successor takes operands that are none", id);
}

const char *graph_verify(const shape_graph *g) {
  const char *error = NULL;
  for (uint32_t i = 0; !error && i < g->func_count; i++) error = check_func(g, i);
  for (uint32_t i = 0; !error && i < g->region_count; i++) error = check_region(g, i);
  for (uint32_t i = 0; !error && i < g->block_count; i++) error = check_block(g, i);
  for (uint32_t i = 0; !error && i < g->op_count; i++) error = check_op(g, i);
  for (uint32_t i = 0; !error && i < g->attributes.count; i++) error = check_attr(g, i);
  for (uint32_t i = 0; !error && i < g->successors.count; i++) error = check_successor(g, i);
  for (uint32_t i = 0; !error && i < g->value_count; i++) {
    const graph_value *v = &g->values[i];
    if (v->def >= (v->is_argument ? g->block_count : g->op_count)) {
      error = invalid(g, "value that nothing defines", i);
    } else if (v->type != TYPE_NONE && v->type >= g->types.count) {
      error = invalid(g, "value with a type that is none", i);
    }
  }
  return error;
}
