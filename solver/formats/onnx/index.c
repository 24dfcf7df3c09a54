// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/index.h"

#include <assert.h>

#include "solver/formats/onnx/reader.h"

static uint64_t value_key(block_id block, name_id name) { return (uint64_t)block << 32 | name; }

static void add_value(onnx_index *x, const shape_graph *g, block_id block, value_id value) {
  name_id name = g->values[value].name;
  if (name != NAME_NONE) imap_put(&x->values, g->arena, value_key(block, name), value);
}

onnx_index onnx_index_of(const shape_graph *g) {
  onnx_index x = {0};
  for (block_id i = 0; i < g->block_count; i++) {
    for (uint32_t k = 0; k < g->blocks[i].argument_count; k++)
      add_value(&x, g, i, g->blocks[i].arguments + k);
  }
  for (op_id i = 0; i < g->op_count; i++) {
    const graph_op *op = &g->ops[i];
    if (!span_is_none(op->span)) imap_put(&x.ops, g->arena, op->span.begin, i);
    for (uint32_t k = 0; k < op->result_count; k++) add_value(&x, g, op->parent, op->results + k);
  }
  return x;
}

value_id onnx_index_value(const onnx_index *index, block_id block, name_id name) {
  uint32_t value;
  return imap_get(&index->values, value_key(block, name), &value) ? value : VALUE_NONE;
}

op_id onnx_index_op(const onnx_index *index, size_t begin) {
  uint32_t op;
  return imap_get(&index->ops, begin, &op) ? op : ID_NONE;
}

static bool is_then(wire_span attribute) {
  wire_field f;
  return wire_find(attribute, ATTRIBUTE_NAME, &f) && f.bytes.size == 11 &&
         memcmp(f.bytes.data, "then_branch", 11) == 0;
}

onnx_regions onnx_regions_of(wire_span node) {
  onnx_regions regions = {{0, 0}};
  wire_reader r = wire_open(node);
  wire_field f, body;
  while (wire_next(&r, &f)) {
    regions.next[1] +=
        f.number == NODE_ATTRIBUTE && wire_find(f.bytes, ATTRIBUTE_G, &body) && is_then(f.bytes);
  }
  return regions;
}

uint32_t onnx_next_region(onnx_regions *regions, wire_span attribute) {
  return regions->next[!is_then(attribute)]++;
}
