// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/reform.h"

#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/index.h"
#include "solver/formats/onnx/patch.h"
#include "solver/formats/onnx/reader.h"

typedef struct reformer {
  const onnx_reform *reform;
  shape_graph *graph;
  shape_arena *arena;
  const uint8_t *base;
  onnx_index index;
  shape_imap inputs;  // op_id -> index of its new input
} reformer;

static patch new_patch(const reformer *x) { return patch_new(x->arena, x->base); }

static wire_span main_graph(const shape_graph *g) {
  wire_field f;
  wire_span model = {(const uint8_t *)g->source.text, g->source.length};
  return wire_find(model, MODEL_GRAPH, &f) ? f.bytes : (wire_span){model.data, 0};
}

source_span onnx_graph_span(const shape_graph *g) {
  wire_span graph = main_graph(g);
  uint32_t begin = (uint32_t)((const char *)graph.data - g->source.text);
  return (source_span){begin, begin + (uint32_t)graph.size};
}

// --- types

static void put_dim(reformer *x, patch *p, wire_span old, int64_t dim) {
  patch part = new_patch(x);
  if (dim_is_symbol(dim)) {
    patch_copy(&part, old.data, old.data + old.size);
  } else if (dim_is_static(dim)) {
    patch_number(&part, DIM_VALUE, (uint64_t)dim);
  }
  patch_message(p, SHAPE_DIM, &part);
}

static void put_shape(reformer *x, patch *p, wire_span old, const graph_type *type) {
  patch part = new_patch(x);
  wire_reader r = wire_open(old);
  wire_field f;
  uint32_t axis = 0;
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    if (f.number == SHAPE_DIM && f.type == WIRE_BYTES && axis < type->rank) {
      put_dim(x, &part, f.bytes, type->dims[axis++]);
    } else {
      patch_copy(&part, at, r.at);
    }
  }
  patch_message(p, TENSOR_TYPE_SHAPE, &part);
}

// The message of one field, with the field `inner` of it put anew by `put`.
typedef void put_field(reformer *x, patch *p, wire_field f, const graph_type *type);

static void put_message(reformer *x, patch *p, uint32_t field, wire_span old,
                        const graph_type *type, put_field *put) {
  patch part = new_patch(x);
  wire_reader r = wire_open(old);
  wire_field f;
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    uint32_t before = part.count;
    size_t size = part.size;
    if (f.type == WIRE_BYTES) put(x, &part, f, type);
    if (part.count == before && part.size == size) patch_copy(&part, at, r.at);
  }
  patch_message(p, field, &part);
}

static void put_tensor_field(reformer *x, patch *p, wire_field f, const graph_type *type) {
  if (f.number == TENSOR_TYPE_SHAPE) put_shape(x, p, f.bytes, type);
}

static void put_type_field(reformer *x, patch *p, wire_field f, const graph_type *type) {
  if (f.number == TYPE_PROTO_TENSOR) put_message(x, p, f.number, f.bytes, type, put_tensor_field);
}

static void put_info_field(reformer *x, patch *p, wire_field f, const graph_type *type) {
  if (f.number == VALUE_INFO_TYPE) put_message(x, p, f.number, f.bytes, type, put_type_field);
}

static void put_value(reformer *x, patch *p, uint32_t field, wire_span old, block_id block) {
  wire_field name;
  value_id value = VALUE_NONE;
  if (wire_find(old, VALUE_INFO_NAME, &name) && name.bytes.size)
    value = onnx_index_value(
        &x->index, block,
        intern_add(&x->graph->names, (const char *)name.bytes.data, name.bytes.size));
  type_id id = value == VALUE_NONE ? TYPE_NONE : x->reform->types[value];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&x->graph->types, id);
  if (type && type->kind == TYPE_TENSOR) {
    put_message(x, p, field, old, type, put_info_field);
  } else {
    patch part = new_patch(x);
    patch_copy(&part, old.data, old.data + old.size);
    patch_message(p, field, &part);
  }
}

// --- nodes

static patch reform_graph(reformer *x, wire_span graph, block_id block, bool is_main);

typedef struct node_change {
  reformer *x;
  const onnx_new_input *input;  // NULL: none is changed
} node_change;

static const char *new_input(void *data, uint32_t index) {
  const node_change *n = data;
  return n->input && index == n->input->input ? n->input->name : NULL;
}

static patch reform_inner(void *data, wire_span graph, block_id block) {
  const node_change *n = data;
  return reform_graph(n->x, graph, block, false);
}

static void put_node(reformer *x, patch *p, wire_span node, op_id id) {
  uint32_t input;
  node_change n = {x, imap_get(&x->inputs, id, &input) ? &x->reform->inputs[input] : NULL};
  patch_node(p, node, x->graph, &x->graph->ops[id], &(patch_parts){new_input, reform_inner, &n});
}

static bool is_changed(const reformer *x, wire_span node, op_id *op) {
  uint32_t ignored;
  *op = onnx_index_op(&x->index, (size_t)(node.data - x->base));
  return *op != ID_NONE && (x->graph->ops[*op].region_count || imap_get(&x->inputs, *op, &ignored));
}

static patch reform_graph(reformer *x, wire_span graph, block_id block, bool is_main) {
  patch p = new_patch(x);
  wire_reader r = wire_open(graph);
  wire_field f;
  op_id op;
  for (uint32_t i = 0; is_main && i < x->reform->node_count; i++)
    onnx_put_node(&p, &x->reform->nodes[i]);
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    bool value =
        f.number == GRAPH_INPUT || f.number == GRAPH_OUTPUT || f.number == GRAPH_VALUE_INFO;
    if (f.type == WIRE_BYTES && value) {
      put_value(x, &p, f.number, f.bytes, block);
    } else if (f.type == WIRE_BYTES && f.number == GRAPH_NODE && is_changed(x, f.bytes, &op)) {
      put_node(x, &p, f.bytes, op);
    } else {
      patch_copy(&p, at, r.at);
    }
  }
  return p;
}

void onnx_reform_write(const onnx_reform *reform, const onnx_sink *sink) {
  shape_graph *g = reform->graph;
  reformer x = {.reform = reform, .graph = g, .arena = g->arena};
  x.base = (const uint8_t *)g->source.text;
  x.index = onnx_index_of(g);
  for (uint32_t i = 0; i < reform->input_count; i++)
    imap_put(&x.inputs, x.arena, reform->inputs[i].op, i);
  wire_span graph = main_graph(g);
  assert(g->func_count && g->funcs[0].body != ID_NONE);
  block_id block = g->regions[g->funcs[0].body].first_block;
  patch p = new_patch(&x), body = reform_graph(&x, graph, block, true);
  wire_reader r = wire_open((wire_span){x.base, g->source.length});
  wire_field f;
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    if (f.number == MODEL_GRAPH && f.bytes.data == graph.data) {
      patch_message(&p, MODEL_GRAPH, &body);
    } else {
      patch_copy(&p, at, r.at);
    }
  }
  patch_write(&p, sink);
}
