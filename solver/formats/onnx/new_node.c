// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/new_node.h"

#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/patch.h"
#include "solver/formats/onnx/reader.h"

// AttributeProto.type and TensorProto.data_type (onnx.proto).
enum { ATTRIBUTE_IS_INT = 2, ATTRIBUTE_IS_TENSOR = 4, TENSOR_INT64 = 7 };

static patch part_of(const patch *p) { return patch_new(p->arena, p->base); }

static void put_string(patch *p, uint32_t field, const char *text) {
  patch_text(p, field, text, strlen(text));
}

static void put_axis(patch *p) {
  patch attribute = part_of(p);
  put_string(&attribute, ATTRIBUTE_NAME, "axis");
  patch_number(&attribute, ATTRIBUTE_I, 0);
  patch_number(&attribute, ATTRIBUTE_TYPE, ATTRIBUTE_IS_INT);
  patch_message(p, NODE_ATTRIBUTE, &attribute);
}

static void put_constant(patch *p, const onnx_new_node *n) {
  patch tensor = part_of(p), attribute = part_of(p);
  assert(n->value_rank <= 1 && (n->value_rank || n->value_count == 1));
  char *bytes = arena_alloc(p->arena, 8 * (size_t)n->value_count + 1);
  for (uint32_t k = 0; k < n->value_count; k++)
    for (uint32_t i = 0; i < 8; i++) bytes[8 * k + i] = (char)((uint64_t)n->value[k] >> 8 * i);
  if (n->value_rank) patch_number(&tensor, TENSOR_DIMS, n->value_count);
  patch_number(&tensor, TENSOR_DATA_TYPE, TENSOR_INT64);
  patch_text(&tensor, TENSOR_RAW_DATA, bytes, 8 * (size_t)n->value_count);
  put_string(&attribute, ATTRIBUTE_NAME, "value");
  patch_message(&attribute, ATTRIBUTE_T, &tensor);
  patch_number(&attribute, ATTRIBUTE_TYPE, ATTRIBUTE_IS_TENSOR);
  patch_message(p, NODE_ATTRIBUTE, &attribute);
}

void onnx_put_node(patch *graph, const onnx_new_node *n) {
  patch node = part_of(graph);
  for (uint32_t i = 0; i < 3 && n->inputs[i]; i++) put_string(&node, NODE_INPUT, n->inputs[i]);
  for (uint32_t i = 0; i < n->more_count; i++) put_string(&node, NODE_INPUT, n->more[i]);
  put_string(&node, NODE_OUTPUT, n->output);
  put_string(&node, NODE_NAME, n->output);
  put_string(&node, NODE_OP_TYPE, n->op_type);
  if (n->has_axis) put_axis(&node);
  if (n->value) put_constant(&node, n);
  patch_message(graph, GRAPH_NODE, &node);
}
